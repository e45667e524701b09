"""Reads the rows that concern some URL keys and texts, in few queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Select, and_, bindparam, case, select

from newscrawl.identity import url_key
from newscrawl.model import Discovery
from newscrawl.storage.articles.deciding.known import Incoming, Known, PreviousReading
from newscrawl.storage.articles.rows import PAGE
from newscrawl.storage.engine.sql import chunks
from newscrawl.storage.frontier.backoff import OTHER_WAY
from newscrawl.storage.records import EXPIRED, DuePage, PageRow
from newscrawl.storage.tables.articles import articles, captures, pages, urls, versions


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


def known_to_batch(connection: Connection, batch: Sequence[Incoming], articles_of: Mapping[str, int]) -> Known:
    """Returns the pages and articles that `decide` needs for the batch. `articles_of` are stored texts by identity."""
    known = known_pages(connection, (key for item in batch for key in item.keys))
    for item in batch:
        identity = item.page.article.identity_key if item.page.article is not None else None
        if identity is not None and identity in articles_of:
            known.articles.setdefault(identity, articles_of[identity])
    return known


def previous_readings(connection: Connection, capture_ids: Iterable[int]) -> dict[int, PreviousReading]:
    """Returns the results of the captures by their ids; captures that are no longer stored are left out."""
    of_page = and_(versions.c.page_id == urls.c.page_id, versions.c.article_id == captures.c.article_id)
    query = select(
        captures.c.id.label("capture_id"),
        captures.c.url_key,
        captures.c.failure,
        articles.c.id.label("article_id"),
        articles.c.identity_key,
        articles.c.text,
        articles.c.content_hash,
        versions.c.extractor,
        versions.c.title,
        versions.c.authors,
        versions.c.published,
        versions.c.verdict,
        pages.c.article_id.label("shown_id"),
        pages.c.state,
    ).select_from(
        captures.outerjoin(articles, articles.c.id == captures.c.article_id)
        .outerjoin(urls, urls.c.url_key == captures.c.url_key)
        .outerjoin(pages, pages.c.id == urls.c.page_id)
        .outerjoin(versions, of_page)
    )
    rows: list[Any] = [
        row
        for chunk in chunks(sorted(set(capture_ids)))
        for row in connection.execute(query.where(captures.c.id.in_(chunk)))
    ]
    return {row.capture_id: _previous_reading(row) for row in rows}


def discoveries(connection: Connection, keys: Iterable[str]) -> dict[str, Discovery]:
    """Returns how the pages behind URL keys were found; pages that no source announced are left out."""
    columns = (pages.c.discovery_kind, pages.c.discovery_source, pages.c.discovery_title, pages.c.discovery_published)
    query = select(urls.c.url_key, *columns).join(pages, pages.c.id == urls.c.page_id)
    found = query.where(pages.c.discovery_kind.is_not(None))
    return {
        key: Discovery(*values)
        for chunk in chunks(sorted(set(keys)))
        for key, *values in connection.execute(found.where(urls.c.url_key.in_(chunk)))
    }


def _previous_reading(row: Any) -> PreviousReading:
    return PreviousReading(
        row.capture_id,
        row.url_key,
        row.article_id,
        row.failure,
        row.identity_key,
        row.text,
        row.content_hash,
        row.extractor,
        row.title,
        tuple(row.authors or ()),
        row.published,
        row.verdict,
        shown=row.article_id is not None and row.shown_id == row.article_id,
        expired=row.state == EXPIRED,
    )
