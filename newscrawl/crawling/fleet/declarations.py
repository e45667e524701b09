"""The sites of a fleet: their spiders, timetables and budgets, read again when a file in spiders/ changes.

A file that cannot be read any more costs one line: its sites go on as they were declared before.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from scrapy.settings import BaseSettings
from scrapy.spiderloader import get_spider_loader

from newscrawl.crawling.declared import DeclaredSpider
from newscrawl.crawling.own_server import SelfServedSpider
from newscrawl.errors import ConfigurationError, NewscrawlError, UnknownSiteError, UsageError
from newscrawl.scheduling.fleet import SitePlan
from newscrawl.scheduling.timetable import Timetable
from newscrawl.storage.records import GENERIC_SITE

logger = logging.getLogger(__name__)

OPTIONS: Final = ("cron", "interval", "quiet_hours", "time_zone", "daily_requests", "paused")
"""What a declaration, or NEWSCRAWL_RUN_SITES for a site, may say of its schedule."""


@dataclass(frozen=True, slots=True)
class DeclaredSite:
    """A site of the fleet."""

    spider: type[DeclaredSpider]
    plan: SitePlan


class Declarations:
    """The sites that are crawled: those named, or all that stand for a site of their own.

    `interval` is a timetable for all of them, in seconds. Raises UnknownSiteError for a name that no site has, and
    UsageError or ConfigurationError for timetables that cannot work (at the start only: later they cost one line).
    """

    def __init__(self, settings: BaseSettings, named: Sequence[str] = (), interval: float | None = None) -> None:
        self._settings = settings
        self._named = tuple(named)
        self._interval = interval
        self._files: dict[Path, float] = {}
        self.sites: dict[str, DeclaredSite] = {}
        spiders = self._load()
        for name in self._named:
            if name not in spiders:
                raise UnknownSiteError(name, spiders)
        for name in settings.getdict("NEWSCRAWL_RUN_SITES"):
            if name not in spiders:
                raise ConfigurationError("NEWSCRAWL_RUN_SITES", f"names {name!r}, which no site is called")
        self.sites = {name: self._declared(spider) for name, spider in self._wanted(spiders)}

    @property
    def plans(self) -> dict[str, SitePlan]:
        """The plans by site."""
        return {name: site.plan for name, site in self.sites.items()}

    def asleep(self, now: datetime) -> set[str]:
        """Sites that are paused or in their quiet hours: nothing is expected of them."""
        plans = self.plans.items()
        return {name for name, plan in plans if plan.paused or plan.timetable.is_quiet(now)}

    def changed(self) -> bool:
        """Whether a file was added, changed or removed since the last reading."""
        return self._files != dict(self._stamps())

    def reload(self) -> list[str]:
        """Reads what changed; returns the sites that are new or declared otherwise."""
        stamps = dict(self._stamps())
        for path in [path for path, at in stamps.items() if self._files.get(path) != at]:
            self._forget(path)
        before, self.sites = self.sites, {}
        for name, spider in self._wanted(self._load()):
            try:
                self.sites[name] = self._declared(spider)
            except NewscrawlError as error:
                self._keep(name, before, " ".join(str(error).split()))
        broken = set(self._broken)
        for name, site in before.items():
            if name not in self.sites and site.spider.__module__ in broken:
                self._keep(name, before, "")
        gone = sorted(before.keys() - self.sites.keys())
        if gone:
            logger.info("no longer declared: %s", ", ".join(gone))
        return [name for name, site in self.sites.items() if before.get(name) != site]

    def _keep(self, name: str, before: Mapping[str, DeclaredSite], problem: str) -> None:
        if problem:
            logger.error("%s%s", problem, "; it goes on as before" if name in before else "")
        if name in before:
            self.sites[name] = before[name]

    def _load(self) -> dict[str, type[DeclaredSpider]]:
        self._files = dict(self._stamps())
        importlib.invalidate_caches()
        loader = get_spider_loader(self._settings)
        self._broken = dict(getattr(loader, "broken", {}))
        spiders = {name: loader.load(name) for name in sorted(loader.list())}
        return {name: spider for name, spider in spiders.items() if issubclass(spider, DeclaredSpider)}

    def _wanted(self, spiders: Mapping[str, type[DeclaredSpider]]) -> Iterator[tuple[str, type[DeclaredSpider]]]:
        for name, spider in spiders.items():
            own = name != GENERIC_SITE and not issubclass(spider, SelfServedSpider)
            if name in self._named or (not self._named and own):
                yield name, spider

    def _declared(self, spider: type[DeclaredSpider]) -> DeclaredSite:
        said = {name: getattr(spider, name, None) for name in OPTIONS}
        said |= _checked(spider.name, self._settings.getdict("NEWSCRAWL_RUN_SITES").get(spider.name, {}))
        if self._interval is not None:
            said |= {"interval": self._interval, "cron": None}
        spider()  # a declaration that cannot work is told now, not when its turn comes
        return DeclaredSite(spider, plan_of(spider.name, said))

    def _stamps(self) -> Iterator[tuple[Path, float]]:
        for package in self._settings.getlist("SPIDER_MODULES"):
            spec = importlib.util.find_spec(package)
            for folder in (spec.submodule_search_locations if spec else None) or ():
                for path in sorted(Path(folder).rglob("*.py")):
                    try:
                        yield path, path.stat().st_mtime
                    except OSError:
                        continue  # removed meanwhile

    @staticmethod
    def _forget(path: Path) -> None:
        """Has the file's module imported anew: a bytecode cache knows times by the second only."""
        Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)
        for name, module in list(sys.modules.items()):
            if getattr(module, "__file__", None) == str(path) and not path.name.startswith("__init__"):
                del sys.modules[name]


def plan_of(site: str, said: Mapping[str, Any]) -> SitePlan:
    """The plan that the options describe; raises UsageError, naming the site."""
    budget = said.get("daily_requests")
    if budget is not None and (isinstance(budget, bool) or not isinstance(budget, int) or budget < 0):
        raise UsageError(f"site {site!r}: daily_requests is {budget!r}, write a whole number from 0 on")
    try:
        interval = said.get("interval")
        table = Timetable.of(
            cron=said.get("cron"),
            every=float(interval) if interval is not None else None,
            quiet=said.get("quiet_hours"),
            zone=said.get("time_zone"),
        )
    except (UsageError, TypeError, ValueError, AttributeError) as error:
        raise UsageError(f"site {site!r}: {error}") from error
    return SitePlan(table, budget, bool(said.get("paused")))


def _checked(site: str, said: Any) -> dict[str, Any]:
    unknown = sorted(set(said) - set(OPTIONS)) if isinstance(said, Mapping) else [repr(said)]
    if unknown:
        raise ConfigurationError(
            "NEWSCRAWL_RUN_SITES", f"says {', '.join(unknown)} of {site!r}: there are {', '.join(OPTIONS)}"
        )
    return dict(said)
