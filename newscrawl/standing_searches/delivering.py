"""Sends the events of standing searches to their destinations, at least once and in order.

The file of a feed is written before its first event, too, so that its readers find one.

A destination that fails is tried again with growing pauses. Only a process that ends between an acceptance and its
transaction sends events again; their ids are the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from newscrawl.failpoints import SEARCH_SENT, hit
from newscrawl.reports import ExportedArticle, documents
from newscrawl.search.query import Query, parse_query
from newscrawl.search.snippets import snippet
from newscrawl.standing_searches.destinations import (
    FEED_TYPES,
    DeliveryProblem,
    Notification,
    SearchSender,
    receiver_of,
)
from newscrawl.standing_searches.feeds import Feed, FeedEntry
from newscrawl.standing_searches.saving import problem_of
from newscrawl.storage.feed import standing_searches
from newscrawl.storage.feed.standing_searches import SearchDestination, StandingSearch
from newscrawl.storage.reader import Connection, Database

FEED_SIZE: Final = 50
"""Stories in a feed."""
AT_ONCE: Final = 50
"""The most destinations that are read at a time."""
SLOW: Final = 2.0
"""Seconds. A receiver that answers at all needs less."""


@dataclass(slots=True)
class Delivered:
    """How many events destinations accepted, and how many deliveries failed."""

    events: int = 0
    failures: int = 0

    def __add__(self, other: Delivered) -> Delivered:
        return Delivered(self.events + other.events, self.failures + other.failures)


def deliver_due(
    store: Database,
    senders: Mapping[str, SearchSender],
    now: Callable[[], datetime],
    goes_on: Callable[[], bool] = lambda: True,
) -> Delivered:
    """Sends all events that are due. It stops early once `goes_on` returns False. Raises StorageError."""
    done, tried, slow = Delivered(), set[int](), dict[str, DeliveryProblem]()
    while goes_on():
        with store.reading() as connection:
            destinations = standing_searches.due_destinations(connection, now(), AT_ONCE)
            searches = {search.name: search for search in standing_searches.everything(connection)}
        waiting = [
            destination
            for destination in destinations
            if destination.id not in tried and destination.search in searches
        ]
        if not waiting:
            break
        for destination in waiting:
            tried.add(destination.id)
            if goes_on():
                _deliver(store, destination, searches[destination.search], _passing(senders, slow), now, done)
    if goes_on():
        _write_missing(store, senders, now, done)
    return done


def _write_missing(
    store: Database, senders: Mapping[str, SearchSender], now: Callable[[], datetime], done: Delivered
) -> None:
    """Writes the feeds whose file does not exist. A digest's does not wait for the hour of its first events."""
    with store.reading() as connection:
        searches = {search.name: search for search in standing_searches.everything(connection)}
        missing = [
            destination
            for destination in standing_searches.destinations(connection)
            if (destination.attempts == 0 or destination.next_at <= now())
            and destination.search in searches
            and _is_missing(destination.place)
            and problem_of(searches[destination.search].query) is None
        ]
    for destination in missing:
        kind, _, place = destination.place.partition(":")
        search = searches[destination.search]
        with store.reading() as connection:
            notification = Notification(search, (), {}, feed_of(connection, search))
        problem = senders[kind](place, notification)
        if problem is not None:
            _record(store, destination, problem, now, done)
        elif destination.attempts:
            store.run(standing_searches.accepted, destination, destination.sent_upto, now()).result()


def _is_missing(place: str) -> bool:
    kind, _, file = place.partition(":")
    try:
        return kind in FEED_TYPES and not Path(file).exists()
    except OSError:  # a folder that may not be read: the attempt to write says so
        return True


def _deliver(
    store: Database,
    destination: SearchDestination,
    search: StandingSearch,
    senders: Mapping[str, SearchSender],
    now: Callable[[], datetime],
    done: Delivered,
) -> None:
    kind, _, place = destination.place.partition(":")
    upto = destination.sent_upto
    unreadable = problem_of(search.query)
    if unreadable is not None:
        _record(store, destination, DeliveryProblem(unreadable), now, done)
        return
    while True:
        with store.reading() as connection:
            notification = _notification(connection, search, upto, now(), is_feed=kind in FEED_TYPES)
        if not notification.events:
            return
        problem = senders[kind](place, notification)
        if problem is not None:
            _record(store, destination, problem, now, done)
            return
        hit(SEARCH_SENT)
        upto = notification.events[-1].id
        store.run(standing_searches.accepted, destination, upto, now()).result()
        done.events += len(notification.events)


def _record(
    store: Database,
    destination: SearchDestination,
    problem: DeliveryProblem,
    now: Callable[[], datetime],
    done: Delivered,
) -> None:
    done.failures += 1
    asked = timedelta(seconds=problem.retry_after)
    store.run(standing_searches.failed, destination, problem.reason, now(), asked).result()


def _passing(senders: Mapping[str, SearchSender], slow: dict[str, DeliveryProblem]) -> Mapping[str, SearchSender]:
    """Returns the senders without those attempts that would fail slowly. `slow` has the problems of such receivers.

    A receiver that needed `SLOW` seconds to fail is not asked again in this round: a thousand searches of one receiver
    that hangs would keep all others waiting for hours.
    """

    def made(kind: str, send: SearchSender) -> SearchSender:
        def passed(place: str, notification: Notification) -> DeliveryProblem | None:
            receiver = receiver_of(f"{kind}:{place}")
            if receiver in slow:
                return slow[receiver]
            began = time.monotonic()
            problem = send(place, notification)
            if problem is not None and time.monotonic() - began >= SLOW:
                slow[receiver] = problem
            return problem

        return passed

    return {kind: made(kind, send) for kind, send in senders.items()}


def _notification(
    connection: Connection, search: StandingSearch, after: int, now: datetime, *, is_feed: bool
) -> Notification:
    events = standing_searches.events_after(connection, search.name, after)
    query = parse_query(search.query)
    found = documents(connection, {event.article_id for event in events})
    articles = {number: entry_of(article, query, "", now) for number, article in found.items()}
    feed = feed_of(connection, search) if is_feed and events else Feed(search.feed_id, search.name, now, ())
    return Notification(search, events, articles, feed)


def feed_of(connection: Connection, search: StandingSearch) -> Feed:
    """Returns the feed of a search: the stories that were found or corrected last."""
    query = parse_query(search.query)
    hits = standing_searches.newest(connection, search.name, FEED_SIZE)
    found = documents(connection, {known.article_id for known in hits})
    entries = [
        entry_of(found[known.article_id], query, known.entry_id, known.updated_at)
        for known in hits
        if known.article_id in found
    ]
    # Those that were withdrawn count too: the feed changed then, and its time must not go back.
    updated = standing_searches.last_update(connection, search.name) or search.saved_at
    return Feed(search.feed_id, search.name, updated, entries)


def entry_of(article: ExportedArticle, query: Query, entry_id: str, updated: datetime) -> FeedEntry:
    """Returns the entry of an article. Its summary is the part of the text that matches the query best."""
    summary = snippet(article.text, query, article.language).text
    title = article.title or article.url
    return FeedEntry(
        entry_id,
        article.url,
        title,
        summary,
        article.authors,
        article.language,
        article.published,
        updated,
        article.site,
    )
