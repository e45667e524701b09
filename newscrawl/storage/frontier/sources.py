"""Feeds, sitemaps and section pages: their answers with the pages that they name, and their failures.

One transaction writes a source's new validators together with the candidates of its body. So neither a kill nor a later
304 can hide an article: a page leaves `found` only with its outcome.

Answers of many sources are stored together: what concerns any of them is read once, they are decided in their order,
each with what the ones before have changed, and what changed is written once (`record`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection, bindparam, func, select, update

from newscrawl.crawling.scheduling.announced_edits import describe
from newscrawl.errors import InvalidUrl
from newscrawl.model import HARMFUL, Candidate, Discovery, is_unanswered
from newscrawl.model.identity import clean_url, url_key
from newscrawl.storage import events
from newscrawl.storage.articles.deciding.known import Known
from newscrawl.storage.articles.lookup import due_page, select_pages
from newscrawl.storage.articles.rows import PAGE, SOURCE
from newscrawl.storage.engine.sql import rows_among, upsert
from newscrawl.storage.engine.types import LINE_LIMIT, clean_text
from newscrawl.storage.feed import changes
from newscrawl.storage.frontier import patterns, sightings, source_state
from newscrawl.storage.frontier.pages import insert_found, is_due
from newscrawl.storage.frontier.source_state import Reading, SourceFailure, SourceItem
from newscrawl.storage.monitoring import hours
from newscrawl.storage.records import (
    GENERIC_SITE,
    DuePage,
    Event,
    PageRow,
    SourceRow,
)
from newscrawl.storage.removal import blocklist
from newscrawl.storage.tables.articles import pages, urls, versions
from newscrawl.storage.tables.frontier import BROUGHT, sources

DUE_LIMIT: Final = 10_000
_NEW: Final = 2**62
"""The first of the numbers that stand for the ids of new sources until they are written: greater than those."""


def record(connection: Connection, items: Sequence[SourceItem]) -> list[list[DuePage]]:
    """Stores what happened to sources, in this order. Returns for each answer those of the pages that it named which
    are to be fetched now, in its order; nothing for other items.

    A page is to be fetched if it is new, still `found`, or its next visit is due. Candidates with one URL key are one
    page. A candidate without an http(s) URL is counted as unusable. Raises InvalidUrl if the address of a source is no
    URL.
    """
    results: list[list[DuePage]] = []
    while len(results) < len(items):
        batch = _Batch(connection, [*_of_different_sources(items[len(results) :])])
        _load(connection, batch)
        results += [_decide(batch, item) for item in batch.items]
        _write(connection, batch)
    return results


def due(connection: Connection, now: datetime, *, site: str | None = None) -> list[SourceRow]:
    """Returns at most `DUE_LIMIT` sources whose next visit is due, of one site or of all; the highest arrival rate
    first."""
    query = select(sources).where(sources.c.next_due <= now)
    if site is not None:
        query = query.where(sources.c.site == site)
    busiest = (func.coalesce(sources.c.arrival_rate, 0.0).desc(), sources.c.next_due, sources.c.id)
    return [SOURCE.read(row) for row in connection.execute(query.order_by(*busiest).limit(DUE_LIMIT))]


def load_site(connection: Connection, site: str) -> list[SourceRow]:
    """Returns the site's known sources, in the order in which they were first seen."""
    rows = connection.execute(select(sources).where(sources.c.site == site).order_by(sources.c.id))
    return [SOURCE.read(row) for row in rows]


_Named: TypeAlias = Mapping[str, tuple[str, Candidate]]
"""Candidates by URL key, each with its cleaned address."""


@dataclass(frozen=True, slots=True)
class _Entries:
    """The first candidate of each URL key, the number of candidates without a usable address, and all dates."""

    named: _Named
    unusable: int
    dates: Sequence[datetime]


