"""The first screen: what is wrong, then what is new."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from newscrawl.reports import fleet, shown_articles
from newscrawl.reports.database import database_bytes
from newscrawl.reports.fleet import Crawler, LastHour, Machine, Work
from newscrawl.reports.publishing import Consumer
from newscrawl.reports.shown_articles import ShownArticle
from newscrawl.storage import events
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.monitoring.alarms import EXTRACTION, FLEET, HINTS, MACHINE, OBJECT_STORE, Alarm
from newscrawl.storage.monitoring.hours import hour_of
from newscrawl.storage.reader import Connection
from newscrawl.storage.records import Event
from newscrawl.web.screens import operate, sites
from newscrawl.web.screens.screen import Context, NoParameters, Screen

NEWEST: Final = 20
ALARMS: Final = 100
FREE_STEP: Final = 100_000_000
"""Bytes to which free space is rounded: the pages show 0.1 GB. The exact number changes all the time, and with it the
ETag of an answer in which nothing else is new."""
LAST_HOUR_LIFE: Final = timedelta(minutes=1)

_COMMANDS: Final[Mapping[str, str]] = {
    EXTRACTION: "newscrawl review list --site {site}",
    HINTS: "newscrawl hints try {site}",
    MACHINE: "newscrawl machines",
    OBJECT_STORE: "newscrawl doctor",
}
"""The command that answers an alarm, by its kind; `newscrawl status SITE` for the others."""


@dataclass(frozen=True, slots=True)
class OpenAlarm:
    """An open alarm. `site` is None for the whole fleet. `command` is what an operator runs to answer it."""

    site: str | None
    kind: str
    severity: str
    since: datetime
    opened_at: datetime
    message: str
    command: str


@dataclass(frozen=True, slots=True)
class Disk:
    """The disk of the raw archive, in bytes. `free` is rounded down to 0.1 GB."""

    folder: str
    total: int
    free: int


@dataclass(frozen=True, slots=True)
class NowScreen:
    """The state of the fleet now. `open_alarms` is the number of open alarms, of which `alarms` has at most 100, the
    critical ones first; `sites` says how many sites are in each state,
    as `counts` of `/sites.json` does; `disk` is None without an archive here. `events` are what operators did on these
    pages with the whole fleet, with feeds of more than one site, and with new sites, the newest first."""

    crawler: Crawler
    open_alarms: int
    alarms: Sequence[OpenAlarm]
    last_hour: LastHour
    work: Work
    sites: Mapping[str, int]
    machines: Sequence[Machine]
    disk: Disk | None
    database_bytes: int
    consumers: Sequence[Consumer]
    newest: Sequence[ShownArticle]
    events: Sequence[Event]


def load(connection: Connection, _query: NoParameters, context: Context) -> NowScreen:
    """Returns the state of the fleet."""
    opened = sorted(alarms.open_alarms(connection), key=lambda alarm: alarm.severity != "critical")
    work, machines = fleet.work(connection, context.now), fleet.machines(connection, context.now)
    return NowScreen(
        crawler=fleet.crawler(work, machines, context.now),
        open_alarms=len(opened),
        alarms=tuple(map(open_alarm, opened[:ALARMS])),
        last_hour=_last_hour(connection, context),
        work=work,
        sites=sites.counts(context),
        machines=machines,
        disk=_disk(context),
        database_bytes=database_bytes(connection),
        consumers=operate.shown_consumers(connection),
        newest=tuple(shown_articles.newest(connection, NEWEST)),
        events=events.acts(connection, FLEET),
    )


def _last_hour(connection: Connection, context: Context) -> LastHour:
    """The numbers of the last complete hour. Its numbers may still change in the first minutes after it."""
    key, recent = ("last hour", hour_of(context.now)), context.recent
    return recent.get(key, context.now, LAST_HOUR_LIFE, lambda: fleet.last_hour(connection, context.now))


def open_alarm(alarm: Alarm) -> OpenAlarm:
    """Returns an alarm with the command that answers it."""
    site = None if alarm.site == FLEET else alarm.site
    command = (
        _COMMANDS.get(alarm.kind, "newscrawl status {site}").format(site=shlex.quote(site) if site else "").strip()
    )
    return OpenAlarm(site, alarm.kind, alarm.severity, alarm.since, alarm.opened_at, alarm.message, command)


def _disk(context: Context) -> Disk | None:
    if context.archive_folder is None:
        return None
    try:
        usage = shutil.disk_usage(context.archive_folder)
    except OSError:
        return None
    return Disk(str(context.archive_folder), usage.total, usage.free // FREE_STEP * FREE_STEP)


SCREEN = Screen("now", "/", "Now", NoParameters, NowScreen, load)
