"""Removes texts that no page shows or has shown, and announces that in the change feed in the same transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from sqlalchemy import Connection, delete, select

from newscrawl.failpoints import MID_TRANSACTION, hit
from newscrawl.storage.duplicates import join, story_pages
from newscrawl.storage.engine.sql import change_among, rows_among
from newscrawl.storage.feed import changes
from newscrawl.storage.feed.change_causes import Cause, Reason
from newscrawl.storage.tables.articles import articles, headlines, pages, versions


def remove_unused(
    connection: Connection,
    article_ids: Iterable[int],
    now: datetime,
    reason: Reason,
    replaced_by: Mapping[int, int] | None = None,
) -> set[int]:
    """Removes those of the articles that no page shows or has shown, with their rows in the near-duplicate tables.
    Returns their ids.

    All articles given are announced in the change feed: `upsert` if a page shows them, else `remove` with the reason;
    `replaced_by` gives the articles that are shown instead. Call it in the transaction that removed the pages or
    versions.
    """
    touched = sorted(set(article_ids))
    lost = set(touched) - used(connection, touched)
    stories = story_pages.numbers_of(connection, touched)
    merged = join.leave(connection, lost, now)
    hit(MID_TRANSACTION)
    change_among(connection, delete(headlines), headlines.c.article_id, lost)
    change_among(connection, delete(articles), articles.c.id, lost)
    others = {number: (other,) for number, other in (replaced_by or {}).items()}
    causes = {number: Cause("metadata", replaced_by=others.get(number, ())) for number in touched}
    rows = changes.seen(connection, causes, now, reason, stories)
    rows += join.replaced_stories(connection, rows, now, "re-extracted", merged)
    changes.append_rows(connection, rows)
    return lost


def used(connection: Connection, article_ids: Iterable[int]) -> set[int]:
    """Returns the articles that some page shows or has shown."""
    wanted, columns = set(article_ids), (versions.c.article_id, pages.c.article_id)
    return {row[0] for one in columns for row in rows_among(connection, select(one).distinct(), one, wanted)}
