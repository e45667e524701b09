"""Extracts pages in review again, in the background: one site at a time, each in a process of `newscrawl reextract`.

This process parses no page of a stranger: the command's workers do, which have limits of memory and time.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal

from newscrawl.errors import UsageError
from newscrawl.terminal import one_line
from newscrawl.web.actions.child_process import END_SECONDS, end
from newscrawl.web.settings import TOKEN_VARIABLE, Clock

logger = logging.getLogger(__name__)

KEPT: Final = 10
"""Re-extractions that are remembered, the newest. They are lost when the server stops."""
LINES: Final = 40
"""Lines of the command's output that are kept, the last."""
MAX_LINE: Final = 500
"""Characters of a line that are kept."""
COMMAND: Final = (sys.executable, "-m", "newscrawl")

State = Literal["running", "done", "failed"]


@dataclass(frozen=True, slots=True)
class Reextraction:
    """A re-extraction of the pages of a site that wait for review. `output` is the end of what the command printed."""

    site: str
    who: str
    state: State
    started_at: datetime
    ended_at: datetime | None = None
    output: Sequence[str] = ()


class Reextractions:
    """The re-extractions of a server. Its threads may all use it. `project` is the folder of the project whose database
    and archive are used."""

    def __init__(self, project: Path, clock: Clock, *, command: Sequence[str] = COMMAND) -> None:
        self._project = project
        self._clock = clock
        self._command = command
        self._known: deque[Reextraction] = deque(maxlen=KEPT)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def begin(self, site: str, who: str) -> None:
        """Starts the re-extraction of a site. Raises UsageError if another runs, or the command cannot start."""
        with self._lock:
            if self._process is not None:
                raise UsageError(f"{self._known[-1].site} is extracted again just now: ask again when that has ended")
            environment = {name: value for name, value in os.environ.items() if name != TOKEN_VARIABLE}
            try:
                process = subprocess.Popen(  # noqa: S603  our own command, and no shell
                    (*self._command, *arguments_of(site)),
                    cwd=self._project,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            except OSError as error:
                raise UsageError(f"newscrawl reextract cannot start: {error.strerror}") from error
            self._process = process
            self._known.append(Reextraction(site, who, "running", self._clock()))
            self._thread = threading.Thread(
                target=self._follow, args=(process,), name="newscrawl-web-reextract", daemon=True
            )
            self._thread.start()

    def newest_first(self) -> Sequence[Reextraction]:
        """Returns the re-extractions that are remembered."""
        with self._lock:
            return tuple(reversed(self._known))

    def close(self) -> None:
        """Ends the running re-extraction. What it stored is kept, and the same command completes the work."""
        process, thread = self._process, self._thread
        if process is not None:
            end(process)
        if thread is not None:
            thread.join(2 * END_SECONDS)

    def _follow(self, process: subprocess.Popen[bytes]) -> None:
        """Reads the output of the process until it ends."""
        lines: deque[str] = deque(maxlen=LINES)
        try:
            while process.stdout is not None and (line := process.stdout.readline(MAX_LINE)):
                lines.append(one_line(line.decode("utf-8", "replace")))
                self._change(output=tuple(lines))
        except (OSError, ValueError) as error:  # `close` closed the pipe
            logger.warning("the output of newscrawl reextract broke off: %s", error)
        finally:
            code = process.wait()
            self._change(state="failed" if code else "done", ended_at=self._clock())
            end(process)
            self._process = None

    def _change(self, **values: Any) -> None:
        with self._lock:
            self._known[-1] = replace(self._known[-1], **values)


def arguments_of(site: str) -> tuple[str, ...]:
    """Returns the arguments of the command that extracts the pages of a site in review again."""
    return ("reextract", "--in-review", f"--site={site}", "--apply")
