"""Copies of a SQLite database while others write to it, and a database from a copy."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from sqlalchemy import URL
from sqlalchemy.exc import SQLAlchemyError

from newscrawl.errors import MissingDatabase, StorageError
from newscrawl.storage import migrations
from newscrawl.storage.backup.files import LEFT_OVERS, appearing
from newscrawl.storage.engine.database import (
    BUSY_TIMEOUT_MS,
    check_folder,
    explained,
    make_engine,
    make_reader,
    one_line,
    parse_url,
    shown,
)
from newscrawl.storage.engine.process_locks import ProcessRegistration
from newscrawl.storage.engine.transactions import begin_read, begin_write
from newscrawl.storage.feed import consumers

HEAD: Final = b"SQLite format 3\x00"
"""The first bytes of a SQLite database."""
_OBJECTS: Final = r"SELECT type, name FROM sqlite_schema WHERE type <> 'index' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'"
"""Tables, views and triggers but SQLite's own, whose names nobody else can give."""


def back_up(url: URL, target: Path) -> None:
    """Writes a complete, checked and compact copy to `target`. Raises StorageError and OSError."""
    source = Path(url.database or "").resolve()
    if not source.exists():
        raise MissingDatabase(f"no database at {shown(url)}: nothing to back up")
    make_reader(url)  # its error says what is wrong with the file
    with appearing(target) as part, explained(url, "back up", f"to {target}"):
        with closing(sqlite3.connect(source, isolation_level=None)) as connection:
            connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
            # One transaction of the write-ahead log: no writer waits for it. The API for online backups begins again
            # after each write of another process.
            connection.execute("VACUUM INTO ?", (str(part),))
        _check(part)


def restore(url: URL, file: Path) -> list[str]:
    """Copies `file` to the database's place, with all consumers at the beginning of the feed, and returns their names.
    Raises StorageError, SchemaError, DatabaseInUse and OSError."""
    target = Path(url.database or "").resolve()
    check_folder(url)
    _check_user(target.parent)
    with ProcessRegistration(url.render_as_string(hide_password=False), run=True):
        _check_empty(url, target)
        with appearing(target) as part:
            shutil.copyfile(file, part)
            try:
                restarted = _checked(parse_url(f"sqlite:///{part}"), part, file)
            # A damaged copy may also have text that is no UTF-8, in rows and in names.
            except (sqlite3.Error, SQLAlchemyError, UnicodeDecodeError) as error:
                reason = "text in it is not UTF-8" if isinstance(error, UnicodeDecodeError) else one_line(error)
                raise StorageError(f"cannot restore from {file}: {reason}; restore an earlier copy") from error
    return restarted


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
