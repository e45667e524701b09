"""Stores what crawls fetched, in one transaction: answers of sources, failed requests and pages. Stores pages of a
command, and those that the database refused."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection

from newscrawl.config.logs.lines import about
from newscrawl.errors import InvalidUrl, LeaseLost
from newscrawl.model import Failure, ProcessedPage
from newscrawl.storage import events
from newscrawl.storage.articles.apply import save_batch
from newscrawl.storage.articles.deciding.known import Incoming, Occasion
from newscrawl.storage.articles.lookup import load_facts
from newscrawl.storage.frontier import pages, sources
from newscrawl.storage.frontier.leases import lost
from newscrawl.storage.frontier.pages import FailedRequest
from newscrawl.storage.frontier.source_state import SourceItem
from newscrawl.storage.monitoring import samples
from newscrawl.storage.records import NextDue, Outcome

if TYPE_CHECKING:
    from newscrawl.storage.engine.writer import Item

logger = logging.getLogger(__name__)


def store(connection: Connection, items: Sequence[Item], next_due: NextDue) -> list[Any]:
    """Stores what crawls have just fetched: what happened to sources, then failed requests, then pages, each kind in
    few statements. `next_due` decides when a page is visited again.

    Returns the result of each item, in order: for a page its outcome, for others the pages to fetch now. That of an
    item whose lease is lost is a LeaseLost; nothing of it is stored."""
    fetched = {place: Incoming.of(one.what) for place, one in enumerate(items) if isinstance(one.what, ProcessedPage)}
    owned = {item.lease for item in items if item.lease is not None}
    known, tokens = load_facts(connection, list(fetched.values()), owned)
    gone = {lease for lease in owned if tokens.get(lease.site) != lease.token}
    for lease in gone.intersection(items[place].lease for place in fetched):
        site = lease.site
        logger.error("pages of %s are not stored: another process crawls the site now", site, extra=about(site))
    results: dict[int, Any] = {}
    kept: dict[int, ProcessedPage | SourceItem | FailedRequest] = {}
    for place, item in enumerate(items):
        if item.lease is not None and item.lease in gone:
            results[place] = LeaseLost(item.lease.site)
        else:
            kept[place] = item.what
    read = {place: what for place, what in kept.items() if isinstance(what, SourceItem)}
    results |= zip(read, sources.record(connection, list(read.values())), strict=True)
    pages.record_failures(connection, [what for what in kept.values() if isinstance(what, FailedRequest)])
    if batch := {place: one for place, one in fetched.items() if place in kept}:
        processed = [one.page for one in batch.values()]
        occasion = Occasion("crawled", next_due, max(page.raw.fetched_at for page in processed))
        saved = save_batch(connection, list(batch.values()), occasion, known)
        samples.record(connection, processed, saved)
        results |= zip(batch, saved, strict=True)
    return [results.get(place, []) for place in range(len(items))]


def refuse(connection: Connection, item: Item, error: Exception, next_due: NextDue) -> Any:
    """Returns the result of an item that the database refused alone. A page is kept as a dead letter, unless its lease
    is lost."""
    if not isinstance(page := item.what, ProcessedPage):
        return error
    if item.lease is not None and lost(connection, [item.lease]):
        return LeaseLost(item.lease.site)
    at: object = page.raw.fetched_at  # it may be the bad part of the page
    now = at if isinstance(at, datetime) and at.tzinfo is not None else datetime.now(UTC)
    return keep_refused(connection, page, error, Occasion("crawled", next_due, now))


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
            pages.record_failures(connection, [FailedRequest.of(raw.url, raw.site, failure, None, now)])
    return Outcome("dead_letter", reason=reason)
