"""A store whose writes carry the lease of one crawl, so that a former owner of the site writes nothing."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Concatenate, ParamSpec, TypeVar

from newscrawl.model import ProcessedPage
from newscrawl.storage.frontier import leases
from newscrawl.storage.frontier.leases import Lease
from newscrawl.storage.frontier.pages import FailedRequest
from newscrawl.storage.frontier.source_state import SourceItem
from newscrawl.storage.protocols import Connection, Reader
from newscrawl.storage.records import DuePage, Outcome
from newscrawl.storage.store import Store

P = ParamSpec("P")
T = TypeVar("T")


class FencedStore:
    """Writes to `store` while `lease` is not lost. Without a lease it writes as the store does.

    Once another process owns the site, the futures fail with LeaseLost and nothing is written. The check is part of
    each transaction.
    """

    def __init__(self, store: Store, lease: Lease | None) -> None:
        self._store = store
        self._lease = lease

    def save(self, page: ProcessedPage) -> Future[Outcome]:
        """Stores a page with its batch; see Store.save."""
        return self._store.save(page, self._lease)

    def record(self, what: SourceItem | FailedRequest) -> Future[list[DuePage]]:
        """Stores what happened to a source, or a failed request, with the next batch; see Store.record."""
        return self._store.record(what, self._lease)

    def run(
        self, transaction: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """Runs `transaction(connection, ...)` in its own transaction; see Store.run."""
        if self._lease is None:
            return self._store.run(transaction, *args, **kwargs)
        return self._store.run(leases.fenced, self._lease, transaction, *args, **kwargs)

    def reading(self) -> Reader:
        """Returns a view of one state of the database; see Store.reading."""
        return self._store.reading()
