"""Sightings: which sources named an address, when, and with which title and date, at first and last. The first `KEEP`
sources of an address are kept. A sighting belongs to the address as the source wrote it (its URL key), so it stays
valid whatever page the address leads to.

A reading is compared with the previous one: another date or title, or a missing entry, announces an edit, and the visit
of the page may be brought forward. `due` is then its time, and `found_edit` its result until the next reading of the
source adds that to the trust in the source. All this is written in the transaction that writes the source's validators
and candidates (sources.record_answer), the result in that of the page (apply.save_batch).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, and_, literal_column, select, union, update

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
from newscrawl.storage import events
from newscrawl.storage.articles.deciding.known import Known
from newscrawl.storage.articles.lookup import known_pages
from newscrawl.storage.engine.sql import Values, chunks, incoming, upsert
from newscrawl.storage.frontier.source_state import NOT_MODIFIED, load
from newscrawl.storage.records import BringForward, Event, PageRow, SourceAnswer, SourceRow
from newscrawl.storage.tables.articles import pages, urls, versions
from newscrawl.storage.tables.frontier import sightings, sources

KEEP: Final = 8
"""Sources of an address. Most are named by a feed or two, a news sitemap, the front page and a few sections."""
KINDS: Final = frozenset({"feed", "sitemap"})
"""Sources whose entries have dates and titles. The link texts of a section page change at will."""
ANNOUNCED: Final = "revisit/announced"
"""The event of a visit that was brought forward."""

_COLUMNS: Final = ("latest_title", "latest_date", "listed", "announced", "signal")
"""The columns that change with every reading."""


@dataclass(frozen=True, slots=True)
class Review:
    """A reading compared with the previous one: the stored values of its entries, the entries that are `missing`, and
    the new `signals` by URL key. `visits` are brought forward, of the pages `pages` (by URL key); `trust` belongs in
    the source's row."""

    noted: Mapping[str, NotedEntry] = field(default_factory=dict)
    missing: Mapping[str, NotedEntry] = field(default_factory=dict)
    signals: Mapping[str, Signal] = field(default_factory=dict)
    others: Mapping[str, int] = field(default_factory=dict)
    """The numbers of other sources that named the entries before."""
    updates: bool = True
    """Whether to update the entries that were stored before."""
    visits: Sequence[EarlierVisit] = ()
    pages: Mapping[str, PageRow] = field(default_factory=dict)
    trust: Mapping[str, Any] | None = None


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


def review(
    connection: Connection,
    answer: SourceAnswer,
    stored: SourceRow | None,
    named: Mapping[str, Discovery],
    known: Known,
    now: datetime,
    bring_forward: BringForward,
) -> Review:
    """Compares an answer with the previous reading of the source (its row is `stored`). `known` are the pages of
    `named`.

    A sitemap that is read with its index shares the trust of the index, because a site's sitemaps are made by one
    program.
    """
    if stored is None or stored.id is None:
        return _before(connection, None, named)
    is_compared = answer.kind in KINDS and answer.status != NOT_MODIFIED
    before = _before(connection, stored.id, named, with_missing=is_compared and answer.whole)
    if not is_compared:
        return replace(before, updates=False, trust=stored.announcement_trust)
    noted, missing = before.noted, before.missing
    known_missing = known_pages(connection, missing)
    of_missing = {
        key: page for key in missing if (page := known_missing.page_of(key)) is not None and _can_be_visited(page)
    }
    visitable = {key: page for key in named if (page := known.page_of(key)) is not None and _can_be_visited(page)}
    differing = [key for key, page in visitable.items() if _differs(named[key], noted.get(key), page, now)]
    titles = _titles(connection, [visitable[key] for key in differing])
    family = _family(answer, stored.id)
    reading = SourceReading(
        answer.kind,
        now,
        stored.last_fetched,
        len(visitable),
        [_entry(key, visitable[key], noted.get(key), named[key], titles) for key in differing],
        [_entry(key, page, missing[key]) for key, page in of_missing.items()],
        list(_staying(noted, named, now)) if of_missing else (),
        *_visits_of(connection, family),
    )
    owner = load(connection, answer.site, answer.parent) if answer.parent is not None else stored
    decided = bring_forward(owner.announcement_trust if owner is not None else None, reading)
    if answer.parent is not None:
        _write_trust(connection, owner, decided.trust)
    if reading.outcomes:
        ended = and_(family, sightings.c.found_edit.is_not(None))
        connection.execute(update(sightings).where(ended).values(due=None, found_edit=None))
    forward = {visit.key: {**visitable, **of_missing}[visit.key] for visit in decided.visits}
    trust = decided.trust if answer.parent is None else stored.announcement_trust
    return replace(before, signals=decided.announced, visits=decided.visits, pages=forward, trust=trust)


