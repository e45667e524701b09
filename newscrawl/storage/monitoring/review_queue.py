"""Pages that wait for review: their site's extraction looks broken, and no extractor gave a credible text.

The text of such a page is in no article, version, cluster or change of the feed. A page leaves the queue by a later
credible reading, by `newscrawl reextract --in-review`, by newscrawl.storage.monitoring.release, or when the page is
forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Select, UnaryExpression, delete, func, select

from newscrawl.model import ProcessedPage
from newscrawl.storage.articles.rows import reading_values
from newscrawl.storage.engine.sql import RowMapping, change_among, rows_among
from newscrawl.storage.tables.operations import review_queue


@dataclass(frozen=True, slots=True)
class PageInReview:
    """A page that waits for review. `characters` is None if no text was found; `failure` then says why."""

    url_key: str
    url: str
    site: str
    at: datetime
    reasons: Sequence[str]
    failure: str | None
    extractor: str | None
    title: str | None
    characters: int | None
    confidence: float | None = None
    """How right and whole the text probably is; None without a text, and for one stored by an earlier newscrawl."""


_PAGE: Final = RowMapping(PageInReview, read_only={"characters": "characters"})


def least_confident_first() -> tuple[UnaryExpression[Any], ...]:
    """Returns the order of the queue: the lowest confidence first, pages without one last, of equal ones the newest."""
    return review_queue.c.confidence.asc().nulls_last(), review_queue.c.id.desc()


def counts(connection: Connection, site: str | None = None) -> dict[str, int]:
    """Returns the number of pages that wait for review, by site, or of the site named."""
    query = select(review_queue.c.site, func.count()).group_by(review_queue.c.site).order_by(review_queue.c.site)
    rows = connection.execute(query if site is None else query.where(review_queue.c.site == site))
    return {name: number for name, number in rows}  # noqa: C416  to mypy, rows are not pairs


def listed(connection: Connection, site: str | None = None, limit: int | None = None) -> list[PageInReview]:
    """Returns pages that wait for review, of one site (None: of all), the least confident first, at most
    `limit`."""
    size = func.length(review_queue.c.text).label("characters")
    names: list[Any] = [review_queue.c[name] for name in _PAGE.columns]
    query: Select[Any] = select(*names, size).order_by(review_queue.c.site, *least_confident_first()).limit(limit)
    if site is not None:
        query = query.where(review_queue.c.site == site)
    return [_PAGE.read(row) for row in connection.execute(query)]


def load_pages(connection: Connection, keys: Iterable[str]) -> list[PageInReview]:
    """Returns the pages in review among those with these URL keys."""
    wanted, found = set(keys), dict[str, PageInReview]()
    query = select(review_queue, func.length(review_queue.c.text).label("characters"))
    for column in (review_queue.c.url_key, review_queue.c.final_key):
        found |= {row.url_key: _PAGE.read(row) for row in rows_among(connection, query, column, wanted)}
    return list(found.values())


def add(connection: Connection, readings: Mapping[str, tuple[str, ProcessedPage]]) -> None:
    """Puts readings of pages that are not in the queue into it. `readings` maps a page's URL key to the URL key of the
    address that answered and the reading."""
    rows = [_values(key, final_key, page) for key, (final_key, page) in readings.items()]
    if rows:
        connection.execute(review_queue.insert().inline(), rows)


def drop(connection: Connection, read: Mapping[str, datetime | None]) -> None:
    """Removes readings from the queue that a credible reading has replaced.

    `read` maps the URL key of a page, or of the address that answered, to the time of its credible reading; None
    removes its readings of all times, a time the earlier ones.
    """
    stored = review_queue.c
    for column in (stored.url_key, stored.final_key):
        rows = list(rows_among(connection, select(stored.id, column.label("key"), stored.at), column, read))
        over = [row.id for row in rows if (at := read[row.key]) is None or row.at <= at]
        change_among(connection, delete(review_queue), stored.id, over)


def _values(key: str, final_key: str, page: ProcessedPage) -> dict[str, Any]:
    raw, article = page.raw, page.article
    return {
        "url_key": key,
        "final_key": final_key,
        "url": raw.final_url,
        "site": raw.site,
        "at": raw.fetched_at,
        "status": raw.status,
        "reasons": list(page.doubt.reasons) if page.doubt is not None else None,
        "failure": page.failure.code if page.failure is not None else None,
        "extractor": article.extractor if article is not None else None,
        "title": article.metadata.title if article is not None else None,
        "content_hash": article.content_hash if article is not None else None,
        "identity_key": article.identity_key if article is not None else None,
        "text": article.text if article is not None else None,
        "article": reading_values(article) if article is not None else None,
        "usage_rights": asdict(page.use) if page.use is not None else None,
        "confidence": article.confidence if article is not None else None,
    }
