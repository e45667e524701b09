"""Conditional requests (RFC 9110, section 13): decides whether a page has changed since the crawler last fetched it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime


def etag(digest: str) -> str:
    """Returns a weak entity tag. Bodies with the same tag differ in their adverts only."""
    return f'W/"{digest}"'


def http_date(when: datetime) -> str:
    """Returns a date in the form of HTTP headers."""
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
    """Returns the part of a tag that the weak comparison of section 8.8.3.2 compares."""
    return tag.strip().removeprefix("W/")
