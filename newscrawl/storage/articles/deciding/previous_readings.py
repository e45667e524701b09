"""The results of captures so far, which another extraction is compared with and replaces. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from newscrawl.model import ProcessedPage
from newscrawl.storage.records import WHOLE


@dataclass(frozen=True, slots=True)
class PreviousReading:
    """The result of a capture so far: an article, as its page describes it, or a failure."""

    capture_id: int
    url_key: str
    article_id: int | None
    failure: str | None
    identity: str | None = None
    text: str | None = None
    content_hash: str | None = None
    extractor: str | None = None
    title: str | None = None
    authors: tuple[str, ...] = ()
    published: datetime | None = None
    verdict: str | None = None
    shown: bool = False
    """Whether the page shows the article now."""
    expired: bool = False
    """Whether the page's texts were removed because of their age; they are not stored again."""


def may_replace(page: ProcessedPage, previous: PreviousReading) -> bool:
    """Returns whether another extraction of the capture may replace its result so far.

    A page without an article replaces nothing. A part of a text does not replace a whole one.
    """
    article = page.article
    if article is None or article.verdict == "empty" or previous.expired:
        return False
    return article.verdict in WHOLE or previous.verdict not in WHOLE


def capture_id(page: ProcessedPage) -> int | None:
    """Returns the row id of the page's capture; None for a page that was not read from a stored capture."""
    return page.raw.capture.id if page.raw.capture is not None else None
