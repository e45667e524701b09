"""The store: one thread that writes everything, in batches. A crawl changes the database only through it."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import datetime
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Concatenate, Final, ParamSpec, Self, TypeVar

from sqlalchemy import URL

from newscrawl.errors import SchemaError, StorageError
from newscrawl.model import ProcessedPage
from newscrawl.storage import migrations
from newscrawl.storage.engine.database import (
    check_folder,
    explained,
    make_engine,
    make_reader,
    parse_url,
    shown,
)
from newscrawl.storage.engine.errors import REQUESTS_WAIT, WAITS, RetryPolicy, end_soon
from newscrawl.storage.engine.transactions import UnorderedWriter, begin_read
from newscrawl.storage.engine.writer import Call, Item, Message, Parts, Signal, Writer
from newscrawl.storage.frontier.leases import Lease
from newscrawl.storage.machines import check_clock
from newscrawl.storage.reader import Connection, Transactions
from newscrawl.storage.records import DuePage, NextDue, Outcome, no_further_visit

if TYPE_CHECKING:  # loaded when something is written, so that reading commands start faster
    from newscrawl.storage.articles.deciding.known import Occasion, OccasionType
    from newscrawl.storage.captures.ingests import InputProgress
    from newscrawl.storage.frontier.pages import FailedRequest
    from newscrawl.storage.frontier.source_state import SourceItem
    from newscrawl.storage.monitoring.release import Released

P = ParamSpec("P")
T = TypeVar("T")

BATCH_SIZE: Final = 50
MAX_WAIT_S: Final = 0.25


def open_store(
    url: str,
    *,
    upgrade: bool,
    batch_size: int = BATCH_SIZE,
    max_wait: float = MAX_WAIT_S,
    next_due: NextDue = no_further_visit,
    retry: RetryPolicy | None = None,
    crawls: bool = False,
) -> Store:
    """Opens the database and starts the writer thread.

    `next_due` decides when to visit an article's page again (scheduling.revisit.next_due; the default is never).
    `max_wait` is in seconds. A SQLite schema is always upgraded, one of PostgreSQL only with `upgrade`. With
    `crawls`, the log says during an outage that no new requests are made, and this machine's clock must be that of the
    database. Raises SchemaError for an old schema on PostgreSQL and for a newer or
    foreign schema, StorageError if the database cannot be opened, WrongClock.
    """
    parsed = parse_url(url)
    check_folder(parsed)
    if not _is_current(parsed):
        if not upgrade and parsed.get_backend_name() != "sqlite":
            raise SchemaError.not_upgraded(shown(parsed))
        migrations.upgrade(url)
    if crawls:
        with explained(parsed, "open"), begin_read(make_reader(parsed)) as connection:
            check_clock(connection)
    engine, retry = make_engine(parsed, is_writer=True), retry or RetryPolicy()
    writer = Writer(engine, parsed, queue.SimpleQueue(), retry, batch_size, max_wait, next_due)
    if crawls:
        writer.outage.meaning = REQUESTS_WAIT
    return Store(writer)


def _is_current(parsed: URL) -> bool:
    if parsed.get_backend_name() == "sqlite" and not Path(parsed.database or "").exists():
        return False
    with explained(parsed, "open"), begin_read(make_reader(parsed)) as connection:
        return migrations.check(connection, parsed)


class Store:
    """A database open for writing. All methods may be called from any thread; futures resolve in the writer thread.

    The caller provides back-pressure by waiting for the futures of what it saved.
    """

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._engine = writer.engine
        self._url = writer.url
        self._closing = threading.Lock()
        self._closed = False
        is_on_server = writer.url.get_backend_name() != "sqlite"
        self._unordered = UnorderedWriter(writer.url, writer.retry, writer.outage) if is_on_server else None
        self._thread = threading.Thread(target=writer.run, name="newscrawl-store", daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """The database's URL, with its password if it has one."""
        return self._url.render_as_string(hide_password=False)

    @property
    def is_away(self) -> bool:
        """Whether the last attempt to write failed with a transient error, or pages were refused a moment ago. Pages
        fetched meanwhile may have to be fetched again."""
        return self._writer.outage.holds_requests

    @property
    def refused(self) -> str:
        """Why pages cannot be stored since the last attempt to store some; "" if they can."""
        return self._writer.outage.refused

    def save(self, page: ProcessedPage, lease: Lease | None = None) -> Future[Outcome]:
        """Stores a page with its batch. The future resolves only after COMMIT. It fails with StorageError if all
        attempts failed; then no page of the batch is stored. It fails with LeaseLost if another process has become the
        owner of `lease`, under which the page was fetched; then this page is not stored."""
        future: Future[Outcome] = Future()
        self._send(Item(page, future, lease), future)
        return future

    def record(self, what: SourceItem | FailedRequest, lease: Lease | None = None) -> Future[list[DuePage]]:
        """Stores with the next batch what happened to a source, or a request that ended without a page. The batch waits
        for no further pages. The future gets the pages to fetch now that an answer named, else nothing. It fails as
        that of `save` does, or with InvalidUrl."""
        future: Future[list[DuePage]] = Future()
        self._send(Item(what, future, lease), future)
        return future

    def save_parts(
        self, pages: Sequence[ProcessedPage], marks: Sequence[InputProgress], now: datetime
    ) -> Future[list[Outcome]]:
        """Stores parts of several inputs, and a mark for each of them, in one transaction; see `run`. A page that the
        database refuses becomes a dead letter; the marks are then written with the last page."""
        from newscrawl.storage.captures import ingests
        from newscrawl.storage.engine.batch import store_pages

        def mark(connection: Connection) -> None:
            ingests.mark(connection, marks, now)

        return self._save(pages, "ingested", now, store_pages, mark)

    def save_again(self, pages: Sequence[ProcessedPage], now: datetime) -> Future[list[Outcome]]:
        """Stores the results of another extraction of archived captures in place of the earlier results; see `run`. A
        bad page becomes a dead letter and raises nothing."""
        from newscrawl.storage.captures import reextractions

        return self._save(pages, "reextracted", now, reextractions.save)

    def _save(
        self,
        pages: Sequence[ProcessedPage],
        kind: OccasionType,
        now: datetime,
        save: Callable[[Connection, Sequence[ProcessedPage], Occasion], list[Outcome]],
        complete: Callable[[Connection], None] = lambda _connection: None,
    ) -> Future[list[Outcome]]:
        """Stores pages by `save`, and each that the database refuses as a dead letter. `complete` is called in the
        transaction of the last of them."""
        from newscrawl.storage.articles.deciding.known import Occasion
        from newscrawl.storage.engine.batch import keep_refused

        occasion = Occasion(kind, self._writer.next_due, now)

        def store(connection: Connection, part: Sequence[ProcessedPage], is_last: bool) -> list[Outcome]:
            outcomes = save(connection, part, occasion) if part else []
            if is_last:
                complete(connection)
            return outcomes

        def refuse(connection: Connection, page: ProcessedPage, error: Exception, is_last: bool) -> list[Outcome]:
            outcome = keep_refused(connection, page, error, occasion)
            if is_last:
                complete(connection)
            return [outcome]

        future: Future[list[Outcome]] = Future()
        self._send(Parts(pages, store, refuse, lambda results: list(chain.from_iterable(results)), future), future)
        return future

    def release(
        self, now: datetime, *, site: str | None = None, url_keys: Sequence[str] | None = None
    ) -> Future[Released]:
        """Stores some of the pages that wait for review, of a site or with these URL keys; see `run`. A result without
        pages means that none is left."""
        from newscrawl.storage.articles.deciding.known import Occasion
        from newscrawl.storage.monitoring import release

        waiting = self.run(release.waiting, site, url_keys).result()
        occasion = Occasion("released", self._writer.next_due, now)
        future: Future[Released] = Future()
        parts = Parts(
            waiting,
            lambda connection, numbers, _is_last: release.release(connection, numbers, occasion),
            lambda connection, number, error, _is_last: release.refuse(connection, number, error, occasion),
            release.total,
            future,
        )
        self._send(parts, future)
        return future

    def run(
        self, transaction: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """Runs `transaction(connection, ...)` in the writer thread, in its own transaction, after all that was saved
        before is committed. The future fails with StorageError for an error of the database, else with the function's
        error."""
        future: Future[T] = Future()
        self._send(Call(transaction, args, dict(kwargs), future), future)
        return future

    def at_once(
        self, statements: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """Runs `statements(connection, ...)` as soon as possible: on SQLite in their own transaction, before the batch
        that is gathered; on PostgreSQL each as a transaction of its own, on the connection of `notes`. Otherwise as
        `run`."""
        if self._unordered is not None:
            return self._unordered.run_statements(statements, *args, **kwargs)
        future: Future[T] = Future()
        self._send(Call(statements, args, dict(kwargs), future, is_urgent=True), future)
        return future

    @property
    def notes(self) -> Transactions:
        """Where single rows are written that stay true whatever others write: leases, the numbers of requests, runs and
        new files of the archive. On PostgreSQL it has a connection and a thread of its own, so that no renewal and no
        request waits behind a batch; on SQLite, which has one writer, it is this store."""
        return self._unordered or self

    def flush(self) -> None:
        """Requests a commit of the pending batch now; does not wait for it."""
        self._send(Signal.FLUSH, None)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Returns a connection for the reports: one consistent view, in the caller's thread. No writer waits for it."""
        with explained(self._url, "read"), begin_read(self._engine) as connection:
            yield connection

    def close(self) -> None:
        """Commits everything saved, stops the thread and closes the connections; a second call does nothing."""
        with self._closing:
            if not self._closed:
                self._closed = True
                self._writer.closing.set()
                self._writer.messages.put(Signal.STOP)
                self._writer.urgent.set()
        self._thread.join()
        if self._unordered is not None:
            self._unordered.close()
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if not isinstance(error, KeyboardInterrupt) or WAITS.is_ending:
            self.close()
            return
        end_soon()
        try:
            self.close()
        finally:  # the interpreter of a notebook goes on
            WAITS.is_ending = WAITS.has_given_up = False

    def _send(self, message: Message, future: Future[T] | None) -> None:
        with self._closing:
            if self._closed:
                raise StorageError(f"database {shown(self._url)}: the store is closed")
            if future is not None:
                # A cancelled future would make the writer fail when it sets the result.
                future.set_running_or_notify_cancel()
            self._writer.messages.put(message)
            if not (isinstance(message, Item) and message.is_page):
                self._writer.urgent.set()
