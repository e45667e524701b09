"""Commands of newscrawl that the pages start in the background, one of a kind at a time, each in a process of its own:
surveys of new sites (`newscrawl add-site --json-lines`), and re-extractions of pages in review (`newscrawl reextract`).

This process makes no request and parses no page of a stranger: the command makes its requests under all rules of a
crawl, and its workers, which have limits of memory and time, read the answers.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Generic, Literal, TypeVar

from newscrawl.config.logs.terminal import one_line
from newscrawl.config.names import DATABASE
from newscrawl.discovery.onboarding.survey_report import SurveyReport, from_json
from newscrawl.errors import UsageError, os_reason
from newscrawl.web.settings import TOKEN_VARIABLE, Clock

logger = logging.getLogger(__name__)

MAX_SECONDS: Final = 600.0
"""Seconds that a survey may take. A site that asks for ten seconds between two requests needs eight minutes for fifty
of them; most sites need less than one."""
MAX_WAITING: Final = 5
"""Surveys that may wait for the one that runs."""
KEPT: Final = 20
KEPT_REEXTRACTIONS: Final = 10
"""Surveys and re-extractions that are remembered, the newest. They are lost when the server stops."""
END_SECONDS: Final = 5.0
"""Seconds that a process has to end by itself, for example to release its hosts."""
MAX_LINE: Final = 2_000_000
"""Bytes of a line of a survey's process. A report has some 30,000."""
LINES: Final = 40
"""Lines of a re-extraction's output that are kept, the last."""
MAX_SHOWN: Final = 500
"""Characters of such a line that are kept."""
STOPPED: Final = "the server stopped before its turn"
LATE: Final = "it took more than {:,.0f} seconds, and was ended"
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


@dataclass(frozen=True, slots=True)
class Reextraction:
    """A re-extraction of the pages of a site that wait for review. `output` is the end of what the command printed."""

    site: str
    who: str
    state: Literal["running", "done", "failed"]
    started_at: datetime
    ended_at: datetime | None = None
    output: Sequence[str] = ()


J = TypeVar("J", bound=Survey | Reextraction)


class Background(ABC, Generic[J]):
    """The jobs of one kind that a server carries out, one at a time in the order in which they were asked for. Its
    threads may all use it. `command` stands before the arguments of a job, `kept` jobs are remembered, a process may
    take `max_seconds` and has the variables of `environment`; `folder` and `stderr` are as `subprocess` takes them."""

    def __init__(
        self,
        clock: Clock,
        command: Sequence[str],
        kept: int,
        *,
        max_seconds: float = threading.TIMEOUT_MAX,
        environment: Mapping[str, str] = MappingProxyType({}),
        folder: Path | None = None,
        stderr: int | None = None,
    ) -> None:
        self._clock = clock
        self._command = command
        self._kept = kept
        self._max_seconds = max_seconds
        self._environment = environment
        self._folder = folder
        self._stderr = stderr
        self._jobs: dict[int, J] = {}
        self._number = 0
        self._lock = threading.Lock()
        self._worker = ThreadPoolExecutor(1, "newscrawl-web-background")
        self._process: subprocess.Popen[bytes] | None = None
        self._is_closed = False

    def newest_first(self) -> Sequence[J]:
        """Returns the jobs that are remembered."""
        with self._lock:
            return tuple(reversed(self._jobs.values()))

    def close(self) -> None:
        """Ends the running process, and begins no other. What the command stored is kept, and the same command
        completes the work."""
        self._is_closed = True
        process = self._process
        if process is not None:
            end(process)
        self._worker.shutdown()

    @abstractmethod
    def _arguments(self, job: J) -> Sequence[str]:
        """Returns the arguments of the command."""

    @abstractmethod
    def _heard(self, job: J, line: bytes) -> Mapping[str, Any]:
        """Returns what a line of the command changes in its job. Raises ValueError for a line that cannot be read."""

    @abstractmethod
    def _ended(self, job: J, code: int, problem: str) -> Mapping[str, Any]:
        """Returns what the end of the command changes. `problem` is "" unless it did not end by itself."""

    def _add(self, job: J) -> None:
        """Lets a job wait for its turn. The caller has the lock."""
        self._number += 1
        self._jobs[self._number] = job
        ended = [number for number, known in self._jobs.items() if known.ended_at is not None]
        for old in ended[: max(0, len(self._jobs) - self._kept)]:
            del self._jobs[old]
        self._worker.submit(self._carry_out, self._number)

    def _carry_out(self, number: int) -> None:
        try:
            code, problem = (1, STOPPED) if self._is_closed else self._run(number)
        except OSError as error:
            code, problem = 1, f"it cannot start: {os_reason(error)}"
        except Exception:
            logger.exception("a command that the pages started failed")
            code, problem = 1, "an error of newscrawl; its log says more"
        self._change(number, **self._ended(self._jobs[number], code, problem), ended_at=self._clock())

    def _run(self, number: int) -> tuple[int, str]:
        """Runs the command of a job. Returns its exit code, and what kept it from ending by itself."""
        job = self._change(number, state="running", started_at=self._clock())
        began = time.monotonic()
        environment = {name: value for name, value in os.environ.items() if name != TOKEN_VARIABLE}
        self._process = process = subprocess.Popen(  # noqa: S603  our own command, and no shell
            (*self._command, *self._arguments(job)),
            env={**environment, **self._environment},
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            start_new_session=True,
        )
        if self._is_closed:  # it found no process to end
            end(process)
        timer = threading.Timer(self._max_seconds, end, (process,))
        timer.daemon = True
        timer.start()
        try:
            while process.stdout is not None and (line := process.stdout.readline(MAX_LINE)):
                self._change(number, **self._heard(self._jobs[number], line))
            process.wait()
        except (OSError, ValueError) as error:  # no line, or `end` closed the pipe
            logger.warning("the output of a command that the pages started broke off: %s", error)
        finally:
            timer.cancel()
            end(process)
            self._process = None
        is_late = time.monotonic() - began >= self._max_seconds
        return process.returncode, LATE.format(self._max_seconds) if is_late else ""

    def _change(self, number: int, **values: Any) -> J:
        with self._lock:
            changed = self._jobs[number] = replace(self._jobs[number], **values)
            return changed


