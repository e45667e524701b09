"""Opens databases: parses their URLs, sets connections up, and explains their errors to an operator."""

from __future__ import annotations

import logging
import os
import pwd
import re
import sqlite3
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, DisconnectionError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from newscrawl.errors import DatabaseLocked, DatabaseUnavailable, MissingDatabase, StorageError
from newscrawl.model.identity.masking import MASK, is_secret, masked
from newscrawl.storage.engine.errors import WAITS, is_away, is_held

BUSY_TIMEOUT_MS: Final = 5_000
"""Milliseconds SQLite waits for another process's transaction before it reports "database is locked"."""

CACHE_KB: Final = 32_000
"""Page cache of a SQLite connection, in kB. Hashes and URLs arrive in random order, so with 10^6 articles a batch
changes pages all over the indexes. They exceed SQLite's default of 2 MB, and were written twice and read again."""

CHECKPOINT_PAGES: Final = 8_000
"""Pages of 4 kB in SQLite's write-ahead log (32 MB) before a checkpoint moves them to the database file, while a batch
waits for the disk. The default of 1,000 is reached by every second batch with 10^6 articles
(docs/measurements/speed.md)."""

SYNCHRONOUS: Final = "NORMAL"
"""How SQLite waits for the disk: at checkpoints only. With the write-ahead log, a power failure then costs the last
transactions and never damages the file; a process that is killed loses nothing."""

CONNECT_TIMEOUT_S: Final = 10
"""Seconds PostgreSQL may take to accept a connection."""

