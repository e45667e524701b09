"""Feeds, sitemaps and section pages: their answers, and the candidates that they name.

One transaction writes a source's new validators together with the candidates of its body. So neither a kill nor a later
304 can hide an article: a page leaves `found` only with its outcome.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, func, select, update

from newscrawl.errors import InvalidUrl
from newscrawl.identity import clean_url, url_key
from newscrawl.model import Candidate, SourceType
from newscrawl.storage import events
from newscrawl.storage.articles.lookup import due_page, known_pages
from newscrawl.storage.articles.rows import SOURCE
from newscrawl.storage.engine.sql import chunks
from newscrawl.storage.feed import changes
from newscrawl.storage.frontier import patterns, sightings
from newscrawl.storage.frontier.pages import insert_found, is_due
from newscrawl.storage.frontier.source_state import (
    Read,
    SourceFailure,
    load,
    write_answer,
    write_failure,
    write_recovery,
)
from newscrawl.storage.monitoring import hours
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
from newscrawl.storage.tables.articles import pages
from newscrawl.storage.tables.frontier import sources

DUE_LIMIT: Final = 10_000


def record_answer(
    connection: Connection,
    answer: SourceAnswer,
    candidates: Iterable[Candidate],
    now: datetime,
    *,
    plan: PlanSource = hourly,
    bring_forward: BringForward = as_planned,
) -> list[DuePage]:
    """Stores a source's answer and every page that it named. Returns those of them to fetch now, in its order.

    A page is to be fetched if it is new, still `found`, or its next visit is due. Candidates with one URL key are one
    page. A candidate without an http(s) URL is counted as unusable. `plan`
    returns the next visit of the source; a source that is read with its index (`answer.parent`) has no visits of its
    own, and its new entries count for the index. `bring_forward` returns the pages to visit earlier because the answer
    announces edits of them. Raises InvalidUrl if the source's address is no URL.
    """
    stored = load(connection, answer.site, answer.url)
    candidates = list(candidates)
    named, unusable = _by_key(candidates)
    named = _allowed(connection, answer.site, named)
    known = known_pages(connection, named)
    fresh = {key: candidate for key, candidate in named.items() if known.page_of(key) is None}
    wanted_now = patterns.allowed(connection, answer.site, {key: entry.url for key, entry in fresh.items()}, now)
    named = {key: entry for key, entry in named.items() if key not in fresh or key in wanted_now}
    fresh = {key: entry for key, entry in fresh.items() if key in wanted_now}
    discoveries = {key: entry.candidate.discovery for key, entry in named.items()}
    reviewed = sightings.review(connection, answer, stored, discoveries, known, now, bring_forward)
    read = Read(
        named=len(named),
        fresh=tuple(candidate.candidate.discovery.published for candidate in fresh.values()),
        unusable=unusable,
        watermark=_watermark(candidates, now),
        announced=bool(reviewed.signals),
        trust=reviewed.trust,
    )
    source_id = write_answer(connection, stored, answer, read, now, plan)
    _take_over(connection, answer.site, [page for page in map(known.page_of, named) if page is not None], now)
    new = _found(answer.site, fresh, now)
    insert_found(connection, new, {key: named.candidate.url for key, named in fresh.items()})
    sightings.record(connection, source_id, discoveries, now, reviewed)
    known.pages.update({page.url_key: page for page in new})
    wanted = {page.url_key: due_page(page) for page in map(known.page_of, named) if page and is_due(page, now)}
    for key, (page, signal) in sightings.bring_forward(connection, source_id, answer, reviewed, now).items():
        if is_due(page, now):
            wanted[key] = replace(due_page(page), announced=signal)
    hours.add_found(connection, answer.site, len(new), now)
    events.record_all(connection, [_found_event(page) for page in new])
    return list(wanted.values())


def record_failure(
    connection: Connection,
    site: str,
    url: str,
    kind: SourceType,
    reason: str,
    status: int | None,
    now: datetime,
    *,
    not_before: datetime | None = None,
    parent: str | None = None,
    detail: str = "",
    plan: PlanSource = hourly,
    was_sent: bool = True,
) -> None:
    """Stores a failed reading of a source. `reason` is the code of the failure, `detail` a text for people.

    `plan` returns when it is tried again, not before `not_before` (Retry-After). A source that is read with its index
    (`parent`) is tried with the index, but if reading it did harm (model.HARMFUL), not before the time of `plan`.
    A source that was not requested (`was_sent` is False) does not count among the hour's failures.
    """
    if was_sent:
        hours.add_failures(connection, [(site, reason)], now)
    write_failure(connection, SourceFailure(site, url, kind, reason, status, not_before, parent), now, plan)
    message = f"{kind} could not be read" + (f": {detail}" if detail else "")
    events.record_all(connection, [Event(url_key(url), url, site, now, reason, message, status)])


def record_recovery(connection: Connection, site: str, url: str, now: datetime, *, plan: PlanSource = hourly) -> None:
    """Ends the failures of a source that had cost too much (model.HARMFUL) and was read with everything below it. Does
    nothing for other sources."""
    write_recovery(connection, site, url, now, plan)


def due(connection: Connection, now: datetime, *, site: str | None = None, limit: int = DUE_LIMIT) -> list[SourceRow]:
    """Returns at most `limit` sources whose next visit is due, of one site or of all; the highest arrival rate
    first."""
    query = select(sources).where(sources.c.next_due <= now)
    if site is not None:
        query = query.where(sources.c.site == site)
    busiest = (func.coalesce(sources.c.arrival_rate, 0.0).desc(), sources.c.next_due, sources.c.id)
    return [SOURCE.read(row) for row in connection.execute(query.order_by(*busiest).limit(limit))]


def load_site(connection: Connection, site: str) -> list[SourceRow]:
    """Returns the site's known sources, in the order in which they were first seen."""
    rows = connection.execute(select(sources).where(sources.c.site == site).order_by(sources.c.id))
    return [SOURCE.read(row) for row in rows]


