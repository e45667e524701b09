"""The writer thread's loop: collects pages into batches, and runs other work between them, in order."""

from __future__ import annotations

import logging
import pickle
import queue
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from sqlalchemy import URL, Engine
from sqlalchemy.exc import DBAPIError

from newscrawl.errors import DatabaseUnavailable, LeaseLost, StorageError
from newscrawl.failpoints import AFTER_COMMIT, AFTER_SOURCE_ANSWER, hit
from newscrawl.model import ProcessedPage
from newscrawl.processes.child_process import ChildDied, ChildProcess
from newscrawl.storage.engine.database import storage_error
from newscrawl.storage.engine.outage import Outage
from newscrawl.storage.engine.retry import LOCK_PATIENCE_S, ONCE, RetryPolicy, is_full, is_transient
from newscrawl.storage.engine.transactions import begin_write
from newscrawl.storage.frontier import sources
from newscrawl.storage.frontier.leases import Lease
from newscrawl.storage.machines.stopped_sessions import end_stopped, is_lock_timeout
from newscrawl.storage.records import Outcome
from newscrawl.wording import counted

if TYPE_CHECKING:
    from newscrawl.storage.engine.batch import BatchWriter

logger = logging.getLogger(__name__)

T = TypeVar("T")

GATHER_SECONDS: Final = 0.02
"""Seconds between two additions to a batch that is not full. Each time this thread wakes, the event loop waits for the
interpreter lock. Only pages wait this long; other work, such as a host's back-off, is written at once."""

LARGEST: Final = 500
"""The most pages of a batch. While a batch is committed, which at a distance of 20 ms from the server takes half a
second, the pages of the next one arrive."""

CLOSING_PAUSE_S: Final = 0.2


@dataclass(frozen=True, slots=True)
class Save:
    """Store a page with the batch, unless the lease under which it was fetched is lost."""

    page: ProcessedPage
    future: Future[Outcome]
    lease: Lease | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """Run a function in its own transaction, after the batch."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    future: Future[Any]


@dataclass(frozen=True, slots=True)
class Flush:
    """Commit the batch now."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Commit the batch and end."""


Message = Save | Call | Flush | Stop


@dataclass(slots=True)
class Writer:
    """The writer thread's work. It ends only at `Stop`; an error is passed to the future of the work that failed."""

    engine: Engine
    url: URL
    messages: queue.SimpleQueue[Message]
    batches: BatchWriter
    batch_size: int
    """Pages after which a batch waits no longer for others. Those that are there already join it."""
    max_wait: float
    child: ChildProcess | None = None
    """A process with a batch.StoreProcess; None to store everything in this process."""
    child_after_pages: int = 0
    """Pages that are stored in this process before `child` is started."""
    urgent: threading.Event = field(default_factory=threading.Event)
    """Set with every message other than a page."""
    pending: list[Save] = field(default_factory=list)
    deadline: float = 0.0
    stored: int = 0
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
        """Serves messages until `Stop`."""
        while not isinstance(message := self._next(), Stop):
            if isinstance(message, Save):
                self._gather(message)
                continue
            self._commit()
            if isinstance(message, Call):
                self._call(message)
        self._commit()
        if self.child is not None:
            self.child.close()

    def _next(self) -> Message:
        if not self.pending:
            return self.messages.get()
        while len(self.pending) < LARGEST:
            try:
                return self.messages.get_nowait()
            except queue.Empty:
                left = self.deadline - time.monotonic()
            if left <= 0 or len(self.pending) >= self.batch_size:
                return Flush()
            if self.urgent.wait(min(left, GATHER_SECONDS)):
                self.urgent.clear()
        return Flush()

    def _gather(self, save: Save) -> None:
        if not self.pending:
            self.deadline = time.monotonic() + self.max_wait
        self.pending.append(save)

    def _commit(self) -> None:
        batch, self.pending = self.pending, []
        if not batch:
            return
        try:
            outcomes = self._store([save.page for save in batch], [save.lease for save in batch])
        except Exception as error:  # noqa: BLE001 - the thread must continue; every future gets the error
            failure = self._failure(error, f"store {counted(len(batch), 'page')} in")
            if is_full(error):
                self.outage.refuse_pages(str(failure))
            for save in batch:
                save.future.set_exception(failure)
            return
        self.failing, self.has_written = False, True
        self.outage.pages_stored()
        hit(AFTER_COMMIT)
        for save, outcome in zip(batch, outcomes, strict=True):
            if outcome.kind == "lease_lost" and save.lease is not None:
                save.future.set_exception(LeaseLost(save.lease.site))
            else:
                save.future.set_result(outcome)

    def _store(self, pages: list[ProcessedPage], leases: list[Lease | None]) -> list[Outcome]:
        self.stored += len(pages)
        return self._retrying(lambda: self._store_once(pages, leases), f"store {counted(len(pages), 'page')} in")

    def _store_once(self, pages: list[ProcessedPage], leases: list[Lease | None]) -> list[Outcome]:
        once = replace(self.batches, retry=ONCE)
        if self.child is None or self.stored <= self.child_after_pages:
            return once.commit(pages, leases)
        try:
            outcomes: list[Outcome] = self.child.call("commit", pages, leases)
        except ChildDied as error:  # pages it had committed are found unchanged
            logger.error("%s: its batch is stored again", error)  # noqa: TRY400  not an error of this code
            return once.commit(pages, leases)
        except (pickle.PicklingError, TypeError, AttributeError):  # a bad page, which becomes a dead letter
            return once.commit(pages, leases)
        return outcomes

    def _call(self, call: Call) -> None:
        try:
            result = self._retrying(lambda: self._in_transaction(call), "write to")
        except (DBAPIError, DatabaseUnavailable) as error:
            call.future.set_exception(self._failure(error, "write to"))
        except BaseException as error:  # noqa: BLE001 - the caller's function, the caller's error
            call.future.set_exception(error)
        else:
            self.failing, self.has_written = False, True
            if sources.record_answer in (call.function, *call.args[:2]):
                hit(AFTER_SOURCE_ANSWER)
            call.future.set_result(result)

    def _retrying(self, function: Callable[[], T], doing: str) -> T:
        """Calls the function with the number of attempts that `_retry` allows, and returns its result."""

        def failed(error: Exception) -> None:
            self.outage.begin(str(storage_error(error, self.url, doing)))
            if is_lock_timeout(error):
                end_stopped(self.engine)

        try:
            result = self._retry().call(function, failed, self._pause)
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

    def _in_transaction(self, call: Call) -> Any:
        with begin_write(self.engine) as connection:
            return call.function(connection, *call.args, **call.kwargs)

    def _retry(self) -> RetryPolicy:
        if self.failing:
            return ONCE
        retry = self.batches.retry
        return retry if self.has_written else replace(retry, lock_patience=LOCK_PATIENCE_S)

    def _failure(self, error: Exception, doing: str) -> StorageError:
        self.failing = True
        failure = storage_error(error, self.url, doing)
        failure.__cause__ = error
        if not self.outage.lasts:  # `outage` logs that, once
            logger.error("%s", failure)
        return failure
