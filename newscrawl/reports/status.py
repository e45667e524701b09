"""What `newscrawl status` shows, read in one transaction: each site with its totals and what is wrong with it, and the
state of the fleet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from operator import attrgetter
from typing import TypeVar

from newscrawl.crawling.scheduling.rejected_patterns import RejectedPattern
from newscrawl.crawling.scheduling.site_state import SiteControl, SiteDay
from newscrawl.monitoring.volume import Learning
from newscrawl.reports import fleet
from newscrawl.reports.fleet import Machine
from newscrawl.reports.sites import Site, Totals, named, newest_published, totals
from newscrawl.reports.sources import Source, failing_sources
from newscrawl.storage.captures import archive_files, locations
from newscrawl.storage.captures.archive_files import WaitingMachine
from newscrawl.storage.captures.locations import ArchiveFile
from newscrawl.storage.feed import consumers
from newscrawl.storage.feed.consumers import RefusedChange
from newscrawl.storage.frontier import patterns
from newscrawl.storage.frontier.patterns import GivenUp
from newscrawl.storage.frontier.sites import controls
from newscrawl.storage.monitoring import alarms, hours, site_models
from newscrawl.storage.monitoring.alarms import FLEET, Alarm
from newscrawl.storage.monitoring.site_models import EpochNumbers
from newscrawl.storage.reader import Connection

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SiteStatus:
    """A site with its totals. `alarms` are its open ones and those of the whole fleet. `learning` is what the watchdog
    knows of a new site. `full` are its numbers of today if today's limit of new addresses is reached."""

    totals: Totals
    now: Site
    newest_published: datetime | None
    learning: Learning | None
    boilerplate: EpochNumbers | None
    failing_sources: Sequence[Source]
    alarms: Sequence[Alarm]
    patterns_given_up: Sequence[GivenUp]
    patterns_of_kinds: Sequence[RejectedPattern]
    full: SiteDay | None
    crawled_by: Mapping[str, str] | None
    """The machine and the process that crawl it now."""


@dataclass(frozen=True, slots=True)
class Status:
    """The state of all sites, or of one; what is of one site is in `sites` as well.

    `controls`, `learning` and `full` are by site, also of names that are no site with totals. These are of the whole
    database: `machines`, `refused_changes`, `waiting_machines` (with what `newscrawl forget` asked them to remove),
    `archive_files`, and `damaged_captures` (that recovery could not read).
    """

    sites: Sequence[SiteStatus] = ()
    alarms: Sequence[Alarm] = ()
    failing: Sequence[Source] = ()
    given_up: Sequence[GivenUp] = ()
    of_kinds: Sequence[RejectedPattern] = ()
    full: Sequence[SiteDay] = ()
    controls: Sequence[SiteControl] = ()
    learning: Mapping[str, Learning] = field(default_factory=dict)
    machines: Sequence[Machine] = ()
    refused_changes: Sequence[RefusedChange] = ()
    waiting_machines: Sequence[WaitingMachine] = ()
    archive_files: Sequence[ArchiveFile] = ()
    damaged_captures: int = 0


def read_status(connection: Connection, site: str | None, now: datetime) -> Status:
    """Returns the state of all sites, or of one, known or not."""
    counted, published = totals(connection, site), newest_published(connection, now)
    sites = named(connection, [one.site for one in counted], now)
    learning, boilerplate = site_models.learning(connection, site), site_models.boilerplate_numbers(connection, site)
    failing, given_up = failing_sources(connection, site), patterns.given_up(connection, site)
    of_kinds, full = patterns.load_kinds(connection, site), hours.full(connection, now, site)
    opened = [one for one in alarms.open_alarms(connection) if site is None or one.site in {site, FLEET}]
    machines = fleet.machines(connection)
    crawled = {
        name: {"machine": machine.name, "process": process.process}
        for machine in machines
        for process in machine.processes
        for name in process.sites
    }
    failing_of, given_up_of, of_kinds_of = _by_site(failing), _by_site(given_up), _by_site(of_kinds)
    alarms_of = _by_site(opened)
    found = [
        SiteStatus(
            totals=one,
            now=sites[one.site],
            newest_published=published.get(one.site),
            learning=learning.get(one.site),
            boilerplate=boilerplate.get(one.site),
            failing_sources=failing_of[one.site],
            alarms=sorted((*alarms_of[one.site], *alarms_of[FLEET]), key=attrgetter("opened_at", "id")),
            patterns_given_up=given_up_of[one.site],
            patterns_of_kinds=of_kinds_of[one.site],
            full=full.get(one.site),
            crawled_by=crawled.get(one.site),
        )
        for one in counted
    ]
    controlled = controls(connection, site)
    return Status(
        sites=found,
        alarms=opened,
        failing=failing,
        given_up=given_up,
        of_kinds=of_kinds,
        full=[full[name] for name in sorted(full)],
        controls=[controlled[name] for name in sorted(controlled)],
        learning=learning,
        machines=machines,
        refused_changes=consumers.refused(connection),
        waiting_machines=archive_files.waiting(connection),
        archive_files=locations.files(connection),
        damaged_captures=locations.number_damaged(connection),
    )


def _by_site(rows: Iterable[T]) -> defaultdict[str, list[T]]:
    found: defaultdict[str, list[T]] = defaultdict(list)
    for row in rows:
        found[attrgetter("site")(row)].append(row)
    return found
