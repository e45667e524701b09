"""The report of `newscrawl status`, read in one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from newscrawl.cli.common.sites import check_known
from newscrawl.identity.patterns import ALL
from newscrawl.monitoring.volume import Learning
from newscrawl.reports import (
    CrawlingMachine,
    SiteStatus,
    SourceStatus,
    crawling_machines,
    failing_sources,
    newest_published,
    sites,
)
from newscrawl.scheduling.rejected_patterns import RejectedPattern
from newscrawl.scheduling.site_state import SiteControl, SiteDay
from newscrawl.storage.captures import archive_files, locations
from newscrawl.storage.captures.locations import ArchiveFile
from newscrawl.storage.feed import consumers
from newscrawl.storage.frontier import patterns
from newscrawl.storage.frontier.sites import controls
from newscrawl.storage.monitoring import alarms, hours, site_models
from newscrawl.storage.monitoring.alarms import FLEET
from newscrawl.storage.monitoring.hours import NOTHING, Activity
from newscrawl.storage.reader import Connection


@dataclass(frozen=True, slots=True)
class StatusReport:
    """The state of all sites, or of one. Mappings are by site.

    These are of the whole database: `refused_changes`, `waiting_machines` (with what `newscrawl forget` asked them to
    remove), `deleted_files` (archive files whose deletion is not confirmed), `archive_files`, `damaged_captures` (that
    recovery could not read) and `undecided_texts` (texts whose stories are decided again). `full` has the sites that
    have reached today's limit of new addresses, `days` the last 24 hours.
    """

    statuses: Sequence[SiteStatus] = ()
    failing: Sequence[SourceStatus] = ()
    alarms: Sequence[alarms.Alarm] = ()
    given_up: Sequence[patterns.GivenUp] = ()
    of_kinds: Sequence[RejectedPattern] = ()
    full: Mapping[str, SiteDay] = field(default_factory=dict)
    days: Mapping[str, Activity] = field(default_factory=dict)
    published: Mapping[str, datetime] = field(default_factory=dict)
    """The newest publication date of each site (reports.newest_published)."""
    controls: Mapping[str, SiteControl] = field(default_factory=dict)
    learning: Mapping[str, Learning] = field(default_factory=dict)
    boilerplate: Mapping[str, site_models.EpochNumbers] = field(default_factory=dict)
    machines: Sequence[CrawlingMachine] = ()
    refused_changes: Sequence[consumers.RefusedChange] = ()
    waiting_machines: Sequence[archive_files.WaitingMachine] = ()
    deleted_files: Sequence[str] = ()
    archive_files: Sequence[ArchiveFile] = ()
    damaged_captures: int = 0
    undecided_texts: int = 0

    def as_objects(self) -> list[dict[str, Any]]:
        """Returns the numbers of each site as `--json` prints them."""
        owners = self._owners()
        return [self._of_site(status) | {"crawled_by": owners.get(status.site)} for status in self.statuses]

    def _of_site(self, status: SiteStatus) -> dict[str, Any]:
        """The site's numbers. An alarm of the whole fleet is listed for every site."""
        site = status.site
        control, learning, full = self.controls.get(site), self.learning.get(site), self.full.get(site)
        day = asdict(self.days.get(site, NOTHING))
        return asdict(status) | {
            "newest_article": day.pop("newest_article"),
            "newest_published": self.published.get(site),
            "last_24_hours": day,
            "control": asdict(control) if control is not None else None,
            "watchdog_learns": asdict(learning) if learning is not None else None,
            "boilerplate": asdict(self.boilerplate[site]) if site in self.boilerplate else None,
            "failing_sources": [asdict(source) for source in self.failing if source.site == site],
            "alarms": [asdict(alarm) for alarm in self.alarms if alarm.site in {site, FLEET}],
            "patterns_given_up": [
                {"pattern": trap.pattern, "since": trap.since} for trap in self.given_up if trap.site == site
            ],
            "patterns_of_kinds": [
                {"pattern": row.pattern.replace(ALL, "/*"), "kind": row.kind, "visits": row.visits, "share": row.share}
                for row in self.of_kinds
                if row.site == site
            ],
            "new_pages_bound_reached": full.limit_reached if full is not None else None,
        }

    def _owners(self) -> dict[str, dict[str, str]]:
        """The machine and the process that crawl each site now."""
        return {
            site: {"machine": machine.name, "process": process.process}
            for machine in self.machines
            for process in machine.processes
            for site in process.sites
        }


def read_report(connection: Connection, site: str | None, now: datetime) -> StatusReport:
    """Reads the report of all sites, or of one. Raises UsageError if the site is not known."""
    if site is not None:
        check_known(connection, [site])
    failing, opened = failing_sources(connection), alarms.open_alarms(connection)
    files = locations.files(connection)
    return StatusReport(
        statuses=sites(connection, site),
        failing=[source for source in failing if site in {None, source.site}],
        alarms=[alarm for alarm in opened if site is None or alarm.site in {site, FLEET}],
        given_up=patterns.given_up(connection, site),
        of_kinds=patterns.load_kinds(connection, site),
        full=hours.full(connection, now, site),
        days=hours.last_day(connection, now),
        published=newest_published(connection, now),
        controls=controls(connection, site),
        learning=site_models.learning(connection, site),
        boilerplate=site_models.boilerplate_numbers(connection, site),
        machines=crawling_machines(connection),
        refused_changes=consumers.refused(connection),
        waiting_machines=archive_files.waiting(connection),
        archive_files=files,
        damaged_captures=locations.number_damaged(connection),
        deleted_files=[file.name for file in files if file.deleted is not None],
    )
