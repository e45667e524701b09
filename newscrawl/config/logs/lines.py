"""Sets whether this process writes its log as JSON, prints lines for an operator that are no log records, and logs
an error that repeats once at its begin and once at its end."""

from __future__ import annotations

import logging
import sys
from dataclasses import dataclass, field
from typing import Final

from newscrawl.config.logs.json_lines import JsonLines
from newscrawl.config.logs.records import SafeRecord, make_log_safe
from newscrawl.config.logs.terminal import escaped
from newscrawl.model.identity.masking import masked

TEXT: Final = "text"
JSON: Final = "json"
NAME: Final = "newscrawl"
"""The logger of lines that are no log records."""
_formats: Final[list[str]] = []
"""The format of this process; empty: text."""


@dataclass(slots=True)
class SaidOnce:
    """The state of one operation that is repeated. `begin` and `end` are lines of the log; `begin` has a place for the
    error."""

    logger: logging.Logger
    begin: str
    end: str
    _fails: bool = field(default=False, repr=False)

    def failed(self, error: Exception) -> None:
        """Notes a failure; logs it if the operation worked before."""
        if not self._fails:
            self._fails = True
            self.logger.error(self.begin, error)

    def worked(self) -> None:
        """Notes a success; logs it if the operation failed before."""
        if self._fails:
            self._fails = False
            self.logger.warning(self.end)


def is_json() -> bool:
    """Returns whether the log of this process is JSON."""
    return bool(_formats)


def write_json() -> None:
    """Makes this process, and the children that it starts from now on, write JSON to standard error. The caller formats
    its own log handler."""
    if not is_json():
        from newscrawl.workers.processes.forkserver import call_in_children  # loads multiprocessing

        _formats.append(JSON)
        call_in_children(_begin_child)


def write_text() -> None:
    """Makes this process write text again."""
    from newscrawl.workers.processes.forkserver import call_in_children

    _formats.clear()
    call_in_children(None)


def print_line(text: str, level: int = logging.ERROR) -> None:
    """Prints a line on standard error: in JSON with the level if the log is JSON, else the text alone, masked and
    escaped."""
    if not is_json():
        print(escaped(masked(text)), file=sys.stderr, flush=True)
        return
    record = SafeRecord(NAME, level, "", 0, "%s", (text.removeprefix("newscrawl: "),), None)
    print(JsonLines().format(record), file=sys.stderr, flush=True)


def _begin_child() -> None:
    """Makes a child process write its own log lines as JSON to standard error."""
    make_log_safe()
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    logging.lastResort = handler  # used while a child has no handler of its own
    handler.setLevel(logging.WARNING)
    logging.captureWarnings(True)
