"""Makes the SQLite databases of tests cheap, in this process and in what it forks.

- A new one is a copy of one that the revisions built once: 1 ms instead of 0.05 s of CPU. Every other database is
  upgraded as ever, and tests of the revisions themselves ask for the fixture `real_upgrade`.
- None is forced to the disk, as those of PostgreSQL are not: a test that stores two pages waited 25 ms for that. Only a
  failure of the machine would lose what the system has not written yet, and no test makes one. What a killed process
  wrote stays.
- All use one cache of compiled statements. An engine has its own, and compiling the same statements again took two
  thirds of the CPU of a test that stores a few pages.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Engine
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite as Dialect
from sqlalchemy.util import LRUCache

from newscrawl.publishing.search import sqlite
from newscrawl.storage import migrations
from newscrawl.storage.engine import database
from newscrawl.storage.engine.database import check_folder, parse_url

SYNCHRONOUS: Final = database.SYNCHRONOUS
"""How databases wait for the disk outside tests."""
STATEMENTS: Final = 5_000
"""So many compiled statements are kept: more than all tests compile."""

real_upgrade: Final = migrations.upgrade


@cache
def with_tables() -> bytes:
    """A SQLite file that the revisions built."""
    with tempfile.TemporaryDirectory(prefix="newscrawl-schema-") as folder:
        file = Path(folder) / "new.db"
        real_upgrade(f"sqlite:///{file}")
        return file.read_bytes()


def upgrade(url: str) -> None:
    """As migrations.upgrade. The file appears whole: of several processes one makes it, the others find it."""
    parsed = parse_url(url)
    if parsed.get_backend_name() == "sqlite" and parsed.database is not None:
        check_folder(parsed)
        file = Path(parsed.database)
        with contextlib.suppress(OSError):  # where it cannot be made the revisions say why
            if not file.exists() and _made(file):
                return
    real_upgrade(url)


def _made(file: Path) -> bool:
    unnamed = file.with_name(f"{file.name}.{os.getpid()}.new")
    try:
        unnamed.write_bytes(with_tables())
        os.link(unnamed, file)
    except FileExistsError:
        return False
    finally:
        unnamed.unlink(missing_ok=True)
    return True


def install() -> None:
    """From now on the SQLite databases of this process are cheap."""
    migrations.upgrade = upgrade
    _wait_for_disk("OFF")
    Dialect.__hash__ = lambda self: hash(type(self))  # type: ignore[method-assign]
    Dialect.__eq__ = lambda self, other: type(self) is type(other)  # type: ignore[method-assign]
    Engine._compiled_cache = property(_cache, lambda engine, cache: vars(engine).update(own_cache=cache))  # type: ignore[assignment]


@contextlib.contextmanager
def uninstalled() -> Iterator[None]:
    """Lets the revisions build every database, which waits for the disk as it is shipped, while the block runs."""
    migrations.upgrade = real_upgrade
    _wait_for_disk(SYNCHRONOUS)
    try:
        yield
    finally:
        install()


def _wait_for_disk(mode: str) -> None:
    for module in (database, sqlite):
        module.SYNCHRONOUS = mode  # type: ignore[misc]


_compiled: Final[LRUCache[Any, Any]] = LRUCache(STATEMENTS)


def _cache(engine: Engine) -> Any:
    """Engines of SQLite differ by their file only; the cache's keys hold the dialect."""
    return _compiled if type(engine.dialect) is Dialect else vars(engine)["own_cache"]
