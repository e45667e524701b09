"""Finds days in a page's address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Final
from urllib.parse import urlsplit

_DAY: Final = re.compile(
    r"(?<!\d)((?:19|20)\d{2})[/_.-]?(\d{2})[/_.-]?(\d{2})(?!\d)|/((?:19|20)\d{2})/(\w{3,9})/(\d{1,2})/"
    r"|(?<!\d)(\d{2})[._-](\d{2})[._-]((?:19|20)\d{2})(?!\d)"
)
_STAMP: Final = re.compile(r"(?<!\d)((?:19|20)\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])\d{3,11}(?!\d)")
_ARCHIVED: Final = re.compile(r"^/web/\d{4,14}[a-z_]{0,4}/")
"""The prefix of an archived address in a web archive: when it was copied."""

MAX_PATH: Final = 500


def days_in(url: str | None) -> Iterator[str]:
    """Yields whole days: /2024/05/17/, 2024-05-17, 20240517, /2024/may/17/, 17.05.2024."""
    for match in _DAY.finditer(_path(url)):
        numbers = [part for part in match.groups() if part]
        yield " ".join(reversed(numbers)) if match.group(4) else "-".join(numbers)


def stamps_in(url: str | None) -> Iterator[str]:
    """Yields the days of numbers that begin with a day and continue with a time or a count, as on news sites of East
    Asia. They are the last resort."""
    for match in _STAMP.finditer(_path(url)):
        yield "-".join(match.groups())


def holds_month(url: str | None, when: datetime) -> bool:
    """Returns whether the address contains year and month of that time."""
    return re.search(rf"{when.year}[/_.-]?0?{when.month}(?!\d)", _path(url)) is not None


def _path(url: str | None) -> str:
    try:
        return _ARCHIVED.sub("/", urlsplit(url or "").path[:MAX_PATH])
    except ValueError:
        return ""
