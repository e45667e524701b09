"""The stored state of each host: delay, failures, robots.txt, and the day's requests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, case, select, update

from newscrawl.scheduling.host import HostState
from newscrawl.storage.engine.sql import Values, chunks, upsert
from newscrawl.storage.tables.frontier import hosts


@dataclass(frozen=True, slots=True)
class HostRow:
    """A host's politeness state. `key` is scheme://host:port, or `domain:` and a registrable domain.

    `delay` is the back-off, `crawl_delay` the Crawl-delay of robots.txt, `latency` the mean time of an answer, all in
    seconds. `not_before` is the end of a pause that the host asked for.
    """

    key: str
    last_request_at: datetime | None = None
    delay: float | None = None
    not_before: datetime | None = None
    failures: int = 0
    crawl_delay: float | None = None
    latency: float | None = None


@dataclass(frozen=True, slots=True)
class RobotsRow:
    """The latest result for a robots.txt (scheduling.robots.Robots), and its last valid rules with their date.

    `body` and `good_at` are of the last answer whose reading was "rules", also after later failures.
    """

    authority: str
    reading: str
    status: int | None
    fetched_at: datetime
    expires_at: datetime
    body: bytes = b""
    failures: int = 0
    reason: str = ""
    good_at: datetime | None = None


def state_of(row: HostRow) -> HostState:
    """Returns the state that a row has."""
    return HostState(
        crawl_delay=row.crawl_delay or 0.0,
        backoff=row.delay or 0.0,
        latency=row.latency or 0.0,
        failures=row.failures,
        last_request_at=row.last_request_at,
        not_before=row.not_before,
    )


def lock(connection: Connection, keys: Iterable[str]) -> None:
    """Locks the stored rows, in the order of their keys, so that no two transactions that write several hosts wait for
    each other. A SQLite database has one writer anyway."""
    if connection.dialect.name != "postgresql":
        return
    for chunk in chunks(sorted(set(keys))):
        connection.execute(select(hosts.c.key).where(hosts.c.key.in_(chunk)).order_by(hosts.c.key).with_for_update())


def load(connection: Connection, key: str) -> HostRow | None:
    """Returns the host's state; None for a host that was never requested."""
    columns = [hosts.c[name] for name in HostRow.__dataclass_fields__]
    row = connection.execute(select(*columns).where(hosts.c.key == key)).one_or_none()
    return HostRow(**row._asdict()) if row is not None else None


def save(connection: Connection, host: HostRow) -> None:
    """Writes the host's state over the stored one. Its robots.txt and its request counts stay."""
    save_all(connection, [host])


def save_all(connection: Connection, paces: Sequence[HostRow]) -> None:
    """Does what `save` does, for many hosts in one statement. Each may occur once."""
    changes = dict.fromkeys((name for name in HostRow.__dataclass_fields__ if name != "key"), _incoming)
    upsert(connection, hosts, ["key"], [_empty(host.key) | asdict(host) for host in paces], changes)


def save_granted(connection: Connection, owner: str, states: Sequence[HostRow], clock: timedelta) -> None:
    """Stores the states of hosts whose grant the process keeps (storage.machines.host_grants). A state of a host that
    another process has meanwhile is not stored. `clock` is the time by which the database's clock is ahead of the
    process's; it is added to all times."""
    written = update(hosts).where(hosts.c.key == bindparam("_key"), hosts.c.owner == owner)
    if states:
        connection.execute(written, [_moved(state, clock) for state in states])


def load_robots(connection: Connection, authority: str) -> RobotsRow | None:
    """Returns the robots.txt of an authority (`https://example.com`); None if it was never requested."""
    row = connection.execute(select(hosts).where(hosts.c.key == authority)).one_or_none()
    if row is None or row.robots_fetched_at is None or row.robots_expires_at is None or row.robots_reading is None:
        return None
    return RobotsRow(
        authority,
        row.robots_reading,
        row.robots_status,
        row.robots_fetched_at,
        row.robots_expires_at,
        row.robots_body or b"",
        row.robots_failures,
        row.robots_reason or "",
        row.robots_good_at,
    )


def save_robots(connection: Connection, robots: RobotsRow) -> None:
    """Writes an answer to /robots.txt. If `robots.good_at` is None, body and date of the last good answer are kept."""
    values: Values = {
        "robots_reading": robots.reading,
        "robots_status": robots.status,
        "robots_fetched_at": robots.fetched_at,
        "robots_expires_at": robots.expires_at,
        "robots_failures": robots.failures,
        "robots_reason": robots.reason,
    }
    if robots.good_at is not None:
        values |= {"robots_body": robots.body, "robots_good_at": robots.good_at}
    upsert(connection, hosts, ["key"], [_empty(robots.authority) | values], values)


def count_requests(connection: Connection, key: str, number: int, now: datetime) -> int:
    """Adds to the host's requests of the day (UTC) and returns their number. A clock set back starts no new day; a
    stored day after tomorrow was written by a wrong clock and is ignored."""
    return count_all(connection, {key: number}, now)[key]


def count_all(connection: Connection, numbers: Mapping[str, int], now: datetime) -> dict[str, int]:
    """Does what `count_requests` does, for many hosts in one statement: building one takes longer than running it."""
    today = now.astimezone(UTC).date()
    rows = [_empty(key) | {"day": today, "requests_today": number} for key, number in numbers.items()]
    wrong = today + timedelta(days=1)

    def is_new(day: ColumnElement[Any]) -> ColumnElement[bool]:
        return hosts.c.day.is_(None) | (hosts.c.day < day) | (hosts.c.day > wrong)

    def later_day(stored: ColumnElement[Any], incoming: ColumnElement[Any]) -> ColumnElement[Any]:
        return case((is_new(incoming), incoming), else_=stored)

    def of_the_day(stored: ColumnElement[Any], incoming: ColumnElement[Any]) -> ColumnElement[Any]:
        return case((is_new(incoming.table.c.day), incoming), else_=stored + incoming)

    changes = {"day": later_day, "requests_today": of_the_day}
    back = upsert(connection, hosts, ["key"], rows, changes, [hosts.c.key, hosts.c.requests_today])
    return {row.key: int(row.requests_today) for row in back}


def _incoming(_stored: object, incoming: ColumnElement[Any]) -> ColumnElement[Any]:
    return incoming


def _moved(state: HostRow, clock: timedelta) -> Values:
    values = asdict(state)
    values["_key"] = values.pop("key")
    for name in ("last_request_at", "not_before"):
        if values[name] is not None:
            values[name] += clock
    return values


def _empty(key: str) -> Values:
    return {"key": key, "failures": 0, "requests_today": 0}