@dataclass(slots=True)
class _Batch:
    """Items of different sources, the stored state that concerns them as it is after those that are decided, and what
    is to be written."""

    connection: Connection
    items: Sequence[SourceItem]
    entries: dict[tuple[str, str], _Entries] = field(default_factory=dict)
    """The entries of each answer, by the site and the address of its source."""
    rows: dict[tuple[str, str], SourceRow] = field(default_factory=dict)
    """Sources by site and URL key."""
    barred: Collection[str] = ()
    known: Known = field(default_factory=Known)
    titles: dict[int, str | None] = field(default_factory=dict)
    """The titles of pages when they were read, by the page's id."""
    seen: sightings.Seen = field(default_factory=sightings.Seen)
    limits: patterns.Limits = field(default_factory=patterns.Limits)
    left: dict[str, int] = field(default_factory=dict)
    """How many visits may still be brought forward at each site; empty until one is to be."""

    changed: dict[tuple[str, str], None] = field(default_factory=dict)
    """The sources to write."""
    found: dict[str, PageRow] = field(default_factory=dict)
    addresses: dict[str, str] = field(default_factory=dict)
    """The address of each page of `found`, as the source wrote it."""
    moved: dict[str, None] = field(default_factory=dict)
    """The URL keys of stored pages with another site or another next visit."""
    taken: list[tuple[Sequence[int], datetime]] = field(default_factory=list)
    """The articles of pages that a site took over, and when."""
    events: list[Event] = field(default_factory=list)
    tally: hours.Tally = field(default_factory=hours.Tally)

    def row(self, site: str, url: str) -> SourceRow | None:
        """Returns the row of a source; None for one that was never requested."""
        return self.rows.get((site, url_key(url)))

    def put(self, row: SourceRow) -> SourceRow:
        """Takes the row of a source in its new state and returns it, with a number if it is new."""
        key = row.site, url_key(row.url)
        row = row if row.id is not None else replace(row, id=_NEW + len(self.rows))
        self.rows[key] = row
        self.changed[key] = None
        return row

    def learn(self, row: SourceRow) -> None:
        """Takes the row of a source as it is stored."""
        self.rows[row.site, url_key(row.url)] = row

    def visits_left(self, site: str, now: datetime) -> int:
        """Returns how many visits of the site may still be brought forward."""
        if not self.left:
            self.left = hours.earlier_visits_left(self.connection, {item.site for item in self.items}, now)
        return self.left[site]

    def planned(self, site: str) -> Iterator[SourceRow]:
        """Yields the sources of a site that have visits of their own and are not retired."""
        rows = (row for (own, _), row in self.rows.items() if own == site)
        return (row for row in rows if row.next_due is not None and row.retired_at is None)

    def move(self, page: PageRow) -> None:
        """Takes a page with another site or another next visit."""
        self.known.pages[page.url_key] = page
        if page.id is None:
            self.found[page.url_key] = page
        else:
            self.moved[page.url_key] = None


def _of_different_sources(items: Sequence[SourceItem]) -> Iterator[SourceItem]:
    """Yields the first items, up to one of a source that has one already. That is decided from the tables, because they
    cut long values, with which an answer is compared."""
    before: set[tuple[str, str]] = set()
    for item in items:
        key = item.site, url_key(item.url)
        if key in before:
            return
        before.add(key)
        yield item


def _load(connection: Connection, batch: _Batch) -> None:
    """Reads what concerns the items: sources, then sightings, the blocklist, pages, and patterns of addresses."""
    readings = [item for item in batch.items if isinstance(item, Reading)]
    batch.entries = {(one.site, one.url): _entries_of(one) for one in readings}
    _load_rows(connection, batch, readings)
    keys = {key for entries in batch.entries.values() for key in entries.named}
    compared = [one for one in readings if one.answer.whole and sightings.is_compared(one.answer)]
    rows = [batch.row(one.site, one.url) for one in compared]
    whole = {row.id for row in rows if row is not None and row.id is not None}
    batch.seen = sightings.load(connection, keys, whole)
    if keys:
        sites = {one.site for one in readings}
        barring = [*map(blocklist.key_of_site, sites), *map(blocklist.key_of_url, keys)]
        batch.barred = blocklist.among(connection, barring)
    listed = {one.url_key for number in whole for one in batch.seen.by_source[number].values() if one.listed}
    _load_pages(connection, batch, keys | listed)
    if any(batch.known.page_of(key) is None for key in keys):
        batch.limits = patterns.load_limits(connection, {one.site for one in readings})


