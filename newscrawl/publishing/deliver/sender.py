"""Sends what is due: alarms to the receivers of the settings, and what standing searches find to their destinations.

Each destination gets its notices in order and at least once. One that fails is tried again with growing pauses. Notices
are sent twice only if the process ends after a destination has accepted them and before that is stored; their ids are
then the same.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any, Final, Self

from newscrawl.config.catalogue import Config
from newscrawl.errors import NewscrawlError
from newscrawl.publishing.deliver.feeds import Feed, entry_of, feed_of, problem_of
from newscrawl.publishing.deliver.http import Problem
from newscrawl.publishing.deliver.mail import AlarmMail
from newscrawl.publishing.deliver.places import (
    FEED_TYPES,
    AlarmReceiver,
    AlarmWebhook,
    Notification,
    SearchSender,
    alarm_values,
    is_missing,
    receiver_of,
    senders,
)
from newscrawl.publishing.search.query import parse_query
from newscrawl.reports import documents
from newscrawl.storage import deliveries
from newscrawl.storage.deliveries import ALARMS, SEARCHES, Delivery
from newscrawl.storage.feed import standing_searches
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.reader import Connection, Database
from newscrawl.workers.processes.failpoints import ALARM_SENT, SEARCH_SENT, hit

logger = logging.getLogger(__name__)

STREAMS: Final = (ALARMS, SEARCHES)
AT_ONCE: Final = 500
"""The most notices of a search that a destination is sent at a time. An alarm is always sent alone."""
SLOW: Final = 2.0
"""Seconds. A receiver that answers at all needs less."""
_SENT: Final = {ALARMS: ALARM_SENT, SEARCHES: SEARCH_SENT}


@dataclass(slots=True)
class AlarmCounts:
    """How many events of alarms were accepted, and how many attempts failed, by receiver, since the process started."""

    accepted: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class Delivered:
    """How many events of searches were accepted, and how many of their deliveries failed."""

    events: int = 0
    failures: int = 0

    def __add__(self, other: Delivered) -> Delivered:
        return Delivered(self.events + other.events, self.failures + other.failures)


@dataclass(frozen=True, slots=True)
class Message:
    """What a destination is sent next: `number` notices, the last of which has the number `upto`."""

    upto: int
    number: int
    send: Callable[[], Problem | None]


MessageOf = Callable[[Connection, Delivery], Message | None]
"""Returns what a destination is sent next."""


def receivers_of(config: Config) -> dict[str, AlarmReceiver]:
    """Returns the receivers of alarms by name. Raises ConfigurationError for settings that cannot be used."""
    found = {"webhook": AlarmWebhook.of(config), "mail": AlarmMail.of(config)}
    return {name: receiver.deliver for name, receiver in found.items() if receiver is not None}


def _sent(message: Message) -> Problem | None:
    """Sends a message. An error of newscrawl is logged and is a problem of this message, since one sender serves all
    alarms and searches of a fleet."""
    try:
        return message.send()
    except (NewscrawlError, OSError):
        raise
    except Exception as error:
        logger.exception("a message could not be made or sent")
        return Problem(f"an error of newscrawl: {type(error).__name__}")


def _not_ours(_values: Mapping[str, Any]) -> Problem:
    """Stands for a receiver that a process with other settings has added meanwhile."""
    return Problem("it is not among the receivers of this process")


class Sender:
    """Sends the notices of a database: alarms to `receivers` by name, those of searches with `places` by kind."""

    def __init__(
        self,
        store: Database,
        receivers: Mapping[str, AlarmReceiver],
        places: Mapping[str, SearchSender],
        now: Callable[[], datetime],
    ) -> None:
        self.alarms = AlarmCounts()
        self._store = store
        self._receivers = receivers
        self._places = places
        self._now = now

    @classmethod
    def of(cls, store: Database, config: Config, now: Callable[[], datetime]) -> Self:
        """Returns the sender of the settings. Raises ConfigurationError for settings that cannot be used."""
        mail = AlarmMail.of(config)
        places = senders(mail.send, mail.sender) if mail is not None else senders(None)
        return cls(store, receivers_of(config), places, now)

    def send(self, streams: Collection[str] = STREAMS, goes_on: Callable[[], bool] = lambda: True) -> Delivered:
        """Sends all that is due, alarms first. It stops early once `goes_on` returns False. Raises StorageError.

        A receiver that needed `SLOW` seconds to fail is not asked again in this round: a thousand searches of one
        receiver that hangs would keep all others waiting for hours.
        """
        done, slow = Delivered(), dict[str, Problem]()
        if ALARMS in streams:
            self._set_receivers()
        while goes_on():
            with self._store.reading() as connection:
                delivery = deliveries.due(connection, streams, self._now())
            if delivery is None:
                break
            self._deliver(delivery, self._alarm if delivery.stream == ALARMS else self._hits, slow, done, goes_on)
        if SEARCHES in streams and goes_on():
            self._write_missing(slow, done, goes_on)
        return done

    def _set_receivers(self) -> None:
        with self._store.reading() as connection:
            lacks = deliveries.lacks_places(connection, self._receivers)
        if lacks:
            self._store.run(deliveries.set_receivers, list(self._receivers), self._now()).result()

    def _write_missing(self, slow: dict[str, Problem], done: Delivered, goes_on: Callable[[], bool]) -> None:
        """Writes the feeds whose file does not exist: readers find one before the first event, and a digest's does not
        wait for its hour."""
        with self._store.reading() as connection:
            known = deliveries.of_stream(connection, SEARCHES)
        for delivery in known:
            may_be_tried = not delivery.attempts or delivery.next_at <= self._now()
            if may_be_tried and is_missing(delivery.place):
                self._deliver(delivery, self._whole_feed, slow, done, goes_on)

    def _deliver(
        self,
        delivery: Delivery,
        message_of: MessageOf,
        slow: dict[str, Problem],
        done: Delivered,
        goes_on: Callable[[], bool],
    ) -> None:
        """Sends a destination all that it lacks, until an attempt fails."""
        receiver = f"{delivery.stream} {receiver_of(delivery.place)}"
        while goes_on():
            with self._store.reading() as connection:
                message = message_of(connection, delivery)
            if message is None:
                return
            began = time.monotonic()
            problem = slow.get(receiver) or _sent(message)
            if problem is not None:
                if time.monotonic() - began >= SLOW:
                    slow[receiver] = problem
                self._failed(delivery, message.upto, problem, done)
                return
            hit(_SENT[delivery.stream])
            if message.number or delivery.attempts:
                self._store.run(deliveries.accepted, delivery, message.upto, self._now()).result()
            if delivery.stream == ALARMS:
                self.alarms.accepted[delivery.place] += 1
            else:
                done.events += message.number
            if not message.number:
                return
            delivery = replace(delivery, sent_upto=message.upto, attempts=0)

    def _failed(self, delivery: Delivery, upto: int, problem: Problem, done: Delivered) -> None:
        failing = self._store.run(deliveries.failed, delivery, upto, problem.reason, self._now(), problem.retry_after)
        again = failing.result()
        if delivery.stream == SEARCHES:
            done.failures += 1
            return
        name, given_up = delivery.place, "" if again else "; given up"
        self.alarms.failed[name] += 1
        logger.warning("the receiver %s did not accept an alarm: %s%s", name, problem.reason, given_up)

    def _alarm(self, connection: Connection, delivery: Delivery) -> Message | None:
        """Returns the next event of an alarm; None if there is none."""
        found = deliveries.after(connection, ALARMS, delivery.subject, delivery.sent_upto, 1)
        if not found:
            return None
        values = alarm_values(alarms.stored_alarm(connection, found[0].details["alarm"]), found[0].event)
        return Message(found[0].id, 1, partial(self._receivers.get(delivery.place, _not_ours), values))

    def _hits(self, connection: Connection, delivery: Delivery) -> Message | None:
        """Returns the next events of a search; None if there are none."""
        search = standing_searches.load(connection, delivery.subject)
        events = deliveries.after(connection, SEARCHES, delivery.subject, delivery.sent_upto, AT_ONCE)
        if search is None or not events:
            return None
        unreadable = problem_of(search.query)
        if unreadable is not None:
            return Message(delivery.sent_upto, len(events), lambda: Problem(unreadable))
        query, now = parse_query(search.query), self._now()
        found = documents(connection, {event.details["article_id"] for event in events})
        articles = {number: entry_of(article, query, "", now) for number, article in found.items()}
        is_feed = delivery.place.partition(":")[0] in FEED_TYPES
        feed = feed_of(connection, search) if is_feed else Feed(search.feed_id, search.name, now, ())
        return self._message(delivery, Notification(search, events, articles, feed), events[-1].id)

    def _whole_feed(self, connection: Connection, delivery: Delivery) -> Message | None:
        """Returns the feed of a search for its file; None if its query cannot be read."""
        search = standing_searches.load(connection, delivery.subject)
        if search is None or problem_of(search.query) is not None:
            return None
        return self._message(delivery, Notification(search, (), {}, feed_of(connection, search)), delivery.sent_upto)

    def _message(self, delivery: Delivery, notification: Notification, upto: int) -> Message:
        kind, _, place = delivery.place.partition(":")
        return Message(upto, len(notification.events), partial(self._places[kind], place, notification))
