"""Transactions that run beside batches of crawls, and what they need there.

Module-level weak sets hold state of open connections: which run beside others, and which of these lack the lock of
order.

On PostgreSQL a transaction that is marked with `beside_batches` shares the lock of writers with batches. Whatever it
reads may be changed by another transaction meanwhile, unless it has locked it. docs/explanation/design-storage.md says
what keeps each look-up right. On SQLite, which has one writer, every transaction is alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar
from weakref import WeakSet

from sqlalchemy import Connection

from newscrawl.storage.engine.pipeline import Sent
from newscrawl.storage.engine.upsert import Overtaken

F = TypeVar("F", bound=Callable[..., Any])

_MARK: Final = "newscrawl_beside_batches"
_BESIDE: Final[WeakSet[Connection]] = WeakSet()
"""The connections of transactions that run beside others."""
_UNORDERED: Final[WeakSet[Connection]] = WeakSet()
"""Those of them that do not have the lock of order."""
_SITES: Final = 0x6E657773
"""The first key of the PostgreSQL advisory locks of sites ("news" in ASCII). The second is a hash of the name."""


def beside_batches(transaction: F) -> F:
    """Marks a transaction that may run beside batches. If it raises Overtaken there, it is repeated alone."""
    setattr(transaction, _MARK, True)
    return transaction


def runs_beside_batches(transaction: Callable[..., Any]) -> bool:
    """Returns whether the transaction is marked."""
    return bool(getattr(transaction, _MARK, False))


@contextmanager
def beside_others(connection: Connection) -> Iterator[None]:
    """Records that the transaction of the block runs beside others."""
    _BESIDE.add(connection)
    _UNORDERED.add(connection)
    try:
        yield
    finally:
        _BESIDE.discard(connection)
        _UNORDERED.discard(connection)


def is_beside_others(connection: Connection) -> bool:
    """Returns whether other transactions may write what this one has read."""
    return connection in _BESIDE


def need_to_be_alone(connection: Connection, why: str) -> None:
    """Raises Overtaken if the transaction runs beside others, so that it is repeated alone: for what is rare and would
    need more locks. `why` is for the log."""
    if connection in _BESIDE:
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
