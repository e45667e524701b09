"""Alarms of the watchdog, each opened once and closed once, and the notifications that its receivers (webhook, mail)
have not accepted yet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final, Literal

from sqlalchemy import Connection, select, update

from newscrawl.storage.engine.sql import RowMapping
from newscrawl.storage.tables.operations import alarms

MAX_ATTEMPTS: Final = 12
"""Attempts to notify the webhook of one event. With pauses that double from a minute to an hour: about seven hours."""
FLEET: Final = "*"
"""The name under which all sites together are watched; no spider can have it."""
QUIET: Final = "quiet"
"""The kind of alarm that says that a site, or the fleet, has fewer new articles than usual."""
EXTRACTION: Final = "extraction"
"""The kind of alarm that says that the extraction of a site's pages looks broken."""
HINTS: Final = "hints"
"""The kind of alarm that says that hints of a site match nothing any more."""
MACHINE: Final = "machine"
"""The kind of alarm that says that machines are gone: their processes neither ended nor were seen lately."""
OBJECT_STORE: Final = "object_store"
"""The kind of alarm that says that the files of the archive cannot be moved into the object store."""
UNREACHABLE: Final = "unreachable"
"""The kind of alarm that says that a site does not answer."""
FIRST_PAUSE: Final = timedelta(minutes=1)
MAX_PAUSE: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Alarm:
    """One alarm. `site` is FLEET for all sites together. `since` is when the problem began; `details` are its figures.
    `accepted_by` names the receivers that have its pending event."""

    site: str
    kind: str
    severity: str
    since: datetime
    opened_at: datetime
    message: str
    details: Mapping[str, Any]
    closed_at: datetime | None = None
    id: int | None = None
    open_notified: bool = False
    attempts: int = 0
    accepted_by: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """What the alarm is about, for people."""
        return "all sites" if self.site == FLEET else self.site


_ALARM: Final = RowMapping(Alarm, read_only={"id": "id"})


@dataclass(frozen=True, slots=True)
class AlarmChanges:
    """Alarms that a check opened and closed. `more` says that work is left for another check; `damaged` is the number
    of stored samples and baselines that could not be read."""

    opened: tuple[Alarm, ...] = ()
    closed: tuple[Alarm, ...] = ()
    more: bool = False
    damaged: int = 0


def open_alarms(connection: Connection, site: str | None = None) -> list[Alarm]:
    """Returns the open alarms of one site (None: of all), the oldest first."""
    query = select(alarms).where(alarms.c.closed_at.is_(None)).order_by(alarms.c.opened_at, alarms.c.id)
    if site is not None:
        query = query.where(alarms.c.site == site)
    return [_ALARM.read(row) for row in connection.execute(query)]


def open_alarm(connection: Connection, site: str, kind: str) -> Alarm | None:
    """Returns the site's open alarm of this kind, or None. There is at most one."""
    is_this = (alarms.c.site == site) & (alarms.c.kind == kind) & alarms.c.closed_at.is_(None)
    row = connection.execute(select(alarms).where(is_this)).one_or_none()
    return _ALARM.read(row) if row is not None else None


def begin(connection: Connection, alarm: Alarm) -> Alarm:
    """Opens the alarm and returns it as stored. The database refuses a second open alarm of the same site and kind."""
    row = alarms.insert().values(**_ALARM.values(alarm), notify_at=alarm.opened_at)
    return _ALARM.read(connection.execute(row.returning(alarms)).one())


def grow(connection: Connection, number: int | None, severity: str, message: str, details: Mapping[str, Any]) -> None:
    """Updates an open alarm's severity, message and details. None is no stored alarm, here and below."""
    changes = {"severity": severity, "message": message, "details": dict(details)}
    connection.execute(update(alarms).where(alarms.c.id == number).values(**changes))


def end(connection: Connection, number: int | None, now: datetime) -> None:
    """Closes the alarm; a closed alarm is left as it is."""
    is_open = (alarms.c.id == number) & alarms.c.closed_at.is_(None)
    connection.execute(update(alarms).where(is_open).values(closed_at=now, notify_at=now, attempts=0))


