"""How transactions begin: one that writes excludes all others that write, one that reads waits for none.

docs/explanation/design-storage.md says why one lock is enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from sqlalchemy import Connection, Engine, text

from newscrawl.storage.engine.database import BEGIN_MODE

WRITE_LOCK: Final = 0x6E657773637261
"""The PostgreSQL advisory lock of the one transaction that writes ("newscra" in ASCII)."""

_LOCK: Final = text("SELECT pg_advisory_xact_lock(:key)")


@contextmanager
def begin_write(engine: Engine) -> Iterator[Connection]:
    """Opens a transaction that excludes all other writers of newscrawl: what it reads stays true until it commits.

    SQLite has one writer anyway (BEGIN IMMEDIATE); on PostgreSQL an advisory lock is held until the commit.
    """
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(_LOCK, {"key": WRITE_LOCK})
        yield connection


@contextmanager
def begin_read(engine: Engine) -> Iterator[Connection]:
    """Opens a reading transaction with one consistent view. It waits for no writer, and no writer waits for it."""
    with engine.connect() as connection:
        if connection.dialect.name == "postgresql":
            options: dict[str, Any] = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        else:
            options = {BEGIN_MODE: "DEFERRED"}
        connection = connection.execution_options(**options)
        with connection.begin():
            yield connection
