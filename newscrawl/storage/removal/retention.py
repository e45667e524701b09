"""Retention: which data of a site is too old to be kept. It is removed in small transactions.

Each step covers a part of a table. The transaction that removes rows decides again which rows are too old. So a step
may be stopped and repeated at any time, and changes between the reading and the transaction are respected.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, Row, Table, and_, delete, func, select, update

from newscrawl.storage import events
from newscrawl.storage.engine.sql import change_among
from newscrawl.storage.records import EXPIRED, Event
from newscrawl.storage.tables.articles import headlines, pages, urls, versions
from newscrawl.storage.tables.frontier import sightings
from newscrawl.storage.tables.operations import events as events_table
from newscrawl.storage.tables.operations import review_queue

SPAN: Final = 200
"""Ids of pages that are read together, and the most pages that one transaction removes: some tens of milliseconds."""
EVENTS_SPAN: Final = 5_000
EVENT_TABLES: Final[Mapping[str, tuple[Table, str]]] = {
    "events": (events_table, "events"),
    "review_queue": (review_queue, "articles"),
}
"""Tables whose rows are removed by site and time, each with the attribute of `RetentionTimes` that limits it. A text in
review is kept as long as an article."""


@dataclass(frozen=True, slots=True)
class RetentionTimes:
    """How long data of a site is kept; None means forever.

    `articles`: a page's text with all its versions, counted from the last change of what the page shows. `versions`:
    earlier texts and headlines of a page, counted from when they were last seen. `events`: events of addresses, and
    dead letters. A page in review is kept as long as an article.
    """

    articles: timedelta | None = None
    versions: timedelta | None = None
    events: timedelta | None = None


@dataclass(frozen=True, slots=True)
class RetentionLimits:
    """The limits of all sites: those of `sites` by name, and `usual` for all others."""

    usual: RetentionTimes = RetentionTimes()
    sites: Mapping[str, RetentionTimes] = field(default_factory=dict)

    def of(self, site: str) -> RetentionTimes:
        """Returns the limits of a site."""
        return self.sites.get(site, self.usual)

    def limits(self, *names: str) -> list[timedelta]:
        """Returns all limits with these names, over all sites. An empty list means that nothing is ever too old."""
        kept = [getattr(keep, name) for keep in (self.usual, *self.sites.values()) for name in names]
        return [limit for limit in kept if limit is not None]


@dataclass(frozen=True, slots=True)
class ExpiredRows:
    """The data that are too old: the ids of whole pages, of single versions (page, article), and of headlines."""

    pages: Sequence[int] = ()
    versions: Sequence[tuple[int, int]] = ()
    headlines: Sequence[int] = ()

    def __bool__(self) -> bool:
        return bool(self.pages or self.versions or self.headlines)


@dataclass(frozen=True, slots=True)
class Removed:
    """The numbers of rows that a transaction removed; `articles` counts texts that no page has any longer."""

    pages: int
    versions: int
    articles: int


def last_page(connection: Connection) -> int:
    """Returns the highest id of a page, 0 when there is none."""
    return connection.execute(select(func.max(pages.c.id))).scalar() or 0


def last_event(connection: Connection, kind: str) -> int:
    """Returns the highest id in one of `EVENT_TABLES`, 0 when it is empty."""
    return connection.execute(select(func.max(EVENT_TABLES[kind][0].c.id))).scalar() or 0


def old_pages(connection: Connection, after: int, retention: RetentionLimits, now: datetime) -> ExpiredRows:
    """Returns what is too old of the pages with the `SPAN` ids after `after`."""
    here = and_(pages.c.id > after, pages.c.id <= after + SPAN)
    query = select(
        *(pages.c.id, pages.c.site, pages.c.last_change, pages.c.article_id.label("shown")),
        *(versions.c.article_id, versions.c.seen_at, versions.c.last_seen),
    ).join(versions, versions.c.page_id == pages.c.id)
    of_page: dict[int, list[Any]] = {}
    for row in connection.execute(query.where(here)):
        of_page.setdefault(row.id, []).append(row)
    old = {number for number, rows in of_page.items() if _is_old(rows, retention.of(rows[0].site), now)}
    past = [
        (row.id, row.article_id)
        for number, rows in of_page.items()
        for row in rows
        if number not in old and row.article_id != row.shown
        if _before(row.last_seen, retention.of(row.site).versions, now)
    ]
    labels = select(headlines, pages.c.site).join(pages, pages.c.id == headlines.c.page_id).where(here)
    return ExpiredRows(sorted(old), sorted(past), _old_headlines(connection.execute(labels).all(), retention, now))


def expire(connection: Connection, after: int, retention: RetentionLimits, now: datetime) -> Removed:
    """Removes what is too old now of the pages with the `SPAN` ids after `after`. A page whose texts are removed stays
    with the state `expired`."""
    from newscrawl.storage.duplicates.join import remove_unused  # loads numpy; settings need only RetentionTimes

    old = old_pages(connection, after, retention, now)
    if not old:
        return Removed(0, 0, 0)
    expired_events = _expired_events(connection, old.pages, retention, now)
    whole = versions.c.page_id.in_(old.pages)
    touched = set(connection.execute(select(versions.c.article_id).where(whole)).scalars())
    for table in (headlines, versions):
        change_among(connection, delete(table), table.c.page_id, old.pages)
    keys = connection.execute(select(urls.c.url_key).where(urls.c.page_id.in_(old.pages))).scalars()
    change_among(connection, delete(sightings), sightings.c.url_key, keys)
    cleared: dict[str, Any] = dict.fromkeys(_OF_TEXT)
    connection.execute(update(pages).where(pages.c.id.in_(old.pages)).values(state=EXPIRED, **cleared))
    for page_id, article_id in old.versions:
        for table in (headlines, versions):
            past = and_(table.c.page_id == page_id, table.c.article_id == article_id)
            connection.execute(delete(table).where(past))
    change_among(connection, delete(headlines), headlines.c.id, old.headlines)
    lost = remove_unused(connection, touched | {article_id for _, article_id in old.versions}, now, "expired")
    events.record_all(connection, expired_events)
    return Removed(len(old.pages), len(old.versions) + len(old.headlines), len(lost))


_OF_TEXT: Final = (
    *("article_id", "verdict", "next_due", "etag", "last_modified", "extractor", "fallback", "joined"),
    *("discovery_title", "discovery_published", "failure_kind"),
)
"""The columns of a page that are cleared when its text is removed."""


def old_events(connection: Connection, kind: str, after: int, retention: RetentionLimits, now: datetime) -> list[int]:
    """Returns which of the `EVENTS_SPAN` ids after `after`, in one of `EVENT_TABLES`, are of rows that are too old."""
    table, name = EVENT_TABLES[kind]
    limits = retention.limits(name)
    if not limits:
        return []
    here = and_(table.c.id > after, table.c.id <= after + EVENTS_SPAN, table.c.at < now - min(limits))
    rows = connection.execute(select(table.c.id, table.c.site, table.c.at).where(here))
    return [row.id for row in rows if _before(row.at, getattr(retention.of(row.site), name), now)]


def remove_events(connection: Connection, kind: str, ids: Iterable[int]) -> int:
    """Removes rows of one of `EVENT_TABLES`. Returns the number of ids given."""
    numbers = list(ids)
    table = EVENT_TABLES[kind][0]
    change_among(connection, delete(table), table.c.id, numbers)
    return len(numbers)


def _is_old(rows: Sequence[Row[Any]], keep: RetentionTimes, now: datetime) -> bool:
    """Returns whether what a page shows is too old; `rows` are all its versions."""
    shown = [row for row in rows if row.article_id == row.shown] or rows
    since = max(row.seen_at for row in shown)
    changed = rows[0].last_change
    return _before(max(since, changed) if changed is not None else since, keep.articles, now)


def _old_headlines(labels: Sequence[Row[Any]], retention: RetentionLimits, now: datetime) -> list[int]:
    """Returns the ids of titles that were replaced too long ago. The latest title of a text is kept with the text."""
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


def _expired_events(
    connection: Connection, page_ids: Sequence[int], retention: RetentionLimits, now: datetime
) -> list[Event]:
    rows = connection.execute(select(pages.c.url_key, pages.c.url, pages.c.site).where(pages.c.id.in_(page_ids)))
    return [
        Event(row.url_key, row.url, row.site, now, "stored/expired", f"older than {_days(retention.of(row.site))} days")
        for row in rows
    ]


def _days(keep: RetentionTimes) -> str:
    return f"{(keep.articles or timedelta()) / timedelta(days=1):g}"
