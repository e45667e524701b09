"""Sightings: which feeds and sitemaps named an address, and with which title and date. The first `KEEP` of an address
are kept. A sighting belongs to the address as the source wrote it (its URL key), so it stays valid whatever page the
address leads to.

A reading is compared with the previous one: another date or title, or a missing entry, announces an edit, and the visit
of the page may be brought forward. `announced` is then when that was, and `signal` why, until the next time. All this
is written in the transaction that writes the source's validators and candidates (sources.record).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, literal_column, select, union_all

from newscrawl.crawling.scheduling.announced_edits import (
    EarlierVisit,
    ListedEntry,
    Signal,
    SourceReading,
    describe,
    latest_date,
)
from newscrawl.model import Discovery
from newscrawl.storage.articles.deciding.known import Known
from newscrawl.storage.engine.sql import RowMapping, chunks, upsert
from newscrawl.storage.frontier.source_state import Reading
from newscrawl.storage.records import NOT_MODIFIED, PageRow, SourceAnswer, SourceRow
from newscrawl.storage.tables.articles import urls
from newscrawl.storage.tables.frontier import sightings, sources

KEEP: Final = 8
"""Sources of an address. Most are named by a feed or two, a news sitemap, the front page and a few sections."""
KINDS: Final = frozenset({"feed", "sitemap"})
"""Sources whose entries have dates and titles. The link texts of a section page change at will."""
ANNOUNCED: Final = "revisit/announced"
"""The event of a visit that was brought forward."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """An address in a source, with the last title and the latest date (`latest_date`) that the source said. `listed`
    says that the previous complete reading had it. `announced` and `signal` are of the latest visit that was brought
    forward."""

    url_key: str
    source_id: int
    title: str | None = None
    date: datetime | None = None
    listed: bool = False
    announced: datetime | None = None
    signal: Signal | None = None

    def after(self, discovery: Discovery | None, now: datetime) -> Sighting:
        """Returns the sighting after a reading; `discovery` is None if the entry was missing. A title or date that is
        not stated this time stays, and so does an older date."""
        if discovery is None:
            return replace(self, listed=False)
        dates = [self.date, latest_date(discovery.published, discovery.modified, now)]
        date = max((date for date in dates if date is not None), default=None)
        return replace(self, listed=True, title=discovery.title or self.title, date=date)


SIGHTING: Final = RowMapping(Sighting)


@dataclass(slots=True)
class Seen:
    """The sightings that a batch of readings concerns, by source and URL key. They are kept up to date while the batch
    is being decided."""

    by_source: dict[int, dict[str, Sighting]] = field(default_factory=lambda: defaultdict(dict))
    naming: Counter[str] = field(default_factory=Counter)
    """The number of sources that named each entry of the batch."""
    changed: dict[tuple[int, str], None] = field(default_factory=dict)

    def put(self, one: Sighting) -> None:
        """Takes a sighting in its new state."""
        of_source = self.by_source[one.source_id]
        self.naming[one.url_key] += one.url_key not in of_source
        of_source[one.url_key] = one
        self.changed[one.source_id, one.url_key] = None


@dataclass(frozen=True, slots=True)
class Review:
    """A reading compared with the previous one: the entries that are `missing`, whether it `announces` edits, and the
    pages whose visits these would bring forward."""

    missing: Sequence[str] = ()
    announces: bool = False
    visits: Sequence[tuple[EarlierVisit, PageRow]] = ()


@dataclass(frozen=True, slots=True)
class Brought:
    """A visit of a page that a source brought forward and that has not ended."""

    source: str
    kind: str
    signal: str
    at: datetime
    next_due: datetime

    @property
    def reason(self) -> str:
        """Why it was brought forward, for display."""
        return describe(self.kind, self.signal)


def load(connection: Connection, keys: Collection[str], whole: Collection[int]) -> Seen:
    """Returns the sightings of these URL keys, and those that the sources `whole` list."""
    seen = Seen()
    # Written out, so that the planner sees the condition of the partial index.
    is_listed: ColumnElement[bool] = literal_column("listed")
    parts = [select(sightings).where(sightings.c.source_id.in_(whole), is_listed)] if whole else []
    parts += [select(sightings).where(sightings.c.url_key.in_(chunk)) for chunk in chunks(sorted(keys))]
    statements: list[Any] = [union_all(*parts[:2]), *parts[2:]] if parts else []
    for statement in statements:
        for row in connection.execute(statement):
            one = SIGHTING.read(row)
            seen.by_source[one.source_id][one.url_key] = one
    seen.naming.update(key for of_source in seen.by_source.values() for key in of_source)
    return seen


def is_compared(answer: SourceAnswer) -> bool:
    """Returns whether an answer is compared with the previous reading of its source."""
    return answer.kind in KINDS and answer.status != NOT_MODIFIED


def review(
    seen: Seen,
    reading: Reading,
    stored: SourceRow,
    named: Mapping[str, Discovery],
    known: Known,
    titles: Mapping[int, str | None],
) -> Review:
    """Compares an answer with the previous reading of the source, whose row was `stored`. `known` are the pages of
    `named`, `titles` those of their articles."""
    answer, now = reading.answer, reading.now
    if stored.id is None or not is_compared(answer):
        return Review()
    before = seen.by_source.get(stored.id, {})
    gone = sorted(key for key, one in before.items() if one.listed and key not in named) if answer.whole else []
    pages = {key: page for key in (*named, *gone) if (page := known.page_of(key)) is not None and _can_be_visited(page)}
    listed = [key for key in pages if key in named]
    differing = [key for key in listed if _differs(named[key], before.get(key), now)]
    entries = [_entry(key, pages[key], before.get(key), named[key], titles) for key in differing]
    missing = [_entry(key, pages[key], before.get(key), None, titles) for key in gone if key in pages]
    staying = _staying(before, named, now) if missing else ()
    asked = reading.bring_forward(SourceReading(now, stored.last_fetched, len(listed), entries, missing, staying))
    visits = [(visit, pages[visit.key]) for visit in asked]
    earlier = [(visit, page) for visit, page in visits if page.next_due is None or visit.due < page.next_due]
    return Review(gone, bool(asked), earlier)


def note(
    seen: Seen, source_id: int, named: Mapping[str, Discovery], answer: SourceAnswer, now: datetime, reviewed: Review
) -> None:
    """Notes that the source named these URL keys, and what changed since it last did so."""
    before = seen.by_source.get(source_id, {})
    for key in (*named, *reviewed.missing) if is_compared(answer) else ():
        stored = before.get(key)
        after = (stored or Sighting(key, source_id)).after(named.get(key), now)
        if after != stored and (stored is not None or seen.naming[key] < KEEP):
            seen.put(after)


def bring_forward(
    seen: Seen, source_id: int, now: datetime, reviewed: Review, most: int
) -> dict[str, tuple[PageRow, Signal]]:
    """Brings at most `most` visits of a reading forward, after `note`. Returns the pages as they are now, each with the
    signal. Announcements over the limit are lost: their pages are visited by their own schedules."""
    brought: dict[str, tuple[PageRow, Signal]] = {}
    for visit, page in reviewed.visits:
        if len(brought) >= most:
            break
        if page.url_key in brought:
            continue  # two addresses of one page
        brought[page.url_key] = replace(page, next_due=visit.due), visit.signal
        stored = seen.by_source.get(source_id, {}).get(visit.key)
        if stored is not None:
            seen.put(replace(stored, announced=now, signal=visit.signal))
    return brought


def write(connection: Connection, seen: Seen, ids: Mapping[int, int]) -> None:
    """Writes the sightings that changed. `ids` are the stored ids of sources that were new in the batch."""
    changed = [seen.by_source[number][key] for number, key in seen.changed]
    rows = [SIGHTING.values(one) | {"source_id": ids.get(one.source_id, one.source_id)} for one in changed]
    upsert(connection, sightings, ["url_key", "source_id"], rows)


def load_brought(connection: Connection, page: PageRow) -> list[Brought]:
    """Returns why the next visit of a page was brought forward, oldest first: what was announced since its last
    fetch."""
    if page.next_due is None or not _can_be_visited(page):
        return []
    addresses = select(urls.c.url_key).where(urls.c.page_id == page.id)
    query = select(sightings.c.announced, sightings.c.signal, sources.c.url, sources.c.kind).join(sources)
    query = query.where(sightings.c.url_key.in_(addresses), sightings.c.announced > page.last_fetched)
    rows = connection.execute(query.order_by(sightings.c.announced, sources.c.url))
    return [Brought(row.url, row.kind, row.signal, row.announced, page.next_due) for row in rows]


def _can_be_visited(page: PageRow) -> bool:
    """Returns whether an earlier visit makes sense: the page shows an article, and its last visit did not fail, because
    failures have their own schedule."""
    is_shown = page.state == "fetched" and page.article_id is not None and page.last_fetched is not None
    return is_shown and page.failure_kind is None


def _differs(entry: Discovery, before: Sighting | None, now: datetime) -> bool:
    """Returns whether the entry changed in a way that matters. Nearly all entries of a listing have not."""
    if before is None or before.date is None:
        is_newer = entry.modified is not None
    else:
        date = latest_date(entry.published, entry.modified, now)
        is_newer = date is not None and date > before.date
    return is_newer or (before is not None and entry.title not in {None, before.title})


def _entry(
    key: str, page: PageRow, before: Sighting | None, now: Discovery | None, titles: Mapping[int, str | None]
) -> ListedEntry:
    entry = ListedEntry(key, page.last_fetched or page.first_seen, shown_title=titles.get(page.id or 0))
    if before is not None:
        entry = replace(entry, title_before=before.title, date_before=before.date, was_listed=before.listed)
    return replace(entry, title=now.title, published=now.published, modified=now.modified) if now is not None else entry


def _staying(before: Mapping[str, Sighting], named: Mapping[str, Discovery], now: datetime) -> list[datetime]:
    """Returns the dates of the entries that were listed before and still are."""
    dates = [one.after(named[key], now).date for key, one in before.items() if one.listed and key in named]
    return [date for date in dates if date is not None]
