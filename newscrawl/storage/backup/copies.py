"""Backs a database up to a file, and restores it from one. A file or database is complete, or it does not exist."""

from __future__ import annotations

import os
from pathlib import Path

from newscrawl.errors import StorageError, os_reason
from newscrawl.storage.backup import postgresql, sqlite
from newscrawl.storage.engine.database import parse_url, shown


def back_up(url: str, target: Path) -> int:
    """Writes a complete and checked copy of the database to `target` and returns its size in bytes. No writer waits
    for it.

    The copy has what was committed when it began. It appears under its name only when it is complete. Raises
    StorageError without a database, without PostgreSQL's tools, or if `target` exists or cannot be written.
    """
    parsed = parse_url(url)
    if not target.parent.is_dir() or not os.access(target.parent, os.W_OK):
        raise StorageError(
            f"cannot back up to {target}: {target.parent} is not a folder that can be written to, create it or "
            "choose another"
        )
    try:
        if target.exists():
            raise StorageError(f"cannot back up to {target}: the file exists already, choose a new name")
        if parsed.get_backend_name() == "sqlite":
            sqlite.back_up(parsed, target)
        else:
            postgresql.back_up(parsed, target)
    except OSError as error:
        raise StorageError(f"cannot back up to {target}: {os_reason(error)}") from error
    return target.stat().st_size


def restore(url: str, file: Path) -> list[str]:
    """Fills the empty database at `url` from a copy that `back_up` wrote. A kill in the middle leaves it empty.

    Returns the consumers of the change feed. They are set back to the beginning, because new changes will get numbers
    that they may have read already.

    Raises StorageError if the database has tables, if the file is no copy of such a database, and for whatever the
    disk or the server refuses; SchemaError for a copy of a newer newscrawl; DatabaseInUse during a `newscrawl run`.
    """
    parsed = parse_url(url)
    is_sqlite = parsed.get_backend_name() == "sqlite"
    try:
        with file.open("rb") as opened:
            head = opened.read(len(sqlite.HEAD))
    except OSError as error:
        raise StorageError(f"cannot restore from {file}: {os_reason(error)}") from error
    kinds = {sqlite.HEAD: "SQLite", postgresql.HEAD: "PostgreSQL"}
    kind = next((kind for start, kind in kinds.items() if head.startswith(start)), None)
    if kind is None:
        raise StorageError(f"cannot restore from {file}: it is no copy that `newscrawl backup` wrote")
    if (kind == "SQLite") != is_sqlite:
        raise StorageError(
            f"cannot restore from {file}: it is a copy of a {kind} database, and NEWSCRAWL_DATABASE_URL names "
            f"{shown(parsed)}"
        )
    try:
        return sqlite.restore(parsed, file) if is_sqlite else postgresql.restore(parsed, file)
    except OSError as error:
        raise StorageError(f"cannot restore to {shown(parsed)}: {os_reason(error)}") from error
