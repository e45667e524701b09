"""Checks that need no baseline: machines that are gone, an object store that is away, and new articles on a site's
front page that no source lists.

Each is one transaction.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from newscrawl.discovery.proposals.coverage import EXAMPLES, Gap, left_out
from newscrawl.storage.engine.clock import time_of
from newscrawl.storage.frontier import sites
from newscrawl.storage.machines import registered
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.monitoring.alarms import FLEET, MACHINE, OBJECT_STORE, Alarm
from newscrawl.storage.monitoring.checks import AlarmChanges
from newscrawl.wording import counted

GROWN: Final = 1.5
"""An accepted gap raises an alarm again when this many times as many articles are missing."""


def check_machines(connection: Connection, now: datetime | None = None) -> AlarmChanges:
    """Opens the alarm that machines are gone, or closes it. `now` None is the database's clock."""
    now = time_of(connection, now)
    missing = registered.gone(connection, now)
    alarm = alarms.open_alarm(connection, FLEET, MACHINE)
    if not missing:
        return _ended(connection, alarm, now)
    named = ", ".join(f"{name} (last seen {seen:%Y-%m-%d %H:%M} UTC)" for name, seen in missing.items())
    message = f"{counted(len(missing), 'machine is', 'machines are')} gone: {named}; its sites go to the others"
    details = {"machines": sorted(missing)}
    wanted = Alarm(FLEET, MACHINE, "critical", min(missing.values()), now, message, details)
    return _opened_or_updated(connection, alarm, wanted)


def check_object_store(
    connection: Connection, now: datetime, problem: str | None, since: datetime, machine: str
) -> AlarmChanges:
    """Opens the alarm that `machine` cannot move files into the object store since `since`, updates it, or closes it
    if `problem` is None. An alarm is closed once no machine has the problem any more."""
    alarm = alarms.open_alarm(connection, FLEET, OBJECT_STORE)
    reasons: dict[str, str] = dict(alarm.details["machines"]) if alarm is not None else {}
    reasons.pop(machine, None)
    if problem is not None:
        reasons[machine] = problem
    if not reasons:
        return _ended(connection, alarm, now)
    named = "; ".join(f"{name}: {reason}" for name, reason in sorted(reasons.items()))
    message = f"files of the archive wait on {counted(len(reasons), 'machine')} for the object store ({named})"
    wanted = Alarm(FLEET, OBJECT_STORE, "critical", since, now, message, {"machines": reasons})
    return _opened_or_updated(connection, alarm, wanted)


def check_coverage(connection: Connection, site: str, gap: Gap | None, now: datetime) -> AlarmChanges:
    """Opens, updates or closes the site's coverage alarm, and plans the next comparison. `gap` is None if the front
    page could not be fetched."""
    alarm = alarms.open_alarm(connection, site, sites.COVERAGE)
    if gap is None:
        sites.plan_comparison(connection, site, now + sites.COMPARED_AGAIN)
        return AlarmChanges()
    counts = gap.counts and len(gap.missing) > GROWN * sites.accepted_gap(connection, site)
    sites.plan_comparison(connection, site, now + (sites.COMPARED_AGAIN if counts else sites.COMPARED_EVERY))
    if not counts:
        return _ended(connection, alarm, now)
    examples = [link.url for link in gap.missing[: 3 * EXAMPLES]]
    message = left_out(gap.missing)
    details = {"missing": len(gap.missing), "compared": gap.compared, "examples": examples}
    if alarm is not None and alarm.id is not None:
        alarms.grow(connection, alarm.id, "warning", message, details)
        return AlarmChanges()
    new = Alarm(site, sites.COVERAGE, "warning", now, now, message, details)
    return AlarmChanges(opened=(alarms.begin(connection, new),))


def _ended(connection: Connection, alarm: Alarm | None, now: datetime) -> AlarmChanges:
    """Closes an alarm if it is open."""
    if alarm is None or alarm.id is None:
        return AlarmChanges()
    alarms.end(connection, alarm.id, now)
    return AlarmChanges(closed=(replace(alarm, closed_at=now),))


def _opened_or_updated(connection: Connection, alarm: Alarm | None, wanted: Alarm) -> AlarmChanges:
    """Opens the wanted alarm, or gives the open one its message and details."""
    if alarm is None:
        return AlarmChanges(opened=(alarms.begin(connection, wanted),))
    if alarm.id is not None and alarm.message != wanted.message:
        alarms.grow(connection, alarm.id, alarm.severity, wanted.message, wanted.details)
    return AlarmChanges()
