"""The outbox of alarms and standing searches, and the destinations that are sent what is in it.

A notice says what happened: an alarm was opened, a search found a story. It is written in the transaction in which that
happens. Each stream numbers its notices from 1. The numbers follow the order of commits, because a transaction that
writes excludes all others: a destination that has the notices up to a number has all below it, and gets those above.

A notice is deleted once all destinations of its subject have it. The newest of a stream stays, so that its number is
not used again. A destination that fails keeps the newest `MAX_WAITING` notices.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, delete, exists, func, or_, select, update

from newscrawl.model.times import TOLERANCE
from newscrawl.storage.engine.errors import RetryPolicy
from newscrawl.storage.engine.sql import insert_all
from newscrawl.storage.tables.operations import deliveries, notices

ALARMS: Final = "alarms"
SEARCHES: Final = "searches"
"""The streams. The subject of a search's notices is its name."""
ALL: Final = "*"
"""The subject of all notices of alarms: each receiver gets all of them."""

LONGEST: Final = 3_600.0
FOR_EVER: Final = 10**9
PAUSES: Final[Mapping[str, RetryPolicy]] = {
    ALARMS: RetryPolicy(attempts=12, first_pause=60.0, longest_pause=LONGEST),
    SEARCHES: RetryPolicy(attempts=FOR_EVER, first_pause=30.0, longest_pause=LONGEST),
}
"""The pauses of a destination that fails. A receiver of alarms gets about six hours; after its last attempt it is tried
again when another alarm is opened or closed."""
GIVES_WAY: Final = timedelta(hours=6)
"""The age from which a failed alarm lets a newer one pass: it alone may be what its receiver refuses."""
MAX_WAITING: Final = 10_000
"""Notices of a subject that are kept for a destination that fails."""


@dataclass(frozen=True, slots=True)
class Notice:
    """What happened to a subject. `details` are values that JSON can represent; `id` is its number in its stream, which
    `append` gives."""

    subject: str
    event: str
    at: datetime
    details: Mapping[str, Any]
    id: int = 0


@dataclass(frozen=True, slots=True)
class Delivery:
    """A destination of a subject. `sent_upto` is the last notice that it has, `next_at` when it is tried next,
    `attempts` the number of failures in a row, and `last_error` why the last one failed."""

    id: int
    stream: str
    subject: str
    place: str
    digest_hours: int
    sent_upto: int
    next_at: datetime
    attempts: int = 0
    last_error: str | None = None


def newest(connection: Connection, stream: str, subject: str | None = None) -> int:
    """Returns the number of the newest stored notice of a stream, or of one subject; 0 without one."""
    query = select(func.max(notices.c.id)).where(notices.c.stream == stream)
    if subject is not None:
        query = query.where(notices.c.subject == subject)
    return connection.execute(query).scalar() or 0


def append(connection: Connection, stream: str, new: Iterable[Notice]) -> None:
    """Appends notices. Call it in the transaction in which what they say happens."""
    first = newest(connection, stream) + 1
    rows = [asdict(notice) | {"stream": stream, "id": first + place} for place, notice in enumerate(new)]
    insert_all(connection, notices, rows)


def after(connection: Connection, stream: str, subject: str, number: int, limit: int) -> list[Notice]:
    """Returns at most `limit` notices of a subject after a number, in order."""
    query = select(notices).where(_of(notices, stream, subject), notices.c.id > number)
    rows = connection.execute(query.order_by(notices.c.id).limit(limit))
    return [Notice(row.subject, row.event, row.at, row.details, row.id) for row in rows]


def of_stream(connection: Connection, stream: str) -> list[Delivery]:
    """Returns all destinations of a stream by subject."""
    query = select(deliveries).where(deliveries.c.stream == stream).order_by(deliveries.c.subject, deliveries.c.id)
    return [Delivery(**row._asdict()) for row in connection.execute(query)]


def subjects(connection: Connection, stream: str) -> set[str]:
    """Returns the subjects of a stream that have a destination."""
    query = select(deliveries.c.subject).where(deliveries.c.stream == stream)
    return set(connection.execute(query.distinct()).scalars())


def due(connection: Connection, streams: Collection[str], now: datetime) -> Delivery | None:
    """Returns the destination that lacks a notice and has waited longest to be tried, alarms first; None if none may be
    tried.

    A time that is further away than any pause was stored by a clock that was ahead. Such a destination is due.
    """
    lacks = exists().where(
        notices.c.stream == deliveries.c.stream,
        notices.c.subject == deliveries.c.subject,
        notices.c.id > deliveries.c.sent_upto,
    )
    hours = connection.execute(select(deliveries.c.digest_hours).distinct()).scalars()
    pauses = {number: max(timedelta(hours=number), timedelta(seconds=LONGEST)) + TOLERANCE for number in hours}
    too_far = [
        (deliveries.c.digest_hours == number) & (deliveries.c.next_at > now + pause) for number, pause in pauses.items()
    ]
    given_up = (deliveries.c.stream == ALARMS) & (deliveries.c.attempts >= PAUSES[ALARMS].attempts)
    may_be_tried = or_(deliveries.c.next_at <= now, *too_far) & ~given_up
    query = select(deliveries).where(deliveries.c.stream.in_(streams), may_be_tried, lacks)
    row = connection.execute(
        query.order_by(deliveries.c.stream, deliveries.c.next_at, deliveries.c.id).limit(1)
    ).first()
    return Delivery(**row._asdict()) if row is not None else None


