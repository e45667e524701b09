"""The writer thread's loop: collects pages into batches, and runs other work between them, in order."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, TypeVar

from sqlalchemy import URL, Connection, Engine
from sqlalchemy.exc import DBAPIError

from newscrawl.errors import DatabaseUnavailable, StorageError
from newscrawl.model import ProcessedPage
from newscrawl.model.wording import counted
from newscrawl.storage.engine.database import storage_error
from newscrawl.storage.engine.errors import LOCK_PATIENCE_S, ONCE, Outage, RetryPolicy, is_full, is_transient
from newscrawl.storage.engine.transactions import begin_write, in_attempts
from newscrawl.storage.frontier.leases import Lease
from newscrawl.storage.frontier.source_state import Reading, SourceItem
from newscrawl.storage.records import NextDue
from newscrawl.workers.processes.failpoints import AFTER_COMMIT, AFTER_SOURCE_ANSWER, hit

if TYPE_CHECKING:  # loaded when something is written
    from newscrawl.storage.frontier.pages import FailedRequest

logger = logging.getLogger(__name__)

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

GATHER_SECONDS: Final = 0.02
"""Seconds between two additions to a batch that is not full. Each time this thread wakes, the event loop waits for the
interpreter lock. Only pages wait this long; other work, such as a host's back-off, is written at once."""

LARGEST: Final = 500
"""The most pages of a batch. While a batch is committed, which at a distance of 20 ms from the server takes half a
second, the pages of the next one arrive."""

CLOSING_PAUSE_S: Final = 0.2


@dataclass(frozen=True, slots=True)
class Item:
    """Store with the batch what a crawl fetched, unless the lease under which it did is lost. Pages wait for others."""

    what: ProcessedPage | SourceItem | FailedRequest
    future: Future[Any]
    lease: Lease | None = None

    @property
    def is_page(self) -> bool:
        """Whether it is a page, not an answer of a source or a failure."""
        return isinstance(self.what, ProcessedPage)


