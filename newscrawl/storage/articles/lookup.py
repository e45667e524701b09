"""Reading what the database knows of some URL keys and texts, in few queries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Row, Select, and_, select

from newscrawl.model import Discovery
from newscrawl.storage.articles.known import Incoming, Known
from newscrawl.storage.articles.rows import use_statements
from newscrawl.storage.frontier.backoff import OTHER_WAY
from newscrawl.storage.records import DuePage, PageRow
from newscrawl.storage.tables.schema import articles, pages, urls, versions

CHUNK: Final = 500
"""Values in one IN list: long enough to be cheap, far below the limits (SQLite 32,766, PostgreSQL 65,535)."""

T = TypeVar("T")


def chunks(values: Iterable[T], size: int = CHUNK) -> Iterator[list[T]]:
    """The values in lists of at most `size`."""
    iterator = iter(values)
    while chunk := list(islice(iterator, size)):
        yield chunk


def select_pages() -> Select[Any]:
    """All columns of `pages`, the identity of the article each shows, and when that was last seen there."""
    shown = and_(versions.c.page_id == pages.c.id, versions.c.article_id == pages.c.article_id)
    return select(pages, articles.c.identity_key, versions.c.last_seen.label("shown_at")).select_from(
        pages.outerjoin(articles).outerjoin(versions, shown)
    )


def page_row(row: Row[Any]) -> PageRow:
    """A row of `select_pages`, read."""
    return PageRow(
        url_key=row.url_key,
        url=row.url,
        site=row.site,
        state=row.state,
        first_seen=row.first_seen,
        verdict=row.verdict,
        last_fetched=row.last_fetched,
        last_change=row.last_change,
        next_due=row.next_due,
        etag=row.etag,
        last_modified=row.last_modified,
        failures=row.failures,
        failure_kind=row.failure_kind,
        last_status=row.last_status,
        identity=row.identity_key,
        discovery=_discovery(row),
        id=row.id,
        article_id=row.article_id,
        visits=row.visits,
        edits=row.edits,
        use=use_statements(row),
        shown_at=row.shown_at,
        claimed_key=row.claimed_key,
    )


def _discovery(row: Row[Any]) -> Discovery | None:
    if row.discovery_kind is None:
        return None
    return Discovery(row.discovery_kind, row.discovery_source, row.discovery_title, row.discovery_published)


def due_page(page: PageRow) -> DuePage:
    """The page as something to fetch: conditionally only when it shows an article that a 304 would confirm
    and the server did not dislike the last request."""
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
    """Everything the keys lead to."""
    known = Known()
    query = select_pages().add_columns(urls.c.url_key.label("alias")).join(urls, urls.c.page_id == pages.c.id)
    for chunk in chunks(sorted(set(keys))):
        for row in connection.execute(query.where(urls.c.url_key.in_(chunk))):
            page = page_row(row)
            known.pages[page.url_key] = page
            known.aliases[row.alias] = page.url_key
            if page.identity is not None:
                known.articles[page.identity] = page.article_id
    return known


def known_to_batch(connection: Connection, batch: Sequence[Incoming]) -> Known:
    """Everything `decide` needs for the batch."""
    known = known_pages(connection, (key for item in batch for key in item.keys))
    identities = {item.page.article.identity_key for item in batch if item.page.article is not None}
    wanted = sorted(identity for identity in identities if identity is not None and identity not in known.articles)
    for chunk in chunks(wanted):
        found = select(articles.c.identity_key, articles.c.id).where(articles.c.identity_key.in_(chunk))
        known.articles.update((identity, number) for identity, number in connection.execute(found))
    return known
