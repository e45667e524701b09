"""Feeds, sitemaps and section pages: what they answered, and the candidates they name.

One transaction writes a source's new validators together with the candidates its body named, so neither a kill nor a
304 from then on can hide an article: a page leaves `found` only with its outcome.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, func, select, update

from newscrawl.errors import InvalidUrl
from newscrawl.identity import clean_url, url_key
from newscrawl.model import Candidate, SourceKind
from newscrawl.storage import events
from newscrawl.storage.articles.lookup import chunks, due_page, known_pages
from newscrawl.storage.articles.rows import SOURCE, page_values
from newscrawl.storage.duplicates import first_pages
from newscrawl.storage.engine.upsert import upsert
from newscrawl.storage.feed import changes
from newscrawl.storage.frontier import announcements, mentions, patterns, sightings
from newscrawl.storage.frontier.former_keys import adopt_pages
from newscrawl.storage.frontier.pages import is_due
from newscrawl.storage.frontier.source_state import (
    Read,
    SourceFailure,
    load,
    write_answer,
    write_failure,
    write_recovery,
)
from newscrawl.storage.records import (
    GENERIC_SITE,
    BringForward,
    DuePage,
    Event,
    PageRow,
    PlanSource,
    SourceAnswer,
    SourceRow,
    as_planned,
    hourly,
)
from newscrawl.storage.removal import blocklist
from newscrawl.storage.tables.schema import pages, sources, urls

DUE_LIMIT: Final = 10_000


def record_answer(
    connection: Connection,
    answer: SourceAnswer,
    candidates: Iterable[Candidate],
    now: datetime,
    *,
    mentioned: Sequence[Candidate] = (),
    plan: PlanSource = hourly,
    bring_forward: BringForward = as_planned,
) -> list[DuePage]:
    """Writes what a source answered and every page it named, and returns those of them to fetch now, in its order.

    A page is to be fetched when it is new, still `found`, or its next visit has come. Candidates with one URL key are
    one page; one whose address is no http(s) URL is counted as unusable. `mentioned` are entries on other sites.
    `plan` says when to visit the source again; one that is read with its index (`answer.parent`) has no visits of its
    own, and what it brought counts for the index. `bring_forward` says which pages to visit earlier because the answer
    announces edits of them. Raises InvalidUrl when the source's address is no URL.
    """
    stored = load(connection, answer.site, answer.url)
    candidates = list(candidates)
    named, unusable = _by_key(candidates)
    named = _allowed(connection, answer.site, named)
    adopt_pages(connection, (one.url for one in named.values()))
    known = known_pages(connection, named)
    fresh = {key: candidate for key, candidate in named.items() if known.page_of(key) is None}
    wanted_now = patterns.allowed(connection, answer.site, {key: one.url for key, one in fresh.items()}, now)
    named = {key: one for key, one in named.items() if key not in fresh or key in wanted_now}
    fresh = {key: one for key, one in fresh.items() if key in wanted_now}
    told = {key: one.candidate.discovery for key, one in named.items()}
    found = announcements.review(connection, answer, stored, told, known, now, bring_forward)
    read = Read(
        named=len(named),
        fresh=tuple(candidate.candidate.discovery.published for candidate in fresh.values()),
        unusable=unusable,
        watermark=_watermark(candidates, now),
        announced=bool(found.review.signals),
        trust=found.trust,
    )
    source_id = write_answer(connection, stored, answer, read, now, plan)
    _take_over(connection, answer.site, [page for page in map(known.page_of, named) if page is not None], now)
    new = _insert_found(connection, answer.site, fresh, now)
    events.record_all(connection, [_found_event(page) for page in new])
    sightings.record(connection, source_id, told, now, found.review)
    mentions.record(connection, answer.site, mentioned, now)
    known.pages.update({page.url_key: page for page in new})
    wanted = {page.url_key: due_page(page) for page in map(known.page_of, named) if page and is_due(page, now)}
    for key, (page, signal) in announcements.write(connection, source_id, answer, found, now).items():
        if is_due(page, now):
            wanted[key] = replace(due_page(page), announced=signal)
    return list(wanted.values())


def record_failure(
    connection: Connection,
    site: str,
    url: str,
    kind: SourceKind,
    reason: str,
    status: int | None,
    now: datetime,
    *,
    not_before: datetime | None = None,
    parent: str | None = None,
    detail: str = "",
    plan: PlanSource = hourly,
) -> None:
    """A source that could not be read; `reason` is a stable slash-name, `detail` is for people. `plan` says when it is
    asked again, not before `not_before` (Retry-After); one that is read with its index (`parent`) is asked with that,
    where it did harm (model.HARMFUL) only after the time that `plan` gives."""
    write_failure(connection, SourceFailure(site, url, kind, reason, status, not_before, parent), now, plan)
    told = f"{kind} could not be read" + (f": {detail}" if detail else "")
    events.record_all(connection, [Event(url_key(url), url, site, now, reason, told, status)])


def record_recovery(connection: Connection, site: str, url: str, now: datetime, *, plan: PlanSource = hourly) -> None:
    """A source that had cost too much (model.HARMFUL) was read with all that it leads to; nothing for any other."""
    write_recovery(connection, site, url, now, plan)


def due(connection: Connection, now: datetime, *, site: str | None = None, limit: int = DUE_LIMIT) -> list[SourceRow]:
    """At most `limit` sources whose next visit has come, of one site or of all: those that expect most news first."""
    query = select(sources).where(sources.c.next_due <= now)
    if site is not None:
        query = query.where(sources.c.site == site)
    busiest = (func.coalesce(sources.c.arrival_rate, 0.0).desc(), sources.c.next_due, sources.c.id)
    return [SOURCE.read(row) for row in connection.execute(query.order_by(*busiest).limit(limit))]


def of_site(connection: Connection, site: str) -> list[SourceRow]:
    """The site's known sources, in the order they were first met."""
    rows = connection.execute(select(sources).where(sources.c.site == site).order_by(sources.c.id))
    return [SOURCE.read(row) for row in rows]


