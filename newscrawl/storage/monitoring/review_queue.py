"""Pages that wait for review: their site's extraction looks broken, and no extractor gave a credible text.

The text of such a page is in no article, version, cluster or change of the feed. A page leaves the queue by a later
credible reading, by `newscrawl reextract --in-review`, by newscrawl.storage.monitoring.release, or when the page is
forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, func, select

from newscrawl.model import ProcessedPage
from newscrawl.storage.articles.rows import reading_values
from newscrawl.storage.engine.sql import change_among, rows_among
from newscrawl.storage.tables.operations import review_queue


def counts(connection: Connection, site: str | None = None) -> dict[str, int]:
    """Returns the number of pages that wait for review, by site, or of the site named."""
    query = select(review_queue.c.site, func.count()).group_by(review_queue.c.site).order_by(review_queue.c.site)
    rows = connection.execute(query if site is None else query.where(review_queue.c.site == site))
    return {name: number for name, number in rows}  # noqa: C416  to mypy, rows are not pairs


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
