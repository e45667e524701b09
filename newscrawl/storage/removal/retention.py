"""What is too old to be kept, site by site, and taking it away in small transactions.

Every step looks at a part of a table, and what it removes is decided anew in the transaction that removes it. So a step
may be stopped anywhere and begun again, and what changed between the look and the transaction counts as it is then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, Row, Table, and_, delete, func, select, update

from newscrawl.storage import events
from newscrawl.storage.records import EXPIRED, Event
from newscrawl.storage.tables.changes import headlines
from newscrawl.storage.tables.review import review_queue
from newscrawl.storage.tables.schema import articles, dead_letters, pages, sightings, urls, versions
from newscrawl.storage.tables.schema import events as events_table

SPAN: Final = 200
"""Ids of pages looked at together, and at most removed by one transaction: some tens of milliseconds."""
EVENTS_SPAN: Final = 5_000
EVENT_TABLES: Final[Mapping[str, tuple[Table, str]]] = {
    "events": (events_table, "events"),
    "dead_letters": (dead_letters, "events"),
    "review_queue": (review_queue, "articles"),
}
"""Tables whose rows have a site and a time and go one by one, each with the limit it goes by. A text that waits
for review is no older than an article may become."""


@dataclass(frozen=True, slots=True)
class Keep:
    """How long things of a site are kept; None is for ever.

    `articles`: a page's text with all its versions, from when the page first showed what it shows now. `versions`:
    earlier texts and headlines of a page, from when they were last seen. `events`: what happened to addresses, and
    dead letters. A page in review goes as an article does.
    """

    articles: timedelta | None = None
    versions: timedelta | None = None
    events: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Retention:
    """What is kept of sites that are named, and `usual` of all others."""

    usual: Keep = Keep()
    sites: Mapping[str, Keep] = field(default_factory=dict)

    def of(self, site: str) -> Keep:
        """What is kept of a site."""
        return self.sites.get(site, self.usual)

    def limits(self, *names: str) -> list[timedelta]:
        """The limits of these names that any site has; none means that nothing is ever too old."""
        kept = [getattr(keep, name) for keep in (self.usual, *self.sites.values()) for name in names]
        return [limit for limit in kept if limit is not None]


@dataclass(frozen=True, slots=True)
class Old:
    """What is too old: all of some pages, and of others versions (page, article) and headlines, by their ids."""

    pages: Sequence[int] = ()
    versions: Sequence[tuple[int, int]] = ()
    headlines: Sequence[int] = ()

    def __bool__(self) -> bool:
        return bool(self.pages or self.versions or self.headlines)


@dataclass(frozen=True, slots=True)
class Removed:
    """What a transaction removed; `articles` are texts that no page has any more."""

    pages: int
    versions: int
    articles: int


def last_page(connection: Connection) -> int:
    """The highest id of a page, 0 when there is none."""
    return connection.execute(select(func.max(pages.c.id))).scalar() or 0


def last_event(connection: Connection, kind: str) -> int:
    """The highest id in one of `EVENT_TABLES`, 0 when it is empty."""
    return connection.execute(select(func.max(EVENT_TABLES[kind][0].c.id))).scalar() or 0


def old_pages(connection: Connection, after: int, retention: Retention, now: datetime) -> Old:
    """What is too old of the pages with the `SPAN` ids behind `after`."""
    here = and_(pages.c.id > after, pages.c.id <= after + SPAN)
    query = select(
        *(pages.c.id, pages.c.site, pages.c.last_change, pages.c.article_id.label("shown")),
        *(versions.c.article_id, versions.c.seen_at, versions.c.last_seen),
    ).join(versions, versions.c.page_id == pages.c.id)
    of_page: dict[int, list[Any]] = {}
    for row in connection.execute(query.where(here)):
        of_page.setdefault(row.id, []).append(row)
    gone = {number for number, rows in of_page.items() if _is_old(rows, retention.of(rows[0].site), now)}
    past = [
        (row.id, row.article_id)
        for number, rows in of_page.items()
        for row in rows
        if number not in gone and row.article_id != row.shown
        if _before(row.last_seen, retention.of(row.site).versions, now)
    ]
    labels = select(headlines, pages.c.site).join(pages, pages.c.id == headlines.c.page_id).where(here)
    return Old(sorted(gone), sorted(past), _old_headlines(connection.execute(labels).all(), retention, now))


def expire(connection: Connection, after: int, retention: Retention, now: datetime) -> Removed:
    """Removes what is too old of these pages now. A page whose texts go stays as one that is `expired`."""
    from newscrawl.storage.removal.unused_texts import (  # loads numpy; settings need no more than Keep
        delete_where,
        remove_unused,
    )

    old = old_pages(connection, after, retention, now)
    if not old:
        return Removed(0, 0, 0)
    told = _expired_events(connection, old.pages, retention, now)
    whole = versions.c.page_id.in_(old.pages)
    touched = set(connection.execute(select(versions.c.article_id).where(whole)).scalars())
    for table in (headlines, versions):
        delete_where(connection, table, "page_id", old.pages)
    delete_where(connection, sightings, "url_key", _keys(connection, old.pages))
    cleared: dict[str, Any] = dict.fromkeys(_OF_TEXT)
    connection.execute(update(pages).where(pages.c.id.in_(old.pages)).values(state=EXPIRED, **cleared))
    for page_id, article_id in old.versions:
        for table in (headlines, versions):
            past = and_(table.c.page_id == page_id, table.c.article_id == article_id)
            connection.execute(delete(table).where(past))
    delete_where(connection, headlines, "id", old.headlines)
    lost = remove_unused(connection, touched | {article_id for _, article_id in old.versions}, now)
    events.record_all(connection, told)
    return Removed(len(old.pages), len(old.versions) + len(old.headlines), len(lost))


_OF_TEXT: Final = (
    *("article_id", "verdict", "next_due", "etag", "last_modified"),
    *("discovery_title", "discovery_published", "failure_kind"),
)
"""What a page's row no longer says once its text is gone."""


