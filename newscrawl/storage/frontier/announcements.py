"""Stores the edits that sources announce: the comparison with the previous reading, the visits that are brought
forward, and their results.

This is written in the transaction that writes the source's validators and candidates (sources.record_answer), or the
page of the visit (apply.save_batch).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, and_, delete, select, update

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
from newscrawl.storage.engine.row_mapping import Values
from newscrawl.storage.engine.sql import chunks, upsert
from newscrawl.storage.frontier import sightings
from newscrawl.storage.frontier.sightings import Review
from newscrawl.storage.frontier.source_state import NOT_MODIFIED, load
from newscrawl.storage.records import BringForward, Event, PageRow, SourceAnswer, SourceRow
from newscrawl.storage.tables.announcements import announcements
from newscrawl.storage.tables.articles import pages, versions
from newscrawl.storage.tables.frontier import sources

KINDS: Final = frozenset({"feed", "sitemap"})
"""Sources whose entries have dates and titles. The link texts of a section page change at will."""

ANNOUNCED: Final = "revisit/announced"
"""The event of a visit that was brought forward."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The announcements of a reading. `review` is for sightings.record, `visits` are written by `write`, `trust`
    belongs in the source's row. `pages` are the pages of the visits, by URL key."""

    review: Review = field(default_factory=Review)
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
) -> Reviewed:
    """Compares an answer with the previous reading of the source (its row is `stored`). `known` are the pages of
    `named`.

    A sitemap that is read with its index shares the trust of the index, because a site's sitemaps are made by one
    program.
    """
    if stored is None or stored.id is None:
        return Reviewed()
    if answer.kind not in KINDS or answer.status == NOT_MODIFIED:
        return Reviewed(
            Review(sightings.noted(connection, stored.id, named), updates=False), trust=stored.announcement_trust
        )
    noted = sightings.noted(connection, stored.id, named)
    missing = sightings.missing(connection, stored.id, named) if answer.whole else {}
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
        connection.execute(delete(announcements).where(family, announcements.c.found_edit.is_not(None)))
    forward = {visit.key: {**visitable, **of_missing}[visit.key] for visit in decided.visits}
    trust = decided.trust if answer.parent is None else stored.announcement_trust
    return Reviewed(Review(noted, missing, decided.announced), decided.visits, forward, trust)


def _write_trust(connection: Connection, index: SourceRow | None, trust: Mapping[str, Any] | None) -> None:
    if index is not None and index.announcement_trust != trust:
        connection.execute(update(sources).where(sources.c.id == index.id).values(announcement_trust=trust))


def write(
    connection: Connection, source_id: int, answer: SourceAnswer, found: Reviewed, now: datetime
) -> dict[str, tuple[PageRow, Signal]]:
    """Brings the visits forward. Returns the pages as they are now, each with the signal."""
    rows: dict[int, Values] = {}
    brought: dict[str, tuple[PageRow, Signal]] = {}
    for visit in found.visits:
        page = replace(found.pages[visit.key], next_due=visit.next_due)
        if page.id is None or page.url_key in brought:
            continue  # two addresses of one page
        brought[page.url_key] = page, visit.signal
        rows[page.id] = {"page_id": page.id, "source_id": source_id, "signal": visit.signal, "at": now}
        rows[page.id] |= {"due": visit.next_due, "found_edit": None}
    upsert(connection, announcements, ["page_id", "source_id"], list(rows.values()))
    for page_id, row in rows.items():
        connection.execute(update(pages).where(pages.c.id == page_id).values(next_due=row["due"]))
    brought_forward = [
        Event(page.url_key, page.url, page.site, now, ANNOUNCED, f"{describe(answer.kind, signal)}: {answer.url}")
        for page, signal in brought.values()
    ]
    events.record_all(connection, brought_forward)
    return brought


def record_results(connection: Connection, ended: Mapping[int, tuple[datetime, bool | None]]) -> None:
    """Stores the results of visits of these pages: when the page was fetched, and whether it differed from what was
    stored. None means that it could not be read, which says nothing about the announcement."""
    pending = announcements.c.found_edit.is_(None)
    for chunk in chunks(ended):
        rows = connection.execute(select(announcements).where(announcements.c.page_id.in_(chunk), pending)).all()
        for row in rows:
            at, found_edit = ended[row.page_id]
            if at < row.at:
                continue  # fetched before it was announced
            this = and_(announcements.c.page_id == row.page_id, announcements.c.source_id == row.source_id)
            if found_edit is None:
                connection.execute(delete(announcements).where(this))
            else:
                connection.execute(update(announcements).where(this).values(found_edit=found_edit))


def load_brought(connection: Connection, page_id: int) -> list[Brought]:
    """Returns the visits of the page that were brought forward and have not ended, oldest first."""
    query = select(announcements, sources.c.url, sources.c.kind).join(sources)
    query = query.where(announcements.c.page_id == page_id, announcements.c.found_edit.is_(None))
    rows = connection.execute(query.order_by(announcements.c.at, sources.c.url))
    return [Brought(row.url, row.kind, row.signal, row.at, row.due) for row in rows]


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


def _titles(connection: Connection, of_pages: Iterable[PageRow]) -> dict[int, str | None]:
    """Returns the title of each page when it was read, by the page's id."""
    titles: dict[int, str | None] = {}
    shown = and_(versions.c.page_id == pages.c.id, versions.c.article_id == pages.c.article_id)
    for chunk in chunks(page.id for page in of_pages):
        query = select(pages.c.id, versions.c.title).join(versions, shown).where(pages.c.id.in_(chunk))
        titles |= {row.id: row.title for row in connection.execute(query)}
    return titles


def _family(answer: SourceAnswer, source_id: int) -> ColumnElement[bool]:
    """Returns the condition for announcements of the source or, if it is read with an index, of all that are."""
    if answer.parent is None:
        return announcements.c.source_id == source_id
    of_index = select(sources.c.id).where(sources.c.site == answer.site, sources.c.parent == answer.parent)
    return announcements.c.source_id.in_(of_index)


def _visits_of(connection: Connection, family: ColumnElement[bool]) -> tuple[list[Any], list[Any]]:
    """Returns the visits that these sources brought forward: the results of those that have ended, and the others."""
    rows = connection.execute(select(announcements).where(family)).all()
    ended = [(row.signal, row.found_edit) for row in rows if row.found_edit is not None]
    return ended, [(row.signal, row.at) for row in rows if row.found_edit is None]
