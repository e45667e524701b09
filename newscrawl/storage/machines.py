"""The agreements of processes on several machines, made through the database: which processes crawl with it, on which
machines, and when each was last seen, by the database's clock. A process whose own clock is wrong does not start. Not
in here: the leases of sites and the claims of hosts (`storage.frontier`).

Processes of one machine have locks on files, which the system releases when the process ends: that of `newscrawl run`
beside its SQLite database, and those by which a copy of a database is noticed that is crawled beside it. Each copy
would send all requests to the same sites.

The locks are POSIX record locks (fcntl). They belong to the process, so no child keeps the lock of a killed process.
All of them end when the process closes the file once, so a process opens each lock file once and shares it.

A copy has the installation's id of its original. Each process that crawls opens a file named after the id in folders
that both may use, and locks a byte of it that stands for its database. Any other locked byte is that of a copy.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, Self

from sqlalchemy import ColumnElement, Connection, Select, delete, func, inspect, select, text, update
from sqlalchemy.exc import DBAPIError

from newscrawl.errors import DatabaseInUse, StorageError, WrongClock, os_reason
from newscrawl.model.times import TOLERANCE
from newscrawl.storage.engine.database import PRIVATE, check_folder, file_of, parse_url, shown
from newscrawl.storage.engine.sql import upsert
from newscrawl.storage.engine.transactions import time_of
from newscrawl.storage.frontier.sites import installation
from newscrawl.storage.tables.frontier import site_hours
from newscrawl.storage.tables.operations import MACHINE, processes

BEAT: Final = timedelta(seconds=15)
"""How often a process updates the time at which it was last seen."""

LIVING_FOR: Final = 5 * BEAT
"""A process that was not seen for longer counts as ended."""

GONE_AFTER: Final = timedelta(minutes=3)
"""A machine whose processes neither ended nor were seen for longer is gone."""

_VERSION_TABLE: Final = "alembic_version"
_IS_PROCESS: Final = processes.c.role != MACHINE
_IS_MACHINE: Final = processes.c.role == MACHINE


@dataclass(frozen=True, slots=True)
class CrawlingProcess:
    """A process that crawls. `process` is its name in leases; `role` is "run" or "crawl SITE"; `version` is that of
    newscrawl and `revision` that of the schema it was written for. `last_seen` is by the database's clock."""

    process: str
    machine: str
    role: str
    version: str
    revision: str
    last_seen: datetime | None = None


def register(
    connection: Connection,
    process: CrawlingProcess,
    is_dead: Callable[[str], bool] = lambda _process: False,
    now: datetime | None = None,
) -> None:
    """Registers a process that begins to crawl, and removes those that `is_dead`. A removed machine is back."""
    now = time_of(connection, now)
    others = select(processes.c.process).where(_IS_PROCESS, processes.c.process != process.process)
    dead = [name for name in connection.execute(others).scalars() if is_dead(name)]
    if dead:
        connection.execute(delete(processes).where(processes.c.process.in_(dead)))
    seen = asdict(process) | {"since": now, "last_seen": now}
    upsert(connection, processes, ["process"], [seen])
    _save_machine(connection, process.machine, now, {"last_seen": now, "removed_at": None, "removed_by": None})


def beat(connection: Connection, process: CrawlingProcess, now: datetime | None = None) -> str:
    """Updates the time at which the process was last seen. Returns the schema revision that the database has now."""
    now = time_of(connection, now)
    seen = update(processes).where(processes.c.process == process.process).values(last_seen=now)
    if connection.execute(seen).rowcount == 0:
        register(connection, process, now=now)
    else:
        of_machine = update(processes).where(processes.c.process == process.machine, _IS_MACHINE)
        connection.execute(of_machine.values(last_seen=now))
    return str(connection.execute(text(f"SELECT version_num FROM {_VERSION_TABLE}")).scalar_one())  # noqa: S608


def end(connection: Connection, process: CrawlingProcess) -> None:
    """Removes a process that ends."""
    connection.execute(delete(processes).where(processes.c.process == process.process))


def of_the_future(connection: Connection) -> list[str]:
    """Returns the processes that were seen later than now by the database's clock, because a clock was ahead."""
    late = processes.c.last_seen > time_of(connection) + TOLERANCE
    return list(connection.execute(select(processes.c.process).where(_IS_PROCESS, late)).scalars())


def remove_future(connection: Connection) -> int:
    """Removes the processes of `of_the_future`, which would keep crawls from starting on SQLite. Returns how many."""
    late = of_the_future(connection)
    connection.execute(delete(processes).where(processes.c.process.in_(late)))
    return len(late)


