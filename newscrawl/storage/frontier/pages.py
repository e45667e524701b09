"""Pages that are to be fetched, and requests that ended without a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Any, Self

from sqlalchemy import Connection, Select, select

from newscrawl.crawling.scheduling.revisit import GONE_STATUSES
from newscrawl.model import Failure
from newscrawl.model.identity import clean_url, registrable_domain, url_key
from newscrawl.storage import events
from newscrawl.storage.articles.deciding.text_at_page import failed_page
from newscrawl.storage.articles.lookup import due_page, known_pages, select_pages
from newscrawl.storage.articles.rows import PAGE
from newscrawl.storage.engine.sql import Values, incoming, rows_among, stored, upsert
from newscrawl.storage.feed import changes
from newscrawl.storage.feed.changes import Cause
from newscrawl.storage.frontier import patterns
from newscrawl.storage.monitoring import hours
from newscrawl.storage.records import DuePage, Event, PageRow, owner
from newscrawl.storage.tables.articles import pages, urls


@dataclass(frozen=True, slots=True)
class FailedRequest:
    """A request that ended without a page. If `was_sent` is False, it was not sent, and its page is not changed."""

    key: str
    url: str
    site: str
    failure: Failure
    status: int | None
    at: datetime
    was_sent: bool = True

    @classmethod
    def of(
        cls, url: str, site: str, failure: Failure, status: int | None, at: datetime, *, was_sent: bool = True
    ) -> Self:
        """Builds it from an address. Raises InvalidUrl for anything but an http(s) URL."""
        return cls(url_key(url), url, site, failure, status, at, was_sent)


def due(
    connection: Connection,
    site: str,
    now: datetime,
    limit: int,
    *,
    domain: str | None = None,
    most_found: int | None = None,
) -> list[DuePage]:
    """Returns at most `limit` pages of the site to fetch now. First come those in state `found` (announced and never
    answered), newest first and at most `most_found`; then those whose next visit or attempt is due, longest overdue
    first.

    With `domain`, only pages of that registrable domain are returned, because `generic` has those of many. Pages that
    are gone are not returned; only a source that still names one brings it back (sources.record).
    """
    of_site = select_pages().where(pages.c.site == site)
    if domain is not None:
        of_site = of_site.where(pages.c.url_key.contains(domain, autoescape=True))
    newest_first = (pages.c.discovery_published.desc().nulls_last(), pages.c.first_seen.desc(), pages.c.id)
    found = of_site.where(pages.c.state == "found").order_by(*newest_first)
    again = of_site.where(pages.c.state.in_(["fetched", "failed"]), pages.c.next_due <= now)
    rows = _first(connection, found, limit if most_found is None else min(limit, most_found), domain)
    rows += _first(connection, again.order_by(pages.c.next_due, pages.c.id), limit - len(rows), domain)
    return [due_page(row) for row in rows]


def _first(connection: Connection, query: Select[Any], limit: int, domain: str | None) -> list[PageRow]:
    """Returns the first `limit` pages of the query that belong to the domain; all count if it is None."""
    if domain is None:
        return [PAGE.read(row) for row in connection.execute(query.limit(limit))]
    with connection.execute(query) as rows:
        mine = (page for page in map(PAGE.read, rows) if registrable_domain(page.url) == domain)
        return list(islice(mine, limit))


def is_due(page: PageRow, now: datetime) -> bool:
    """Returns whether a page that a source has just named is to be fetched now."""
    return page.state == "found" or (page.next_due is not None and page.next_due <= now)


def known_keys(connection: Connection, keys: Iterable[str]) -> set[str]:
    """Returns the URL keys that lead to a page."""
    wanted = set(keys)
    columns = (pages.c.url_key, urls.c.url_key)
    return {row.url_key for one in columns for row in rows_among(connection, select(one), one, wanted)}


def record_failures(connection: Connection, failed: Sequence[FailedRequest]) -> None:
    """Stores requests that ended without a page, in their order: an event for each, and a failure of the page that its
    address leads to.

    404 and 410 make a page `gone`. Other pages are tried again later, after growing pauses (backoff.py). The article
    that a page shows stays. A dead letter has its event already. A request that was not sent (`was_sent` is False) has
    only the event.
    """
    while failed:
        failed = failed[_record_together(connection, failed) :]


def _record_together(connection: Connection, failed: Sequence[FailedRequest]) -> int:
    """Stores the first of the requests and returns their number: nearly always all. A second request for one page is
    decided from the tables. So is what follows on one that gives up a pattern, because that changes other pages."""
    known = known_pages(connection, {request.key for request in failed if request.was_sent})
    before: dict[str, PageRow] = {}
    after: dict[str, PageRow] = {}
    fruitless = []
    number = 0
    for request in failed:
        page = known.page_of(request.key) or PageRow(
            request.key, clean_url(request.url), request.site, "found", first_seen=request.at
        )
        if request.was_sent and page.url_key in before:
            break
        number += 1
        if not request.was_sent:
            continue
        before[page.url_key] = page
        page = replace(page, site=owner(page.site, request.site))
        if page.state == "found" and request.status in GONE_STATUSES:  # other failures are not about the address
            fruitless.append(patterns.Visit(page.site, page.url, is_fruitful=False))
        after[page.url_key] = failed_page(page, request.failure.code, request.status, request.at)
    failed = failed[:number]
    sent = [request for request in failed if request.was_sent]
    now = max(request.at for request in failed)
    known_patterns = patterns.load(connection, fruitless)
    if number > 1 and patterns.give_up(known_patterns, fruitless):
        return _record_together(connection, failed[: number // 2])
    if sent:
        _write_all(connection, list(after.values()))
        _announce(connection, [(before[key], page) for key, page in after.items()], now)
        patterns.record(connection, known_patterns, fruitless, now)
    tally = hours.Tally()
    for request in sent:
        tally.failure(request.site, request.at, request.failure.code)
    tally.write(connection)
    told = [
        Event(one.key, one.url, one.site, one.at, one.failure.code, one.failure.reason, one.status)
        for one in failed
        if one.failure.code != events.DEAD_LETTER
    ]
    events.record_all(connection, told)
    return number


def _announce(connection: Connection, changed: Sequence[tuple[PageRow, PageRow]], now: datetime) -> None:
    """Tells the feed of pages that failed, given as (before, after)."""
    moved = [
        (page.article_id, changes.shown_by(page))
        for before, page in changed
        if page.article_id is not None and changes.shown_by(page) != changes.shown_by(before)
    ]
    if moved:
        back = {number for number, is_shown in moved if is_shown}
        numbers = [page.id for _, page in changed if page.id is not None]
        others = changes.still_shown(connection, back, without=numbers)
        causes = {
            number: Cause("metadata" if number not in back else "joined" if number in others else "new")
            for number, _ in moved
        }
        changes.append_rows(connection, changes.seen(connection, causes, now, "gone"))


def _write_all(connection: Connection, rows: Sequence[PageRow]) -> None:
    """Writes the rows of pages, and the addresses of new ones. No two rows may have the same URL key."""
    new = sorted((page for page in rows if page.id is None), key=lambda page: page.url_key)
    upsert(connection, pages, ["url_key"], [_values(page) for page in rows if page.id is not None])
    insert_found(connection, new)


def insert_found(connection: Connection, new: Sequence[PageRow], addresses: Mapping[str, str] | None = None) -> None:
    """Inserts pages to which no address led when they were looked up, and the address of each: that in `addresses` by
    URL key, or its own. A page that has lost its address gets it back."""
    columns = [pages.c.url_key, pages.c.id]
    returned = upsert(connection, pages, ["url_key"], list(map(_values, new)), {"url_key": stored}, columns)
    ids = {row.url_key: row.id for row in returned}
    of_pages = [
        {"url_key": page.url_key, "url": (addresses or {}).get(page.url_key, page.url), "page_id": ids[page.url_key]}
        for page in new
    ]
    upsert(connection, urls, ["url_key"], of_pages, {"page_id": incoming})


def _values(page: PageRow) -> Values:
    return PAGE.values(page) | {"article_id": page.article_id}