def _load_rows(connection: Connection, batch: _Batch, readings: Sequence[Reading]) -> None:
    """Reads the sources of the items and their indexes. If a site does not answer, or answers again, also those that
    are planned."""
    wanted = [(item.site, item.url) for item in batch.items]
    wanted += [(one.site, one.answer.parent) for one in readings if one.answer.parent is not None]
    sites, keys = {site for site, _ in wanted}, {url_key(url) for _, url in wanted}
    query = select(sources).where(sources.c.site.in_(sites))
    for row in rows_among(connection, query, sources.c.url_key, keys):
        batch.learn(SOURCE.read(row))
    failing = {row.site for row in batch.rows.values() if is_unanswered(row.failure_kind)}
    failing |= {one.site for one in batch.items if isinstance(one, SourceFailure) and is_unanswered(one.reason)}
    if failing:
        planned = (sources.c.next_due.is_not(None), sources.c.retired_at.is_(None))
        for row in connection.execute(select(sources).where(sources.c.site.in_(failing), *planned)):
            batch.learn(SOURCE.read(row))


def _load_pages(connection: Connection, batch: _Batch, keys: Collection[str]) -> None:
    """Reads the pages that the keys lead to, with the titles that they had when they were read."""
    query = select_pages().add_columns(versions.c.title, urls.c.url_key.label("alias"))
    query = query.join(urls, urls.c.page_id == pages.c.id)
    for row in rows_among(connection, query, urls.c.url_key, keys):
        page = PAGE.read(row)
        batch.known.pages[page.url_key] = page
        batch.known.aliases[row.alias] = page.url_key
        batch.titles[row.id] = row.title


def _decide(batch: _Batch, item: SourceItem) -> list[DuePage]:
    if isinstance(item, Reading):
        return _read(batch, item)
    stored = batch.row(item.site, item.url)
    if isinstance(item, SourceFailure):
        _fail(batch, item, stored or SourceRow(item.site, item.url, item.kind))
    elif stored is not None and stored.failure_kind in HARMFUL:
        batch.put(source_state.recovered(stored, item))
    return []


def _fail(batch: _Batch, failure: SourceFailure, stored: SourceRow) -> None:
    site, now = failure.site, failure.now
    if failure.was_sent:
        batch.tally.failure(site, now, failure.reason)
    after = batch.put(source_state.failed(stored, failure))
    if (other := source_state.tried_soon(failure, after, batch.planned(site))) is not None:
        batch.put(other)
    message = f"{failure.kind} could not be read" + (f": {failure.detail}" if failure.detail else "")
    batch.events.append(Event(url_key(failure.url), failure.url, site, now, failure.reason, message, failure.status))


def _read(batch: _Batch, reading: Reading) -> list[DuePage]:
    """Decides one answer. Returns the pages to fetch now."""
    answer, now, known = reading.answer, reading.now, batch.known
    entries = batch.entries[reading.site, reading.url]
    named = _allowed(batch.barred, answer.site, entries.named)
    fresh = {key: entry for key, entry in named.items() if known.page_of(key) is None}
    wanted_now = patterns.allowed(batch.limits, answer.site, {key: url for key, (url, _) in fresh.items()}, now)
    named = {key: entry for key, entry in named.items() if key not in fresh or key in wanted_now}
    fresh = {key: entry for key, entry in fresh.items() if key in wanted_now}
    discoveries = {key: candidate.discovery for key, (_, candidate) in named.items()}

    stored = batch.row(answer.site, answer.url) or SourceRow(answer.site, answer.url, answer.kind)
    reviewed = sightings.review(batch.seen, reading, stored, discoveries, known, batch.titles)
    read = source_state.Read(
        named=len(named),
        fresh=tuple(discoveries[key].published for key in fresh),
        unusable=entries.unusable,
        watermark=max((date for date in entries.dates if date <= now), default=None),
        announced=reviewed.announces,
    )
    source = _put_answered(batch, reading, stored, read)

    _take_over(batch, answer.site, [page for page in map(known.page_of, named) if page is not None], now)
    new = {
        key: PageRow(key, url, answer.site, "found", first_seen=now, discovery=candidate.discovery)
        for key, (url, candidate) in fresh.items()
    }
    sightings.note(batch.seen, source, discoveries, answer, now, reviewed)
    pages_named = [page for key in named if (page := new.get(key) or known.page_of(key)) is not None]
    wanted = {page.url_key: due_page(page) for page in pages_named if is_due(page, now)}
    most = batch.visits_left(answer.site, now) if reviewed.visits else 0
    brought = sightings.bring_forward(batch.seen, source, now, reviewed, most)
    if brought:
        batch.left[answer.site] -= len(brought)
        batch.tally.count(answer.site, now, BROUGHT, len(brought))
    for key, (page, signal) in brought.items():
        batch.move(replace(known.pages[key], next_due=page.next_due))
        why = f"{describe(answer.kind, signal)}: {answer.url}"
        batch.events.append(Event(key, page.url, page.site, now, sightings.ANNOUNCED, why))
        if is_due(page, now):
            wanted[key] = replace(due_page(page), announced=signal)
    _find(batch, answer.site, new, fresh, now)
    return list(wanted.values())