def record(
    connection: Connection, source_id: int, named: Mapping[str, Discovery], now: datetime, reviewed: Review
) -> None:
    """Stores that the source named these URL keys, with what changed since it last did so."""
    rows: list[Values] = []
    for key, before in reviewed.noted.items() if reviewed.updates else ():
        after = _latest(before, named[key], now, reviewed.signals.get(key))
        if after != before:
            rows.append(_row(key, source_id, now, after))
    for key, before in reviewed.missing.items():
        rows.append(_row(key, source_id, now, _latest(before, None, now, reviewed.signals.get(key))))
    for key, discovery in named.items():
        if key not in reviewed.noted and reviewed.others.get(key, 0) < KEEP:
            after = _latest(NotedEntry(), discovery, now, reviewed.signals.get(key))
            first = {"title": discovery.title, "published": discovery.published}
            rows.append(_row(key, source_id, now, after) | first)
    upsert(connection, sightings, ["url_key", "source_id"], rows, dict.fromkeys(_COLUMNS, incoming))


def bring_forward(
    connection: Connection, source_id: int, answer: SourceAnswer, reviewed: Review, now: datetime
) -> dict[str, tuple[PageRow, Signal]]:
    """Brings the visits of a reading forward, after `record`. Returns the pages as they are now, each with the
    signal."""
    brought: dict[str, tuple[PageRow, Signal]] = {}
    for visit in reviewed.visits:
        page = replace(reviewed.pages[visit.key], next_due=visit.next_due)
        if page.id is None or page.url_key in brought:
            continue  # two addresses of one page
        brought[page.url_key] = page, visit.signal
        this = and_(sightings.c.url_key == visit.key, sightings.c.source_id == source_id)
        values: Values = {"due": visit.next_due, "found_edit": None, "announced": now, "signal": visit.signal}
        connection.execute(update(sightings).where(this).values(values))
        connection.execute(update(pages).where(pages.c.id == page.id).values(next_due=visit.next_due))
    brought_forward = [
        Event(page.url_key, page.url, page.site, now, ANNOUNCED, f"{describe(answer.kind, signal)}: {answer.url}")
        for page, signal in brought.values()
    ]
    events.record_all(connection, brought_forward)
    return brought


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


def _family(answer: SourceAnswer, source_id: int) -> ColumnElement[bool]:
    """Returns the condition for the visits that the source or, if it is read with an index, all that are have brought
    forward."""
    is_brought = sightings.c.due.is_not(None)
    if answer.parent is None:
        return and_(is_brought, sightings.c.source_id == source_id)
    of_index = select(sources.c.id).where(sources.c.site == answer.site, sources.c.parent == answer.parent)
    return and_(is_brought, sightings.c.source_id.in_(of_index))


def _visits_of(connection: Connection, family: ColumnElement[bool]) -> tuple[list[Any], list[Any]]:
    """Returns the visits that these sources brought forward: the results of those that have ended, and the others."""
    columns = (sightings.c.signal, sightings.c.announced, sightings.c.found_edit)
    rows = connection.execute(select(*columns).where(family)).all()
    ended = [(row.signal, row.found_edit) for row in rows if row.found_edit is not None]
    return ended, [(row.signal, row.announced) for row in rows if row.found_edit is None]


def _write_trust(connection: Connection, index: SourceRow | None, trust: Mapping[str, Any] | None) -> None:
    if index is not None and index.announcement_trust != trust:
        connection.execute(update(sources).where(sources.c.id == index.id).values(announcement_trust=trust))


def _before(
    connection: Connection, source_id: int | None, keys: Collection[str], *, with_missing: bool = False
) -> Review:
    """Returns what is stored of the entries with these URL keys that a source names; `source_id` is None for a new
    one. With `with_missing` also the entries that it listed at its previous reading and names no longer."""
    noted: dict[str, NotedEntry] = {}
    missing: dict[str, NotedEntry] = {}
    others: Counter[str] = Counter()
    query = select(*(sightings.c[name] for name in ("url_key", "source_id", *_COLUMNS)))
    # Written out, so that the planner sees the condition of the partial index.
    is_listed: ColumnElement[bool] = literal_column("listed")
    listed = [query.where(sightings.c.source_id == source_id, is_listed)] if with_missing else []
    for chunk in list(chunks(keys)) or ([[]] if listed else []):
        for key, of, *values in connection.execute(union(query.where(sightings.c.url_key.in_(chunk)), *listed)):
            if of == source_id:
                (noted if key in keys else missing)[key] = NotedEntry(*values)
            else:
                others[key] += 1
        listed = []
    return Review(noted, missing, others=others)


def _titles(connection: Connection, of_pages: Iterable[PageRow]) -> dict[int, str | None]:
    """Returns the title of each page when it was read, by the page's id."""
    titles: dict[int, str | None] = {}
    shown = and_(versions.c.page_id == pages.c.id, versions.c.article_id == pages.c.article_id)
    for chunk in chunks(page.id for page in of_pages):
        query = select(pages.c.id, versions.c.title).join(versions, shown).where(pages.c.id.in_(chunk))
        titles |= {row.id: row.title for row in connection.execute(query)}
    return titles


def _row(key: str, source_id: int, now: datetime, entry: NotedEntry) -> Values:
    """Returns a row. The first title and date are written only with the first row."""
    first: Values = {"url_key": key, "source_id": source_id, "at": now, "title": None, "published": None}
    latest = {"latest_title": entry.title, "latest_date": entry.date, "listed": entry.listed}
    return {**first, **latest, "announced": entry.announced, "signal": entry.signal}


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