@dataclass(frozen=True, slots=True)
class Call:
    """Run a function in its own transaction, after the batch; with `is_urgent` before it."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    future: Future[Any]
    is_urgent: bool = False


@dataclass(frozen=True, slots=True)
class Parts:
    """Store items in a transaction of their own, after the batch. If the database refuses them, each half is stored in
    a transaction of its own, down to single items, each of which is handed to `refuse` in one more.

    `store` gets the items and whether they are the last; `refuse` gets the item, the error and the same. The future
    gets what `join` makes of the results of all transactions.
    """

    items: Sequence[Any]
    store: Callable[[Connection, Sequence[Any], bool], Any]
    refuse: Callable[[Connection, Any, Exception, bool], Any]
    join: Callable[[list[Any]], Any]
    future: Future[Any]


class Signal(Enum):
    """`FLUSH`: commit the batch now. `STOP`: commit the batch and end."""

    FLUSH = auto()
    STOP = auto()


Message = Item | Call | Parts | Signal


@dataclass(slots=True)
class Writer:
    """The writer thread's work. It ends only at `STOP`; an error is passed to the future of the work that failed."""

    engine: Engine
    url: URL
    messages: queue.SimpleQueue[Message]
    retry: RetryPolicy
    batch_size: int
    """Pages after which a batch waits no longer for others. Those that are there already join it."""
    max_wait: float
    next_due: NextDue
    urgent: threading.Event = field(default_factory=threading.Event)
    """Set with every message other than a page."""
    pending: list[Item] = field(default_factory=list)
    deadline: float = 0.0
    failing: bool = False
    """Whether the last work failed after all its attempts. Until a work succeeds again, each has one attempt, so that
    an ending crawl does not wait through the retries of every batch."""
    outage: Outage = field(default_factory=Outage)
    closing: threading.Event = field(default_factory=threading.Event)
    """Set when the store closes: from then on no pause between attempts is longer than CLOSING_PAUSE_S."""
    has_written: bool = False
    """Whether anything was committed. Before the first commit an operator may be waiting at a terminal: a locked file
    is then reported soon, and only by the error of the work that failed."""

    def run(self) -> None:
        """Serves messages until `STOP`."""
        while (message := self._next()) is not Signal.STOP:
            if isinstance(message, Item):
                if not message.is_page:
                    self.deadline = time.monotonic()
                elif not self.pending:
                    self.deadline = time.monotonic() + self.max_wait
                self.pending.append(message)
                continue
            if isinstance(message, Call) and message.is_urgent:
                self._call(message)
                continue
            self._commit()
            if isinstance(message, Call):
                self._call(message)
            elif isinstance(message, Parts):
                self._parts(message)
        self._commit()

    def _next(self) -> Message:
        if not self.pending:
            return self.messages.get()
        while len(self.pending) < LARGEST:
            try:
                return self.messages.get_nowait()
            except queue.Empty:
                left = self.deadline - time.monotonic()
            if left <= 0 or len(self.pending) >= self.batch_size:
                return Signal.FLUSH
            if self.urgent.wait(min(left, GATHER_SECONDS)):
                self.urgent.clear()
        return Signal.FLUSH

    def _commit(self) -> None:
        items, self.pending = self.pending, []
        if not items:
            return
        from newscrawl.storage.engine import batch

        number = sum(item.is_page for item in items)
        doing = f"store {counted(number, 'page')} in" if number else "write to"
        divided = self._divided(
            items,
            lambda connection, part, _is_last: batch.store(connection, part, self.next_due),
            lambda connection, item, error, _is_last: [batch.refuse(connection, item, error, self.next_due)],
            doing,
        )
        try:
            for part, results in divided:
                self._stored(part, results)
        except Exception as error:  # noqa: BLE001 - the thread must continue; every future gets the error
            failure = self._failure(error, doing)
            if number and is_full(error):
                self.outage.refuse_pages(str(failure))
            for item in items:
                if not item.future.done():
                    item.future.set_exception(failure)

    def _stored(self, part: Sequence[Item], results: Sequence[Any]) -> None:
        """Resolves the futures of items. A result that is an exception is that of the item alone."""
        self.failing, self.has_written = False, True
        if any(item.is_page for item in part):
            self.outage.pages_stored()
            hit(AFTER_COMMIT)
        for item, result in zip(part, results, strict=True):
            if isinstance(result, DBAPIError):
                item.future.set_exception(self._failure(result, "write to"))
            elif isinstance(result, Exception):
                item.future.set_exception(result)
            else:
                if isinstance(item.what, Reading):
                    hit(AFTER_SOURCE_ANSWER)
                item.future.set_result(result)

    def _divided(
        self,
        items: Sequence[T],
        store: Callable[[Connection, Sequence[T], bool], R],
        refuse: Callable[[Connection, T, Exception, bool], R],
        doing: str,
    ) -> Iterator[tuple[Sequence[T], R]]:
        """Stores the items in one transaction, or as `Parts` says. Yields the items of each transaction with its
        result, once it is committed. Raises a transient error after all attempts."""
        waiting = [items]
        while waiting:
            part = waiting.pop()
            is_last = not waiting
            try:
                result = self._transaction(doing, store, part, is_last)
            except Exception as error:
                if is_transient(error) or not part:
                    raise
                if part is items and len(items) > 1:
                    number = counted(len(items), "item")
                    logger.warning(
                        "a batch of %s was refused (%s): looking for the bad ones", number, type(error).__name__
                    )
                if len(part) > 1:
                    half = len(part) // 2
                    waiting += [part[half:], part[:half]]
                    continue
                result = self._transaction(doing, refuse, part[0], error, is_last)
            yield part, result

    def _parts(self, parts: Parts) -> None:
        doing = f"store {counted(len(parts.items), 'page')} in"
        divided = self._divided(parts.items, parts.store, parts.refuse, doing)
        self._resolve(parts.future, lambda: parts.join([result for _, result in divided]))

    def _call(self, call: Call) -> None:
        self._resolve(call.future, lambda: self._transaction("write to", call.function, *call.args, **call.kwargs))

    def _resolve(self, future: Future[T], work: Callable[[], T]) -> None:
        """Gives the future the result of the work, or its error."""
        try:
            result = work()
        except (DBAPIError, DatabaseUnavailable) as error:
            future.set_exception(self._failure(error, "write to"))
        except BaseException as error:  # noqa: BLE001 - the caller's function, the caller's error
            future.set_exception(error)
        else:
            self.failing, self.has_written = False, True
            future.set_result(result)

    def _transaction(
        self, doing: str, function: Callable[Concatenate[Connection, P], R], /, *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """Calls the function in a transaction, with the number of attempts that `_retry` allows, and returns its
        result."""

        def once() -> R:
            with begin_write(self.engine) as connection:
                return function(connection, *args, **kwargs)

        try:
            result = in_attempts(self.engine, self.outage, self._retry(), once, doing, self._pause)
        except Exception as error:
            if not is_transient(error):  # the database answers, whatever the error
                self.outage.end()
            raise
        self.outage.end()
        return result

    def _pause(self, seconds: float) -> None:
        """Waits between two attempts. A closing store waits for a shorter time, as a lock may still end in time."""
        if self.closing.wait(seconds):
            time.sleep(min(seconds, CLOSING_PAUSE_S))

    def _retry(self) -> RetryPolicy:
        if self.failing:
            return ONCE
        return self.retry if self.has_written else replace(self.retry, lock_patience=LOCK_PATIENCE_S)

    def _failure(self, error: Exception, doing: str) -> StorageError:
        self.failing = True
        failure = storage_error(error, self.url, doing)
        failure.__cause__ = error
        if not self.outage.lasts:  # `outage` logs that, once
            logger.error("%s", failure)
        return failure
