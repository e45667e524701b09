"""Pages between discovery and their article: which are to be fetched, and requests that ended without a page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Select, select

from newscrawl.identity import clean_url, registrable_domain, url_key
from newscrawl.model import Failure
from newscrawl.storage import events
from newscrawl.storage.articles.decide import failed_page
from newscrawl.storage.articles.lookup import chunks, due_page, known_pages, page_row, select_pages
from newscrawl.storage.articles.rows import page_values
from newscrawl.storage.duplicates import first_pages
from newscrawl.storage.engine.upsert import upsert
from newscrawl.storage.feed import changes
from newscrawl.storage.frontier import announcements, patterns
from newscrawl.storage.frontier.backoff import GONE_STATUSES
from newscrawl.storage.frontier.former_keys import adopt_pages
from newscrawl.storage.records import DuePage, Event, PageRow, owner
from newscrawl.storage.tables.schema import pages, urls
from newscrawl.times import is_future


def due(
    connection: Connection,
    site: str,
    now: datetime,
    limit: int,
    *,
    domain: str | None = None,
    most_found: int | None = None,
) -> list[DuePage]:
    """At most `limit` pages of the site to fetch now: first those still `found` (announced, never answered: a crash, a
    full queue), newest first and at most `most_found`; then those whose next visit or next attempt has come, longest
    overdue first.

    With `domain`, only pages of that registrable domain: `generic` holds those of many. A page that is gone is not
    among them; only a source that still names it brings it back (sources.record_answer).
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
    """The first `limit` pages of the query that belong to the domain."""
    if domain is None:
        return [page_row(row) for row in connection.execute(query.limit(limit))]
    with connection.execute(query) as rows:
        mine = (page for page in map(page_row, rows) if registrable_domain(page.url) == domain)
        return list(islice(mine, limit))


def is_due(page: PageRow, now: datetime) -> bool:
    """Whether a page that a source has just named is to be fetched now. One whose last visit lies in the future has a
    plan that says nothing."""
    if page.state == "found" or (page.next_due is not None and page.next_due <= now):
        return True
    return page.state in {"fetched", "failed"} and is_future(page.last_fetched, now)


def known_keys(connection: Connection, keys: Iterable[str]) -> set[str]:
    """Those of the URL keys that lead to a page."""
    found: set[str] = set()
    for chunk in chunks(sorted(set(keys))):
        found |= set(connection.execute(select(pages.c.url_key).where(pages.c.url_key.in_(chunk))).scalars())
        found |= set(connection.execute(select(urls.c.url_key).where(urls.c.url_key.in_(chunk))).scalars())
    return found


def record_failure(
    connection: Connection, url: str, site: str, failure: Failure, status: int | None, now: datetime
) -> None:
    """A request that ended without a page: an event, and one more failure of the page `url` leads to.

    404 and 410 make it `gone`; else it is tried again later, each time after a longer pause (backoff.py). An article it
    shows stays. Raises InvalidUrl for what is no http(s) URL.
    """
    key = url_key(url)
    adopt_pages(connection, [url])
    before = known_pages(connection, [key]).page_of(key) or PageRow(key, clean_url(url), site, "found", first_seen=now)
    page = failed_page(replace(before, site=owner(before.site, site)), failure.kind, status, now)
    write(connection, page)
    if page.id is not None:
        announcements.settle(connection, {page.id: (now, True if page.state == "gone" else None)})
    if page.article_id is not None and changes.shown_by(page) != changes.shown_by(before):
        changes.append_seen(connection, {page.article_id: "upsert"}, now)
        first_pages.choose_again(connection, [page.article_id], now)
    events.record_all(connection, [Event(key, url, site, now, failure.kind, failure.reason, status)])
    if before.state == "found" and status in GONE_STATUSES:  # other failures say nothing of the address
        patterns.record(connection, [patterns.Visit(page.site, page.url, is_fruitful=False)], now)


def write(connection: Connection, page: PageRow) -> None:
    """Writes one page's row, and its address when it is new."""
    (row,) = upsert(connection, pages, ["url_key"], [page_values(page, page.article_id)], returning=[pages.c.id])
    if page.id is None:
        upsert(connection, urls, ["url_key"], [{"url_key": page.url_key, "url": page.url, "page_id": row.id}])
