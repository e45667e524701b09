"""Tests whether a database accepts a write. An empty transaction would not show it: it commits even on a full disk."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert

from newscrawl.storage.tables.frontier import sites

NOBODY = ""
"""A name that no site has."""


def probe(connection: Connection) -> None:
    """Writes to the disk and leaves all data as it was. A storage operation (Store.run)."""
    connection.execute(delete(sites).where(sites.c.site == NOBODY))
    connection.execute(insert(sites).values(site=NOBODY))
    connection.execute(delete(sites).where(sites.c.site == NOBODY))
