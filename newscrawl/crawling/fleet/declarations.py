"""The sites of a fleet: their spiders, timetables and budgets, read again when a file in spiders/ changes.

A file that can no longer be read is logged in one line; its sites keep their former declarations.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from scrapy import Spider
from scrapy.settings import BaseSettings
from scrapy.spiderloader import get_spider_loader

from newscrawl.config.catalogue import Config
from newscrawl.config.derived.daily_requests import budget_of, checked, least_new_pages, read
from newscrawl.config.reading import config_of
from newscrawl.crawling.runtime.setting_checks import CONTACT, check_contact, check_site_settings
from newscrawl.crawling.scheduling.site_selection import SitePlan, Timetable
from newscrawl.crawling.scheduling.site_state import SiteControl
from newscrawl.crawling.spider.loader import described
from newscrawl.crawling.spider.news_spider import NewsSpider
from newscrawl.crawling.spider.self_served import SelfServedSpider
from newscrawl.errors import ConfigurationError, NewscrawlError, UnknownSiteError, UsageError, meant
from newscrawl.storage.records import GENERIC_SITE

logger = logging.getLogger(__name__)

OF_ALL_SITES: Final = frozenset({CONTACT, "NEWSCRAWL_SITE_SCHEDULES"})
"""Settings that concern all sites: an error in one keeps the fleet from starting."""
OPTIONS: Final = ("cron", "interval", "quiet_hours", "time_zone", "daily_requests", "paused")
"""The options of a site's schedule, in its declaration or in NEWSCRAWL_SITE_SCHEDULES."""


@dataclass(frozen=True, slots=True)
class DeclaredSite:
    """A site of the fleet."""

    spider: type[NewsSpider]
    plan: SitePlan


class Declarations:
    """The sites that are crawled: those named, or else all declared sites except `generic` and self-served ones.

    `interval` is a timetable for all of them, in seconds. A site or file that cannot be used is left out and has a line
    in `problems` under its name. Raises UnknownSiteError for an unknown name, UsageError for a named site with an
    invalid declaration, and ConfigurationError for invalid settings.
    """

    def __init__(self, settings: BaseSettings, named: Sequence[str] = (), interval: float | None = None) -> None:
        self._settings = settings
        self._config = config_of(settings)
        self._named = tuple(named)
        self._interval = interval
        self._files: dict[Path, float] = {}
        self.sites: dict[str, DeclaredSite] = {}
        self.problems: dict[str, str] = {}
        self._controlled: dict[str, SitePlan] = {}
        spiders = self._load()
        for name in self._named:
            if name not in spiders:
                raise self._unknown(name, spiders)
        check_schedules(self._config, None if self.problems else spiders)
        self._declare(spiders)

    @property
    def plans(self) -> dict[str, SitePlan]:
        """The plans by site, with what commands changed."""
        return {name: self._controlled.get(name, site.plan) for name, site in self.sites.items()}

    def plan(self, site: str) -> SitePlan:
        """Returns the plan of a site, with what commands changed."""
        return self._controlled.get(site, self.sites[site].plan)

    def control(self, controls: Mapping[str, SiteControl], now: datetime) -> None:
        """Applies what commands decided; all other sites have the plans of their declarations."""
        self._controlled = {
            name: with_control(self.sites[name].plan, control, self._config, now)
            for name, control in controls.items()
            if name in self.sites
        }

    @property
    def republishing(self) -> dict[str, bool]:
        """For each site, whether it republishes texts of other sites."""
        return {name: site.spider.republishes for name, site in self.sites.items()}

    @property
    def is_complete(self) -> bool:
        """Whether these are all declared sites, not a selection by name."""
        return not self._named

    def asleep(self, now: datetime) -> set[str]:
        """Returns the sites that are paused or in their quiet hours and therefore not expected to be crawled."""
        plans = self.plans.items()
        return {name for name, plan in plans if plan.paused or plan.timetable.is_quiet(now)}

    def changed(self) -> bool:
        """Returns whether a file was added, changed or removed since the last reading."""
        return self._files != dict(self._stamps())

    def reload(self) -> list[str]:
        """Reads changed files again; returns the sites that are new or whose declaration changed."""
        stamps = dict(self._stamps())
        for path in [path for path, at in stamps.items() if self._files.get(path) != at]:
            self._forget(path)
        before, self.sites = self.sites, {}
        self._declare(self._load(), before)
        broken = set(self._broken)
        for name, site in before.items():
            if name not in self.sites and site.spider.__module__ in broken:
                self.sites[name] = site
        gone = sorted(before.keys() - self.sites.keys())
        if gone:
            logger.info("no longer declared: %s", ", ".join(gone))
        return [name for name, site in self.sites.items() if before.get(name) != site]

    def _declare(
        self, spiders: Mapping[str, type[NewsSpider]], before: Mapping[str, DeclaredSite] | None = None
    ) -> None:
        """Fills `sites`. At the start (`before` is None) a named site that cannot be declared is an error."""
        is_start, before = before is None, before or {}
        for name, spider in self._wanted(spiders):
            try:
                self.sites[name] = self._declared(spider)
            # An operator's class may raise anything, or call sys.exit(), when it is made.
            except (Exception, SystemExit) as error:
                if is_start and isinstance(error, ConfigurationError) and error.setting in OF_ALL_SITES:
                    raise
                problem = problem_of(error, spider)
                if is_start and name in self._named:
                    raise UsageError(problem) from error
                self.problems[name] = problem
                consequence = "its former declaration stays in use" if name in before else "the other sites continue"
                logger.error("%s; %s", problem, consequence)  # noqa: TRY400  its line says where
                if name in before:
                    self.sites[name] = before[name]

    def _unknown(self, name: str, spiders: Mapping[str, type[NewsSpider]]) -> UsageError:
        """Returns the error for a named site that was not found: its file cannot be read, or there is none."""
        problem = self.problems.get(name)
        return UsageError(f"site {name!r}: {problem}") if problem else UnknownSiteError(name, spiders)

    def _load(self) -> dict[str, type[NewsSpider]]:
        self._files = dict(self._stamps())
        importlib.invalidate_caches()
        loader = get_spider_loader(self._settings)
        self._broken = dict(getattr(loader, "broken", {}))
        self.problems = {module.rpartition(".")[2]: problem for module, problem in self._broken.items()}
        spiders = {name: loader.load(name) for name in sorted(loader.list())}
        return {name: spider for name, spider in spiders.items() if issubclass(spider, NewsSpider)}

    def _wanted(self, spiders: Mapping[str, type[NewsSpider]]) -> Iterator[tuple[str, type[NewsSpider]]]:
        for name, spider in spiders.items():
            own = name != GENERIC_SITE and not issubclass(spider, SelfServedSpider)
            if name in self._named or (not self._named and own):
                yield name, spider

    def _declared(self, spider: type[NewsSpider]) -> DeclaredSite:
        site, made = declared(spider, self._settings, self._config, self._interval)
        check_contact(self._settings, [made])
        return site

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
        """Makes the next import read the file again, without its bytecode cache, whose times are precise to a
        second."""
        Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)
        for name, module in list(sys.modules.items()):
            if getattr(module, "__file__", None) == str(path) and not path.name.startswith("__init__"):
                del sys.modules[name]


