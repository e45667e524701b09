"""The stored state of each host: which process has its turn, when its next request may be sent, delay, failures,
robots.txt, and the day's requests.

A process claims a host for a turn by one statement. Its conditions say when it may: nobody has the host, the owner is
this process, or the owner's turn has ended. During the turn the process decides by itself when to send requests, and
the row is not written. What it knows in the end is written with the release (newscrawl.crawling.downloader.claims).

Times of these columns are seconds since 1970 by the database's clock, so both databases calculate with them. A row that
`exchange` has made is never locked by a transaction of several statements on PostgreSQL: the claims of all other
processes would wait as long as a process that was stopped within it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Float, bindparam, case, cast, extract, func, null, or_, select, update

from newscrawl.crawling.scheduling.host import HostState
from newscrawl.crawling.scheduling.robots import KEEP_GOOD, Robots, restored
from newscrawl.storage.engine.sql import Values, chunks, insert, upsert
from newscrawl.storage.tables.frontier import hosts

WANTED_FOR: Final = 10.0
"""Seconds for which a host counts as wanted by several processes after one of them asked in vain."""

NOTED_EVERY: Final = 1.0
"""Seconds between two notes that a process waits for a host."""

LONGEST_TURN: Final = 3600.0
"""Seconds. A turn that seems to last longer was claimed before the clock was set back (SQLite), unless this process
claims such long ones itself."""


_NEW: Final = {"backoff": 0.0, "crawl_delay": 0.0, "latency": 0.0}
_ANSWER: Final = [
    hosts.c[name]
    for name in (
        *("key", "busy_until", "next_at", "wanted_until"),
        *("crawl_delay", "backoff", "latency", "failures"),
    )
]


@dataclass(frozen=True, slots=True)
class Claimed:
    """A host whose turn this process has. The next request may be sent after `wait` seconds, which may be negative.

    `state` has what is stored of back-off, failures, Crawl-delay and latency, and no times. `is_wanted` is whether
    another process wanted the host lately."""

    wait: float
    state: HostState
    is_wanted: bool


@dataclass(frozen=True, slots=True)
class HostNote:
    """What the requests of a process have changed. The next request to the host may be sent after `wait` seconds.

    `requests` is their number since the last note. `state` None changes nothing else. With `is_released` the turn
    ends.
    """

    key: str
    wait: float
    state: HostState | None
    requests: int = 0
    is_released: bool = False


_ROBOTS: Final = {field.name: f"robots_{field.name}" for field in fields(Robots) if field.name != "rules"}


def exchange(
    connection: Connection,
    owner: str,
    notes: Sequence[HostNote],
    claims: Mapping[str, float],
    span: float,
    is_dead: Callable[[str], bool],
    now: float | None = None,
) -> dict[str, Claimed]:
    """Writes notes, then claims hosts for turns of `span` seconds. Returns the hosts that `owner` has, by key: a claim
    that is left out was refused. `claims` are the wanted hosts, each with the process's whole delay between two
    requests, in seconds. No key occurs twice in `notes`.

    `now` None is the database's clock. A host whose owner `is_dead` is free.
    """
    moment = _now(connection, now)
    for note in sorted(notes, key=lambda note: note.key):
        _write(connection, owner, note, moment, datetime.now(UTC) if now is None else datetime.fromtimestamp(now, UTC))
    found = _claimed(connection, owner, claims, span, moment)
    refused = claims.keys() - found
    if refused:
        freed = _free_dead(connection, owner, refused, is_dead)
        found |= _claimed(connection, owner, {key: claims[key] for key in freed}, span, moment)
        _want(connection, owner, refused - found.keys(), moment)
    return found


def _now(connection: Connection, now: float | None) -> ColumnElement[Any]:
    if now is None and connection.dialect.name == "postgresql":
        return cast(extract("epoch", func.clock_timestamp()), Float)
    return bindparam("now", time.time() if now is None else now, Float, unique=True)


def _claimed(
    connection: Connection, owner: str, claims: Mapping[str, float], span: float, moment: ColumnElement[Any]
) -> dict[str, Claimed]:
    """Claims the hosts by one statement, in the order of their keys, so that no two processes wait for each other."""
    found: dict[str, Claimed] = {}
    stored = hosts.c
    for chunk in chunks(sorted(claims)):
        rows = [_empty(key) | _NEW | {"owner": owner, "delay": claims[key]} for key in chunk]
        statement = insert(connection, hosts).values([row | {"busy_until": moment + span} for row in rows])
        mine = statement.excluded
        asked_at = mine.busy_until - span
        largest = func.greatest if connection.dialect.name == "postgresql" else func.max
        former = largest(stored.delay, stored.backoff, stored.crawl_delay)
        whole = largest(mine.delay, former)
        statement = statement.on_conflict_do_update(
            index_elements=["key"],
            set_={
                "owner": mine.owner,
                "busy_until": mine.busy_until,
                "delay": mine.delay,
                "next_at": case(
                    (stored.owner == mine.owner, stored.next_at),
                    # Released: the former owner waited for its own delay, and this process may have a longer one.
                    (stored.owner.is_(None), stored.next_at + (whole - former)),
                    # Taken over: nobody knows when the former owner sent its last request.
                    else_=largest(func.coalesce(stored.next_at, asked_at), asked_at + whole),
                ),
            },
            where=or_(
                stored.owner.is_(None),
                stored.owner == mine.owner,
                stored.busy_until <= asked_at,
                stored.busy_until > asked_at + max(LONGEST_TURN, 2 * span),
            ),
        )
        for row in connection.execute(statement.returning(*_ANSWER)):
            asked = row.busy_until - span
            found[row.key] = Claimed(
                wait=(row.next_at if row.next_at is not None else asked) - asked,
                state=HostState(row.crawl_delay, row.backoff, row.latency, row.failures),
                is_wanted=row.wanted_until is not None and row.wanted_until > asked,
            )
    return found


def _free_dead(
    connection: Connection, owner: str, keys: Collection[str], is_dead: Callable[[str], bool]
) -> Sequence[str]:
    """Ends the turns of dead owners among these hosts, and returns the hosts. Their owner stays in the row, so whoever
    takes a host over waits for its whole delay."""
    query = select(hosts.c.key, hosts.c.owner).where(hosts.c.key.in_(keys), hosts.c.owner != owner)
    owners = dict(connection.execute(query).all())
    dead = {one for one in set(owners.values()) if is_dead(one)}
    freed = sorted(key for key, one in owners.items() if one in dead)
    for key in freed:
        connection.execute(update(hosts).where(hosts.c.key == key, hosts.c.owner == owners[key]).values(busy_until=0.0))
    return freed


def _want(connection: Connection, owner: str, keys: Collection[str], moment: ColumnElement[Any]) -> None:
    """Notes that a process wants hosts that others have, unless that was noted a moment ago."""
    is_old = or_(hosts.c.wanted_until.is_(None), hosts.c.wanted_until < moment + (WANTED_FOR - NOTED_EVERY))
    wanted = update(hosts).where(hosts.c.owner != owner, is_old).values(wanted_until=moment + WANTED_FOR)
    for key in sorted(keys):
        connection.execute(wanted.where(hosts.c.key == key))


def _write(connection: Connection, owner: str, note: HostNote, moment: ColumnElement[Any], now: datetime) -> None:
    """Writes a note. Only the owner changes the state and ends the turn. The time of the next request becomes later
    whoever writes, so that no pause is lost to a new owner. A clock set back begins no new day of the count."""
    stored, is_owner = hosts.c, hosts.c.owner == owner
    largest = func.greatest if connection.dialect.name == "postgresql" else func.max
    today = now.date()
    # A stored day after tomorrow was written by a wrong clock.
    is_new = or_(stored.day.is_(None), stored.day < today, stored.day > today + timedelta(days=1))
    values: dict[str, Any] = {
        "next_at": largest(func.coalesce(stored.next_at, moment), moment + note.wait),
        "day": case((is_new, today), else_=stored.day),
        "requests_today": case((is_new, note.requests), else_=stored.requests_today + note.requests),
    }
    if note.state is not None:
        for name in ("backoff", "failures", "crawl_delay", "latency"):
            values[name] = case((is_owner, getattr(note.state, name)), else_=stored[name])
    if note.is_released:
        values["owner"] = case((is_owner, null()), else_=stored.owner)
        values["busy_until"] = case((is_owner, null()), else_=stored.busy_until)
    connection.execute(update(hosts).where(stored.key == note.key).values(values))


def times_of(row: Any, now: datetime) -> tuple[datetime | None, datetime | None]:
    """Returns when the host of a row got its last request, and until when it gets none because it failed; each None if
    that is not known. A row tells the former only while no process has the host."""
    if row.next_at is None:
        return None, None
    next_at = datetime.fromtimestamp(row.next_at, UTC)
    if row.failures:
        return None, next_at if next_at > now else None
    if row.owner is not None:
        return None, None
    waited = max(filter(None, (row.delay, row.backoff, row.crawl_delay, row.latency)), default=0.0)
    return next_at - timedelta(seconds=waited), None


def is_resting(now: datetime) -> ColumnElement[bool]:
    """Returns the condition of the rows of hosts that failed and get no request now."""
    return (hosts.c.failures > 0) & (hosts.c.next_at > now.timestamp())


def load_robots(connection: Connection, authority: str) -> Robots | None:
    """Returns the robots.txt of an authority (`https://example.com`) that is in force; None if it was never
    requested."""
    row = connection.execute(select(hosts).where(hosts.c.key == authority)).one_or_none()
    return robots_of(row) if row is not None else None


def robots_of(row: Any) -> Robots | None:
    """Returns the robots.txt of a row of the table as it is in force; None if it was never requested."""
    stored = {name: getattr(row, column) for name, column in _ROBOTS.items()}
    if any(stored[name] is None for name in ("reading", "fetched_at", "expires_at")):
        return None
    robots = Robots(**stored | {"body": stored["body"] or b"", "reason": stored["reason"] or ""})
    if robots.failures and robots.good_at is not None and robots.expires_at - robots.good_at < KEEP_GOOD:
        robots = replace(robots, reading="rules")  # the last good answer; that there were none is an empty body
    return restored(robots)


def save_robots(connection: Connection, authority: str, robots: Robots) -> None:
    """Writes what the latest request for a robots.txt brought: after a failure the reading "disallow", and the body and
    date of the last good answer, which are kept if `robots.good_at` is None."""
    kept = () if robots.good_at is not None else ("body", "good_at")
    values: Values = {column: getattr(robots, name) for name, column in _ROBOTS.items() if name not in kept}
    if robots.failures:
        values[_ROBOTS["reading"]] = "disallow"
    upsert(connection, hosts, ["key"], [_empty(authority) | values], values)


def _empty(key: str) -> Values:
    return {"key": key, "failures": 0, "requests_today": 0}
