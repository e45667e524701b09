"""Backs a SQLite database up to a file while others write to it, and restores it from one. A file or database is
complete, or it does not exist.

A database on a server is copied with the server's own programs (docs/how-to/deploy.md), and the raw archive with any
copying tool.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from sqlalchemy import URL
from sqlalchemy.exc import SQLAlchemyError

from newscrawl.errors import MissingDatabase, StorageError, os_reason
from newscrawl.storage import migrations
from newscrawl.storage.engine.database import (
    BUSY_TIMEOUT_MS,
    check_folder,
    create_private,
    explained,
    make_engine,
    make_reader,
    one_line,
    parse_url,
    shown,
)
from newscrawl.storage.engine.transactions import begin_read, begin_write
from newscrawl.storage.feed import consumers
from newscrawl.storage.machines import RunLock
from newscrawl.workers.processes import failpoints

HEAD: Final = b"SQLite format 3\x00"
"""The first bytes of a SQLite database."""
LEFT_OVERS: Final = ("-wal", "-shm", "-journal")
"""Endings of files that belong to one SQLite database and would damage another database of the same name."""
_OBJECTS: Final = r"SELECT type, name FROM sqlite_schema WHERE type <> 'index' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'"
"""Tables, views and triggers but SQLite's own, whose names nobody else can give."""


def back_up(url: str, target: Path) -> int:
    """Writes a complete, checked and compact copy of the database to `target` and returns its size in bytes. No writer
    waits for it.

    The copy has what was committed when it began. It appears under its name only when it is complete. Raises
    StorageError without a database, for one on a server, or if `target` exists or cannot be written.
    """
    parsed = _of_file(url, "copy it with pg_dump")
    if not target.parent.is_dir() or not os.access(target.parent, os.W_OK):
        raise StorageError(
            f"cannot back up to {target}: {target.parent} is not a folder that can be written to, create it or "
            "choose another"
        )
    source = Path(parsed.database or "").resolve()
    try:
        if target.exists():
            raise StorageError(f"cannot back up to {target}: the file exists already, choose a new name")
        if not source.exists():
            raise MissingDatabase(f"no database at {shown(parsed)}: nothing to back up")
        make_reader(parsed)  # its error says what is wrong with the file
        with appearing(target) as part, explained(parsed, "back up", f"to {target}"):
            with closing(sqlite3.connect(source, isolation_level=None)) as connection:
                connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
                # One transaction of the write-ahead log: no writer waits for it. The API for online backups begins
                # again after each write of another process.
                connection.execute("VACUUM INTO ?", (str(part),))
            _check(part)
    except OSError as error:
        raise StorageError(f"cannot back up to {target}: {os_reason(error)}") from error
    return target.stat().st_size


def restore(url: str, file: Path) -> list[str]:
    """Fills the empty database at `url` from a copy that `back_up` wrote. A kill in the middle leaves it empty.

    Returns the consumers of the change feed. They are set back to the beginning, because new changes will get numbers
    that they may have read already.

    Raises StorageError for a database that has tables or is on a server, for a file that is no copy, and for whatever
    the disk refuses; SchemaError for a copy of a newer newscrawl; DatabaseInUse during a `newscrawl run`.
    """
    parsed = _of_file(url, "restore it with pg_restore")
    try:
        with file.open("rb") as opened:
            head = opened.read(len(HEAD))
    except OSError as error:
        raise StorageError(f"cannot restore from {file}: {os_reason(error)}") from error
    if head != HEAD:
        raise StorageError(f"cannot restore from {file}: it is no copy that `newscrawl backup` wrote")
    target = Path(parsed.database or "").resolve()
    check_folder(parsed)
    try:
        _check_user(target.parent)
        with RunLock(url):
            _check_empty(parsed, target)
            with appearing(target) as part:
                shutil.copyfile(file, part)
                try:
                    return _checked(parse_url(f"sqlite:///{part}"), part, file)
                # A damaged copy may also have text that is no UTF-8, in rows and in names.
                except (sqlite3.Error, SQLAlchemyError, UnicodeDecodeError) as error:
                    reason = "text in it is not UTF-8" if isinstance(error, UnicodeDecodeError) else one_line(error)
                    raise StorageError(f"cannot restore from {file}: {reason}; restore an earlier copy") from error
    except OSError as error:
        raise StorageError(f"cannot restore to {shown(parsed)}: {os_reason(error)}") from error