def living(connection: Connection, *which: ColumnElement[bool], now: datetime | None = None) -> list[CrawlingProcess]:
    """Returns those of the registered processes that were seen lately, by machine and start."""
    lately = processes.c.last_seen > time_of(connection, now) - LIVING_FOR
    query = select(*(processes.c[field.name] for field in fields(CrawlingProcess))).where(_IS_PROCESS, lately, *which)
    rows = connection.execute(query.order_by(processes.c.machine, processes.c.since, processes.c.process))
    return [CrawlingProcess(*row) for row in rows]


def removed_machines() -> Select[str]:
    """Returns the query of the names of machines that were declared out of reach."""
    return select(processes.c.process).where(_IS_MACHINE, processes.c.removed_at.is_not(None))


def gone(connection: Connection, now: datetime | None = None) -> dict[str, datetime]:
    """Returns the machines that are gone, by name, and when each was last seen: processes are registered there, and
    none was seen lately."""
    now = time_of(connection, now)
    latest = select(processes.c.machine, func.max(processes.c.last_seen).label("seen")).where(_IS_PROCESS)
    rows = connection.execute(latest.group_by(processes.c.machine).order_by(processes.c.machine))
    found = [(row.machine, row.seen) for row in rows]
    return {machine: seen for machine, seen in found if seen <= now - GONE_AFTER}


def living_of_other_revisions(
    connection: Connection, revision: str, is_dead: Callable[[str], bool], now: datetime | None = None
) -> list[CrawlingProcess]:
    """Returns the processes that crawl now and were written for another schema revision. An empty database
    has none."""
    if not inspect(connection).has_table(processes.name):
        return []
    return [row for row in living(connection, processes.c.revision != revision, now=now) if not is_dead(row.process)]


def remove(connection: Connection, name: str, by: str, now: datetime | None = None) -> None:
    """Declares a machine out of reach: its processes are forgotten and nothing waits for it any longer. It may be one
    on which no process crawled, and which only holds files of the archive."""
    now = time_of(connection, now)
    connection.execute(delete(processes).where(_IS_PROCESS, processes.c.machine == name))
    _save_machine(connection, name, now, {"removed_at": now, "removed_by": by})


def _save_machine(connection: Connection, name: str, now: datetime, changes: Mapping[str, Any]) -> None:
    """Stores a machine that is seen now, or these changes of one that is stored."""
    row = {"process": name, "machine": name, "role": MACHINE, "version": "", "revision": "", "since": now}
    upsert(connection, processes, ["process"], [{**row, "last_seen": now, **changes}], changes)


def living_on(connection: Connection, name: str) -> list[CrawlingProcess]:
    """Returns the processes of a machine that were seen lately."""
    return living(connection, processes.c.machine == name)


def newest_time(connection: Connection) -> datetime | None:
    """Returns the newest of the times at which processes were seen and of the hours in which something was counted;
    None in a database that no crawl has used."""
    seen = select(func.max(processes.c.last_seen)).where(_IS_PROCESS)
    queries = (seen, select(func.max(site_hours.c.hour)))
    return max(filter(None, (connection.execute(query).scalar_one() for query in queries)), default=None)


def compare_clocks(
    before: datetime, after: datetime, stated: datetime | None, newest: datetime | None
) -> tuple[str, str] | None:
    """Returns by how much this machine's clock is wrong and what to do, or None if it is right by all that is known.

    The database was asked between the two times `before` and `after` of this machine (aware). It gave `stated`, the
    time of its server. On SQLite that is None, and `newest` is its newest stored time.
    """
    own = f"this machine's clock shows {after:%Y-%m-%d %H:%M:%S} UTC"
    if stated is not None:
        if before - TOLERANCE <= stated <= after + TOLERANCE:
            return None
        return (
            f"{own}, the database's {stated:%Y-%m-%d %H:%M:%S}",
            "set both clocks by NTP (timedatectl set-ntp true)",
        )
    if newest is None or newest <= after + TOLERANCE:
        return None
    return (
        f"{own}, and the database has times up to {newest:%Y-%m-%d %H:%M:%S}",
        "set the clock by NTP (timedatectl set-ntp true), or if it is right run `newscrawl db prune`",
    )


def check_clock(connection: Connection) -> None:
    """Raises WrongClock if this machine's clock is more than `TOLERANCE` off the database's; on SQLite, if it is more
    than that behind the newest stored time."""
    is_server = connection.dialect.name == "postgresql"
    before = datetime.now(UTC)
    stated, newest = (time_of(connection), None) if is_server else (None, newest_time(connection))
    if wrong := compare_clocks(before, datetime.now(UTC), stated, newest):
        raise WrongClock(": ".join(wrong))


