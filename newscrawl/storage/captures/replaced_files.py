"""Files of the archive that get a new owner, are replaced by another, or are deleted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection, and_, delete, func, or_, select, true, update

from newscrawl.model import OBJECT_STORE
from newscrawl.storage.articles.lookup import chunks
from newscrawl.storage.captures import removals
from newscrawl.storage.captures.locations import add_file
from newscrawl.storage.machines import registered
from newscrawl.storage.tables.archive import archive_files, captures


def claim(connection: Connection, names: Sequence[str], machine: str) -> int:
    """Stores that a machine holds these files, which it found in its folder: those that no machine holds, or one that
    an operator removed. Returns how many are new to it. A SQLite database has one machine, which may get another name.
    A file that an object store holds stays there: what a machine finds in its folder is a copy.
    """
    removed = registered.removed_machines()
    taken = archive_files.c.machine.in_(removed) if connection.dialect.name == "postgresql" else true()
    stored = archive_files.c.machine.startswith(OBJECT_STORE, autoescape=True)
    free = or_(archive_files.c.machine.is_(None), and_(archive_files.c.machine != machine, ~stored, taken))
    claimed: list[int] = []
    for chunk in chunks(names):
        found = select(archive_files.c.id).where(archive_files.c.name.in_(chunk), free)
        claimed += connection.execute(found).scalars()
    for numbers in chunks(claimed):
        connection.execute(update(archive_files).where(archive_files.c.id.in_(numbers)).values(machine=machine))
    removals.give_to(connection, claimed, machine)
    return len(claimed)


def move_file(connection: Connection, file_id: int, holder: str) -> None:
    """Stores that an object store holds a file that a machine held. Open removals from the file go with it."""
    connection.execute(update(archive_files).where(archive_files.c.id == file_id).values(machine=holder))
    removals.give_to(connection, [file_id], holder)


def holders(connection: Connection) -> list[str]:
    """Returns the names of the machines, and the addresses of the object stores, that hold files."""
    named = select(archive_files.c.machine).where(archive_files.c.machine.is_not(None)).distinct()
    return list(connection.execute(named.order_by(archive_files.c.machine)).scalars())


def object_stores(connection: Connection) -> dict[str, int]:
    """Returns how many files each object store holds, by its address."""
    stored = archive_files.c.machine.startswith(OBJECT_STORE, autoescape=True)
    query = select(archive_files.c.machine, func.count()).where(stored, archive_files.c.deleted.is_(None))
    rows = connection.execute(query.group_by(archive_files.c.machine).order_by(archive_files.c.machine))
    return {row[0]: row[1] for row in rows}


def delete_file(connection: Connection, file_id: int, now: datetime) -> int:
    """Removes every capture whose records or body are in the file, and marks the file as deleted. Returns how many."""
    in_file = delete(captures).where(or_(captures.c.file_id == file_id, captures.c.body_file_id == file_id))
    deleted = connection.execute(in_file).rowcount
    connection.execute(update(archive_files).where(archive_files.c.id == file_id).values(deleted=now))
    return int(deleted)


def forget_file(connection: Connection, file_id: int, *, was_here: bool = True) -> None:
    """Removes the row of a file that is no longer on the disk; what was to be removed from the file is removed.

    `was_here` says that this machine had the file. Otherwise the folder may be on a disk that is not mounted, so the
    row stays with PostgreSQL. With SQLite it goes, as nobody else could have the file.
    """
    if was_here or connection.dialect.name == "sqlite":
        connection.execute(delete(archive_files).where(archive_files.c.id == file_id))
        removals.file_is_gone(connection, file_id)


def to_be_deleted(connection: Connection) -> list[str]:
    """Returns the names of the files that are marked as deleted and still have a row, oldest first."""
    rows = select(archive_files.c.name).where(archive_files.c.deleted.is_not(None))
    return list(connection.execute(rows.order_by(archive_files.c.created, archive_files.c.id)).scalars())


def exchange_file(
    connection: Connection,
    old: int,
    name: str,
    moved: Mapping[int, tuple[int, int]],
    bodies_at: Mapping[int, tuple[int, int] | None],
    now: datetime,
) -> int:
    """Points the captures of a file to the file `name` that replaces it. Returns the id of the new file.

    `moved` maps the id of each capture that stays to its new offset and length; other captures of the old file are
    deleted. `bodies_at` maps the old offset of a body to its new offset and length, None for a body that was removed.
    """
    before = connection.execute(select(archive_files).where(archive_files.c.id == old)).one()
    new = add_file(connection, name, before.created, before.machine)
    removals.follow(connection, old, new)
    known = connection.execute(select(captures.c.id).where(captures.c.file_id == old)).scalars().all()
    for chunk in chunks([number for number in known if number not in moved]):
        connection.execute(delete(captures).where(captures.c.id.in_(chunk)))
    for number, (offset, length) in moved.items():
        values = {"file_id": new, "offset": offset, "length": length}
        connection.execute(update(captures).where(captures.c.id == number).values(**values))
    _move_bodies(connection, old, new, bodies_at)
    connection.execute(update(archive_files).where(archive_files.c.id == old).values(deleted=now))
    return new


def _move_bodies(connection: Connection, old: int, new: int, bodies_at: Mapping[int, tuple[int, int] | None]) -> None:
    """Points captures to the new places of their bodies. A capture whose body is not in the new file loses its body."""
    for before, place in bodies_at.items():
        if place is None:
            continue
        there = and_(captures.c.body_file_id == old, captures.c.body_offset == before)
        values = {"body_file_id": new, "body_offset": place[0], "body_length": place[1]}
        connection.execute(update(captures).where(there).values(**values))
    lost: dict[str, int | None] = {"body_file_id": None, "body_offset": None, "body_length": None}
    connection.execute(update(captures).where(captures.c.body_file_id == old).values(**lost))