def _of_file(url: str, instead: str) -> URL:
    """Returns the URL of a SQLite database. Raises StorageError for one on a server, with what to do instead."""
    parsed = parse_url(url)
    if parsed.get_backend_name() != "sqlite":
        raise StorageError(
            f"database {shown(parsed)} is on a server: {instead}, as docs/how-to/deploy.md says under Back-up and "
            "restore"
        )
    return parsed


def _checked(copy: URL, part: Path, file: Path) -> list[str]:
    """Checks `part`, the copy of `file`, before anything writes to it, and restarts its consumers. Raises StorageError,
    SchemaError and the errors of the driver."""
    with begin_read(make_reader(copy)) as connection:
        migrations.check(connection, parse_url(f"sqlite:///{file}"))
        revision = migrations.revision_of(connection)
        if revision is None:
            raise StorageError(f"cannot restore from {file}: it has no table of newscrawl")
        migrations.refuse_unknown(((kind, name) for kind, name in connection.exec_driver_sql(_OBJECTS)), revision, file)
    _check(part)
    return _restart_consumers(copy)


def _restart_consumers(copy: URL) -> list[str]:
    """Sets the consumers of a copy back before it has its name, so that a kill cannot leave them where they were."""
    engine = make_engine(copy, pooled=False, is_writer=True)
    with begin_write(engine) as connection:
        restarted = consumers.restart_all(connection)
    engine.dispose()
    with closing(sqlite3.connect(str(copy.database))) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")  # moves the change into the file that is renamed
    return restarted


def _check(copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as connection:
        (result,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
        connection.execute("PRAGMA journal_mode = DELETE")  # leaves no files beside it
    if result != "ok":
        raise sqlite3.DatabaseError(f"the copy is damaged: {result}")


def _check_empty(url: URL, target: Path) -> None:
    """Raises StorageError unless there is no database, or one without tables."""
    beside = [target.with_name(f"{target.name}{ending}") for ending in LEFT_OVERS]
    there = [path for path in beside if path.exists()]
    if target.exists() and target.stat().st_size:
        with explained(url, "read"), closing(sqlite3.connect(f"file:{target}?mode=ro", uri=True)) as connection:
            tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        if tables:
            files = " ".join(str(path) for path in (target, *there))
            raise StorageError(
                f"cannot restore to {shown(url)}: the database is not empty; stop the crawls, and move {files} away"
            )
    elif there:
        raise StorageError(f"cannot restore to {shown(url)}: {there[0]} belongs to another database; move it away")


def _check_user(folder: Path) -> None:
    """Raises StorageError for root in the folder of another user, who could not write to the restored file."""
    owner = folder.stat().st_uid
    if os.geteuid() == 0 and owner != 0:
        raise StorageError(
            f"cannot restore as root: {folder} belongs to {folder.owner()}, and the crawls could not write to the "
            f"database; run the command as that user (sudo -u {folder.owner()} ...)"
        )


@contextmanager
def appearing(target: Path) -> Iterator[Path]:
    """Yields the path of a temporary file beside `target`. After the block, the file is flushed to the disk and renamed
    to `target`. It is empty, and other users cannot read it.

    The temporary name has the number of this process, so two processes never write one file. If the block fails, the
    file is removed. The remainders of killed processes are removed first. Raises OSError.
    """
    _remove_remainders(target)
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        create_private(part)
        yield part
        with part.open("rb") as file:
            os.fsync(file.fileno())
        failpoints.hit(failpoints.COPY_WRITTEN)
        part.rename(target)
        _flush_name(target.parent)
    finally:
        with suppress(OSError):
            _remove(part)


def _remove_remainders(target: Path) -> None:
    """Removes the temporary files of this process and of processes that have ended. Raises OSError."""
    name = re.compile(rf"{re.escape(target.name)}\.(\d+)\.part")
    for path in target.parent.iterdir():
        found = name.match(path.name)
        if found and not _is_running(int(found[1])):
            _remove(path.with_name(found[0]))


def _is_running(process: int) -> bool:
    """Returns whether another process of this machine has the number `process`."""
    if process == os.getpid():
        return False
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass  # a process of another user
    return True


def _remove(part: Path) -> None:
    """Removes a temporary file and what SQLite wrote beside it. Raises OSError."""
    for ending in ("", *LEFT_OVERS):
        part.with_name(f"{part.name}{ending}").unlink(missing_ok=True)


def _flush_name(folder: Path) -> None:
    """Flushes the folder, so that the new name survives a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
