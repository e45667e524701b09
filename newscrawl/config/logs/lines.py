"""The log lines of a process: safe, as text or as JSON.

No line has a secret of an address, a control character that a terminal would interpret, or a traceback for an error
whose message is enough. Lines for an operator that are no log records are printed the same way, and an error that
repeats is logged once at its begin and once at its end.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from newscrawl.config.logs.terminal import escaped
from newscrawl.errors import ArchiveError, StorageError
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


KNOWN: Final = ("site", "url", "reason")
"""The keys of a line besides time, level, logger and message; each is left out if it is not known. See `about`."""


def about(site: str | None = None, url: str | None = None, reason: str | None = None) -> dict[str, Any]:
    """Returns the argument `extra` of a log call: the site, the address and the reason code (docs/reference/codes.md)
    that the message is about."""
    given = {"site": site, "url": url, "reason": reason}
    return {name: value for name, value in given.items() if value}


class JsonLines(logging.Formatter):
    """Formats a record as one JSON object in ASCII letters.

    The keys are time (ISO 8601, UTC), level, logger and message; site, url and reason if they are known; exception (the
    traceback as text) if there is one. Texts are masked and escaped as in a text log.
    """

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, str] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        fields |= {name: str(value) for name in KNOWN if (value := getattr(record, name, None) or _found(record, name))}
        exception = record.exc_text or (self.formatException(record.exc_info) if record.exc_info else "")
        if record.stack_info:
            exception = f"{exception}\n{self.formatStack(record.stack_info)}".strip()
        if exception:
            fields["exception"] = exception
        return json.dumps({name: escaped(masked(value)) for name, value in fields.items()})


def _found(record: logging.LogRecord, name: str) -> str | None:
    """Returns the site or the address of a log record of Scrapy, which names its spider and request."""
    if name == "site":
        site = getattr(getattr(record, "spider", None), "name", None)
        return site if isinstance(site, str) else None
    if name == "url" and isinstance(record.args, Mapping):
        url = getattr(record.args.get("request"), "url", None)
        return url if isinstance(url, str) else None
    return None


_FORMATTER: Final = logging.Formatter()


WITHOUT_TRACEBACK: Final = (StorageError, ArchiveError)
"""Errors of the machine, not of code, logged without a traceback. Scrapy logs one for any error of an extension or a
callback."""


class SafeRecord(logging.LogRecord):
    """A log record whose message and traceback are masked and escaped.

    Errors of WITHOUT_TRACEBACK add their line to the message.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.exc_info and isinstance(self.exc_info[1], WITHOUT_TRACEBACK):
            self.msg, self.args = f"{super().getMessage()}: {self.exc_info[1]}", None
            self.exc_info = None
        if self.exc_info and self.exc_info[0] is not None:  # formatters use the text if it is set
            self.exc_text = escaped(masked(_FORMATTER.formatException(self.exc_info)))

    def getMessage(self) -> str:  # noqa: N802  logging's name
        """Returns the message as it may be written."""
        return escaped(masked(super().getMessage()))


def make_log_safe() -> None:
    """Makes every log line of this process masked and escaped from now on."""
    logging.setLogRecordFactory(SafeRecord)
