"""A log record as one line of JSON."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from newscrawl.config.logs.terminal import escaped
from newscrawl.model.identity.masking import masked

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
