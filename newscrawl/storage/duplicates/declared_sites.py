"""Stores which sites are declared. In a story, their pages are shown before the pages of other sites."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, delete, select

from newscrawl.storage.articles.lookup import chunks
from newscrawl.storage.engine.upsert import upsert
from newscrawl.storage.tables.duplicates import declared_sites


def record(connection: Connection, sites: Mapping[str, bool], *, all_of_them: bool = False) -> set[str]:
    """Stores the declared sites and returns those that changed.

    `sites` maps a site to whether it republishes texts of others. With `all_of_them`, sites that are not named are no
    longer declared.
    """
    known = select(declared_sites)
    if not all_of_them:
        known = known.where(declared_sites.c.site.in_(list(sites)))
    stored = {row.site: bool(row.republishes) for row in connection.execute(known)}
    changed = {site for site, republishes in sites.items() if stored.get(site) != republishes}
    gone = stored.keys() - sites.keys() if all_of_them else set[str]()
    rows = [{"site": site, "republishes": sites[site]} for site in sorted(changed)]
    upsert(connection, declared_sites, ["site"], rows)
    for chunk in chunks(sorted(gone)):
        connection.execute(delete(declared_sites).where(declared_sites.c.site.in_(chunk)))
    return changed | gone
