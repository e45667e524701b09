"""The options of `newscrawl run`: those of its command line, and what the settings say about a fleet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from scrapy.settings import Settings

from newscrawl.config.catalogue import Config
from newscrawl.config.reading import value_of
from newscrawl.crawling.upkeep.service import FurtherUpkeep
from newscrawl.scheduling.site_selection import FleetPolicy
from newscrawl.storage.store import Store

QUIET: Final[dict[str, Any]] = {
    "NEWSCRAWL_PROGRESS": False,
    "LOGSTATS_INTERVAL": 0,
    "STATS_DUMP": False,
    "LOG_VERSIONS": [],
}
INTERRUPT: Final = "newscrawl.crawling.runtime.interrupt.Interrupt"


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The options of the command line. `interval` is in seconds."""

    sites: Sequence[str] = ()
    once: bool = False
    interval: float | None = None
    health: int | None = None
    further_upkeep: Callable[[Store], FurtherUpkeep] | None = None
    """The further work of the database's upkeep, given by the command."""


def fleet_policy(config: Config) -> FleetPolicy:
    """Returns what the settings say about all sites."""
    usual, scale, wanted = FleetPolicy(), config.scheduling.time_scale, config.run
    return FleetPolicy(
        places=wanted.concurrent_sites,
        min_interval=timedelta(seconds=wanted.min_site_interval),
        max_crawl=timedelta(seconds=wanted.max_crawl_seconds),
        max_wait=usual.max_wait / scale,
        leftovers=usual.leftovers / scale,
    )


def fleet_settings(settings: Settings) -> None:
    """Sets what differs when crawls share a process: no crawl handles signals or draws on the terminal, and the longest
    wait for a host is shorter, unless a site's `custom_settings` say otherwise."""
    extensions = {**settings.getdict("EXTENSIONS"), INTERRUPT: None}
    settings.setdict({**QUIET, "EXTENSIONS": extensions}, priority="cmdline")
    settings.set("NEWSCRAWL_MAX_HOST_WAIT", value_of(settings, "NEWSCRAWL_RUN_MAX_HOST_WAIT"), priority="project")
