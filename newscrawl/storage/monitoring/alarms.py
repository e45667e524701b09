"""Alarms of the watchdog, each opened once and closed once. Both are notices to the receivers (webhook, mail)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Row, select, update

from newscrawl.storage import deliveries
from newscrawl.storage.deliveries import ALARMS, ALL, MAX_WAITING, Notice
from newscrawl.storage.tables.operations import alarms

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
OPENED: Final = "opened"
CLOSED: Final = "closed"
"""The events of an alarm."""


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
    return with_deliveries(connection, map(of_row, connection.execute(query)))


def open_alarm(connection: Connection, site: str, kind: str) -> Alarm | None:
    """Returns the site's open alarm of this kind, or None. There is at most one."""
    is_this = (alarms.c.site == site) & (alarms.c.kind == kind) & alarms.c.closed_at.is_(None)
    row = connection.execute(select(alarms).where(is_this)).one_or_none()
    return of_row(row) if row is not None else None


def stored_alarm(connection: Connection, number: int) -> Alarm:
    """Returns the alarm with this number. None is ever deleted."""
    return of_row(connection.execute(select(alarms).where(alarms.c.id == number)).one())


def of_row(row: Row[Any]) -> Alarm:
    """Returns the alarm of a row with all columns."""
    return Alarm(
        row.site,
        row.kind,
        row.severity,
        row.since,
        row.opened_at,
        row.message,
        row.details or {},
        row.closed_at,
        row.id,
    )


def with_deliveries(connection: Connection, found: Iterable[Alarm]) -> list[Alarm]:
    """Returns the alarms with what their receivers have. `open_notified`: there are receivers, and none lacks the
    opening. `attempts`: the failures in a row of a receiver that lacks the pending event."""
    receivers = deliveries.of_stream(connection, ALARMS)
    if not receivers:
        return list(found)
    sent = min(receiver.sent_upto for receiver in receivers)
    pending: dict[int, Notice] = {}
    for notice in deliveries.after(connection, ALARMS, ALL, sent, MAX_WAITING):
        pending.setdefault(notice.details["alarm"], notice)
    told = []
    for alarm in found:
        event = pending.get(alarm.id or 0)
        if event is None:
            told.append(replace(alarm, open_notified=True))
            continue
        lacking = [receiver for receiver in receivers if receiver.sent_upto < event.id]
        names = {receiver.place for receiver in receivers} - {receiver.place for receiver in lacking}
        attempts = max(receiver.attempts for receiver in lacking)
        told.append(
            replace(alarm, open_notified=event.event == CLOSED, attempts=attempts, accepted_by=tuple(sorted(names)))
        )
    return told


def begin(connection: Connection, alarm: Alarm) -> Alarm:
    """Opens the alarm and returns it as stored. The database refuses a second open alarm of the same site and kind."""
    names = ("site", "kind", "severity", "since", "opened_at", "message", "details", "closed_at")
    new = alarms.insert().values({name: getattr(alarm, name) for name in names})
    begun = of_row(connection.execute(new.returning(alarms)).one())
    _tell(connection, begun.id, OPENED, alarm.opened_at)
    return begun


def grow(connection: Connection, number: int | None, severity: str, message: str, details: Mapping[str, Any]) -> None:
    """Updates an open alarm's severity, message and details. None is no stored alarm, here and below."""
    changes = {"severity": severity, "message": message, "details": dict(details)}
    connection.execute(update(alarms).where(alarms.c.id == number).values(**changes))


def end(connection: Connection, number: int | None, now: datetime) -> None:
    """Closes the alarm; a closed alarm is left as it is."""
    is_open = (alarms.c.id == number) & alarms.c.closed_at.is_(None)
    if connection.execute(update(alarms).where(is_open).values(closed_at=now)).rowcount:
        _tell(connection, number, CLOSED, now)


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


def _tell(connection: Connection, number: int | None, event: str, now: datetime) -> None:
    """Tells the receivers, also those that fail or were given up: each alarm is tried at once."""
    deliveries.append(connection, ALARMS, [Notice(ALL, event, now, {"alarm": number})])
    deliveries.try_again(connection, ALARMS, now)


def _shown(alarm: Alarm) -> tuple[str, str, dict[str, Any]]:
    return alarm.severity, alarm.message, dict(alarm.details)
