"""One batch to the database: all of it in one transaction, or, when an item is bad, all but that item."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sqlalchemy import Connection, Engine

from newscrawl.errors import InvalidUrl, StorageError
from newscrawl.model import Failure, ProcessedPage
from newscrawl.storage import baselines, pages, quarantine
from newscrawl.storage.apply import save_batch
from newscrawl.storage.database import begin_write, make_engine, one_line, parse_url
from newscrawl.storage.known import Incoming
from newscrawl.storage.records import NextDue, Outcome
from newscrawl.storage.retry import ONCE, Retry, is_transient

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BatchWriter:
    """Commits batches; raises what remains when the retries are used up."""

    engine: Engine
    next_due: NextDue
    retry: Retry

    def commit(self, batch: Sequence[ProcessedPage]) -> list[Outcome]:
        """Stores the pages and returns their outcomes, in order, once they are committed."""
        return self.retry.call(lambda: self._commit(batch))

    def _commit(self, batch: Sequence[ProcessedPage]) -> list[Outcome]:
        try:
            with begin_write(self.engine) as connection:
                return self._save(connection, batch)
        except Exception as error:
            if is_transient(error):
                raise
            logger.warning(
                "a batch of %d pages was refused (%s): storing them one by one", len(batch), type(error).__name__
            )
        return self._replay(batch)

    def _save(self, connection: Connection, batch: Sequence[ProcessedPage]) -> list[Outcome]:
        outcomes = save_batch(connection, [Incoming.of(page) for page in batch], self.next_due)
        baselines.record(connection, batch, outcomes)
        return outcomes

    def save_within(self, connection: Connection, batch: Sequence[ProcessedPage]) -> list[Outcome]:
        """Stores the pages in a transaction of the caller's, all but the bad ones, which are quarantined."""
        try:
            with connection.begin_nested():
                return save_batch(connection, [Incoming.of(page) for page in batch], self.next_due)
        except Exception as error:
            if is_transient(error):
                raise
        return [self._save_alone(connection, page) for page in batch]

    def _replay(self, batch: Sequence[ProcessedPage]) -> list[Outcome]:
        """The same pages one by one, each under a savepoint, so that the bad one shows itself."""
        with begin_write(self.engine) as connection:
            outcomes = [self._save_alone(connection, page) for page in batch]
            pairs = zip(batch, outcomes, strict=True)
            whole = [(page, outcome) for page, outcome in pairs if outcome.kind != "quarantined"]
            baselines.record(connection, [page for page, _ in whole], [outcome for _, outcome in whole])
            return outcomes

    def _save_alone(self, connection: Connection, page: ProcessedPage) -> Outcome:
        try:
            with connection.begin_nested():
                return save_batch(connection, [Incoming.of(page)], self.next_due)[0]
        except Exception as error:
            if is_transient(error):
                raise
            logger.exception("quarantined %s", str(page.raw.url)[:500])
            return self._quarantine(connection, page, error)

    def _quarantine(self, connection: Connection, page: ProcessedPage, error: Exception) -> Outcome:
        raw = page.raw
        now = _moment(raw.fetched_at)
        reason = quarantine.keep(connection, page, error, now)
        if isinstance(raw.url, str) and isinstance(raw.site, str):
            # A page left `found` would be fetched and quarantined again on every run.
            failure = Failure("stored/quarantined", reason)
            with suppress(InvalidUrl), connection.begin_nested():
                pages.record_failure(connection, raw.url, raw.site, failure, None, now)
        return Outcome("quarantined", reason=reason)


class Clerk:
    """A BatchWriter for another process, which opens the database for itself (newscrawl.aside)."""

    def __init__(self, url: str, next_due: NextDue, retry: Retry) -> None:
        self._url = parse_url(url)
        self._engine = make_engine(self._url)
        self._batches = BatchWriter(self._engine, next_due, retry)

    def commit(self, batch: Sequence[ProcessedPage], once: bool) -> list[Outcome]:
        """As BatchWriter.commit, with one attempt if so wanted. Raises StorageError."""
        batches = replace(self._batches, retry=ONCE) if once else self._batches
        try:
            return batches.commit(batch)
        except Exception as error:
            raise StorageError(one_line(error, self._url)) from error

    def close(self) -> None:
        """Closes the connections."""
        self._engine.dispose()


def _moment(fetched_at: object) -> datetime:
    """When the page was fetched, or now when that is what is wrong with it."""
    aware = isinstance(fetched_at, datetime) and fetched_at.tzinfo is not None
    return fetched_at if isinstance(fetched_at, datetime) and aware else datetime.now(UTC)
