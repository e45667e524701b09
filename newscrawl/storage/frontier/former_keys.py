"""Finds rows whose key is from before a rule changed, and gives them the present key when their page or source is next
written. Otherwise a page would be due under one key and be stored under the other, at every crawl."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, Table, select, update

from newscrawl.errors import InvalidUrl
from newscrawl.identity import url_key
from newscrawl.identity.former_keys import former_key
from newscrawl.storage.articles.lookup import chunks, known_pages
from newscrawl.storage.engine.transactions import require_exclusive
from newscrawl.storage.monitoring import site_totals
from newscrawl.storage.records import PageRow
from newscrawl.storage.tables.archive import captures
from newscrawl.storage.tables.articles import pages, urls
from newscrawl.storage.tables.frontier import sources
from newscrawl.storage.tables.operations import events
from newscrawl.storage.tables.review import review_queue


def keys_of(url: str) -> list[str]:
    """Returns the keys that rows of this address may have, the present one first. Raises InvalidUrl."""
    former = former_key(url)
    return [url_key(url)] if former is None else [url_key(url), former]


def page_at(connection: Connection, url: str) -> PageRow | None:
    """Returns the page that an address leads to, under any of its keys; None if there is none. Raises InvalidUrl."""
    keys = keys_of(url)
    known = known_pages(connection, keys)
    page = known.page_of(keys[0])
    if page is not None or len(keys) == 1:
        return page
    page = known.page_of(keys[1])
    return page if page is not None and _key(page.url) == keys[0] else None


def adopt_pages(connection: Connection, addresses: Iterable[str]) -> None:
    """Gives the stored pages of these addresses their present keys. Does nothing for nearly all addresses."""
    wanted = {former: url_key(url) for url in addresses if (former := _former(url)) is not None}
    for chunk in chunks(sorted(wanted)):
        query = select(pages.c.id, pages.c.url_key, pages.c.url).where(pages.c.url_key.in_(chunk))
        for row in connection.execute(query).all():
            key = wanted[row.url_key]
            if _key(row.url) == key:
                _adopt(connection, row.id, row.url_key, key)


def adopt_source(connection: Connection, site: str, url: str) -> None:
    """Gives the site's source at this address its present key. Raises InvalidUrl."""
    former = former_key(url)
    if former is not None:
        key, mine = url_key(url), sources.c.site == site
        taken = select(sources.c.id).where(mine, sources.c.url_key == key)
        if connection.execute(taken).first() is None:
            connection.execute(update(sources).where(mine, sources.c.url_key == former).values(url_key=key))


def _adopt(connection: Connection, page_id: int, former: str, key: str) -> None:
    """Gives a page its present key. If the address leads to another page by now, this one is kept and not visited."""
    require_exclusive(connection, "a page gets its present key")
    if connection.execute(select(urls.c.page_id).where(urls.c.url_key == key)).first() is not None:
        resting = {"state": "fetched", "next_due": None}
        with site_totals.counted_again(connection, [page_id]):
            connection.execute(update(pages).where(pages.c.id == page_id).values(**resting))
        return
    connection.execute(update(pages).where(pages.c.id == page_id).values(url_key=key))
    for table in (urls, events, captures):
        _rename(connection, table, "url_key", former, key)
    if connection.execute(select(review_queue.c.id).where(review_queue.c.url_key == key)).first() is None:
        _rename(connection, review_queue, "url_key", former, key)
    _rename(connection, review_queue, "final_key", former, key)


def _rename(connection: Connection, table: Table, column: str, former: str, key: str) -> None:
    values: dict[str, Any] = {column: key}
    connection.execute(update(table).where(table.c[column] == former).values(**values))


def _former(url: str) -> str | None:
    try:
        return former_key(url)
    except InvalidUrl:
        return None


def _key(url: str) -> str | None:
    try:
        return url_key(url)
    except InvalidUrl:
        return None
