"""Stores a batch of pages: all of it in one transaction, or, if an item is bad, all other items."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, Engine

from newscrawl.errors import DatabaseUnavailable, InvalidUrl, StorageError
from newscrawl.logs.json_lines import about
from newscrawl.model import Failure, ProcessedPage
from newscrawl.storage import events
from newscrawl.storage.articles.apply import save_batch
from newscrawl.storage.articles.deciding.known import Incoming
from newscrawl.storage.articles.deciding.occasions import Occasion
from newscrawl.storage.articles.facts import PendingFacts, ask
from newscrawl.storage.engine.database import make_engine, one_line, parse_url
from newscrawl.storage.engine.pipeline import Sent, savepoint, together
from newscrawl.storage.engine.retry import ONCE, RetryPolicy, is_overtaken, is_transient
from newscrawl.storage.engine.transactions import begin_batch
from newscrawl.storage.frontier import pages
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

    def commit(self, batch: Sequence[ProcessedPage], leases: Sequence[Lease | None] = ()) -> list[Outcome]:
        """Stores the pages and returns their outcomes, in order, once they are committed.

        `leases` has the lease under which each page was fetched, None for a page without one; empty if no page has one.
        A page whose lease is lost is not stored.
        """
        return self.retry.call(lambda: self._commit(batch, leases))

    def _commit(self, batch: Sequence[ProcessedPage], leases: Sequence[Lease | None]) -> list[Outcome]:
        try:
            return self._concurrently(batch, leases)
        except Exception as error:
            if is_transient(error) and not is_overtaken(error):
                raise
            is_refused = not is_overtaken(error)
            if is_refused:
                number = counted(len(batch), "page")
                logger.warning("a batch of %s was refused (%s): looking for the bad ones", number, type(error).__name__)
        return self._alone(batch, leases, is_refused=is_refused)

    def _concurrently(self, batch: Sequence[ProcessedPage], leases: Sequence[Lease | None]) -> list[Outcome]:
        """Stores the pages while other batches are stored. Raises Overtaken if one of these has stored what this one
        was about to store."""
        items = [Incoming.of(page) for page in batch]
        latest = max(page.raw.fetched_at for page in batch)
        occasion = Occasion("crawled", self.next_due, latest)
        leases_held = {lease for lease in leases if lease is not None}

        def first(sent: Sent) -> PendingFacts:
            return ask(sent, items, leases_held)

        with begin_batch(self.engine, first) as (connection, asked):
            facts = asked.facts()

            def save(kept: Sequence[int]) -> list[Outcome]:
                outcomes = save_batch(connection, [items[n] for n in kept], occasion, facts, is_end=True)
                samples.record(connection, [batch[number] for number in kept], outcomes)
                return outcomes

            return fence(leases_held, facts.tokens, leases, len(batch), save)

    def _alone(
        self, batch: Sequence[ProcessedPage], leases: Sequence[Lease | None], *, is_refused: bool
    ) -> list[Outcome]:
        """Stores the pages while no other transaction writes. Bad pages become dead letters. `is_refused` means that
        the pages were refused together."""
        leases_held = {lease for lease in leases if lease is not None}

        def first(sent: Sent) -> PendingFacts:
            return ask(sent, (), leases_held)

        with begin_batch(self.engine, first, is_exclusive=True) as (connection, asked):

            def save(kept: Sequence[int]) -> list[Outcome]:
                pages_kept = [batch[number] for number in kept]
                outcomes = self._divided(connection, pages_kept, self._crawled_now, is_refused=is_refused)
                pairs = zip(pages_kept, outcomes, strict=True)
                whole = [(page, outcome) for page, outcome in pairs if outcome.kind != "dead_letter"]
                with together(connection):
                    samples.record(connection, [page for page, _ in whole], [outcome for _, outcome in whole])
                return outcomes

            return fence(leases_held, asked.facts().tokens, leases, len(batch), save)

    def _save_all(self, connection: Connection, batch: Sequence[ProcessedPage], occasion: Occasion) -> list[Outcome]:
        return save_batch(connection, [Incoming.of(page) for page in batch], occasion)

    def save_within(self, connection: Connection, batch: Sequence[ProcessedPage], occasion: Occasion) -> list[Outcome]:
        """Stores the pages in the caller's transaction. Bad pages become dead letters. The pages may have been fetched
        long before the occasion."""
        return self._divided(connection, batch, lambda _pages: occasion, is_refused=False)

    def _divided(
        self,
        connection: Connection,
        batch: Sequence[ProcessedPage],
        occasion_of: Callable[[Sequence[ProcessedPage]], Occasion],
        *,
        is_refused: bool,
    ) -> list[Outcome]:
        """Stores the pages under a savepoint. If they are refused, or `is_refused` is true, the bad ones are found by
        bisection: each costs about six attempts of fifty pages. Pages that were not tried with others are stored
        last."""
        outcomes: dict[int, Outcome] = {}

        def refusal(places: Sequence[int]) -> Exception | None:
            """Stores these pages, or returns why they are refused."""
            pages_there = [batch[place] for place in places]
            try:
                with savepoint(connection):
                    saved = self._save_all(connection, pages_there, occasion_of(pages_there))
            except Exception as error:
                if is_transient(error):
                    raise
                return error
            outcomes.update(zip(places, saved, strict=True))
            return None

        untried: Sequence[int] = range(len(batch))
        while untried and (is_refused or refusal(untried) is not None):
            is_refused = False
            bad, error, untried = _bad_one(untried, refusal)
            if error is not None:
                outcomes[bad] = self._dead_letter(connection, batch[bad], error, occasion_of([batch[bad]]))
        return [outcomes[place] for place in range(len(batch))]

    def _crawled_now(self, batch: Sequence[ProcessedPage]) -> Occasion:
        return Occasion("crawled", self.next_due, max(_moment(page.raw.fetched_at) for page in batch))

    def _dead_letter(
        self, connection: Connection, page: ProcessedPage, error: Exception, occasion: Occasion
    ) -> Outcome:
        url, site = str(page.raw.url)[:500], str(page.raw.site)
        logger.error("dead letter: %s", url, exc_info=error, extra=about(site, url, events.DEAD_LETTER))
        return self._keep_dead_letter(connection, page, error, occasion)

    def _keep_dead_letter(
        self, connection: Connection, page: ProcessedPage, error: Exception, occasion: Occasion
    ) -> Outcome:
        raw, now = page.raw, occasion.moment(page.raw.fetched_at)
        reason = events.record_dead_letter(connection, page, error, now)
        if occasion.is_visit and isinstance(raw.url, str) and isinstance(raw.site, str):
            # A page that stays in the state `found` would be fetched and refused again on every run.
            failure = Failure(events.DEAD_LETTER, reason)
            with suppress(InvalidUrl), connection.begin_nested():
                pages.record_failure(connection, raw.url, raw.site, failure, None, now)
        return Outcome("dead_letter", reason=reason)


def fence(
    owned: Collection[Lease],
    tokens: Mapping[str, int],
    leases: Sequence[Lease | None],
    number: int,
    save: Callable[[Sequence[int]], list[Outcome]],
) -> list[Outcome]:
    """Saves those of the `number` pages whose lease in `leases` is not lost, and returns the outcomes of all, in order.
    `save` is given their positions. `tokens` are the newest tokens of the sites."""
    gone = {lease for lease in owned if tokens.get(lease.site) != lease.token}
    for lease in gone:
        site = lease.site
        logger.error("pages of %s are not stored: another process crawls the site now", site, extra=about(site))
    kept = [place for place in range(number) if not gone or leases[place] not in gone]
    saved = dict(zip(kept, save(kept) if kept else [], strict=True))
    return [saved.get(place, Outcome("lease_lost")) for place in range(number)]


def _bad_one(
    places: Sequence[int], refusal: Callable[[Sequence[int]], Exception | None]
) -> tuple[int, Exception | None, Sequence[int]]:
    """Returns one of these places that is refused by itself, with the reason, and the places that were not tried
    without it. The others are stored on the way. The reason is None if the page is not refused any longer."""
    untried: list[int] = []
    error: Exception | None = None
    while len(places) > 1:
        half, others = places[: len(places) // 2], places[len(places) // 2 :]
        error = refusal(half)
        if error is None:
            places = others
        else:
            places, untried = half, [*others, *untried]
    return places[0], error or refusal(places), untried


class StoreProcess:
    """A BatchWriter for another process, which opens its own connection (newscrawl.processes.child_process)."""

    def __init__(self, url: str, next_due: NextDue) -> None:
        self._url = parse_url(url)
        self._engine = make_engine(self._url, is_writer=True)
        self._batches = BatchWriter(self._engine, next_due, ONCE)

    def commit(self, batch: Sequence[ProcessedPage], leases: Sequence[Lease | None] = ()) -> list[Outcome]:
        """Commits a batch as BatchWriter.commit does, with one attempt: the caller retries. Raises DatabaseUnavailable
        for a transient error, StorageError for any other."""
        try:
            return self._batches.commit(batch, leases)
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
