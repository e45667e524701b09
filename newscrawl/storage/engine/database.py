"""Opening a database: which URLs work, how a connection is set up, and what its errors mean to an operator."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from newscrawl.errors import DatabaseLocked, DatabaseUnavailable, MissingDatabase, StorageError
from newscrawl.identity.masking import MASK, is_secret, masked
from newscrawl.storage.engine.retry import is_away, is_locked

BUSY_TIMEOUT_MS: Final = 5_000
"""How long SQLite waits for another process's transaction before it says "database is locked"."""

CACHE_KB: Final = 32_000
"""Of a SQLite file, at most, in memory. Hashes and addresses come in no order: among 10^6 articles a batch changes
pages all over the indexes, more than SQLite's usual 2 MB, so that they were written twice and then read again."""

CHECKPOINT_PAGES: Final = 8_000
"""Of 4 kB in SQLite's journal (32 MB) before they are moved to the file, while a batch waits for the disk: at the
usual 1,000 that was every second batch among 10^6 articles (docs/measurements/storage-speed.md)."""

CONNECT_TIMEOUT_S: Final = 10
"""How long PostgreSQL may take to accept a connection."""

_WRITE_LOCK: Final = 0x6E657773637261
"""The PostgreSQL advisory lock every writing transaction of newscrawl holds ("newscra" in ASCII)."""

_BEGIN: Final = "newscrawl_begin"
_WAL_ATTEMPTS: Final = 50
_WAL_PAUSE_S: Final = 0.1


def parse_url(url: str) -> URL:
    """The database's URL with the driver newscrawl uses; StorageError for what it cannot work with."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise StorageError(
            "database URL cannot be read: write sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"
        ) from error
    backend = parsed.get_backend_name()
    if backend in {"postgresql", "postgres"}:
        return parsed.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise StorageError(f"database {shown(parsed)}: only sqlite and postgresql are supported")
    if parsed.database in {None, "", ":memory:"}:
        raise StorageError("database in memory: newscrawl needs a file, write sqlite:///FILE")
    return parsed.set(drivername="sqlite")


def shown(url: URL) -> str:
    """The database's name for messages, never with its user, password or parameters."""
    if url.get_backend_name() == "sqlite":
        return url.database or ""
    return masked(url.set(query={}).render_as_string(hide_password=True))


def one_line(error: BaseException, url: URL | None = None) -> str:
    """What the driver said, on one line and without the password."""
    cause: BaseException = error
    if isinstance(error, DBAPIError) and error.orig is not None:
        cause = error.orig
    said = " ".join(str(cause).split()) or type(cause).__name__
    for secret in _secrets(url):
        said = said.replace(secret, MASK)
    return masked(said)[:500]


def _secrets(url: URL | None) -> Iterator[str]:
    """The passwords that the address holds, in its user's place or among its parameters."""
    if url is None:
        return
    if url.password:
        yield str(url.password)
    for name, value in url.query.items():
        if is_secret(name):
            yield from filter(None, (value,) if isinstance(value, str) else value)


def make_reader(url: URL) -> Engine:
    """An engine that cannot change the database, nor make it: for reports, and for a look before anything is changed.

    SQLite's journal stays as it is. Raises MissingDatabase without a file, StorageError where there can be none.
    """
    if url.get_backend_name() != "sqlite":
        return make_engine(url, pooled=False)
    file = _file_of(url)
    if not file.exists():
        raise MissingDatabase(f"no database at {shown(url)} yet: a crawl makes it, run `scrapy crawl demo`")

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(f"file:{quote(str(file))}?{_reading_mode(file)}", uri=True, isolation_level=None)
        connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        connection.execute("PRAGMA query_only=ON")
        return connection

    engine = create_engine(url, hide_parameters=True, poolclass=NullPool, creator=connect)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN DEFERRED"))
    return engine


def _reading_mode(file: Path) -> str:
    """`rw` where possible: SQLite then tidies up its own files beside the database. It never makes the database, and
    opens one that is protected for reading alone. Where those files cannot be made, there must be nobody writing."""
    if os.access(file.parent, os.W_OK) or file.with_name(f"{file.name}-wal").exists():
        return "mode=rw"
    return "mode=ro&immutable=1"