def keep(connection: Connection, known: Iterable[Alarm], wanted: Iterable[Alarm], now: datetime) -> AlarmChanges:
    """Leaves the wanted alarms open of those that are open (`known`), with their severity, message and details. Opens
    those that are not, and closes the others."""
    rest = {(alarm.site, alarm.kind): alarm for alarm in known}
    opened: list[Alarm] = []
    for alarm in wanted:
        before = rest.pop((alarm.site, alarm.kind), None)
        if before is None:
            opened.append(begin(connection, alarm))
        elif _shown(before) != _shown(alarm):
            grow(connection, before.id, alarm.severity, alarm.message, alarm.details)
    for alarm in rest.values():
        end(connection, alarm.id, now)
    return AlarmChanges(tuple(opened), tuple(replace(alarm, closed_at=now) for alarm in rest.values()))


def keep_one(connection: Connection, site: str, kind: str, wanted: Alarm | None, now: datetime) -> AlarmChanges:
    """Opens or updates the site's alarm of this kind as `wanted`, or closes it if that is None."""
    known = open_alarm(connection, site, kind)
    return keep(connection, [known] if known is not None else [], [wanted] if wanted is not None else [], now)


def replace_open(connection: Connection, kind: str, severity: str, messages: Mapping[str, str], now: datetime) -> None:
    """Leaves one open alarm of this kind for each site of `messages`, with its message, and closes all others."""
    known = [alarm for alarm in open_alarms(connection) if alarm.kind == kind]
    keep(connection, known, [Alarm(site, kind, severity, now, now, text, {}) for site, text in messages.items()], now)


def to_notify(connection: Connection, now: datetime, limit: int) -> list[Alarm]:
    """Returns the alarms whose notification is due now, at most `limit`."""
    query = select(alarms).where(alarms.c.notify_at <= now).order_by(alarms.c.notify_at, alarms.c.id).limit(limit)
    return [_ALARM.read(row) for row in connection.execute(query)]


def accepted(connection: Connection, number: int | None, event: Literal["opened", "closed"], receiver: str) -> None:
    """Notes that one of several receivers accepted the event, so that it does not get it again."""
    row = connection.execute(select(alarms).where(alarms.c.id == number)).one()
    if row.open_notified == (event == "closed"):
        names = sorted({*(row.accepted_by or ()), receiver})
        connection.execute(update(alarms).where(alarms.c.id == number).values(accepted_by=names))


def notified(connection: Connection, number: int | None, event: Literal["opened", "closed"], now: datetime) -> None:
    """Notes that all receivers accepted the event. An alarm that was closed meanwhile is sent once more."""
    row = connection.execute(select(alarms).where(alarms.c.id == number)).one()
    more = event == "opened" and row.closed_at is not None
    column = "open_notified" if event == "opened" else "close_notified"
    changes: dict[str, Any] = {column: True, "attempts": 0, "notify_at": now if more else None, "accepted_by": None}
    connection.execute(update(alarms).where(alarms.c.id == number).values(**changes))


def not_notified(connection: Connection, number: int | None, now: datetime) -> bool:
    """Notes that a receiver did not accept the alarm and plans the next attempt; False after the last attempt."""
    attempts = int(connection.execute(select(alarms.c.attempts).where(alarms.c.id == number)).scalar_one()) + 1
    again = attempts < MAX_ATTEMPTS
    pause = min(FIRST_PAUSE * 2 ** (attempts - 1), MAX_PAUSE)
    changes = {"attempts": attempts, "notify_at": now + pause if again else None}
    connection.execute(update(alarms).where(alarms.c.id == number).values(**changes))
    return again


def forget_notifications(connection: Connection) -> None:
    """Drops all pending notifications. Without a webhook, alarms must not wait until one is configured."""
    connection.execute(update(alarms).where(alarms.c.notify_at.is_not(None)).values(notify_at=None))


def _shown(alarm: Alarm) -> tuple[str, str, dict[str, Any]]:
    return alarm.severity, alarm.message, dict(alarm.details)
