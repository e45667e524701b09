"""Surveys of new sites, in the background: one at a time, each in a process of `newscrawl add-site --json-lines` with a
time limit.

This process makes no request and parses no page of a stranger: the survey's process makes the requests under all rules
of a crawl, and its workers, which have limits of memory and time, read the answers.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from queue import Empty, Full, Queue
from typing import Any, Final, Literal

from newscrawl.config.names import DATABASE
from newscrawl.errors import UsageError
from newscrawl.onboarding.survey_report import SurveyReport, from_json
from newscrawl.web.actions.child_process import END_SECONDS, end
from newscrawl.web.settings import TOKEN_VARIABLE, Clock

logger = logging.getLogger(__name__)

MAX_SECONDS: Final = 600.0
"""Seconds that a survey may take. A site that asks for ten seconds between two requests needs eight minutes for fifty
of them; most sites need less than one."""
MAX_WAITING: Final = 5
"""Surveys that may wait for the one that runs."""
KEPT: Final = 20
"""Surveys that are remembered, the newest. They are lost when the server stops."""
MAX_LINE: Final = 2_000_000
"""Bytes of a line of the survey's process. A report has some 30,000."""
COMMAND: Final = (sys.executable, "-m", "newscrawl")

State = Literal["waiting", "running", "done", "failed"]


@dataclass(frozen=True, slots=True)
class Survey:
    """A survey of a new site. `requests` counts its requests so far, `requesting` is the address of the latest.
    `problem` says why it failed; `report` is what it found."""

    number: int
    url: str
    feed: str | None
    who: str
    state: State
    asked_at: datetime
    started_at: datetime | None = None
    ended_at: datetime | None = None
    requests: int = 0
    requesting: str | None = None
    problem: str | None = None
    report: SurveyReport | None = None


class Surveys:
    """The surveys of a server. Its threads may all use it."""

    def __init__(
        self, database_url: str, clock: Clock, *, command: Sequence[str] = COMMAND, max_seconds: float = MAX_SECONDS
    ) -> None:
        self._database_url = database_url
        self._clock = clock
        self._command = command
        self._max_seconds = max_seconds
        self._surveys: dict[int, Survey] = {}
        self._waiting: Queue[int] = Queue(MAX_WAITING)
        self._number = 0
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._is_closed = False

    def begin(self, url: str, feed: str | None, who: str) -> int:
        """Lets a survey wait for its turn, and returns its number. Raises UsageError if too many wait."""
        with self._lock:
            number = self._number + 1
            try:
                self._waiting.put_nowait(number)
            except Full:
                raise UsageError(f"{MAX_WAITING} surveys wait already: ask again when one has ended") from None
            self._number = number
            self._surveys[number] = Survey(number, url, feed, who, "waiting", self._clock())
            ended = [survey.number for survey in self._surveys.values() if survey.ended_at is not None]
            for old in ended[: max(0, len(self._surveys) - KEPT)]:
                del self._surveys[old]
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._work, name="newscrawl-web-surveys", daemon=True)
                self._thread.start()
        return number

    def newest_first(self) -> Sequence[Survey]:
        """Returns the surveys that are remembered."""
        with self._lock:
            return tuple(reversed(self._surveys.values()))

    def close(self) -> None:
        """Ends the running survey, and begins no other."""
        self._is_closed = True
        process = self._process
        if process is not None:
            end(process)
        if self._thread is not None:
            self._thread.join(2 * END_SECONDS)

    def _work(self) -> None:
        """Carries out surveys until none waits."""
        while not self._is_closed:
            try:
                number = self._waiting.get(timeout=0.2)
            except Empty:
                with self._lock:
                    if self._waiting.empty():
                        self._thread = None
                        return
                continue
            try:
                self._carry_out(number)
            except Exception:
                logger.exception("the survey of a new site failed")
                self._change(number, state="failed", problem="an error of newscrawl; its log says more")
            self._change(number, ended_at=self._clock())

    def _carry_out(self, number: int) -> None:
        survey = self._change(number, state="running", started_at=self._clock())
        environment = {name: value for name, value in os.environ.items() if name != TOKEN_VARIABLE}
        process = subprocess.Popen(  # noqa: S603  our own command, and no shell
            (*self._command, *arguments_of(survey.url, survey.feed)),
            env={**environment, DATABASE: self._database_url},  # not an argument: others see those, with its password
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        self._process = process
        if self._is_closed:  # it found no process to end
            end(process)
        is_late = threading.Event()

        def end_late() -> None:
            is_late.set()
            end(process)

        timer = threading.Timer(self._max_seconds, end_late)
        timer.daemon = True
        timer.start()
        try:
            last = self._read(number, process)
        finally:
            timer.cancel()
            end(process)
            self._process = None
        if "report" in last:
            self._change(number, state="done", report=from_json(last["report"]))
            return
        problem = str(last.get("problem") or "its process ended without a result; the log of `newscrawl web` says more")
        if is_late.is_set():
            problem = f"it took more than {self._max_seconds:,.0f} seconds, and was ended"
        self._change(number, state="failed", problem=problem)

    def _read(self, number: int, process: subprocess.Popen[bytes]) -> dict[str, Any]:
        """Follows the lines of the process. Returns the last one."""
        last: dict[str, Any] = {}
        try:
            requests = 0
            while process.stdout is not None and (line := process.stdout.readline(MAX_LINE)):
                last = json.loads(line)
                if "requesting" in last:
                    requests += 1
                    self._change(number, requests=requests, requesting=str(last["requesting"])[:2_000])
        except (OSError, ValueError) as error:
            logger.warning("the survey's process broke off: %s", error)
        return last

    def _change(self, number: int, **values: Any) -> Survey:
        with self._lock:
            changed = self._surveys[number] = replace(self._surveys[number], **values)
            return changed


def arguments_of(url: str, feed: str | None) -> tuple[str, ...]:
    """Returns the arguments of the command that surveys a site."""
    return ("add-site", "--json-lines", *((f"--feed={feed}",) if feed else ()), "--", url)
