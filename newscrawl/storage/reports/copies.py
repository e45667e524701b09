"""Who had a story first, and who has it nearly word for word."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select

from newscrawl.storage.near_tables import cluster_members
from newscrawl.storage.schema import pages, versions


@dataclass(frozen=True, slots=True)
class Copy:
    """A member of a cluster: the page that had it first, since when, and its strongest tie to another member.

    `since` is the publication date it stated, where that is not after the page was first fetched, else when that was.
    `kind` is same, edit, copy or excerpt (newscrawl.identity.resemblance).
    """

    article_id: int
    url: str
    site: str
    since: datetime
    title: str | None
    nearest_id: int
    kind: str
    resemblance: float
    containment: float


def copies(connection: Connection, article_id: int) -> list[Copy]:
    """The cluster of an article, its first publisher first; empty when nothing is nearly the same.

    Does not depend on the order in which the articles were stored.
    """
    own = select(cluster_members.c.cluster_id).where(cluster_members.c.article_id == article_id).scalar_subquery()
    query = (
        select(
            cluster_members,
            *(pages.c.url, pages.c.site, versions.c.seen_at, versions.c.published, versions.c.title),
        )
        .join_from(cluster_members, versions, versions.c.article_id == cluster_members.c.article_id)
        .join(pages, pages.c.id == versions.c.page_id)
        .where(cluster_members.c.cluster_id == own)
    )
    return sorted(_first_of_each(connection.execute(query)), key=lambda copy: (copy.since, copy.url))


def _first_of_each(rows: Iterable[Row[Any]]) -> Iterable[Copy]:
    first: dict[int, Copy] = {}
    for row in rows:
        copy = _copy(row)
        known = first.get(copy.article_id)
        if known is None or (copy.since, copy.url) < (known.since, known.url):
            first[copy.article_id] = copy
    return first.values()


def _copy(row: Row[Any]) -> Copy:
    stated = row.published is not None and row.published <= row.seen_at
    return Copy(
        article_id=row.article_id,
        url=row.url,
        site=row.site,
        since=row.published if stated else row.seen_at,
        title=row.title,
        nearest_id=row.nearest_id,
        kind=row.kind,
        resemblance=row.resemblance,
        containment=row.containment,
    )
