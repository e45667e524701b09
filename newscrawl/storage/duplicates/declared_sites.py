"""Stores which sites are declared. In a story, their pages are shown before the pages of other sites."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, Select, literal_column, or_, select

from newscrawl.storage.articles.lookup import chunks
from newscrawl.storage.engine.upsert import insert, upsert
from newscrawl.storage.tables.articles import pages
from newscrawl.storage.tables.duplicates import cluster_members, pending_first_pages
from newscrawl.storage.tables.frontier import sites as rows_of_sites


def record(connection: Connection, sites: Mapping[str, bool], *, all_of_them: bool = False) -> set[str]:
    """Stores the declared sites and returns those that changed.

    `sites` maps a site to whether it republishes texts of others. With `all_of_them`, sites that are not named are no
    longer declared. Upkeep chooses the first pages of stories on changed sites again.
    """
    known = select(rows_of_sites.c.site, rows_of_sites.c.republishes).where(rows_of_sites.c.republishes.is_not(None))
    if not all_of_them:
        known = known.where(rows_of_sites.c.site.in_(list(sites)))
    stored = {row.site: row.republishes for row in connection.execute(known)}
    gone = stored.keys() - sites.keys() if all_of_them else set[str]()
    wanted = {**sites, **dict.fromkeys(gone)}
    changed = {site for site, republishes in wanted.items() if stored.get(site) != republishes}
    rows = [{"site": site, "republishes": wanted[site]} for site in sorted(changed)]
    upsert(connection, rows_of_sites, ["site"], rows)
    _mark_pending(connection, changed)
    return changed


def _mark_pending(connection: Connection, sites: Iterable[str]) -> None:
    for chunk in chunks(sorted(sites)):
        named = insert(connection, pending_first_pages).from_select(["article_id"], _with_others(chunk))
        connection.execute(named.on_conflict_do_nothing())


def _with_others(sites: Iterable[str]) -> Select[Any]:
    """Selects the articles that a page of the sites shows and that another page shows, or another of their story."""
    other = pages.alias()
    same: Select[Any] = select(literal_column("1")).where(
        other.c.article_id == pages.c.article_id, other.c.id != pages.c.id
    )
    joined: Select[Any] = select(literal_column("1")).where(cluster_members.c.article_id == pages.c.article_id)
    query = select(pages.c.article_id).where(pages.c.site.in_(list(sites)), pages.c.article_id.is_not(None))
    return query.where(or_(same.exists(), joined.exists())).distinct()
