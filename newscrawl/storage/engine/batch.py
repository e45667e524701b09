"""Stores a batch of pages: all of it in one transaction, or, if an item is bad, all other items."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, Engine

from newscrawl.errors import DatabaseUnavailable, InvalidUrl, StorageError
from newscrawl.logs.json_lines import about
from newscrawl.model import Failure, ProcessedPage
from newscrawl.storage import dead_letters
from newscrawl.storage.articles.apply import save_batch
from newscrawl.storage.articles.deciding.known import Incoming
from newscrawl.storage.articles.deciding.occasions import Occasion
from newscrawl.storage.engine.database import begin_write, make_engine, one_line, parse_url
from newscrawl.storage.engine.retry import ONCE, RetryPolicy, is_transient
from newscrawl.storage.frontier import leases, pages
from newscrawl.storage.frontier.leases import Lease
from newscrawl.storage.monitoring import samples
from newscrawl.storage.records import NextDue, Outcome
from newscrawl.wording import counted

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BatchWriter:
    """Commits batches, and raises the last error when the retries are used up. Stored times after `clock` do not
    count."""

    engine: Engine
    next_due: NextDue
    retry: RetryPolicy
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)

    def commit(self, batch: Sequence[ProcessedPage], held: Sequence[Lease | None] = ()) -> list[Outcome]:
        """Stores the pages and returns their outcomes, in order, once they are committed.

        `held` has the lease under which each page was fetched, None for a page without one; empty if no page has one. A
        page whose lease is lost is not stored.
        """
        return self.retry.call(lambda: self._commit(batch, held))

    def _commit(self, batch: Sequence[ProcessedPage], held: Sequence[Lease | None]) -> list[Outcome]:
        try:
            with begin_write(self.engine) as connection:
                return fence(connection, batch, held, self._save)
        except Exception as error:
            if is_transient(error):
                raise
            logger.warning(
                "a batch of %s was refused (%s): storing them one by one",
                counted(len(batch), "page"),
                type(error).__name__,
            )
        with begin_write(self.engine) as connection:
            return fence(connection, batch, held, self._replay)

    def _save(self, connection: Connection, batch: Sequence[ProcessedPage]) -> list[Outcome]:
        latest = max(page.raw.fetched_at for page in batch)
        outcomes = self._save_all(connection, batch, Occasion("crawled", self.next_due, latest))
        samples.record(connection, batch, outcomes)
        return outcomes

    def _save_all(self, connection: Connection, batch: Sequence[ProcessedPage], occasion: Occasion) -> list[Outcome]:
        return save_batch(connection, [Incoming.of(page) for page in batch], occasion, self.clock())

    def save_within(self, connection: Connection, batch: Sequence[ProcessedPage], occasion: Occasion) -> list[Outcome]:
        """Stores the pages in the caller's transaction. Bad pages become dead letters. The pages may have been fetched
        long before the occasion."""
        try:
            with connection.begin_nested():
                return self._save_all(connection, batch, occasion)
        except Exception as error:
            if is_transient(error):
                raise
        return [self._save_alone(connection, page, occasion) for page in batch]

    def _replay(self, connection: Connection, batch: Sequence[ProcessedPage]) -> list[Outcome]:
        """Stores the same pages one by one, each under a savepoint, to find the bad one."""
        outcomes = [self._save_alone(connection, page, self._crawled_alone(page)) for page in batch]
        pairs = zip(batch, outcomes, strict=True)
        whole = [(page, outcome) for page, outcome in pairs if outcome.kind != "dead_letter"]
        samples.record(connection, [page for page, _ in whole], [outcome for _, outcome in whole])
        return outcomes

    def _crawled_alone(self, page: ProcessedPage) -> Occasion:
        return Occasion("crawled", self.next_due, _moment(page.raw.fetched_at))

    def _save_alone(self, connection: Connection, page: ProcessedPage, occasion: Occasion) -> Outcome:
        try:
            with connection.begin_nested():
                return self._save_all(connection, [page], occasion)[0]
        except Exception as error:
            if is_transient(error):
                raise
            url, site = str(page.raw.url)[:500], str(page.raw.site)
            logger.exception("dead letter: %s", url, extra=about(site, url, "stored/dead_letter"))
            return self._keep_dead_letter(connection, page, error, occasion)

    def _keep_dead_letter(
        self, connection: Connection, page: ProcessedPage, error: Exception, occasion: Occasion
    ) -> Outcome:
        raw, now = page.raw, occasion.moment(page.raw.fetched_at)
        reason = dead_letters.keep(connection, page, error, now)
        if occasion.is_visit and isinstance(raw.url, str) and isinstance(raw.site, str):
            # A page that stays in the state `found` would be fetched and refused again on every run.
            failure = Failure("stored/dead_letter", reason)
            with suppress(InvalidUrl), connection.begin_nested():
                pages.record_failure(connection, raw.url, raw.site, failure, None, now)
        return Outcome("dead_letter", reason=reason)


def fence(
    connection: Connection,
    batch: Sequence[ProcessedPage],
    held: Sequence[Lease | None],
    save: Callable[[Connection, Sequence[ProcessedPage]], list[Outcome]],
) -> list[Outcome]:
    """Saves the pages whose lease in `held` is not lost, and returns the outcomes of all pages, in order."""
    gone = leases.lost(connection, {lease for lease in held if lease is not None}) if held else set()
    if not gone:
        return save(connection, batch)
    for lease in gone:
        site = lease.site
        logger.error("pages of %s are not stored: another process crawls the site now", site, extra=about(site))
    is_kept = [lease not in gone for lease in held]
    kept = [page for page, is_allowed in zip(batch, is_kept, strict=True) if is_allowed]
    saved = iter(save(connection, kept) if kept else [])
    return [next(saved) if is_allowed else Outcome("lease_lost") for is_allowed in is_kept]


class StoreProcess:
    """A BatchWriter for another process, which opens its own connection (newscrawl.processes.child_process)."""

    def __init__(self, url: str, next_due: NextDue) -> None:
        self._url = parse_url(url)
        self._engine = make_engine(self._url, is_writer=True)
        self._batches = BatchWriter(self._engine, next_due, ONCE)

    def commit(self, batch: Sequence[ProcessedPage], held: Sequence[Lease | None] = ()) -> list[Outcome]:
        """Commits a batch as BatchWriter.commit does, with one attempt: the caller retries. Raises DatabaseUnavailable
        for a transient error, StorageError for any other."""
        try:
            return self._batches.commit(batch, held)
        except Exception as error:
            kind = DatabaseUnavailable if is_transient(error) else StorageError
            raise kind(one_line(error, self._url)) from error

    def close(self) -> None:
        """Closes the connections."""
        self._engine.dispose()


def _moment(fetched_at: object) -> datetime:
    """The time at which the page was fetched, or now if that value is the bad part of the page."""
    aware = isinstance(fetched_at, datetime) and fetched_at.tzinfo is not None
    return fetched_at if isinstance(fetched_at, datetime) and aware else datetime.now(UTC)