@dataclass(frozen=True, slots=True)
class _Named:
    url: str
    candidate: Candidate


def _by_key(candidates: Iterable[Candidate]) -> tuple[dict[str, _Named], int]:
    """Returns the first candidate of each URL key, and the number of candidates without a usable address."""
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
    barred = blocklist.among(connection, [blocklist.key_of_site(site), *map(blocklist.key_of_url, named)])
    if blocklist.key_of_site(site) in barred:
        return {}
    return {key: entry for key, entry in named.items() if blocklist.key_of_url(key) not in barred}


def _watermark(candidates: Sequence[Candidate], now: datetime) -> datetime | None:
    """Returns the newest date that is not in the future."""
    dates = [candidate.discovery.published for candidate in candidates if candidate.discovery.published is not None]
    return max((date for date in dates if date <= now), default=None)


def _found(site: str, fresh: Mapping[str, _Named], now: datetime) -> list[PageRow]:
    """Returns the new candidates as pages in state `found`."""
    return [
        PageRow(key, named.url, site, "found", first_seen=now, discovery=named.candidate.discovery)
        for key, named in fresh.items()
    ]


def _take_over(connection: Connection, site: str, stored: Sequence[PageRow], now: datetime) -> None:
    """Moves pages that a declared site names from `generic` to the site."""
    if site == GENERIC_SITE:
        return
    moved = [page for page in stored if page.site == GENERIC_SITE]
    numbers = [page.id for page in moved if page.id is not None]
    for chunk in chunks(numbers):
        connection.execute(update(pages).where(pages.c.id.in_(chunk)).values(site=site))
    shown = [page.article_id for page in moved if page.article_id is not None and changes.shown_by(page)]
    changes.append(connection, shown, now, "metadata")


def _found_event(page: PageRow) -> Event:
    discovery = page.discovery
    reason = f"named by the {discovery.kind} {discovery.source}" if discovery else ""
    return Event(page.url_key, page.url, page.site, page.first_seen, "found", reason)