def make_engine(url: URL, *, foreign_keys: bool = True, pooled: bool = True) -> Engine:
    """An engine whose connections behave alike on both databases: explicit transactions, UTC, sane durability."""
    if url.get_backend_name() == "sqlite":
        engine = create_engine(url, hide_parameters=True, **({} if pooled else {"poolclass": NullPool}))
        _prepare_sqlite(engine, foreign_keys=foreign_keys)
        return engine
    options: dict[str, Any] = {"pool_pre_ping": True} if pooled else {"poolclass": NullPool}
    connect_args = {"connect_timeout": CONNECT_TIMEOUT_S, "application_name": "newscrawl", "options": _pg_options(url)}
    try:
        return create_engine(url, hide_parameters=True, connect_args=connect_args, **options)
    except ModuleNotFoundError as error:
        raise StorageError(
            f"database {shown(url)}: the driver is not installed, run `pip install 'newscrawl[postgresql]'`"
        ) from error


def _pg_options(url: URL) -> str:
    """The session's options: what the URL says, and UTC, because far dates overflow in other zones."""
    given = url.query.get("options", "")
    return " ".join([given if isinstance(given, str) else " ".join(given), "-c timezone=UTC"]).strip()


def _prepare_sqlite(engine: Engine, *, foreign_keys: bool) -> None:
    @event.listens_for(engine, "connect")
    def set_up(connection: sqlite3.Connection, _record: object) -> None:
        # The driver's own idea of when to begin would leave DDL and savepoints outside transactions.
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        _switch_to_wal(connection)
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute(f"PRAGMA cache_size=-{CACHE_KB}")
        connection.execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT_PAGES}")
        connection.execute(f"PRAGMA foreign_keys={'ON' if foreign_keys else 'OFF'}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        mode = connection.get_execution_options().get(_BEGIN, "IMMEDIATE")
        connection.exec_driver_sql(f"BEGIN {mode}")


def _switch_to_wal(connection: sqlite3.Connection) -> None:
    """Write-ahead logging; two processes that switch a new file at once do not wait for each other by themselves."""
    for left in range(_WAL_ATTEMPTS, 0, -1):
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if left == 1 or error.sqlite_errorcode & 0xFF not in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
                raise
            time.sleep(_WAL_PAUSE_S)
        else:
            return


@contextmanager
def begin_write(engine: Engine) -> Iterator[Connection]:
    """One transaction that no other writer of newscrawl runs beside: what it looks up stays true until it commits.

    SQLite has one writer anyway (BEGIN IMMEDIATE); on PostgreSQL an advisory lock is held to the commit.
    """
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _WRITE_LOCK})
        yield connection


@contextmanager
def begin_read(engine: Engine) -> Iterator[Connection]:
    """One consistent view that waits for no writer and holds none up."""
    with engine.connect() as connection:
        if connection.dialect.name == "postgresql":
            options: dict[str, Any] = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        else:
            options = {_BEGIN: "DEFERRED"}
        connection = connection.execution_options(**options)
        with connection.begin():
            yield connection


@contextmanager
def explained(url: URL, doing: str) -> Iterator[None]:
    """Turns what the driver raises into a StorageError of one line."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise storage_error(error, url, doing) from error


def storage_error(error: BaseException, url: URL, doing: str) -> StorageError:
    """What the driver raised while `doing` ("read", "write to"), in one line."""
    if is_locked(error):
        return DatabaseLocked(
            f"cannot {doing} database {shown(url)}: it is locked by another process; wait until that one has ended, or "
            "stop it, and run the same again"
        )
    kind = DatabaseUnavailable if is_away(error) or isinstance(error, DatabaseUnavailable) else StorageError
    return kind(f"cannot {doing} database {shown(url)}: {one_line(error, url)}")


def check_folder(url: URL) -> None:
    """Says plainly that a SQLite file's folder is missing, where SQLite says "unable to open database file"."""
    if url.get_backend_name() != "sqlite" or not url.database:
        return
    file = _file_of(url)
    if not os.access(file.parent, os.W_OK) or (file.exists() and not os.access(file, os.W_OK)):
        raise StorageError(
            f"cannot open database {shown(url)}: no permission to write there, allow it or choose another place"
        )


def lock_file(url: URL) -> Path:
    """The file beside a SQLite database on which the processes that crawl with it hold locks; one for all symlinks."""
    file = _file_of(url)
    return file.with_name(f"{file.name}.lock")


def _file_of(url: URL) -> Path:
    """The file of a SQLite database, which need not be there; StorageError where it cannot be."""
    file = Path(url.database or "").resolve()
    if not file.parent.is_dir():
        raise StorageError(
            f"cannot open database {shown(url)}: {file.parent} is not a folder, create it or choose another"
        )
    if file.is_dir():
        raise StorageError(f"cannot open database {shown(url)}: it is a folder, name a file in it")
    return file
