"""Reads the rows that concern some URL keys and texts, and the facts about a batch before its pages are looked up, in
few queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import Any, Final

from sqlalchemy import Connection, Select, and_, bindparam, case, false, func, select

from newscrawl.crawling.scheduling.revisit import OTHER_WAY
from newscrawl.model import Discovery
from newscrawl.model.identity import url_key
from newscrawl.storage.articles.deciding.known import Facts, Incoming, Known, PreviousReading
from newscrawl.storage.articles.rows import PAGE
from newscrawl.storage.engine.sql import chunks, read_rows, rows_among
from newscrawl.storage.frontier.leases import Lease
from newscrawl.storage.records import EXPIRED, DuePage, PageRow
from newscrawl.storage.removal import blocklist
from newscrawl.storage.tables.articles import articles, captures, pages, urls, versions

_ASK: Final = """
SELECT 'token', site, token FROM sites WHERE site {sites}
UNION ALL SELECT 'barred', key, 0 FROM blocklist WHERE key {barred}
UNION ALL SELECT 'article', identity_key, id FROM articles WHERE identity_key {identities}
UNION ALL SELECT 'file', '', id FROM archive_files WHERE id {files} AND deleted IS NULL
UNION ALL SELECT 'review', url_key, 0 FROM review_queue WHERE url_key {keys}
UNION ALL SELECT 'review', final_key, 0 FROM review_queue WHERE final_key {keys}
UNION ALL SELECT 'review', pages.url_key, 0 FROM urls JOIN pages ON pages.id = urls.page_id
JOIN review_queue ON review_queue.url_key = pages.url_key WHERE urls.url_key {keys}
UNION ALL SELECT 'review', pages.url_key, 0 FROM urls JOIN pages ON pages.id = urls.page_id
JOIN review_queue ON review_queue.final_key = pages.url_key WHERE urls.url_key {keys}
"""
_LISTS: Final = ("sites", "barred", "identities", "files", "keys")
_IN_LIST: Final = {name: f"IN (SELECT value FROM json_each(:{name}))" for name in _LISTS}  # noqa: S608  constants
_ON_SQLITE: Final = _ASK.format(**_IN_LIST)
_ON_POSTGRESQL: Final = _ASK.format(**{name: f"= ANY(%({name})s)" for name in _LISTS})


def select_pages() -> Select[Any]:
    """Returns a query of all columns of `pages`, the identity of the article each shows, and when that was last seen.
    The time is NULL for a page of which only files of unknown age were read."""
    shown = and_(versions.c.page_id == pages.c.id, versions.c.article_id == pages.c.article_id)
    shown_at = case((pages.c.last_fetched.is_not(None), versions.c.last_seen))
    return select(pages, articles.c.identity_key, shown_at.label("shown_at")).select_from(
        pages.outerjoin(articles).outerjoin(versions, shown)
    )


def due_page(page: PageRow) -> DuePage:
    """Returns the page as something to fetch. The request is conditional only if the page shows an article that a 304
    would confirm and the last failure was not about the request itself."""
    conditional = page.article_id is not None and page.failure_kind not in OTHER_WAY
    return DuePage(
        page.url,
        page.url_key,
        page.etag if conditional else None,
        page.last_modified if conditional else None,
        page.discovery,
        is_first=page.state == "found",
    )


def known_pages(connection: Connection, keys: Iterable[str]) -> Known:
    """Returns the pages and articles that the keys lead to."""
    known = Known()
    for chunk in chunks(sorted(set(keys))):
        for row in connection.execute(_pages_of_keys(), {"keys": chunk}):
            page = PAGE.read(row)
            known.pages[page.url_key] = page
            known.aliases[row.alias] = page.url_key
            if page.identity is not None:
                known.articles[page.identity] = page.article_id
    return known


def page_at(connection: Connection, url: str) -> PageRow | None:
    """Returns the page that an address leads to; None if there is none. Raises InvalidUrl."""
    key = url_key(url)
    return known_pages(connection, [key]).page_of(key)


@cache  # building it takes longer than running it for a small batch
def _pages_of_keys() -> Select[Any]:
    """Returns the query for the pages that the URL keys `keys` lead to."""
    query = select_pages().add_columns(urls.c.url_key.label("alias")).join(urls, urls.c.page_id == pages.c.id)
    return query.where(urls.c.url_key.in_(bindparam("keys", expanding=True)))


def previous_readings(connection: Connection, capture_ids: Iterable[int]) -> dict[int, PreviousReading]:
    """Returns the results of the captures by their ids; captures that are no longer stored are left out."""
    of_page = and_(versions.c.page_id == urls.c.page_id, versions.c.article_id == captures.c.article_id)
    query = select(
        *(captures.c.id.label("capture_id"), captures.c.url_key, captures.c.failure),
        *(articles.c.id.label("article_id"), articles.c.identity_key.label("identity")),
        *(articles.c.text, articles.c.content_hash),
        *(versions.c[name] for name in ("extractor", "title", "authors", "published", "verdict")),
        func.coalesce(pages.c.article_id == articles.c.id, false()).label("shown"),
        func.coalesce(pages.c.state == EXPIRED, false()).label("expired"),
    ).select_from(
        captures.outerjoin(articles, articles.c.id == captures.c.article_id)
        .outerjoin(urls, urls.c.url_key == captures.c.url_key)
        .outerjoin(pages, pages.c.id == urls.c.page_id)
        .outerjoin(versions, of_page)
    )
    return {
        row.capture_id: PreviousReading(**row._asdict() | {"authors": tuple(row.authors or ())})
        for row in rows_among(connection, query, captures.c.id, capture_ids)
    }


def discoveries(connection: Connection, keys: Iterable[str]) -> dict[str, Discovery]:
    """Returns how the pages behind URL keys were found; pages that no source announced are left out."""
    columns = (pages.c.discovery_kind, pages.c.discovery_source, pages.c.discovery_title, pages.c.discovery_published)
    query = select(urls.c.url_key, *columns).join(pages, pages.c.id == urls.c.page_id)
    query = query.where(pages.c.discovery_kind.is_not(None))
    return {key: Discovery(*values) for key, *values in rows_among(connection, query, urls.c.url_key, keys)}


def load_facts(connection: Connection, batch: Sequence[Incoming], leases: Collection[Lease] = ()) -> Facts:
    """Returns the facts about a batch that was fetched under these leases."""
    lists: dict[str, list[Any]] = {
        "sites": sorted({lease.site for lease in leases}),
        "barred": sorted({key for item in batch for key in barring(item)}),
        "identities": sorted(_identities(batch)),
        "files": sorted(_files(batch)),
        "keys": sorted({key for item in batch for key in item.keys}),
    }
    found: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for kind, name, number in read_rows(connection, _ON_SQLITE, _ON_POSTGRESQL, lists):
        found[kind].append((name, number))
    return Facts(
        tokens=dict(found["token"]),
        barred=frozenset(name for name, _ in found["barred"]),
        articles=dict(found["article"]),
        files={number for _, number in found["file"]},
        in_review={name for name, _ in found["review"]},
    )


def barring(item: Incoming) -> set[str]:
    """Returns the entries of the blocklist that would bar the page."""
    return {
        blocklist.key_of_site(str(item.page.raw.site)),
        blocklist.key_of_url(item.key),
        blocklist.key_of_url(item.asked_key),
    }


def _identities(batch: Sequence[Incoming]) -> set[str]:
    identities = {item.page.article.identity_key for item in batch if item.page.article is not None}
    return {identity for identity in identities if identity is not None}


def _files(batch: Sequence[Incoming]) -> set[int]:
    captures = [item.page.raw.capture for item in batch if item.page.raw.capture is not None]
    spots = [spot for capture in captures for spot in (capture.spot, capture.body) if spot is not None]
    return {spot.file for spot in spots}
