"""Whether a database takes something: an empty transaction says nothing, a full disk commits it."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert

from newscrawl.storage.tables.schema import leases

NOBODY = ""
"""The name of no site."""


def probe(connection: Connection) -> None:
    """A storage operation: writes to the disk and leaves everything as it was."""
    connection.execute(delete(leases).where(leases.c.site == NOBODY))
    connection.execute(insert(leases).values(site=NOBODY, token=0))
    connection.execute(delete(leases).where(leases.c.site == NOBODY))