_RUN: Final = 0
"""The byte that `newscrawl run` locks: one such process for each database."""
_DIGITS: Final = 20
"""The bytes at the begin of the file that hold its process id, a decimal number."""
_BYTES: Final = 1 << 61
"""Bytes of which each stands for a database."""
_LOOKS: Final = 5
_PAUSE_SECONDS: Final = 0.05
"""Another process that looks at the same moment locks all bytes for microseconds, so they are looked at again."""


class LockFile:
    """The one open file of this process for a path."""

    _open: dict[Path, LockFile] = {}  # noqa: RUF012  typed here, and shared on purpose

    def __init__(self, path: Path) -> None:
        self.path = path
        self.users = 0
        self.descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, PRIVATE)

    @classmethod
    def of(cls, path: Path) -> LockFile:
        file = cls._open.get(path)
        if file is None:
            file = cls._open[path] = cls(path)
        file.users += 1
        return file

    def release(self) -> None:
        self.users -= 1
        if not self.users:
            del self._open[self.path]
            os.close(self.descriptor)


class RunLock:
    """The lock of `newscrawl run`, of which one crawls with a SQLite database, until `close`. It does nothing for
    PostgreSQL.

    Raises DatabaseInUse if another process has it, StorageError if the lock file cannot be used.
    """

    def __init__(self, url: str) -> None:
        parsed = parse_url(url)
        self._file: LockFile | None = None
        if parsed.get_backend_name() != "sqlite":
            return
        check_folder(parsed)
        file = file_of(parsed)  # the same for all symlinks to it
        path = file.with_name(f"{file.name}.lock")
        try:
            lock = LockFile.of(path)
            try:
                fcntl.lockf(lock.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _RUN)
            except (BlockingIOError, PermissionError):
                other = os.pread(lock.descriptor, _DIGITS, 0).decode("ascii", "replace").strip()
                lock.release()
                raise DatabaseInUse(
                    f"database {shown(parsed)}: another `newscrawl run` (process {other}) crawls with it; stop that "
                    "one, or use PostgreSQL for several"
                ) from None
            self._file = lock
            os.pwrite(lock.descriptor, b"%-*d" % (_DIGITS, os.getpid()), 0)
        except OSError as error:
            self.close()
            raise StorageError(f"cannot lock {path}: {os_reason(error)}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Releases the lock; may be called twice."""
        file, self._file = self._file, None
        if file is not None:
            fcntl.lockf(file.descriptor, fcntl.LOCK_UN, 1, _RUN)
            file.release()


class CopyLock:
    """Says to the processes of other copies that this database is crawled, until `close`. Folders in which no lock can
    be held are left out."""

    def __init__(self, connection: Connection, folders: Iterable[Path]) -> None:
        found = installation(connection)
        self._byte = 1 + int.from_bytes(blake2b(_identity(connection).encode(), digest_size=8).digest()) % _BYTES
        self._files = list(_opened(f"newscrawl-{found}.lock", folders)) if found is not None else []
        for file in self._files:
            with suppress(OSError):
                fcntl.lockf(file.descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, self._byte)

    def is_copy_crawled(self) -> bool:
        """Returns whether a process crawls with another copy of the database now."""
        for look in range(_LOOKS):
            if look:
                time.sleep(_PAUSE_SECONDS)
            if all(_is_free(file, 0, self._byte) and _is_free(file, self._byte + 1, 0) for file in self._files):
                return False
        return True

    def close(self) -> None:
        """Releases the locks."""
        while self._files:
            self._files.pop().release()


def _opened(name: str, folders: Iterable[Path]) -> Iterator[LockFile]:
    for folder in dict.fromkeys(folders):
        with suppress(OSError):  # it does not exist, or another user has the file
            yield LockFile.of(folder / name)


def _is_free(file: LockFile, begin: int, length: int) -> bool:
    """Returns whether no other process has a lock on these bytes; length 0 are all bytes from `begin` on."""
    try:
        fcntl.lockf(file.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, length, begin)
    except OSError:
        return False
    fcntl.lockf(file.descriptor, fcntl.LOCK_UN, length, begin)
    return True


def _identity(connection: Connection) -> str:
    """Returns what distinguishes the database from its copies, and is the same for all its processes: the inode of a
    SQLite file; of PostgreSQL the identifier of the cluster, the server's port and the database's name."""
    if connection.dialect.name == "sqlite":
        file = Path(connection.engine.url.database or "").stat()
        return f"{file.st_dev} {file.st_ino}"
    cluster = ""
    with suppress(DBAPIError), connection.begin_nested():  # a provider may forbid the function
        cluster = str(connection.execute(text("SELECT system_identifier FROM pg_control_system()")).scalar_one())
    place = connection.execute(text("SELECT current_setting('port') || ' ' || current_database()")).scalar_one()
    return f"{cluster} {place}"
