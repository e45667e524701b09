"""Sightings: which sources named an address, when, and with which title and date, at first and last. The first `KEEP`
sources of an address are kept. A sighting belongs to the address as the source wrote it (its URL key), so it stays
valid whatever page the address leads to.

A reading is compared with the previous one: another date or title, or a missing entry, announces an edit, and the visit
of the page may be brought forward. `due` is then its time, and `found_edit` its result until the next reading of the
source adds that to the trust in the source. All this is written in the transaction that writes the source's validators
and candidates (sources.record), the result in that of the page (apply.save_batch).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, and_, literal_column, select, union_all, update

from newscrawl.edit_signals import (
    EarlierVisit,
    ListedEntry,
    NotedEntry,
    Signal,
    SourceReading,
    describe,
    latest_date,
)
from newscrawl.model import Discovery
from newscrawl.storage.articles.deciding.known import Known
from newscrawl.storage.engine.sql import RowMapping, Values, chunks, upsert
from newscrawl.storage.frontier.source_state import NOT_MODIFIED, Reading
from newscrawl.storage.records import PageRow, SourceAnswer, SourceRow
from newscrawl.storage.tables.articles import urls
from newscrawl.storage.tables.frontier import sightings, sources

KEEP: Final = 8
"""Sources of an address. Most are named by a feed or two, a news sitemap, the front page and a few sections."""
KINDS: Final = frozenset({"feed", "sitemap"})
"""Sources whose entries have dates and titles. The link texts of a section page change at will."""
ANNOUNCED: Final = "revisit/announced"
"""The event of a visit that was brought forward."""

IN_ONE: Final = 10_000
"""Values of one list: a batch of answers looks its entries up in one statement. SQLite takes 32,766 parameters."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """An address in a source: what the source said at first (`title`, `published`) and last, as in edit_signals; `due`
    and `found_edit` are of a visit that was brought forward."""

    url_key: str
    source_id: int
    at: datetime
    title: str | None = None
    published: datetime | None = None
    latest_title: str | None = None
    latest_date: datetime | None = None
    listed: bool = False
    announced: datetime | None = None
    signal: Signal | None = None
    due: datetime | None = None
    found_edit: bool | None = None

    @property
    def noted(self) -> NotedEntry:
        """The statements of the source at its earlier readings."""
        return NotedEntry(self.latest_title, self.latest_date, self.listed, self.announced, self.signal)

    def with_noted(self, entry: NotedEntry) -> Sighting:
        """Returns the sighting after a reading."""
        return replace(
            self,
            latest_title=entry.title,
            latest_date=entry.date,
            listed=entry.listed,
            announced=entry.announced,
            signal=entry.signal,
        )


SIGHTING: Final = RowMapping(Sighting)


@dataclass(slots=True)
class Seen:
    """The sightings that a batch of readings concerns, by source and URL key. They are kept up to date while the batch
    is being decided."""

    by_source: dict[int, dict[str, Sighting]] = field(default_factory=lambda: defaultdict(dict))
    naming: Counter[str] = field(default_factory=Counter)
    """The number of sources that named each entry of the batch."""
    parents: dict[int, tuple[str, str | None]] = field(default_factory=dict)
    """The site and the index of each source."""
    changed: dict[tuple[int, str], None] = field(default_factory=dict)

    def put(self, one: Sighting) -> None:
        """Takes a sighting in its new state."""
        of_source = self.by_source[one.source_id]
        self.naming[one.url_key] += one.url_key not in of_source
        of_source[one.url_key] = one
        self.changed[one.source_id, one.url_key] = None

    def brought_by(self, source_id: int, parent: str | None) -> list[Sighting]:
        """Returns the visits that a source or, if it is read with an index, all sources of the index have brought
        forward; the oldest first."""
        family = self.parents[source_id]
        of_index = [one for one, index in self.parents.items() if index == (family[0], parent)]
        brought = [
            one
            for number in ([source_id] if parent is None else of_index)
            for one in self.by_source.get(number, {}).values()
            if one.due is not None
        ]
        return sorted(brought, key=lambda one: (one.announced or one.at, one.source_id, one.url_key))


@dataclass(frozen=True, slots=True)
class Review:
    """A reading compared with the previous one: the entries that are `missing`, and the new `signals` by URL key.
    `visits` are brought forward, of the pages `pages` (by URL key); `ended` are earlier ones whose result was
    counted."""

    missing: Sequence[str] = ()
    signals: Mapping[str, Signal] = field(default_factory=dict)
    updates: bool = True
    """Whether to update the entries that were stored before."""
    visits: Sequence[EarlierVisit] = ()
    pages: Mapping[str, PageRow] = field(default_factory=dict)
    ended: Sequence[Sighting] = ()
    trust: Mapping[str, Any] | None = None
    """The trust in the announcements of the source, or in those of its index if it is read with one."""
    teaches: bool = False
    """Whether the trust was decided by this reading."""


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


def load(connection: Connection, keys: Collection[str], whole: Collection[int], compared: Collection[str]) -> Seen:
    """Returns the sightings of these URL keys, those that the sources `whole` list, and those of the sites `compared`
    with a visit that was brought forward."""
    seen = Seen()
    query = select(*(sightings.c[name] for name in SIGHTING.columns))
    unknown: ColumnElement[str] = literal_column("NULL")
    plain = query.add_columns(unknown.label("site"), unknown.label("parent"))
    family = query.add_columns(sources.c.site, sources.c.parent).join(sources)
    parts = [family.where(sightings.c.due.is_not(None), sources.c.site.in_(compared))] if compared else []
    # Written out, so that the planner sees the condition of the partial index.
    is_listed: ColumnElement[bool] = literal_column("listed")
    parts += [plain.where(sightings.c.source_id.in_(whole), is_listed)] if whole else []
    of_keys = [plain.where(sightings.c.url_key.in_(chunk)) for chunk in chunks(sorted(keys), IN_ONE)]
    together = [*parts, *of_keys[:1]]
    statements: list[Any] = [union_all(*together), *of_keys[1:]] if together else []
    for statement in statements:
        for row in connection.execute(statement):
            one = SIGHTING.read(row)
            seen.by_source[one.source_id][one.url_key] = one
            if row.site is not None:
                seen.parents[one.source_id] = (row.site, row.parent)
    seen.naming.update(key for of_source in seen.by_source.values() for key in of_source)
    return seen


def is_compared(answer: SourceAnswer) -> bool:
    """Returns whether an answer is compared with the previous reading of its source."""
    return answer.kind in KINDS and answer.status != NOT_MODIFIED


def review(
    seen: Seen,
    reading: Reading,
    stored: SourceRow,
    index: SourceRow | None,
    named: Mapping[str, Discovery],
    known: Known,
    titles: Mapping[int, str | None],
) -> Review:
    """Compares an answer with the previous reading of the source, whose row was `stored`. `known` are the pages of
    `named`, `titles` those of their articles.

    A sitemap that is read with its index shares the trust of the index, because a site's sitemaps are made by one
    program.
    """
    answer, now = reading.answer, reading.now
    if stored.id is None:
        return Review()
    if not is_compared(answer):
        return Review(updates=False, trust=stored.announcement_trust)
    before = seen.by_source.get(stored.id, {})
    noted = {key: before[key].noted for key in named if key in before}
    gone = sorted(key for key, one in before.items() if one.listed and key not in named) if answer.whole else []
    of_missing = {key: page for key in gone if (page := known.page_of(key)) is not None and _can_be_visited(page)}
    visitable = {key: page for key in named if (page := known.page_of(key)) is not None and _can_be_visited(page)}
    differing = [key for key, page in visitable.items() if _differs(named[key], noted.get(key), page, now)]
    brought = seen.brought_by(stored.id, answer.parent)
    ended = [one for one in brought if one.found_edit is not None]
    outcomes: list[Any] = [(one.signal, one.found_edit) for one in ended]
    pending: list[Any] = [(one.signal, one.announced) for one in brought if one.found_edit is None]
    compared = SourceReading(
        answer.kind,
        now,
        stored.last_fetched,
        len(visitable),
        [_entry(key, visitable[key], noted.get(key), named[key], titles) for key in differing],
        [_entry(key, page, before[key].noted) for key, page in of_missing.items()],
        list(_staying(noted, named, now)) if of_missing else (),
        outcomes,
        pending,
    )
    owner = stored if answer.parent is None else index
    decided = reading.bring_forward(owner.announcement_trust if owner is not None else None, compared)
    pages = {visit.key: {**visitable, **of_missing}[visit.key] for visit in decided.visits}
    return Review(gone, decided.announced, True, decided.visits, pages, ended, decided.trust, teaches=True)


def note(seen: Seen, source_id: int, named: Mapping[str, Discovery], now: datetime, reviewed: Review) -> None:
    """Notes that the source named these URL keys, and what changed since it last did so."""
    for one in reviewed.ended:
        seen.put(replace(seen.by_source[one.source_id][one.url_key], due=None, found_edit=None))
    before = seen.by_source.get(source_id, {})
    for key in (*named, *reviewed.missing):
        stored, discovery = before.get(key), named.get(key)
        entry = _latest(stored.noted if stored else NotedEntry(), discovery, now, reviewed.signals.get(key))
        if stored is not None and reviewed.updates and entry != stored.noted:
            seen.put(stored.with_noted(entry))
        elif stored is None and discovery is not None and seen.naming[key] < KEEP:
            first = Sighting(key, source_id, now, discovery.title, discovery.published)
            seen.put(first.with_noted(entry))


def bring_forward(seen: Seen, source_id: int, now: datetime, reviewed: Review) -> dict[str, tuple[PageRow, Signal]]:
    """Brings the visits of a reading forward, after `note`. Returns the pages as they are now, each with the signal."""
    brought: dict[str, tuple[PageRow, Signal]] = {}
    for visit in reviewed.visits:
        page = replace(reviewed.pages[visit.key], next_due=visit.next_due)
        if page.id is None or page.url_key in brought:
            continue  # two addresses of one page
        brought[page.url_key] = page, visit.signal
        stored = seen.by_source.get(source_id, {}).get(visit.key)
        if stored is not None:
            seen.put(replace(stored, due=visit.next_due, found_edit=None, announced=now, signal=visit.signal))
    return brought


def write(connection: Connection, seen: Seen, ids: Mapping[int, int]) -> None:
    """Writes the sightings that changed. `ids` are the stored ids of sources that were new in the batch."""
    changed = [seen.by_source[number][key] for number, key in seen.changed]
    rows = [SIGHTING.values(one) | {"source_id": ids.get(one.source_id, one.source_id)} for one in changed]
    upsert(connection, sightings, ["url_key", "source_id"], rows)


def record_results(connection: Connection, ended: Mapping[int, tuple[datetime, bool | None]]) -> None:
    """Stores the results of visits of these pages: when the page was fetched, and whether it differed from what was
    stored. None means that it could not be read, which says nothing about the announcement."""
    query = select(sightings, urls.c.page_id).join(urls, urls.c.url_key == sightings.c.url_key).where(_is_pending())
    for chunk in chunks(ended):
        for row in connection.execute(query.where(urls.c.page_id.in_(chunk))).all():
            at, found_edit = ended[row.page_id]
            if at < row.announced:
                continue  # fetched before it was announced
            this = and_(sightings.c.url_key == row.url_key, sightings.c.source_id == row.source_id)
            values: Values = {"found_edit": found_edit} if found_edit is not None else {"due": None}
            connection.execute(update(sightings).where(this).values(values))


def load_brought(connection: Connection, page_id: int) -> list[Brought]:
    """Returns the visits of the page that were brought forward and have not ended, oldest first."""
    addresses = select(urls.c.url_key).where(urls.c.page_id == page_id)
    query = select(sightings, sources.c.url, sources.c.kind).join(sources)
    query = query.where(sightings.c.url_key.in_(addresses), _is_pending())
    rows = connection.execute(query.order_by(sightings.c.announced, sources.c.url))
    return [Brought(row.url, row.kind, row.signal, row.announced, row.due) for row in rows]


def _is_pending() -> ColumnElement[bool]:
    return and_(sightings.c.due.is_not(None), sightings.c.found_edit.is_(None))


def _latest(before: NotedEntry, discovery: Discovery | None, now: datetime, signal: Signal | None) -> NotedEntry:
    """Returns the values of an entry after a reading; `discovery` is None if the entry was missing. A title or date
    that is not stated this time stays, and so does an older date."""
    after = replace(before, listed=discovery is not None)
    if discovery is not None:
        date = latest_date(discovery.published, discovery.modified, now)
        dates = [when for when in (before.date, date) if when is not None]
        after = replace(after, title=discovery.title or before.title, date=max(dates, default=None))
    return after if signal is None else replace(after, announced=now, signal=signal)


def _can_be_visited(page: PageRow) -> bool:
    """Returns whether an earlier visit makes sense: the page shows an article, and its last visit did not fail, because
    failures have their own schedule."""
    is_shown = page.state == "fetched" and page.article_id is not None and page.last_fetched is not None
    return is_shown and page.failure_kind is None


def _differs(entry: Discovery, noted: NotedEntry | None, page: PageRow, now: datetime) -> bool:
    """Returns whether the entry changed in a way that matters. Nearly all entries of a listing have not."""
    date = latest_date(entry.published, entry.modified, now)
    if noted is None or noted.date is None:
        differs = entry.modified is not None
    else:
        differs = date is not None and date > noted.date
    if noted is None:
        return differs
    waiting = noted.announced is not None and page.last_fetched is not None and noted.announced > page.last_fetched
    return differs or waiting or (entry.title is not None and entry.title != noted.title)


def _entry(
    key: str,
    page: PageRow,
    noted: NotedEntry | None,
    discovery: Discovery | None = None,
    titles: Mapping[int, str | None] | None = None,
) -> ListedEntry:
    if page.last_fetched is None or page.id is None:
        raise ValueError(f"page {page.url} was never fetched")
    shown = (titles or {}).get(page.id)
    if discovery is None:
        return ListedEntry(key, page.last_fetched, page.next_due, noted=noted)
    dates = {"published": discovery.published, "modified": discovery.modified}
    return ListedEntry(key, page.last_fetched, page.next_due, discovery.title, **dates, noted=noted, shown_title=shown)


def _staying(noted: Mapping[str, NotedEntry], named: Mapping[str, Discovery], now: datetime) -> Iterator[datetime]:
    """Yields the dates of the entries that were listed before and still are."""
    for key, before in noted.items():
        dates = [before.date, latest_date(named[key].published, named[key].modified, now)]
        if before.listed and any(dates):
            yield max(date for date in dates if date is not None)
