"""The arguments of `scrapy crawl SITE -a NAME=VALUE`, read and checked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from newscrawl.errors import UsageError
from newscrawl.identity import clean_url
from newscrawl.times import read_span

_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}$")


@dataclass(frozen=True, slots=True)
class CrawlArguments:
    """The arguments of a crawl. `since` is aware UTC; None means no limit."""

    max_articles: int | None = None
    since: datetime | None = None
    url: str | None = None


def read_arguments(
    *, max_articles: str | int | None = None, since: str | None = None, url: str | None = None, now: datetime
) -> CrawlArguments:
    """Reads the arguments of the command line; raises UsageError that names the allowed values."""
    return CrawlArguments(_count(max_articles), _since(since, now), _url(url))


def _count(text: str | int | None) -> int | None:
    if text is None:
        return None
    if isinstance(text, int) or (text.strip().isascii() and text.strip().isdigit()):
        count = int(text)
        if 0 < count < 10**9:
            return count
    raise UsageError(f"argument max_articles={text}: give a whole number from 1 on, like max_articles=20")


def _since(text: str | None, now: datetime) -> datetime | None:
    if text is None:
        return None
    text = text.strip()
    try:
        span = read_span(text)
        if span is not None:
            return now - span
        if _DATE.match(text):
            since = datetime.fromisoformat(text).replace(tzinfo=UTC)
            if since > now:
                raise UsageError(f"argument since={text}: that is in the future, and no article is as new as that")
            return since
    except (ValueError, OverflowError):
        pass  # the 31st of February, or before the year 1: refused below like any other text
    raise UsageError(f"argument since={text}: give a date like since=2026-08-31, or a span like since=3d or since=12h")


def _url(text: str | None) -> str | None:
    if text is None:
        return None
    try:
        return clean_url(text if "://" in text else f"https://{text.strip()}")
    except ValueError as error:
        raise UsageError(
            f"argument url={text[:200]}: {error}; give an address like url=https://example.com/"
        ) from error
