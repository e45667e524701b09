"""Sends statements without waiting for their results, because each wait costs a round trip to a PostgreSQL server.

Module-level weak maps hold state of open connections: the statement to send before others, and the running pipeline.

SQLite is in this process: there the same functions run each statement at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar
from weakref import WeakKeyDictionary

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

T = TypeVar("T")


@dataclass(slots=True)
class Answer:
    """The rows of a statement. They are there when the block of `together` has ended."""

    rows: list[tuple[Any, ...]] = field(default_factory=list)


@dataclass(slots=True)
class Sent:
    """The statements of a block of `together` whose rows are read at its end. `raw` is the driver's connection to
    PostgreSQL, None for SQLite."""

    connection: Connection
    raw: Any = None
    cursors: list[tuple[Any, Answer]] = field(default_factory=list)

    def read(self, on_sqlite: str, on_postgresql: str, values: Mapping[str, Any]) -> Answer:
        """Sends a statement in the driver's own syntax. Values and rows have the driver's own types."""
        answer = Answer()
        if self.raw is None:
            answer.rows = [tuple(row) for row in self.connection.exec_driver_sql(on_sqlite, dict(values))]
        else:
            cursor = self.raw.cursor()
            cursor.execute(on_postgresql, values)
            self.cursors.append((cursor, answer))
        return answer

    def send(self, on_postgresql: str, values: Mapping[str, Any] | None = None) -> None:
        """Sends a statement that only PostgreSQL needs. Its rows are ignored."""
        if self.raw is not None:
            self.raw.execute(on_postgresql, values)


@contextmanager
def together(connection: Connection) -> Iterator[Sent]:
    """Sends the statements of the block in one round trip.

    Statements that are executed on the connection itself must return no rows, and the numbers of their rows are
    unknown. Raises DBAPIError for the first statement that fails.
    """
    sent = Sent(connection, _driver(connection))
    with _pipelines(connection) as pipelines:
        if sent.raw is not None:
            pipelines.enter_context(sent.raw.pipeline())
            if connection in _FIRST:
                sent.send(_FIRST.pop(connection))
        yield sent
    for cursor, answer in sent.cursors:
        answer.rows = cursor.fetchall()
        cursor.close()


@contextmanager
def begun(connection: Connection, first: Callable[[Sent], T]) -> Iterator[T]:
    """Begins a transaction on PostgreSQL, in the round trip of the statements that `first` sends, and commits it in the
    round trip of `to_the_end`. The connection must not begin transactions by itself (isolation level AUTOCOMMIT). Gives
    what `first` returns."""
    with together(connection) as sent:
        sent.send("BEGIN")
        result = first(sent)
    raw = sent.raw
    if raw.info.transaction_status.name != "INTRANS":
        raise RuntimeError("the transaction of a batch did not begin")
    with _pipelines(connection) as pipelines:
        _LAST[connection] = pipelines
        try:
            yield result
        finally:
            del _LAST[connection]
        commit(raw)


def commit(raw: Any) -> None:
    """Sends the commit of a transaction of `begun`. SQLAlchemy then finds nothing to commit."""
    raw.execute("COMMIT")


def to_the_end(connection: Connection) -> AbstractContextManager[object]:
    """Returns a block as `together` is. In a transaction of `begun`, whatever follows the block, and the commit, is in
    the same round trip, so nothing can be read any longer."""
    pipelines = _LAST.get(connection)
    if pipelines is None:
        return together(connection)
    return _left_open(connection, pipelines)


@contextmanager
def savepoint(connection: Connection) -> Iterator[None]:
    """Undoes what the block has written if it fails. The block must begin with a block of `together`: on PostgreSQL the
    savepoint is set in its round trip. The commit releases it."""
    if _driver(connection) is None:
        with connection.begin_nested():
            yield
        return
    _FIRST[connection] = _SET
    try:
        yield
    except BaseException:
        is_set = _FIRST.pop(connection, None) is None
        if is_set and not connection.invalidated:
            connection.exec_driver_sql("ROLLBACK TO SAVEPOINT newscrawl_part")
        raise


_FIRST: Final[WeakKeyDictionary[Connection, str]] = WeakKeyDictionary()
"""Statements that are sent with the next block, of connections in `savepoint`."""
_SET: Final = "SAVEPOINT newscrawl_part"


@contextmanager
def _left_open(connection: Connection, pipelines: ExitStack) -> Iterator[None]:
    if _driver(connection).info.pipeline_status.name == "OFF":
        pipelines.enter_context(_driver(connection).pipeline())
    yield


_LAST: Final[WeakKeyDictionary[Connection, ExitStack]] = WeakKeyDictionary()
"""The pipelines that end with the commit, of the connections in `begun`."""


@contextmanager
def _pipelines(connection: Connection) -> Iterator[ExitStack]:
    """Gives a stack for pipelines, and raises the errors of their statements as SQLAlchemy does.

    Only the first error is raised: those of the statements behind it say no more than that it failed.
    """
    failed: BaseException | None = None
    driver_error: type[Exception] = connection.dialect.loaded_dbapi.Error
    try:
        with ExitStack() as pipelines:
            try:
                yield pipelines
            except BaseException as error:  # noqa: BLE001  raised again once the pipelines have ended
                failed = error
    except driver_error as error:
        failed = failed or error
    if isinstance(failed, driver_error):
        raise _wrapped(connection, failed) from failed
    if failed is not None:
        raise failed


def _driver(connection: Connection) -> Any:
    """Returns the driver's connection to PostgreSQL, None for SQLite."""
    return connection.connection.driver_connection if connection.dialect.name == "postgresql" else None


def _wrapped(connection: Connection, error: Exception) -> BaseException:
    """Returns a driver's error as SQLAlchemy reports it, and closes the connection if it is broken."""
    dialect = connection.dialect
    is_broken = dialect.is_disconnect(error, connection.connection.dbapi_connection, None)  # type: ignore[arg-type]
    if is_broken:
        connection.invalidate()
    return DBAPIError.instance(
        "statements of a batch",
        None,
        error,
        dialect.loaded_dbapi.Error,
        hide_parameters=True,
        connection_invalidated=is_broken,
        dialect=dialect,
    )
