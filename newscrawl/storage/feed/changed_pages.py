"""Reads the pages of changed articles, as the change feed names them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select

from newscrawl.storage.engine.sql import chunks
from newscrawl.storage.feed.changes import GONE
from newscrawl.storage.tables.articles import pages, versions


@dataclass(frozen=True, slots=True)
class ChangedPage:
    """A page of a changed article. `page_id` is never given to another page, and the page keeps it when its text
    changes; `first_seen` is when newscrawl first knew of the page."""

    page_id: int
    url: str
    first_seen: datetime


def by_article(connection: Connection, article_ids: Iterable[int]) -> dict[int, Sequence[ChangedPage]]:
    """Returns the pages that show each article, by article id. For an article that no page shows, these are the stored
    pages that have shown it. The pages that showed it first come first."""
    shown: dict[int, list[ChangedPage]] = defaultdict(list)
    former: dict[int, list[ChangedPage]] = defaultdict(list)
    query = (
        select(
            versions.c.article_id,
            *(pages.c.id, pages.c.url, pages.c.first_seen, pages.c.state, pages.c.article_id.label("shows")),
        )
        .join(pages, pages.c.id == versions.c.page_id)
        .order_by(versions.c.seen_at, pages.c.id)
    )
    for chunk in chunks(sorted(set(article_ids))):
        for row in connection.execute(query.where(versions.c.article_id.in_(chunk))):
            is_shown = row.shows == row.article_id and row.state != GONE
            (shown if is_shown else former)[row.article_id].append(ChangedPage(row.id, row.url, row.first_seen))
    return {**former, **shown}