@dataclass(frozen=True, slots=True)
class _Named:
    url: str
    candidate: Candidate


def _by_key(candidates: Iterable[Candidate]) -> tuple[dict[str, _Named], int]:
    """The first candidate of each URL key, and how many candidates have no usable address."""
    named: dict[str, _Named] = {}
    unusable = 0
    for candidate in candidates:
        try:
            named.setdefault(url_key(candidate.url), _Named(clean_url(candidate.url), candidate))
        except InvalidUrl:
            unusable += 1
    return named, unusable


def _allowed(connection: Connection, site: str, named: dict[str, _Named]) -> dict[str, _Named]:
    """Returns the candidates that are not on the blocklist."""
    of_keys = {key: blocklist.of_address(one.candidate.url, key) for key, one in named.items()}
    barred = blocklist.among(connection, [blocklist.of_site(site), *(one for keys in of_keys.values() for one in keys)])
    if blocklist.of_site(site) in barred:
        return {}
    return {key: one for key, one in named.items() if not of_keys[key] & barred} if barred else named


def _watermark(candidates: Sequence[Candidate], now: datetime) -> datetime | None:
    """The newest date that is not in the future."""
    dates = [candidate.discovery.published for candidate in candidates if candidate.discovery.published is not None]
    return max((date for date in dates if date <= now), default=None)


def _insert_found(connection: Connection, site: str, fresh: dict[str, _Named], now: datetime) -> list[PageRow]:
    """Stores the new candidates as pages in state `found`."""
    found = [
        PageRow(key, named.url, site, "found", first_seen=now, discovery=named.candidate.discovery)
        for key, named in fresh.items()
    ]
    for chunk in chunks(found):
        same = {"url_key": lambda stored, _incoming: stored}
        rows = [page_values(page, None) for page in chunk]
        returned = upsert(connection, pages, ["url_key"], rows, same, [pages.c.url_key, pages.c.id])
        ids = {row.url_key: row.id for row in returned}
        addresses = [
            {"url_key": page.url_key, "url": fresh[page.url_key].candidate.url, "page_id": ids[page.url_key]}
            for page in chunk
        ]
        upsert(connection, urls, ["url_key"], addresses, {"page_id": _incoming})
    return found


def _take_over(connection: Connection, site: str, stored: Sequence[PageRow], now: datetime) -> None:
    """A declared site takes the pages it names over from `generic`."""
    if site == GENERIC_SITE:
        return
    taken = [page for page in stored if page.site == GENERIC_SITE]
    for chunk in chunks(page.id for page in taken if page.id is not None):
        connection.execute(update(pages).where(pages.c.id.in_(chunk)).values(site=site))
    shown = [page.article_id for page in taken if page.article_id is not None and changes.shown_by(page)]
    changes.append(connection, "upsert", shown, now)
    first_pages.choose_again(connection, shown, now)


def _found_event(page: PageRow) -> Event:
    discovery = page.discovery
    reason = f"named by the {discovery.kind} {discovery.source}" if discovery else ""
    return Event(page.url_key, page.url, page.site, page.first_seen, "found", reason)


def _incoming(_stored: object, incoming: ColumnElement[Any]) -> ColumnElement[Any]:
    return incoming