_NETWORK: Final = {
    "keepalives": 1,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
"""libpq's parameters for a network that drops packets, in seconds (the last one in milliseconds). Without them, a
connection that is cut without a message blocks its thread until the kernel stops retransmitting, after about fifteen
minutes."""

_WRITER_LIMITS: Final = {
    "statement_timeout": "300s",
    "lock_timeout": "30s",
    "idle_in_transaction_session_timeout": "60s",
}
"""The server's limits on a writing session. The last one frees the locks of a process that was stopped, or cut off,
within a transaction: every other writer waits for them. Each of these errors is transient, so the work is repeated."""

PRIVATE: Final = 0o660
"""Permissions of a new file, from which the umask takes: other users of the machine never read what is stored. Usual
umasks leave the group reading (0022) or nothing (0077)."""

ON_ITS_WAY_S: Final = 10.0
"""Seconds that an answer may take after the last moment at which the server ends its statement."""

ANSWER_S: Final = 300.0 + ON_ITS_WAY_S
"""Seconds without a byte of the answer after which a client closes its connection to PostgreSQL: the server's limit on
a writer's statement and a little more. A server that is gone may seem to be there: a proxy, or the machine of a server
that hangs, acknowledges what is sent, so TCP waits for ever."""

LONG_ANSWER_S: Final = 6 * 3_600.0
"""The same for work that has no limit at the server, such as an upgrade of the schema."""

PING_S: Final = 5.0
"""Seconds without an answer to the trial of an idle connection."""

IDLE_S: Final = 1.0
"""Seconds after which a connection is tried before it is used again. The server may have restarted meanwhile."""

BEGIN_MODE: Final = "newscrawl_begin"
"""The execution option of a SQLite connection that says how its transactions begin."""
_USED: Final = "newscrawl_used"
_STATEMENT_TIMEOUT: Final = re.compile(r"statement_timeout\s*=\s*(\d+)\s*(ms|s|min|h|d)?")
_UNITS: Final = {"": 0.001, "ms": 0.001, "s": 1.0, "min": 60.0, "h": 3_600.0, "d": 86_400.0}
"""Seconds of PostgreSQL's units of time."""
_WAL_ATTEMPTS: Final = 50
_WAL_PAUSE_S: Final = 0.1


def parse_url(url: str) -> URL:
    """Returns the database's URL with newscrawl's driver. Raises StorageError for a URL that newscrawl cannot work
    with."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise StorageError("database URL cannot be read: write sqlite:///FILE or postgresql://HOST/NAME") from error
    backend = parsed.get_backend_name()
    if backend in {"postgresql", "postgres"}:
        return parsed.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise StorageError(f"database {shown(parsed)}: only sqlite and postgresql are supported")
    if parsed.database in {None, "", ":memory:"}:
        raise StorageError("a database in memory cannot be used: newscrawl needs a file, write sqlite:///FILE")
    return parsed.set(drivername="sqlite")


def shown(url: URL) -> str:
    """Returns the database's name for messages, without user, password and parameters."""
    if url.get_backend_name() == "sqlite":
        return url.database or ""
    name = url.get_backend_name() or url.drivername
    return masked(url.set(drivername=name, query={}).render_as_string(hide_password=True))


def one_line(error: BaseException, url: URL | None = None) -> str:
    """Returns the driver's message on one line, without the password, at most 500 characters."""
    cause: BaseException = error
    if isinstance(error, DBAPIError) and error.orig is not None:
        cause = error.orig
    message = " ".join(str(cause).split()) or type(cause).__name__
    for secret in _secrets(url):
        message = message.replace(secret, MASK)
    return masked(message)[:500]


def _secrets(url: URL | None) -> Iterator[str]:
    """The passwords in the URL, in its user part or among its parameters."""
    if url is None:
        return
    if url.password:
        yield str(url.password)
    for name, value in url.query.items():
        if is_secret(name):
            yield from filter(None, (value,) if isinstance(value, str) else value)


def make_reader(url: URL) -> Engine:
    """Returns a read-only engine that cannot create the database: for reports, and for checks before a change.

    SQLite's journal mode stays as it is. Raises MissingDatabase without a file, StorageError if no file can be there.
    """
    if url.get_backend_name() != "sqlite":
        return make_engine(url, pooled=False)
    file = file_of(url)
    if not file.exists():
        raise MissingDatabase(f"no database at {file.resolve()} yet: a crawl creates it, `scrapy crawl SITE`")

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(f"file:{quote(str(file))}?{_reading_mode(file)}", uri=True, isolation_level=None)
        connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        connection.execute("PRAGMA query_only=ON")
        return connection

    engine = create_engine(url, hide_parameters=True, poolclass=NullPool, creator=connect)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN DEFERRED"))
    return engine


def _reading_mode(file: Path) -> str:
    """The mode of a SQLite URI for reading: `rw` where possible, so that SQLite removes its own files beside the
    database. `rw` never creates the database and opens a write-protected file for reading only. If those files cannot
    be created, the file is opened as immutable, which presumes that nobody writes to it."""
    if os.access(file.parent, os.W_OK) or file.with_name(f"{file.name}-wal").exists():
        return "mode=rw"
    return "mode=ro&immutable=1"


def make_engine(
    url: URL,
    *,
    foreign_keys: bool = True,
    pooled: bool = True,
    is_writer: bool = False,
    answer_within: float = ANSWER_S,
) -> Engine:
    """Returns an engine whose connections behave alike on both databases: explicit transactions, UTC, set durability.

    With `is_writer` PostgreSQL limits how long a statement, a wait for a lock and an idle transaction last. Parameters
    in the URL have precedence over those of newscrawl, except the time zone. PostgreSQL may be silent for
    `answer_within` seconds, or for a little longer than the URL lets a statement run.
    """
    if url.get_backend_name() == "sqlite":
        engine = create_engine(url, hide_parameters=True, **({} if pooled else {"poolclass": NullPool}))
        _prepare_sqlite(engine, foreign_keys=foreign_keys)
        return engine
    options: dict[str, Any] = {} if pooled else {"poolclass": NullPool}
    connect_args = {"connect_timeout": CONNECT_TIMEOUT_S, "application_name": "newscrawl", **_NETWORK}
    connect_args = {name: value for name, value in connect_args.items() if name not in url.query}
    connect_args["options"] = _pg_options(url, _WRITER_LIMITS if is_writer else {})
    try:
        engine = create_engine(url, hide_parameters=True, connect_args=connect_args, **options)
    except ModuleNotFoundError as error:
        raise StorageError(
            f"database {shown(url)}: no driver is installed, run `pip install '.[postgresql]'` in newscrawl's clone"
        ) from error
    _limit_waits(engine, _answer_within(str(connect_args["options"]), answer_within))
    _try_idle_connections(engine)
    return engine


def _pg_options(url: URL, limits: Mapping[str, str]) -> str:
    """The session's options: `limits`, those of the URL, and UTC, because far dates overflow in other zones."""
    given = url.query.get("options", "")
    own = [f"-c {name}={value}" for name, value in limits.items()]
    return " ".join([*own, given if isinstance(given, str) else " ".join(given), "-c timezone=UTC"]).strip()


def _answer_within(options: str, usual: float) -> float:
    """Returns how long a session with these options may be silent, in seconds."""
    stated = _STATEMENT_TIMEOUT.findall(options)
    if not stated:
        return usual
    number, unit = stated[-1]
    return int(number) * _UNITS[unit] + ON_ITS_WAY_S if int(number) else LONG_ANSWER_S


@lru_cache(maxsize=1)
def _connection_class() -> Any:
    """Returns the driver's class of connections, but with a limit on how long the server is silent."""
    import psycopg

    # The driver warns of what fails at the end of a pipeline or a rollback. The error before that is raised as well.
    logging.getLogger("psycopg").setLevel(logging.ERROR)

    class LimitedConnection(psycopg.Connection[Any]):
        answer_within = float(CONNECT_TIMEOUT_S)
        """Seconds. The engine sets it once the connection is set up."""

        def wait(self, gen: Any, *args: Any, **kwargs: Any) -> Any:
            return super().wait(self._limited(gen), *args, **kwargs)

        def _limited(self, steps: Any) -> Generator[Any, Any, Any]:
            """Passes the steps of an operation on. While the socket is not ready, the driver goes on with none ready
            ten times a second."""
            heard = time.monotonic()
            try:
                wanted = next(steps)
                while True:
                    ready = yield wanted
                    if ready:
                        heard = time.monotonic()
                    elif WAITS.is_too_long(silence := time.monotonic() - heard, self.answer_within):
                        problem = f"the server did not answer for {silence:.0f} s, so the connection was closed"
                        WAITS.log(f"database {self.info.dbname} on {self.info.host}: {problem}")
                        self.pgconn.finish()
                        raise psycopg.OperationalError(problem)
                    wanted = steps.send(ready)
            except StopIteration as end:
                return end.value

    return LimitedConnection


def _limit_waits(engine: Engine, answer_within: float) -> None:
    @event.listens_for(engine, "do_connect")
    def connect(_dialect: object, _record: object, args: list[Any], parameters: dict[str, Any]) -> Any:
        if WAITS.has_given_up:
            raise DatabaseUnavailable("it did not answer, and this process ends")
        try:
            return _connection_class().connect(*args, **parameters)
        except engine.dialect.loaded_dbapi.errors.ConnectionTimeout:
            WAITS.has_given_up = WAITS.is_ending
            raise

    @event.listens_for(engine, "connect")
    def limit(raw: Any, _record: object) -> None:
        raw.answer_within = answer_within


def _try_idle_connections(engine: Engine) -> None:
    """Replaces a connection that is broken after it was idle. SQLAlchemy's own `pool_pre_ping` costs a round trip for
    every transaction."""

    @event.listens_for(engine, "checkin")
    def note(_raw: object, record: ConnectionPoolEntry) -> None:
        record.info[_USED] = time.monotonic()

    @event.listens_for(engine, "checkout")
    def try_idle(raw: Any, record: ConnectionPoolEntry, _proxy: object) -> None:
        if time.monotonic() - record.info.get(_USED, float("inf")) >= IDLE_S:
            usual, raw.answer_within = raw.answer_within, PING_S
            try:
                engine.dialect.do_ping(raw)
            except engine.dialect.loaded_dbapi.Error as error:
                raise DisconnectionError(str(error)) from error
            finally:
                raw.answer_within = usual


def create_private(file: Path) -> None:
    """Creates the file unless it exists. SQLite gives its own files beside a database (-wal, -shm) the same
    permissions. Errors are left to whoever opens the file.

    A file that exists is not opened: with the first descriptor that a process closes, it loses all its locks of the
    file (POSIX), those of SQLite too."""
    with suppress(OSError):
        os.close(os.open(file, os.O_RDONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, PRIVATE))


def _prepare_sqlite(engine: Engine, *, foreign_keys: bool) -> None:
    @event.listens_for(engine, "do_connect")
    def create(_dialect: object, _record: object, arguments: Sequence[str], options: Mapping[str, Any]) -> None:
        if not options.get("uri"):
            create_private(Path(arguments[0]))

    @event.listens_for(engine, "connect")
    def set_up(connection: sqlite3.Connection, _record: object) -> None:
        # The driver's implicit BEGIN would leave DDL and savepoints outside transactions.
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        _switch_to_wal(connection)
        connection.execute(f"PRAGMA synchronous={SYNCHRONOUS}")
        connection.execute(f"PRAGMA cache_size=-{CACHE_KB}")
        connection.execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT_PAGES}")
        connection.execute(f"PRAGMA foreign_keys={'ON' if foreign_keys else 'OFF'}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        mode = connection.get_execution_options().get(BEGIN_MODE, "IMMEDIATE")
        connection.exec_driver_sql(f"BEGIN {mode}")


def _switch_to_wal(connection: sqlite3.Connection) -> None:
    """Turns write-ahead logging on, and tries again while another process does the same: SQLite reports an error then
    instead of waiting."""
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
def explained(url: URL, doing: str, place: str = "") -> Iterator[None]:
    """Turns errors of the driver into a StorageError of one line."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise storage_error(error, url, doing, place) from error


def storage_error(error: BaseException, url: URL, doing: str, place: str = "") -> StorageError:
    """Returns the StorageError of one line for an error of the driver while `doing` ("read", "write to"). `place`
    follows the database's name ("to FILE")."""
    what = f"{doing} database {shown(url)} {place}".rstrip()
    if is_held(error):
        return DatabaseLocked(
            f"cannot {what}: it is locked by another process; wait until that process has "
            "ended, or stop it, and run the same command again"
        )
    kind = DatabaseUnavailable if is_away(error) or isinstance(error, DatabaseUnavailable) else StorageError
    return kind(f"cannot {what}: {one_line(error, url)}")


def check_folder(url: URL) -> None:
    """Raises StorageError if a SQLite file or its folder must not be written, or if the folder is missing; SQLite
    itself reports "unable to open database file"."""
    if url.get_backend_name() != "sqlite" or not url.database:
        return
    file = file_of(url)
    for place in (file.parent, file):
        if place.exists() and not os.access(place, os.W_OK):
            owner, user = _user_name(place.stat().st_uid), _user_name(os.geteuid())
            raise StorageError(f"cannot open database {shown(url)}: {_refusal(place, owner, user)}")


def _refusal(place: Path, owner: str, user: str) -> str:
    if owner == user:
        return f"no permission to write to {place}, allow it or choose another place"
    return f"{place} belongs to user {owner}, and this process runs as {user}: run the command as {owner}"


def _user_name(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:  # a container may run as a user without a name
        return str(number)


def file_of(url: URL) -> Path:
    """The path of a SQLite database's file, which need not exist. Raises StorageError if no file can be there."""
    file = Path(url.database or "").resolve()
    if not file.parent.is_dir():
        raise StorageError(
            f"cannot open database {shown(url)}: {file.parent} is not a folder, create it or choose another"
        )
    if file.is_dir():
        raise StorageError(f"cannot open database {shown(url)}: it is a folder, name a file in it")
    return file
