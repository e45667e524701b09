"""A copy of a SQLite database while others write to it."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from newscrawl.errors import MissingDatabase, StorageError
from newscrawl.storage.engine.database import BUSY_TIMEOUT_MS, explained, make_reader, parse_url, shown


def back_up(url: str, target: Path) -> int:
    """Writes a whole, checked and compact copy to `target` and returns its bytes. No writer waits for it.

    The copy is what was committed when it began. It appears under its name only when it is whole. Raises StorageError
    for PostgreSQL (pg_dump does it), where there is no database, or when `target` is there or cannot be written.
    """
    parsed = parse_url(url)
    if parsed.get_backend_name() != "sqlite":
        raise StorageError(
            f"database {shown(parsed)}: PostgreSQL has its own means, use pg_dump (docs/how-to/deploy.md)"
        )
    if not target.parent.is_dir() or not os.access(target.parent, os.W_OK):
        raise StorageError(
            f"cannot back up to {target}: {target.parent} is no folder that can be written to, make it or name another"
        )
    if target.exists():
        raise StorageError(f"cannot back up to {target}: there is something already, give a new name")
    source = Path(parsed.database or "").resolve()
    if not source.exists():
        raise MissingDatabase(f"no database at {shown(parsed)}: nothing to back up")
    make_reader(parsed)  # says plainly what is wrong with the place
    part = target.with_name(f"{target.name}.part")
    try:
        with explained(parsed, f"back up to {target}"):
            with suppress(FileNotFoundError):
                part.unlink()
            with closing(sqlite3.connect(source, isolation_level=None)) as connection:
                connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
                # Reads in one transaction of the write-ahead log, which holds up nobody.
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
        (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        raise sqlite3.DatabaseError(f"the copy is damaged: {found}")


def _keep(part: Path, target: Path) -> None:
    """On disk, then under its name: a power cut leaves no half copy that looks whole."""
    with part.open("rb") as file:
        os.fsync(file.fileno())
    part.rename(target)