def add(
    connection: Connection, stream: str, subject: str, places: Iterable[str], digest_hours: int, now: datetime
) -> None:
    """Adds the destinations of a new subject, which get what happens from now on."""
    first = now + timedelta(hours=digest_hours)
    _insert(connection, stream, subject, places, newest(connection, stream), first, digest_hours)


def remove(connection: Connection, stream: str, subject: str) -> None:
    """Removes the destinations of a subject with the notices that they lack."""
    connection.execute(delete(deliveries).where(_of(deliveries, stream, subject)))
    served = select(deliveries.c.subject).where(deliveries.c.stream == stream)
    unserved = (notices.c.stream == stream) & notices.c.subject.not_in(served)
    connection.execute(delete(notices).where(unserved, notices.c.id < newest(connection, stream)))


def lacks_places(connection: Connection, places: Collection[str]) -> bool:
    """Returns whether `set_receivers` with these places would change anything."""
    known = {delivery.place for delivery in of_stream(connection, ALARMS)}
    return known != set(places) or (not places and newest(connection, ALARMS) > 0)


def set_receivers(connection: Connection, places: Collection[str], now: datetime) -> None:
    """Makes the places the receivers of alarms. A new one gets the alarms that another one lacks, or, as the first one,
    all that are stored. Without a receiver all notices are dropped: alarms do not wait until one is set."""
    known = {delivery.place: delivery for delivery in of_stream(connection, ALARMS)}
    if not places:
        connection.execute(delete(deliveries).where(deliveries.c.stream == ALARMS))
        connection.execute(delete(notices).where(notices.c.stream == ALARMS))
        return
    start = min((delivery.sent_upto for delivery in known.values()), default=0)
    connection.execute(delete(deliveries).where(deliveries.c.stream == ALARMS, deliveries.c.place.not_in(places)))
    _insert(connection, ALARMS, ALL, [place for place in places if place not in known], start, now)


def try_again(connection: Connection, stream: str, now: datetime) -> None:
    """Ends the pauses of the destinations that failed, so that they are tried with what happens now."""
    failing = (deliveries.c.stream == stream) & (deliveries.c.attempts > 0)
    connection.execute(update(deliveries).where(failing).values(next_at=now, attempts=0))


def accepted(connection: Connection, delivery: Delivery, upto: int, now: datetime) -> None:
    """Stores that the destination has the notices up to the number `upto`, and deletes those that all destinations of
    the subject have. Another process may have stored more meanwhile."""
    values = {
        "sent_upto": upto,
        "next_at": now + timedelta(hours=delivery.digest_hours),
        "attempts": 0,
        "last_error": None,
    }
    behind = (deliveries.c.id == delivery.id) & (deliveries.c.sent_upto <= upto)
    connection.execute(update(deliveries).where(behind).values(values))
    _drop(connection, delivery)


def failed(
    connection: Connection, delivery: Delivery, upto: int, problem: str, now: datetime, asked: float = 0.0
) -> bool:
    """Stores that an attempt to send the notices up to the number `upto` has failed, and when the next one is due:
    after the seconds that the receiver asked for, or after a pause that grows with the attempts if that is longer, and
    after `LONGEST` at the latest. An alarm of the age `GIVES_WAY` is left out once a newer one waits behind it. Returns
    whether there is a next attempt."""
    failures = delivery.attempts + 1
    pause = PAUSES[delivery.stream].pause_after(failures)
    next_at = now + timedelta(seconds=min(max(pause or LONGEST, asked), LONGEST))
    values: dict[str, Any] = {"attempts": failures, "last_error": problem, "next_at": next_at}
    if delivery.stream == ALARMS and newest(connection, ALARMS, delivery.subject) > upto:
        number = (notices.c.stream == ALARMS) & (notices.c.id == upto)
        at = connection.execute(select(notices.c.at).where(number)).scalar()
        if at is not None and at <= now - GIVES_WAY:
            values |= {"sent_upto": upto, "attempts": 0, "next_at": now}
    connection.execute(update(deliveries).where(deliveries.c.id == delivery.id).values(values))
    mine = select(notices.c.id).where(_of(notices, delivery.stream, delivery.subject))
    surplus = connection.execute(mine.order_by(notices.c.id.desc()).offset(MAX_WAITING).limit(1)).scalar()
    if surplus is not None:
        behind = (deliveries.c.id == delivery.id) & (deliveries.c.sent_upto < surplus)
        connection.execute(update(deliveries).where(behind).values(sent_upto=surplus))
        _drop(connection, delivery)
    return pause is not None


def _drop(connection: Connection, delivery: Delivery) -> None:
    """Deletes the notices that all destinations of the subject have, but for the newest of the stream."""
    stream, subject = delivery.stream, delivery.subject
    slowest = connection.execute(
        select(func.min(deliveries.c.sent_upto)).where(_of(deliveries, stream, subject))
    ).scalar()
    if slowest is not None:
        told = _of(notices, stream, subject) & (notices.c.id <= slowest) & (notices.c.id < newest(connection, stream))
        connection.execute(delete(notices).where(told))


def _insert(
    connection: Connection,
    stream: str,
    subject: str,
    places: Iterable[str],
    sent_upto: int,
    next_at: datetime,
    digest_hours: int = 0,
) -> None:
    given = {"stream": stream, "subject": subject, "sent_upto": sent_upto, "next_at": next_at}
    rows = [given | {"place": place, "digest_hours": digest_hours} for place in dict.fromkeys(places)]
    if rows:
        connection.execute(deliveries.insert(), rows)


def _of(table: Any, stream: str, subject: str) -> ColumnElement[bool]:
    found: ColumnElement[bool] = (table.c.stream == stream) & (table.c.subject == subject)
    return found
