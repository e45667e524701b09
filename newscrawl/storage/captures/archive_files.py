"""The files of the raw archive: which machine or object store holds each, which replaces which, and what each machine
has to remove from its files, because `newscrawl forget` was asked for it anywhere.

A request to remove something is a row of `forgotten`, which names pages by hashes of their URL keys, so that a
forgotten address is stored nowhere. It has one row for each file: files that are rewritten keep their rows
(`exchange_file`), also those that are done.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, Connection, String, and_, delete, exists, func, or_, select, true, update

from newscrawl.model import OBJECT_STORE
from newscrawl.storage import machines
from newscrawl.storage.captures.locations import add_file
from newscrawl.storage.engine.sql import change_among, chunks, insert_all, rows_among
from newscrawl.storage.engine.transactions import time_of
from newscrawl.storage.tables.articles import archive_files as files
from newscrawl.storage.tables.articles import archive_removals, captures
from newscrawl.storage.tables.changes import forgotten
from newscrawl.storage.tables.operations import MACHINE, processes

HASH_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Wanted:
    """The subject of a request: the captures of a site, and those whose URL keys have these hashes (`hash_of`)."""

    hashes: frozenset[bytes]
    site: str | None = None


@dataclass(frozen=True, slots=True)
class WaitingMachine:
    """A machine that has not yet removed everything it was asked to: the number of its files, and since when. `machine`
    is None for files that no machine has found yet. `removed_by` declared the machine out of reach."""

    machine: str | None
    files: int
    since: datetime
    removed_by: str | None = None


@dataclass(frozen=True, slots=True)
class Removal:
    """One request to a machine to remove captures: the number of its files, how many are done, and when the last
    one was. `site` is None for pages, whose addresses are stored nowhere. `machine` is None for files that no machine
    has found."""

    request: str
    asked_at: datetime
    site: str | None
    machine: str | None
    files: int
    done: int
    done_at: datetime | None


def claim(connection: Connection, names: Sequence[str], machine: str) -> int:
    """Stores that a machine holds these files, which it found in its folder: those that no machine holds, or one that
    an operator removed. Returns how many are new to it. A SQLite database has one machine, which may get another name.
    A file that an object store holds stays there: what a machine finds in its folder is a copy.
    """
    removed = machines.removed_machines()
    taken = files.c.machine.in_(removed) if connection.dialect.name == "postgresql" else true()
    stored = files.c.machine.startswith(OBJECT_STORE, autoescape=True)
    free = or_(files.c.machine.is_(None), and_(files.c.machine != machine, ~stored, taken))
    claimed = [row.id for row in rows_among(connection, select(files.c.id).where(free), files.c.name, names)]
    give_to(connection, claimed, machine)
    return len(claimed)


def give_to(connection: Connection, file_ids: Iterable[int], holder: str) -> None:
    """Stores that a machine or an object store holds these files. What is still to be removed from them goes with
    them."""
    given, removal = set(file_ids), archive_removals.c
    change_among(connection, update(files).values(machine=holder), files.c.id, given)
    still_open = update(archive_removals).where(removal.done_at.is_(None)).values(machine=holder)
    change_among(connection, still_open, removal.file_id, given)


def object_stores(connection: Connection) -> dict[str, int]:
    """Returns how many files each object store holds, by its address."""
    stored = files.c.machine.startswith(OBJECT_STORE, autoescape=True)
    query = select(files.c.machine, func.count()).where(stored, files.c.deleted.is_(None))
    rows = connection.execute(query.group_by(files.c.machine).order_by(files.c.machine))
    return {row[0]: row[1] for row in rows}


def delete_file(connection: Connection, file_id: int, now: datetime) -> int:
    """Removes every capture whose records or body are in the file, and marks the file as deleted. Returns how many."""
    in_file = delete(captures).where(or_(captures.c.file_id == file_id, captures.c.body_file_id == file_id))
    deleted = connection.execute(in_file).rowcount
    connection.execute(update(files).where(files.c.id == file_id).values(deleted=now))
    return int(deleted)


def forget_file(connection: Connection, file_id: int, *, was_here: bool = True) -> None:
    """Removes the row of a file that is no longer on the disk; what was to be removed from the file is removed.

    `was_here` says that this machine had the file. Otherwise the folder may be on a disk that is not mounted, so the
    row stays with PostgreSQL. With SQLite it goes, as nobody else could have the file.
    """
    if was_here or connection.dialect.name == "sqlite":
        connection.execute(delete(files).where(files.c.id == file_id))
        _confirm(connection, archive_removals.c.file_id == file_id)


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
    before = connection.execute(select(files).where(files.c.id == old)).one()
    new = add_file(connection, name, before.created, before.machine)
    connection.execute(update(archive_removals).where(archive_removals.c.file_id == old).values(file_id=new))
    known = connection.execute(select(captures.c.id).where(captures.c.file_id == old)).scalars().all()
    change_among(connection, delete(captures), captures.c.id, set(known).difference(moved))
    for number, (offset, length) in moved.items():
        values = {"file_id": new, "offset": offset, "length": length}
        connection.execute(update(captures).where(captures.c.id == number).values(**values))
    _move_bodies(connection, old, new, bodies_at)
    connection.execute(update(files).where(files.c.id == old).values(deleted=now))
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


def hash_of(key: str) -> bytes:
    """Returns the hash by which a request names a URL key, of `HASH_BYTES`."""
    return hashlib.sha256(key.encode()).digest()


def ask(
    connection: Connection,
    wanted: Wanted,
    machine: str,
    rows_in: Collection[int],
    *,
    clean: Collection[int] = (),
    busy: Collection[int] = (),
    missing: Collection[int] = (),
) -> tuple[Sequence[WaitingMachine], bool]:
    """Asks all machines to remove what is wanted from those of their files that may have it.

    `machine` asks, and has searched the files that it could have, in its folder and in its object store: `clean` ones
    have nothing of it, `busy` ones are written or replaced by another process, `missing` ones should be here and cannot
    be opened. `rows_in` are the files with captures of what is wanted. All are ids of files. After an
    earlier request for the same, only files with such captures are asked for again. With SQLite, missing files are not
    asked for: nobody else could have them. Returns who has not confirmed yet, and whether there was ever a request for
    the same.
    """
    here = {None, machine}
    known = connection.execute(select(files.c.id, files.c.machine)).all()
    left = {*busy, *(missing if connection.dialect.name == "postgresql" else ())}
    theirs = {
        row.id: row.machine for row in known if (row.machine not in here and row.id not in clean) or row.id in left
    }
    earlier = _requests_for(connection, wanted)
    before = select(archive_removals.c.file_id).where(archive_removals.c.forgotten_id.in_(earlier))
    asked = set(connection.execute(before).scalars())
    needed = {number for number in theirs if number not in asked and (not asked or number in rows_in)}
    if needed:
        done = {row.id: row.machine or machine for row in known if row.id in clean}
        open_ones = {number: theirs[number] for number in needed}
        earlier.append(_store(connection, wanted, open_ones, done))
    return waiting(connection, archive_removals.c.forgotten_id.in_(earlier)), bool(earlier)


def open_for(connection: Connection, machine: str) -> dict[int, dict[int, Wanted]]:
    """Returns what a machine has to remove, and what is to be removed from files that no machine has found yet: by the
    id of the file, then by that of the removal."""
    mine = or_(archive_removals.c.machine == machine, archive_removals.c.machine.is_(None))
    query = select(archive_removals).where(archive_removals.c.done_at.is_(None), mine)
    rows = connection.execute(query.order_by(archive_removals.c.id)).all()
    wanted: dict[int, Wanted] = {}
    for asked in rows_among(connection, select(forgotten), forgotten.c.id, {row.forgotten_id for row in rows}):
        site = asked.site if asked.kind == "site" else None
        wanted[asked.id] = Wanted(_hashes(asked.key_hashes or b""), site)
    found: dict[int, dict[int, Wanted]] = {}
    for row in rows:
        found.setdefault(row.file_id, {})[row.id] = wanted[row.forgotten_id]
    return found


def requests(connection: Connection, size: int) -> Sequence[Removal]:
    """Returns the latest requests, a line for each machine, the newest first; at most `size`."""
    table = archive_removals.c
    asked = func.min(forgotten.c.at).label("asked_at")
    query = (
        select(
            table.forgotten_id.cast(String).label("request"),
            asked,
            func.max(forgotten.c.site).label("site"),
            table.machine,
            func.count().label("files"),
            func.count(table.done_at).label("done"),
            func.max(table.done_at).label("done_at"),
        )
        .join(forgotten, forgotten.c.id == table.forgotten_id)
        .group_by(table.forgotten_id, table.machine)
        .order_by(asked.desc(), table.forgotten_id, table.machine)
        .limit(size)
    )
    return [Removal(**row._asdict()) for row in connection.execute(query)]


def confirm(connection: Connection, ids: Iterable[int]) -> None:
    """Stores that these removals are done: the files on the disk have nothing of it any longer."""
    for chunk in chunks(sorted(ids)):
        _confirm(connection, archive_removals.c.id.in_(chunk))


def _confirm(connection: Connection, which: ColumnElement[bool]) -> None:
    done = update(archive_removals).where(which, archive_removals.c.done_at.is_(None))
    if not connection.execute(done.values(done_at=time_of(connection))).rowcount:
        return
    # The name says enough of a site's request; one address more or less of it changes nothing any longer.
    still_open = select(archive_removals.c.forgotten_id).where(archive_removals.c.done_at.is_(None))
    of_sites = and_(forgotten.c.kind == "site", forgotten.c.key_hashes.is_not(None))
    connection.execute(update(forgotten).where(of_sites, forgotten.c.id.not_in(still_open)).values(key_hashes=None))


def _hashes(joined: bytes) -> frozenset[bytes]:
    return frozenset(joined[start : start + HASH_BYTES] for start in range(0, len(joined), HASH_BYTES))


def _requests_for(connection: Connection, wanted: Wanted) -> list[int]:
    """Returns the requests that remove at least what is wanted."""
    if wanted.site is not None:
        of_site = and_(forgotten.c.kind == "site", forgotten.c.site == wanted.site)
        asked = exists().where(archive_removals.c.forgotten_id == forgotten.c.id)
        return list(connection.execute(select(forgotten.c.id).where(of_site, asked)).scalars())
    query = select(forgotten.c.id, forgotten.c.key_hashes).where(forgotten.c.key_hashes.is_not(None))
    return [row.id for row in connection.execute(query) if wanted.hashes <= _hashes(row.key_hashes)]


def _store(
    connection: Connection, wanted: Wanted, open_ones: Mapping[int, str | None], clean: Mapping[int, str]
) -> int:
    """Stores a request and the files that it is about, and returns its number."""
    now = time_of(connection)
    kind, hashes = "page" if wanted.site is None else "site", b"".join(sorted(wanted.hashes))
    empty = {"pages": 0, "articles": 0, "on_blocklist": False}
    asked = forgotten.insert().values(at=now, kind=kind, site=wanted.site, key_hashes=hashes, **empty)
    number = int(connection.execute(asked.returning(forgotten.c.id)).scalar_one())
    rows = [
        {"forgotten_id": number, "file_id": file, "machine": name, "done_at": done}
        for held, done in ((open_ones, None), (clean, now))
        for file, name in held.items()
    ]
    insert_all(connection, archive_removals, rows)
    return number


def waiting(connection: Connection, *conditions: ColumnElement[bool]) -> list[WaitingMachine]:
    """Returns the machines that have not yet removed what they were asked to, by name."""
    found, table = func.count(archive_removals.c.file_id.distinct()), archive_removals.c
    by = func.max(processes.c.removed_by)
    of_machine = and_(processes.c.process == table.machine, processes.c.role == MACHINE)
    query = (
        select(table.machine, found.label("files"), func.min(forgotten.c.at).label("since"), by.label("removed_by"))
        .select_from(archive_removals.outerjoin(processes, of_machine))
        .join(forgotten, forgotten.c.id == table.forgotten_id)
        .where(table.done_at.is_(None), *conditions)
        .group_by(table.machine)
        .order_by(table.machine)
    )
    return [WaitingMachine(**row._asdict()) for row in connection.execute(query)]
