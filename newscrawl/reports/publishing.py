"""What leaves the database: the pages whose articles are new or changed last, for feeds, each story once; and the
consumers of the change feed, how far each has read, and what its receiver refused."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby, islice
from operator import attrgetter
from typing import Final

from sqlalchemy import Connection, func, select

from newscrawl.reports import shown_articles
from newscrawl.reports.shown_articles import ShownArticle, Wanted
from newscrawl.storage.duplicates import story_pages
from newscrawl.storage.engine.sql import rows_among
from newscrawl.storage.feed import changes
from newscrawl.storage.feed import consumers as stored
from newscrawl.storage.removal import register
from newscrawl.storage.tables.articles import headlines

RETITLED: Final = 200
"""Headlines that are looked at: those that were stored last."""
SPARE: Final = 4
"""Pages that are read for each one that is wanted, because further pages of a story are left out."""


@dataclass(frozen=True, slots=True)
class FeedPage:
    """A page with its article. `updated` is when it first showed the present text, or the present headline."""

    article: ShownArticle
    updated: datetime


@dataclass(frozen=True, slots=True)
class NewestPages:
    """Pages for a feed, those that changed last first. `seen_at` is when the newest text for it was seen, whether it is
    among them or not: a page may show it no longer, or show it as a copy. None without any."""

    pages: Sequence[FeedPage]
    seen_at: datetime | None


def newest(connection: Connection, wanted: Wanted, size: int) -> NewestPages:
    """Returns at most `size` pages. Of a story it has only the page that is shown first; of a wanted site it has all
    pages."""
    part = shown_articles.part(connection, wanted, size * SPARE)
    found = {one.page_id: one for one in part.articles}
    latest = select(headlines.c.page_id).order_by(headlines.c.id.desc()).limit(RETITLED)
    retitled = set(connection.execute(latest).scalars()) - found.keys()
    found |= {one.page_id: one for one in shown_articles.load_pages(connection, retitled, wanted)}
    changed = _changed(connection, found.values())
    if wanted.site is None:
        first = story_pages.first_pages(connection, {one.story_id for one in found.values()})
        found = {number: one for number, one in found.items() if first.get(one.story_id, number) == number}
    dated = (FeedPage(one, max(one.seen_at, changed.get(number, one.seen_at))) for number, one in found.items())
    ordered = sorted(dated, key=lambda page: (page.updated, page.article.page_id), reverse=True)
    return NewestPages(tuple(islice(_once(ordered, is_all=wanted.site is not None), size)), part.newest)


def last_change(
    connection: Connection, wanted: Wanted, found: NewestPages, removed: Collection[int]
) -> datetime | None:
    """Returns when a feed of these pages changed last; None if nothing was ever stored for it. `removed` are the
    articles among them that no page shows now. The time does not go back when the newest text is removed, forgotten, or
    becomes a copy in another story."""
    times = [found.seen_at, register.last_removal(connection, wanted.site), *(page.updated for page in found.pages)]
    for rows in changes.by_article(connection, removed).values():
        times += [change.at for change in rows if change.op == "remove"]
    return max(filter(None, times), default=None)


def _once(found: Iterable[FeedPage], *, is_all: bool) -> Iterable[FeedPage]:
    """Yields the first page of each story, or all."""
    seen = set[int]()
    for page in found:
        if is_all or page.article.story_id not in seen:
            seen.add(page.article.story_id)
            yield page


def _changed(connection: Connection, shown: Iterable[ShownArticle]) -> Mapping[int, datetime]:
    """Returns, by page, when the headline of the text that it shows changed last."""
    articles = {one.page_id: one.article_id for one in shown}
    query = select(headlines.c.page_id, headlines.c.article_id, func.max(headlines.c.seen_at).label("at"))
    query = query.group_by(headlines.c.page_id, headlines.c.article_id)
    rows = rows_among(connection, query, headlines.c.page_id, articles)
    return {row.page_id: row.at for row in rows if articles[row.page_id] == row.article_id}


@dataclass(frozen=True, slots=True)
class Consumer:
    """A consumer of the change feed. `behind` is the number of changes that it has not read, `refused` that of the
    changes that its receiver refused; `last_error` is the newest reason for that."""

    name: str
    seq: int
    behind: int
    updated: datetime
    filters: str | None
    refused: int
    last_error: str | None


def consumers(connection: Connection) -> Sequence[Consumer]:
    """Returns all consumers of the change feed by name. Names and errors may have secrets."""
    last = changes.newest(connection)
    by_name = groupby(stored.refused(connection), key=attrgetter("consumer"))
    refused = {name: list(some) for name, some in by_name}
    found = []
    for cursor in stored.everybody(connection):
        own = refused.get(cursor.consumer, [])
        last_error = max(own, key=attrgetter("at")).reason if own else None
        behind, name = max(0, last - cursor.seq), cursor.consumer
        found.append(Consumer(name, cursor.seq, behind, cursor.updated, cursor.filters, len(own), last_error))
    return found
