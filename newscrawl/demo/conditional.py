"""Conditional requests (RFC 9110, section 13): has the page changed since the crawler last saw it?"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime


def etag(digest: str) -> str:
    """A weak entity tag: two bodies under it differ in their adverts only."""
    return f'W/"{digest}"'


def http_date(when: datetime) -> str:
    """A date as HTTP headers write it."""
    return format_datetime(when.astimezone(UTC), usegmt=True)


def is_unchanged(headers: Mapping[str, str], tag: str | None, modified: datetime | None) -> bool:
    """Whether a GET with these headers (lower-case names) is to be answered with 304.

    If-None-Match decides alone where it is given (section 13.1.3); a date that cannot be read counts as none.
    """
    if (known := headers.get("if-none-match")) is not None:
        return tag is not None and (known.strip() == "*" or _opaque(tag) in map(_opaque, known.split(",")))
    since = headers.get("if-modified-since")
    if since is None or modified is None:
        return False
    try:
        return modified.replace(microsecond=0) <= parsedate_to_datetime(since)
    except (ValueError, TypeError):  # TypeError: a date without a zone cannot be compared
        return False


def _opaque(tag: str) -> str:
    """What the weak comparison of section 8.8.3.2 compares."""
    return tag.strip().removeprefix("W/")