def _put_answered(batch: _Batch, reading: Reading, stored: SourceRow, read: source_state.Read) -> int:
    """Takes the source after its answer, and what that changes for other sources of the site. Returns its number."""
    answer, now = reading.answer, reading.now
    source = batch.put(source_state.answered(stored, reading, read))
    if is_unanswered(stored.failure_kind):
        for row in source_state.read_again(batch.planned(answer.site), now):
            batch.put(row)
    index = batch.row(answer.site, answer.parent) if answer.parent is not None else None
    if index is not None and read.fresh and not index.failures:
        batch.put(source_state.credited(index, read.fresh, now, reading.plan))
    if source.id is None:
        raise ValueError(f"source {source.url} has no number")
    return source.id


def _entries_of(reading: Reading) -> _Entries:
    named: dict[str, tuple[str, Candidate]] = {}
    dates: list[datetime] = []
    unusable = 0
    for candidate in reading.candidates:
        if candidate.discovery.published is not None:
            dates.append(candidate.discovery.published)
        try:
            named.setdefault(url_key(candidate.url), (clean_url(candidate.url), candidate))
        except InvalidUrl:
            unusable += 1
    return _Entries(named, unusable, dates)


def _allowed(barred: Collection[str], site: str, named: _Named) -> _Named:
    """Returns the candidates that are not on the blocklist."""
    if blocklist.key_of_site(site) in barred:
        return {}
    return {key: entry for key, entry in named.items() if blocklist.key_of_url(key) not in barred}


def _take_over(batch: _Batch, site: str, stored: Sequence[PageRow], now: datetime) -> None:
    """Moves pages that a declared site names from `generic` to the site."""
    if site == GENERIC_SITE:
        return
    moved = [page for page in stored if page.site == GENERIC_SITE]
    for page in moved:
        batch.move(replace(page, site=site))
    shown = [page.article_id for page in moved if page.article_id is not None and changes.shown_by(page)]
    if shown:
        batch.taken.append((shown, now))


def _find(batch: _Batch, site: str, new: Mapping[str, PageRow], named: _Named, now: datetime) -> None:
    """Takes the new pages of an answer. Later answers see them as they are stored."""
    batch.found |= new
    batch.addresses |= {key: named[key][1].url for key in new}
    batch.tally.count(site, now, "found", len(new))
    for key, page in new.items():
        discovery = page.discovery
        reason = f"named by the {discovery.kind} {discovery.source}" if discovery else ""
        batch.events.append(Event(key, page.url, site, now, "found", reason))
        if discovery is not None:  # without `modified`, and with the title that is stored
            title = clean_text(discovery.title, LINE_LIMIT) if discovery.title is not None else None
            discovery = Discovery(discovery.kind, discovery.source, title, discovery.published)
        batch.known.pages[key] = replace(page, discovery=discovery)


def _write(connection: Connection, batch: _Batch) -> None:
    """Writes what the items changed: sources, pages, sightings, patterns, then events, numbers and the feed."""
    rows = [SOURCE.values(batch.rows[site, key]) | {"url_key": key} for site, key in batch.changed]
    returned = upsert(connection, sources, ["site", "url_key"], rows, None, [*_IDENTITY, sources.c.id])
    ids = {batch.rows[row.site, row.url_key].id or 0: row.id for row in returned}
    moved = [batch.known.pages[key] for key in batch.moved]
    if moved:
        values: dict[str, Any] = {"site": bindparam("owner"), "next_due": bindparam("due")}
        statement = update(pages).where(pages.c.id == bindparam("page")).values(values)
        connection.execute(statement, [{"page": one.id, "owner": one.site, "due": one.next_due} for one in moved])
    insert_found(connection, list(batch.found.values()), batch.addresses)
    sightings.write(connection, batch.seen, ids)
    patterns.write_probes(connection, batch.limits)
    batch.tally.write(connection)
    for article_ids, now in batch.taken:
        changes.append(connection, article_ids, now, "metadata")
    events.record_all(connection, batch.events)


_IDENTITY: Final = (sources.c.site, sources.c.url_key)
