"""A copy of a SQLite database while others write to it."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from newscrawl.errors import MissingDatabase, StorageError
from newscrawl.storage.engine.database import BUSY_TIMEOUT_MS, explained, make_reader, parse_url, shown


def back_up(url: str, target: Path) -> int:
    """Writes a complete, checked and compact copy to `target` and returns its size in bytes. No writer waits for it.

    The copy has what was committed when it began. It appears under its name only when it is complete. Raises
    StorageError for PostgreSQL (use pg_dump), without a database, or if `target` exists or cannot be written.
    """
    parsed = parse_url(url)
    if parsed.get_backend_name() != "sqlite":
        raise StorageError(
            f"database {shown(parsed)}: PostgreSQL has its own means, use pg_dump (docs/how-to/deploy.md)"
        )
    if not target.parent.is_dir() or not os.access(target.parent, os.W_OK):
        raise StorageError(
            f"cannot back up to {target}: {target.parent} is not a folder that can be written to, create it or "
            "choose another"
        )
    if target.exists():
        raise StorageError(f"cannot back up to {target}: the file exists already, choose a new name")
    source = Path(parsed.database or "").resolve()
    if not source.exists():
        raise MissingDatabase(f"no database at {shown(parsed)}: nothing to back up")
    make_reader(parsed)  # its error says what is wrong with the file
    part = target.with_name(f"{target.name}.part")
    try:
        with explained(parsed, f"back up to {target}"):
            with suppress(FileNotFoundError):
                part.unlink()
            with closing(sqlite3.connect(source, isolation_level=None)) as connection:
                connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
                # One transaction of the write-ahead log: no writer waits for it.
                connection.execute("VACUUM INTO ?", (str(part),))
            _check(part)
        _keep(part, target)
    except OSError as error:
        raise StorageError(f"cannot back up to {target}: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            part.unlink()
    return target.stat().st_size


def _check(copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as connection:
        (result,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if result != "ok":
        raise sqlite3.DatabaseError(f"the copy is damaged: {result}")


def _keep(part: Path, target: Path) -> None:
    """Flushes the copy to the disk and then renames it, so that a power cut leaves no incomplete copy under its
    name."""
    with part.open("rb") as file:
        os.fsync(file.fileno())
    part.rename(target)
