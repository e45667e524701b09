"""Every current article, one after the other, however many there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Connection, Row, ScalarSelect, Select, and_, func, select

from newscrawl.storage.lookup import chunks
from newscrawl.storage.near_tables import cluster_members
from newscrawl.storage.schema import articles as articles_table
from newscrawl.storage.schema import pages, versions

FETCH: Final = 200
"""Rows fetched at a time: about a megabyte of text."""


_OF_VERSION: Final = (
    *("canonical", "title", "authors", "published", "modified", "verdict"),
    *("section", "tags", "image", "site_name", "description"),
)


@dataclass(frozen=True, slots=True)
class ExportedArticle:
    """An article as it leaves: its text once, the URLs of all pages that show it, its metadata from one of them.

    `site` is the one that showed it first. Of that site's pages the first with publication date and author speaks for
    the article; without one, the first with a date, then the first with an author, then the first of all: a print
    version is often seen first and states nothing. `url` is that page's, `pages` has all in the order they were seen.
    `cluster` is the same number for near-duplicates (newscrawl.storage.clusters), `copies` of which some page shows now
    besides this one.
    """

    id: int
    url: str
    canonical: str | None
    site: str
    title: str | None
    authors: Sequence[str]
    published: datetime | None
    modified: datetime | None
    language: str | None
    text: str
    extractor: str
    content_hash: str
    first_seen: datetime
    pages: Sequence[str]
    verdict: str
    section: str | None
    tags: Sequence[str]
    image: str | None
    site_name: str | None
    description: str | None
    cluster: int
    copies: int


def articles(connection: Connection) -> Iterator[ExportedArticle]:
    """The articles that some page shows, by id. Read them while the connection's transaction is open (`reading`)."""
    yield from _read(connection, _query().execution_options(stream_results=True, yield_per=FETCH))


def documents(connection: Connection, article_ids: Iterable[int]) -> dict[int, ExportedArticle]:
    """Those of the articles that belong in an index now, by id: some page shows them that is not gone."""
    found: dict[int, ExportedArticle] = {}
    for chunk in chunks(sorted(set(article_ids))):
        query = _query().where(articles_table.c.id.in_(chunk), pages.c.state != "gone")
        found.update((article.id, article) for article in _read(connection, query))
    return found


def _query() -> Select[Any]:
    current = and_(versions.c.page_id == pages.c.id, versions.c.article_id == pages.c.article_id)
    return (
        select(
            articles_table,
            pages.c.url,
            pages.c.site,
            *(versions.c[name] for name in _OF_VERSION),
            func.coalesce(cluster_members.c.cluster_id, articles_table.c.id).label("cluster"),
            _copies().label("copies"),
        )
        .select_from(articles_table.join(pages, pages.c.article_id == articles_table.c.id).join(versions, current))
        .outerjoin(cluster_members, cluster_members.c.article_id == articles_table.c.id)
        .order_by(articles_table.c.id, versions.c.seen_at, pages.c.id)
    )


def _copies() -> ScalarSelect[Any]:
    """How many other articles of the cluster some page shows that is not gone."""
    other, shown = cluster_members.alias(), pages.alias()
    same = and_(other.c.cluster_id == cluster_members.c.cluster_id, other.c.article_id != articles_table.c.id)
    query = select(func.count(other.c.article_id.distinct())).join_from(
        other, shown, shown.c.article_id == other.c.article_id
    )
    return query.where(same, shown.c.state != "gone").correlate(cluster_members, articles_table).scalar_subquery()


def _read(connection: Connection, query: Select[Any]) -> Iterator[ExportedArticle]:
    for _, rows in groupby(connection.execute(query), key=lambda row: int(row.id)):
        shown = list(rows)
        of_site = (row for row in shown if row.site == shown[0].site)
        yield _exported(max(of_site, key=_stated), [row.url for row in shown])


def _stated(row: Row[Any]) -> tuple[bool, bool]:
    """How much a page says of its article; of equals `max` takes the first."""
    return row.published is not None, bool(row.authors)


def _exported(row: Row[Any], shown_at: list[str]) -> ExportedArticle:
    return ExportedArticle(
        id=row.id,
        url=row.url,
        canonical=row.canonical,
        site=row.site,
        title=row.title,
        authors=tuple(row.authors or ()),
        published=row.published,
        modified=row.modified,
        language=row.language,
        text=row.text,
        extractor=row.extractor,
        content_hash=row.content_hash,
        first_seen=row.first_seen,
        pages=tuple(shown_at),
        verdict=row.verdict,
        section=row.section,
        tags=tuple(row.tags or ()),
        image=row.image,
        site_name=row.site_name,
        description=row.description,
        cluster=row.cluster,
        copies=row.copies,
    )
