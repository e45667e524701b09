"""How transactions begin, which of them may run at the same time, and what they need then.

On SQLite, which has one writer, every writing transaction is exclusive. On PostgreSQL batches of crawls and
transactions that are marked with `may_run_concurrently` are concurrent: they share the lock of writers. Whatever one of
them reads may be changed by another one meanwhile, unless it has locked it. docs/explanation/design-storage.md says
what keeps each look-up right.

Module-level weak sets hold state of open connections: which are concurrent, and which of these lack the lock of order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Final, TypeVar
from weakref import WeakSet

from sqlalchemy import Connection, Engine, text

from newscrawl.storage.engine.database import BEGIN_MODE
from newscrawl.storage.engine.pipeline import Sent, begun
from newscrawl.storage.engine.upsert import Overtaken

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

_WRITE_LOCK: Final = 0x6E657773637261
"""The PostgreSQL advisory lock of every writing transaction of newscrawl ("newscra" in ASCII). Batches and the frequent
transactions of crawls share it, any other transaction has it alone."""

_ORDER_LOCK: Final = _WRITE_LOCK + 1
"""The PostgreSQL advisory lock that batches take last, one after the other."""

_MARK: Final = "newscrawl_may_run_concurrently"
_CONCURRENT: Final[WeakSet[Connection]] = WeakSet()
"""The connections of transactions that run concurrently with others."""
_UNORDERED: Final[WeakSet[Connection]] = WeakSet()
"""Those of them that do not have the lock of order."""
_SITES: Final = 0x6E657773
"""The first key of the PostgreSQL advisory locks of sites ("news" in ASCII). The second is a hash of the name."""


@contextmanager
def begin_write(engine: Engine) -> Iterator[Connection]:
    """Opens a transaction that excludes all other writers of newscrawl: what it reads stays true until it commits.

    SQLite has one writer anyway (BEGIN IMMEDIATE); on PostgreSQL an advisory lock is held until the commit.
    """
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _WRITE_LOCK})
        yield connection


@contextmanager
def begin_batch(
    engine: Engine, first: Callable[[Sent], T], *, is_exclusive: bool = False
) -> Iterator[tuple[Connection, T]]:
    """Opens a transaction that is concurrent with those of other batches, after the statements that `first` sends.
    Gives the connection and what `first` returns.

    On PostgreSQL it excludes the transactions of `begin_write`, but batches only if `is_exclusive`. What keeps the
    look-ups of two batches right is in docs/explanation/design-storage.md. `take_order` comes before what depends on
    the articles and stories of other batches. On SQLite there is one writer.
    """
    if engine.dialect.name != "postgresql":
        with engine.begin() as connection:
            yield connection, first(Sent(connection))
        return

    def locked(sent: Sent) -> T:
        sent.send(f"SELECT pg_advisory_xact_lock{'' if is_exclusive else '_shared'}(%(key)s)", {"key": _WRITE_LOCK})
        return first(sent)

    by_hand = engine.execution_options(isolation_level="AUTOCOMMIT")
    with by_hand.connect() as connection, ExitStack() as stack:
        if not is_exclusive:
            stack.enter_context(concurrent(connection))
        stack.enter_context(connection.begin())
        yield connection, stack.enter_context(begun(connection, locked))


@contextmanager
def begin_concurrent(engine: Engine) -> Iterator[Connection]:
    """Opens a transaction as `begin_batch` does, for other work than a batch."""
    with begin_batch(engine, lambda _sent: None) as (connection, _):
        yield connection


def take_order(sent: Sent) -> None:
    """Takes the lock that puts the changes of the feed in the order of their commits. It is held until the commit, and
    a transaction that holds it sees all that earlier holders have stored."""
    sent.send("SELECT pg_advisory_xact_lock(%(key)s)", {"key": _ORDER_LOCK})
    note_order(sent.connection)


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


def may_run_concurrently(transaction: F) -> F:
    """Marks a transaction that may run concurrently with batches. If it raises Overtaken there, it is repeated
    alone."""
    setattr(transaction, _MARK, True)
    return transaction


def is_concurrent(transaction: Callable[..., Any]) -> bool:
    """Returns whether the transaction is marked."""
    return bool(getattr(transaction, _MARK, False))


@contextmanager
def concurrent(connection: Connection) -> Iterator[None]:
    """Records that the transaction of the block runs concurrently with others."""
    _CONCURRENT.add(connection)
    _UNORDERED.add(connection)
    try:
        yield
    finally:
        _CONCURRENT.discard(connection)
        _UNORDERED.discard(connection)


def runs_concurrently(connection: Connection) -> bool:
    """Returns whether other transactions may write what this one has read."""
    return connection in _CONCURRENT


def require_exclusive(connection: Connection, why: str) -> None:
    """Raises Overtaken if the transaction runs concurrently with others, so that it is repeated alone: for what is rare
    and would need more locks. `why` is for the log."""
    if connection in _CONCURRENT:
        raise Overtaken(why)


def note_order(connection: Connection) -> None:
    """Records that the transaction has the lock of order."""
    _UNORDERED.discard(connection)


def check_order(connection: Connection) -> None:
    """Raises RuntimeError if the transaction must not write to the change feed, because it lacks the lock of order."""
    if connection in _UNORDERED:
        raise RuntimeError("a change of the feed was written without the lock of order, so a consumer may miss it")


def keep_owners(sent: Sent, sites: Iterable[str]) -> None:
    """Keeps the leases of the sites from getting other owners until the commit. Others may keep them at the same
    time."""
    wanted = sorted(set(sites))
    if wanted:
        sent.send(f"SELECT pg_advisory_xact_lock_shared({_SITES}, hashtext(site)) {_OF_SITES}", {"sites": wanted})


def change_owner(sent: Sent, site: str) -> None:
    """Waits for all that keep the owner of the site's lease, and lets nobody else keep or change it until the
    commit."""
    sent.send(f"SELECT pg_advisory_xact_lock({_SITES}, hashtext(site)) {_OF_SITES}", {"sites": [site]})


_OF_SITES: Final = "FROM unnest(%(sites)s::text[]) AS site"