def declared(
    spider: type[NewsSpider], settings: BaseSettings, config: Config, interval: float | None = None
) -> tuple[DeclaredSite, NewsSpider]:
    """Returns a site as it is declared, and a spider of it: an invalid declaration is reported now, not when the site
    is crawled. Raises UsageError or ConfigurationError, and whatever the operator's class raises."""
    options = {name: getattr(spider, name, None) for name in OPTIONS}
    options |= _checked(spider.name, config.scheduling.site_schedules.get(spider.name, {}))
    if interval is not None:
        options |= {"interval": interval, "cron": None}
    made = spider()
    check_site_settings(settings, spider)
    return DeclaredSite(spider, plan_of(spider.name, options, config)), made


def check_schedules(config: Config, known: Collection[str] | None) -> None:
    """Raises ConfigurationError for an option in NEWSCRAWL_SITE_SCHEDULES that does not exist, and for a site that is
    not one of `known`; None if not all sites are known."""
    for name, options in config.scheduling.site_schedules.items():
        _checked(name, options)
        if known is not None and name not in known:
            raise ConfigurationError(
                "NEWSCRAWL_SITE_SCHEDULES", f"names {name!r}, but no site has that name{_hint(name, known)}"
            )


def problems_of(spiders: Mapping[str, type[Spider]], settings: BaseSettings, config: Config) -> dict[str, str]:
    """Returns the problem of each declared site that could not be crawled, in one line, by name."""
    found: dict[str, str] = {}
    for name, spider in spiders.items():
        if issubclass(spider, NewsSpider) and name != GENERIC_SITE:
            try:
                declared(spider, settings, config)
            except (Exception, SystemExit) as error:  # noqa: BLE001  an operator's class may raise anything
                found[name] = problem_of(error, spider)
    return found


def problem_of(error: BaseException, spider: type[NewsSpider]) -> str:
    """Returns the problem of a declaration in one line."""
    if isinstance(error, NewscrawlError):
        return " ".join(str(error).split())
    return f"site {spider.name!r}: {described(error, spider.__module__)}"


def _hint(name: str, known: Iterable[str]) -> str:
    near = meant(name, known).strip()
    return f": {near}" if near else ""


def plan_of(site: str, options: Mapping[str, Any], config: Config) -> SitePlan:
    """Returns the plan of the options; raises UsageError with the site's name."""
    daily = checked(site, options.get("daily_requests"))
    try:
        interval = options.get("interval")
        table = Timetable.of(
            cron=options.get("cron"),
            every=float(interval) if interval is not None else None,
            quiet=options.get("quiet_hours"),
            zone=options.get("time_zone"),
        )
    except (UsageError, TypeError, ValueError, AttributeError) as error:
        raise UsageError(f"site {site!r}: {error}") from error
    return SitePlan(table, budget_of(daily), bool(options.get("paused")), least_new_pages(daily, config))


def with_control(plan: SitePlan, control: SiteControl, config: Config, now: datetime) -> SitePlan:
    """Returns the plan with what a command decided in place of the declaration's values."""
    if control.is_paused(now):
        plan = replace(plan, paused=True)
    if control.priority is not None:
        plan = replace(plan, priority=control.priority)
    if control.daily_requests is not None:
        daily = read(control.site, control.daily_requests)
        plan = replace(plan, budget=budget_of(daily), least_new=least_new_pages(daily, config))
    return plan


def _checked(site: str, options: Any) -> dict[str, Any]:
    unknown = sorted(set(options) - set(OPTIONS)) if isinstance(options, Mapping) else [repr(options)]
    if unknown:
        raise ConfigurationError(
            "NEWSCRAWL_SITE_SCHEDULES", f"has {', '.join(unknown)} for {site!r}: the options are {', '.join(OPTIONS)}"
        )
    return dict(options)
