"""SQLite files of the process that runs the tests are not forced to the disk, as those of PostgreSQL are not.

A test opens and fills databases of its own, and each was forced to the disk at its last checkpoint: a test that stores
two pages waited 25 ms for that. Only a failure of the machine would lose what the system has not written yet, and no
test makes one. What a killed process wrote stays. Commands that tests start wait for the disk as ever.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Final

from newscrawl.publishing.search import sqlite
from newscrawl.storage.engine import database

MODULES: Final = (database, sqlite)
"""Those that open SQLite files to write to them."""
AS_SHIPPED: Final = database.SYNCHRONOUS
NEVER: Final = "OFF"


def install() -> None:
    """No SQLite file of this process, and of what it forks, waits for the disk."""
    _set(NEVER)


@contextlib.contextmanager
def uninstalled() -> Iterator[None]:
    """Lets connections wait as they do outside tests while the block runs."""
    _set(AS_SHIPPED)
    try:
        yield
    finally:
        install()


def _set(mode: str) -> None:
    for module in MODULES:
        module.SYNCHRONOUS = mode  # type: ignore[misc]
