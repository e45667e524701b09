"""What a new database takes over from one whose schema is not upgraded: the blocklist, and the register of what was
forgotten. Everything else comes from the archive (`newscrawl ingest`), or stays behind.

The tables of the other database are read by plain SQL, because its schema is not that of this code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Boolean, Connection, Integer, String, column, inspect, text

from newscrawl.errors import StorageError
from newscrawl.storage.engine.database import explained, make_reader, parse_url, shown
from newscrawl.storage.engine.transactions import begin_read
from newscrawl.storage.engine.types import UtcDateTime
from newscrawl.storage.migrations import revision_of
from newscrawl.storage.removal import blocklist, register
from newscrawl.storage.removal.register import ForgottenEntry

_BLOCKED: Final = text("SELECT key, at FROM blocklist").columns(column("key", String()), column("at", UtcDateTime()))
_FORGOTTEN: Final = text(
    "SELECT at, kind, site, pages, articles, on_blocklist, who, reason FROM forgotten "
    "WHERE pages > 0 OR on_blocklist ORDER BY id"
).columns(
    column("at", UtcDateTime()),
    column("kind", String()),
    column("site", String()),
    column("pages", Integer()),
    column("articles", Integer()),
    column("on_blocklist", Boolean()),
    column("who", String()),
    column("reason", String()),
)
_UNCONFIRMED: Final = text("SELECT DISTINCT coalesce(machine, '') FROM archive_removals WHERE done_at IS NULL")


@dataclass(frozen=True, slots=True)
class CarriedOver:
    """What another database blocks, each key with the time when it was blocked, and the entries of its register, oldest
    first. `unconfirmed` are the machines that have not yet removed all that was forgotten from their archive files; ""
    stands for files of no known machine."""

    blocked: Sequence[tuple[str, datetime]]
    entries: Sequence[ForgottenEntry]
    unconfirmed: Sequence[str]


def read(address: str) -> CarriedOver:
    """Reads a database of any schema of newscrawl from 0017 on. Raises StorageError if it cannot be read or is none,
    MissingDatabase without a file."""
    url = parse_url(address)
    with explained(url, "read"), begin_read(make_reader(url)) as connection:
        if revision_of(connection) is None:
            raise StorageError(
                f"database {shown(url)} has no tables of newscrawl: give the address of the former database"
            )
        there = set(inspect(connection).get_table_names())
        blocked = [(row.key, row.at) for row in connection.execute(_BLOCKED)]
        entries = connection.execute(_FORGOTTEN).all() if "forgotten" in there else []
        machines = connection.execute(_UNCONFIRMED).scalars().all() if "archive_removals" in there else []
        return CarriedOver(blocked, [ForgottenEntry(*row) for row in entries], sorted(machines))


def write(connection: Connection, found: CarriedOver) -> None:
    """Blocks what the other database blocked, and adds the entries that the register does not have. Repeating it
    changes nothing."""
    blocklist.keep(connection, found.blocked)
    there = register.everything(connection)
    for entry in found.entries:
        if entry not in there:
            register.record(connection, entry)
