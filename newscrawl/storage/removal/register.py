"""The register of what was forgotten: when, how much, by whom and why. It holds no address of a forgotten page.

A new database takes over the register and the blocklist from one whose schema is not upgraded (`read_former`,
`carry_over`). Everything else comes from the archive (`newscrawl ingest`), or stays behind. The tables of the other
database are read by plain SQL, because its schema is not that of this code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

from sqlalchemy import Connection, Select, column, func, insert, inspect, or_, select, text

from newscrawl.errors import StorageError
from newscrawl.storage.engine.database import explained, make_reader, parse_url, shown
from newscrawl.storage.engine.sql import RowMapping
from newscrawl.storage.engine.transactions import begin_read
from newscrawl.storage.migrations import revision_of
from newscrawl.storage.removal import blocklist
from newscrawl.storage.tables.changes import REASON_LIMIT, forgotten
from newscrawl.storage.tables.changes import blocklist as blocked_keys

MAX_REASON: Final = REASON_LIMIT
"""Characters of a reason."""


@dataclass(frozen=True, slots=True)
class ForgetCause:
    """The person who asked to forget something, and the reason; None if they were not given."""

    who: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class ForgottenEntry:
    """One page or site that was forgotten, with the numbers of pages and articles that went. `site` is None if nothing
    of the page was stored."""

    at: datetime
    kind: Literal["page", "site"]
    site: str | None
    pages: int
    articles: int
    on_blocklist: bool
    who: str | None
    reason: str | None


_ENTRY: Final = RowMapping(ForgottenEntry)
_FORMER_BLOCKED: Final = text("SELECT key, at FROM blocklist").columns(blocked_keys.c.key, blocked_keys.c.at)
_FORMER_ENTRIES: Final = text(
    f"SELECT {', '.join(_ENTRY.columns)} FROM forgotten WHERE pages > 0 OR on_blocklist ORDER BY id"  # noqa: S608  fields
).columns(*(column(name, forgotten.c[name].type) for name in _ENTRY.columns))
_UNCONFIRMED: Final = text("SELECT DISTINCT coalesce(machine, '') FROM archive_removals WHERE done_at IS NULL")


def record(connection: Connection, entry: ForgottenEntry) -> None:
    """Adds an entry."""
    connection.execute(insert(forgotten).values(_ENTRY.values(entry)))


def latest(connection: Connection, size: int) -> Sequence[ForgottenEntry]:
    """Returns the newest entries, the newest first; at most `size`."""
    rows = connection.execute(_entries().order_by(forgotten.c.id.desc()).limit(size))
    return list(map(_ENTRY.read, rows))


def everything(connection: Connection) -> set[ForgottenEntry]:
    """Returns all entries."""
    return set(map(_ENTRY.read, connection.execute(_entries())))


def _entries() -> Select[Any]:
    """The entries; the other rows are requests to machines (newscrawl.storage.captures.archive_files)."""
    query = select(*(forgotten.c[name] for name in _ENTRY.columns))
    return query.where(or_(forgotten.c.pages > 0, forgotten.c.on_blocklist))


def last_removal(connection: Connection, site: str | None = None) -> datetime | None:
    """Returns when a stored page was forgotten last, of the site or of any; None if none was."""
    query = select(func.max(forgotten.c.at)).where(forgotten.c.pages > 0)
    if site is not None:
        query = query.where(forgotten.c.site == site)
    return connection.execute(query).scalar()


@dataclass(frozen=True, slots=True)
class CarriedOver:
    """What another database blocks, each key with the time when it was blocked, and the entries of its register, oldest
    first. `unconfirmed` are the machines that have not yet removed all that was forgotten from their archive files; ""
    stands for files of no known machine."""

    blocked: Sequence[tuple[str, datetime]]
    entries: Sequence[ForgottenEntry]
    unconfirmed: Sequence[str]


def read_former(address: str) -> CarriedOver:
    """Reads a database of any schema of newscrawl from 0017 on. Raises StorageError if it cannot be read or is none,
    MissingDatabase without a file."""
    url = parse_url(address)
    with explained(url, "read"), begin_read(make_reader(url)) as connection:
        if revision_of(connection) is None:
            raise StorageError(
                f"database {shown(url)} has no tables of newscrawl: give the address of the former database"
            )
        there = set(inspect(connection).get_table_names())
        blocked = [(row.key, row.at) for row in connection.execute(_FORMER_BLOCKED)]
        entries = connection.execute(_FORMER_ENTRIES).all() if "forgotten" in there else []
        machines = connection.execute(_UNCONFIRMED).scalars().all() if "archive_removals" in there else []
        return CarriedOver(blocked, list(map(_ENTRY.read, entries)), sorted(machines))


def carry_over(connection: Connection, found: CarriedOver) -> None:
    """Blocks what the other database blocked, and adds the entries that the register does not have. Repeating it
    changes nothing."""
    blocklist.keep(connection, found.blocked)
    there = everything(connection)
    for entry in found.entries:
        if entry not in there:
            record(connection, entry)
