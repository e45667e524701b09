"""Databases of tests and benchmarks: new ones on SQLite or on a PostgreSQL server that runs meanwhile, a simulated
network between a machine and that server, and the number of round trips to it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
import threading
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from sqlalchemy import Engine, create_engine, event, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

from newscrawl.storage.engine.database import parse_url
from newscrawl.storage.store import open_store
from newscrawl.testing.services import postgresql

MAX_DATABASES: Final = 10_000
"""Addresses that one series gives."""


def with_schema(database: str) -> str:
    """Creates or upgrades the schema of a database. Returns its address."""
    open_store(database, upgrade=True).close()
    return database


@contextlib.contextmanager
def new_database(folder: Path, *, on_postgresql: bool) -> Iterator[str]:
    """Yields the address of a database with the schema: a file in `folder`, or on a server that runs meanwhile."""
    if not on_postgresql:
        yield with_schema(f"sqlite:///{folder / 'fleet.db'}")
        return
    with postgresql.server() as server:
        yield with_schema(postgresql.new_database(server))


@contextlib.contextmanager
def sqlite_databases() -> Iterator[Iterator[str]]:
    """Yields addresses of new SQLite databases without schema."""
    with tempfile.TemporaryDirectory(prefix="newscrawl-kill-") as folder:
        yield (f"sqlite:///{folder}/{number}.db" for number in range(MAX_DATABASES))


@contextlib.contextmanager
def postgresql_databases() -> Iterator[Iterator[str]]:
    """Addresses of new databases with the schema, on a server that runs meanwhile. All are copies of one database."""
    with postgresql.server() as server:
        template = postgresql.database_name(with_schema(postgresql.new_database(server)))
        yield (postgresql.new_database(server, template) for _ in range(MAX_DATABASES))


OPEN_TRANSACTIONS: Final = """SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
AND pid <> pg_backend_pid() AND backend_type = 'client backend' AND xact_start IS NOT NULL"""


def has_transaction(database: str) -> bool:
    """Returns whether another process has a transaction, on SQLite one that writes."""
    is_sqlite = database.startswith("sqlite")
    engine = create_engine(database, connect_args={"timeout": 0.1} if is_sqlite else {}, poolclass=NullPool)
    with engine.connect() as connection:
        if not is_sqlite:
            return bool(connection.execute(text(OPEN_TRANSACTIONS)).scalar())
        try:
            connection.execute(text("UPDATE hosts SET failures = failures"))
        except OperationalError:
            return True
        return False


T = TypeVar("T")

CHUNK = 65_536


class DatabaseProxy:
    """Forwards connections on a port of 127.0.0.1 to the socket of a PostgreSQL server.

    `distance` is the time of a round trip, in seconds. While `is_cut`, no byte passes and no connection is refused, as
    on a link that drops all packets. From the bytes `swallows` on (empty: any), what arrives on a connection is
    acknowledged and dropped, also when the proxy swallows no longer: the connection is never answered again. While it
    `loses_answers`, that is so for what the server sends: statements have their effect, and nobody hears of it.
    """

    def __init__(self, socket: Path) -> None:
        self.socket = socket
        self.distance = 0.0
        self.is_cut = False
        self.swallows: bytes | None = None
        self.loses_answers = False
        self._loop = asyncio.new_event_loop()
        self._open: set[asyncio.StreamWriter] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server = self._call(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port: int = self._server.sockets[0].getsockname()[1]

    def disconnect(self) -> None:
        """Breaks all connections, as the restart of a server does."""

        async def close() -> None:
            for writer in list(self._open):
                writer.transport.abort()

        self._call(close())

    def close(self) -> None:
        """Ends the proxy and all connections."""

        async def end() -> None:
            self._server.close()
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            await asyncio.sleep(0)  # the aborted transports close their sockets

        self._call(end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _call(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(30)

    async def _whole(self) -> None:
        """Waits until the connection is not interrupted."""
        while self.is_cut:  # noqa: ASYNC110  it is set in another thread
            await asyncio.sleep(0.1)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._whole()
        try:
            from_server, to_server = await asyncio.open_unix_connection(str(self.socket))
        except OSError:
            writer.transport.abort()
            return
        self._open |= {writer, to_server}
        try:
            await asyncio.gather(self._pass(reader, to_server), self._pass(from_server, writer, is_answer=True))
        except asyncio.CancelledError:
            pass  # the proxy ends
        finally:
            for end in (writer, to_server):
                self._open.discard(end)
                end.transport.abort()

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, is_answer: bool = False
    ) -> None:
        """Passes bytes on. All bytes of one burst are delayed by the same time."""
        clock, is_lost = asyncio.get_running_loop().time, False
        sent: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def read() -> None:
            with contextlib.suppress(OSError):
                while data := await reader.read(CHUNK):
                    sent.put_nowait((clock() + self.distance / 2, data))
            sent.put_nowait((clock(), b""))

        reading = asyncio.ensure_future(read())
        try:
            with contextlib.suppress(OSError):
                while True:
                    arrival, data = await sent.get()
                    if not data:
                        break
                    if self.distance:
                        await asyncio.sleep(arrival - clock())
                    await self._whole()
                    is_lost = is_lost or (is_answer and self.loses_answers)
                    is_lost = is_lost or (self.swallows is not None and self.swallows in data)
                    if is_lost:
                        continue
                    writer.write(data)
                    await writer.drain()
        finally:
            reading.cancel()
        writer.transport.abort()


def socket_of(server: str) -> Path:
    """Returns the socket of a server of newscrawl.testing.services.postgresql."""
    return Path(str(parse_url(server).query["host"])) / ".s.PGSQL.5432"


ANSWERED = "ReadyForQuery"
"""The server's message at the end of each answer. The driver waits for it once a statement, or once a pipeline."""


@dataclass(frozen=True, slots=True)
class RoundTrips:
    """The messages that libpq recorded for the connections of an engine."""

    file: Path

    @property
    def number(self) -> int:
        """Returns how often the engine has waited for the server so far, with the round trips of connecting."""
        return self.file.read_text(encoding="utf-8", errors="replace").count(ANSWERED)


@contextlib.contextmanager
def counted(engine: Engine) -> Iterator[RoundTrips]:
    """Counts the round trips of connections that the engine opens during the block."""
    engine.dispose()
    with tempfile.TemporaryDirectory(prefix="newscrawl-trace-") as folder:
        file = Path(folder) / "trace"

        def trace(connection: Any, _record: object) -> None:
            connection.prepare_threshold = None  # else a statement waits once more when it comes for the sixth time
            connection.pgconn.trace(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600))

        event.listen(engine, "connect", trace)
        try:
            yield RoundTrips(file)
        finally:
            event.remove(engine, "connect", trace)
            engine.dispose()
