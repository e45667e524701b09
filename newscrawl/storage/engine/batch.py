"""Stores pages in a transaction: those that a crawl fetched, those of a command, those that the database refused."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, Engine

from newscrawl.errors import InvalidUrl
from newscrawl.logs.json_lines import about
from newscrawl.model import Failure, ProcessedPage
from newscrawl.storage import events
from newscrawl.storage.articles import facts as stored_facts
from newscrawl.storage.articles.apply import save_batch
from newscrawl.storage.articles.deciding.known import Incoming, Occasion
from newscrawl.storage.engine.transactions import begin_write
from newscrawl.storage.frontier import pages
from newscrawl.storage.frontier.leases import Lease, lost
from newscrawl.storage.monitoring import samples
from newscrawl.storage.records import NextDue, Outcome

logger = logging.getLogger(__name__)

LOST = Outcome("lease_lost")


@dataclass(frozen=True, slots=True)
class BatchWriter:
    """Stores pages that a crawl has just fetched. `next_due` decides when a page is visited again."""

    next_due: NextDue

    def commit(
        self, engine: Engine, batch: Sequence[ProcessedPage], leases: Sequence[Lease | None] = ()
    ) -> list[Outcome]:
        """Does `store` in a transaction of its own."""
        with begin_write(engine) as connection:
            return self.store(connection, batch, leases)

    def store(
        self, connection: Connection, batch: Sequence[ProcessedPage], leases: Sequence[Lease | None] = ()
    ) -> list[Outcome]:
        """Stores the pages. Returns one outcome for each, in order.

        `leases` has the lease under which each page was fetched, None for a page without one; empty if no page has one.
        A page whose lease is lost is not stored.
        """
        items = [Incoming.of(page) for page in batch]
        leases = leases or [None] * len(batch)
        owned = {lease for lease in leases if lease is not None}
        facts = stored_facts.load(connection, items, owned)
        gone = {lease for lease in owned if facts.tokens.get(lease.site) != lease.token}
        for lease in gone:
            site = lease.site
            logger.error("pages of %s are not stored: another process crawls the site now", site, extra=about(site))
        kept = [place for place, lease in enumerate(leases) if lease not in gone]
        outcomes = [LOST] * len(batch)
        if kept:
            occasion = Occasion("crawled", self.next_due, max(batch[place].raw.fetched_at for place in kept))
            saved = save_batch(connection, [items[place] for place in kept], occasion, facts)
            samples.record(connection, [batch[place] for place in kept], saved)
            for place, outcome in zip(kept, saved, strict=True):
                outcomes[place] = outcome
        return outcomes

    def refuse(
        self, connection: Connection, page: ProcessedPage, error: Exception, lease: Lease | None = None
    ) -> Outcome:
        """Keeps a page that the database refused alone as a dead letter, unless its lease is lost."""
        if lease is not None and lost(connection, [lease]):
            return LOST
        return keep_refused(connection, page, error, Occasion("crawled", self.next_due, _moment(page.raw.fetched_at)))


def store_pages(connection: Connection, batch: Sequence[ProcessedPage], occasion: Occasion) -> list[Outcome]:
    """Stores pages that may have been fetched long before the occasion. Returns one outcome for each, in order."""
    return save_batch(connection, [Incoming.of(page) for page in batch], occasion)


def keep_refused(connection: Connection, page: ProcessedPage, error: Exception, occasion: Occasion) -> Outcome:
    """Keeps a page that the database refused alone, as a dead letter with the error."""
    raw = page.raw
    url, site = str(raw.url)[:500], str(raw.site)
    logger.error("dead letter: %s", url, exc_info=error, extra=about(site, url, events.DEAD_LETTER))
    now = occasion.moment(raw.fetched_at)
    reason = events.record_dead_letter(connection, page, error, now)
    if occasion.is_visit and isinstance(raw.url, str) and isinstance(raw.site, str):
        # A page that stays in the state `found` would be fetched and refused again on every run.
        failure = Failure(events.DEAD_LETTER, reason)
        with suppress(InvalidUrl), connection.begin_nested():
            pages.record_failure(connection, raw.url, raw.site, failure, None, now)
    return Outcome("dead_letter", reason=reason)


def _moment(fetched_at: object) -> datetime:
    """The time at which the page was fetched, or now if that value is the bad part of the page."""
    aware = isinstance(fetched_at, datetime) and fetched_at.tzinfo is not None
    return fetched_at if isinstance(fetched_at, datetime) and aware else datetime.now(UTC)