class Surveys(Background[Survey]):
    """The surveys of a server."""

    def __init__(
        self, database_url: str, clock: Clock, *, command: Sequence[str] = COMMAND, max_seconds: float = MAX_SECONDS
    ) -> None:
        # not an argument: others see those, with its password
        super().__init__(clock, command, KEPT, max_seconds=max_seconds, environment={DATABASE: database_url})

    def begin(self, url: str, feed: str | None, who: str) -> int:
        """Lets a survey wait for its turn, and returns its number. Raises UsageError if too many wait."""
        with self._lock:
            if [job.state for job in self._jobs.values()].count("waiting") >= MAX_WAITING:
                raise UsageError(f"{MAX_WAITING} surveys wait already: ask again when one has ended")
            self._add(Survey(self._number + 1, url, feed, who, "waiting", self._clock()))
            return self._number

    def _arguments(self, job: Survey) -> Sequence[str]:
        return ("add-site", "--json-lines", *((f"--feed={job.feed}",) if job.feed else ()), "--", job.url)

    def _heard(self, job: Survey, line: bytes) -> Mapping[str, Any]:
        said = json.loads(line)
        if "requesting" in said:
            return {"requests": job.requests + 1, "requesting": str(said["requesting"])[:2_000]}
        if "report" in said:
            return {"report": from_json(said["report"])}
        return {"problem": str(said["problem"])} if said.get("problem") else {}

    def _ended(self, job: Survey, code: int, problem: str) -> Mapping[str, Any]:
        if job.report is not None:
            return {"state": "done"}
        silent = "its process ended without a result; the log of `newscrawl web` says more"
        return {"state": "failed", "problem": problem or job.problem or silent}


class Reextractions(Background[Reextraction]):
    """The re-extractions of a server. `project` is the folder of the project whose database and archive are used."""

    def __init__(self, project: Path, clock: Clock, *, command: Sequence[str] = COMMAND) -> None:
        super().__init__(clock, command, KEPT_REEXTRACTIONS, folder=project, stderr=subprocess.STDOUT)

    def begin(self, site: str, who: str) -> None:
        """Starts the re-extraction of a site. Raises UsageError if another runs, or if there is no project any more."""
        if self._folder is None or not self._folder.is_dir():
            raise UsageError(f"newscrawl reextract cannot start: there is no folder {self._folder}")
        with self._lock:
            running = next((job for job in self._jobs.values() if job.ended_at is None), None)
            if running is not None:
                raise UsageError(f"{running.site} is extracted again just now: ask again when that has ended")
            self._add(Reextraction(site, who, "running", self._clock()))

    def _arguments(self, job: Reextraction) -> Sequence[str]:
        return arguments_of(job.site)

    def _heard(self, job: Reextraction, line: bytes) -> Mapping[str, Any]:
        said = one_line(line.decode("utf-8", "replace"))[:MAX_SHOWN]
        return {"output": (*job.output, said)[-LINES:]}

    def _ended(self, job: Reextraction, code: int, problem: str) -> Mapping[str, Any]:
        said = (*job.output, problem)[-LINES:] if problem else job.output
        return {"state": "failed" if code else "done", "output": said}


def arguments_of(site: str) -> tuple[str, ...]:
    """Returns the arguments of the command that extracts the pages of a site in review again."""
    return ("reextract", "--in-review", f"--site={site}", "--apply")


def end(process: subprocess.Popen[bytes]) -> None:
    """Ends the process, and all that it started, if it still runs. It must be the leader of its session."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is not None:
            break
        try:
            os.killpg(process.pid, number)
            process.wait(END_SECONDS)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):  # it was closed at the other end
                pipe.close()