def old_events(connection: Connection, kind: str, after: int, retention: Retention, now: datetime) -> list[int]:
    """Those of the `EVENTS_SPAN` ids behind `after` whose rows, in one of `EVENT_TABLES`, are too old."""
    table, name = EVENT_TABLES[kind]
    limits = retention.limits(name)
    if not limits:
        return []
    here = and_(table.c.id > after, table.c.id <= after + EVENTS_SPAN, table.c.at < now - min(limits))
    rows = connection.execute(select(table.c.id, table.c.site, table.c.at).where(here))
    return [row.id for row in rows if _before(row.at, getattr(retention.of(row.site), name), now)]


def remove_events(connection: Connection, kind: str, ids: Iterable[int]) -> int:
    """Removes rows of one of `EVENT_TABLES`; returns how many ids were given."""
    from newscrawl.storage.removal.unused_texts import delete_where

    numbers = list(ids)
    delete_where(connection, EVENT_TABLES[kind][0], "id", numbers)
    return len(numbers)


def unused_texts(connection: Connection, limit: int) -> list[int]:
    """Articles that no page shows or has shown: `reextract --apply` put others in their places before it took the old
    ones away itself."""
    of_version = select(versions.c.id).where(versions.c.article_id == articles.c.id).exists()
    of_page = select(pages.c.id).where(pages.c.article_id == articles.c.id).exists()
    query = select(articles.c.id).where(~of_version, ~of_page).limit(limit)
    return list(connection.execute(query).scalars())


def _is_old(rows: Sequence[Row[Any]], keep: Keep, now: datetime) -> bool:
    """Whether what a page shows has been there for too long; `rows` are all its versions."""
    shown = [row for row in rows if row.article_id == row.shown] or rows
    since = max(row.seen_at for row in shown)
    changed = rows[0].last_change
    return _before(max(since, changed) if changed is not None else since, keep.articles, now)


def _old_headlines(labels: Sequence[Row[Any]], retention: Retention, now: datetime) -> list[int]:
    """Titles that were replaced too long ago; the latest over a text stays as long as the text."""
    latest: dict[tuple[int, int], datetime] = {}
    for row in labels:
        place = (row.page_id, row.article_id)
        latest[place] = max(row.last_seen, latest.get(place, row.last_seen))
    return [
        row.id
        for row in labels
        if row.last_seen < latest[row.page_id, row.article_id]
        and _before(row.last_seen, retention.of(row.site).versions, now)
    ]


def _before(at: datetime, limit: timedelta | None, now: datetime) -> bool:
    return limit is not None and at < now - limit


def _keys(connection: Connection, page_ids: Sequence[int]) -> Sequence[str]:
    return connection.execute(select(urls.c.url_key).where(urls.c.page_id.in_(page_ids))).scalars().all()


def _expired_events(
    connection: Connection, page_ids: Sequence[int], retention: Retention, now: datetime
) -> list[Event]:
    rows = connection.execute(select(pages.c.url_key, pages.c.url, pages.c.site).where(pages.c.id.in_(page_ids)))
    return [
        Event(row.url_key, row.url, row.site, now, "stored/expired", f"older than {_days(retention.of(row.site))} days")
        for row in rows
    ]


def _days(keep: Keep) -> str:
    return f"{(keep.articles or timedelta()) / timedelta(days=1):g}"
