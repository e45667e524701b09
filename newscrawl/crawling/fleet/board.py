"""The results of each site since the process started: one small record a site. Pure, `now` is a parameter."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from newscrawl.crawling.runtime.summary import NOTES, Summary, summarise
from newscrawl.crawling.spider.responses import HOME
from newscrawl.publishing.deliver.sender import AlarmCounts
from newscrawl.storage.monitoring.alarms import Alarm

REFUSALS: Final = ("robots/", "politeness/", "security/", "offsite/", "redirect/")
"""Prefixes of the counters of requests that were refused before they were sent, except `_NO_REFUSALS`."""
_NO_REFUSALS: Final = NOTES | {HOME}
"""A page that leads to the home page was requested and answered."""

BROKEN: Final = "broken"
HOUR: Final = timedelta(hours=1)
PARTS: Final = 12
"""The number of parts in which an hour is counted."""


@dataclass(slots=True)
class LastHour:
    """A count over the last hour, precise to five minutes."""

    _counts: deque[tuple[datetime, int]] = field(default_factory=lambda: deque(maxlen=PARTS + 1))

    def add(self, number: int, now: datetime) -> None:
        """Adds to the count."""
        if self._counts and now - self._counts[-1][0] < HOUR / PARTS:
            begun, before = self._counts.pop()
            self._counts.append((begun, before + number))
        else:
            self._counts.append((now, number))

    def total(self, now: datetime) -> int:
        """Returns the count of the last hour."""
        return sum(number for begun, number in self._counts if now - begun <= HOUR)


@dataclass(slots=True)
class SiteRecord:
    """One site. The counts are sums over its crawls in this process."""

    site: str
    state: str = "idle"
    """idle, crawling, resting (its host asked for a pause), leased_elsewhere (another process
    crawls it), broken (its declaration or crawl failed) or budget_reached (today's request budget is used up)."""
    crawls: int = 0
    failed_crawls: int = 0
    requests: int = 0
    pages: int = 0
    unchanged: int = 0
    articles: int = 0
    new_versions: int = 0
    held_for_review: int = 0
    """Pages held for review because the site's extraction looks broken."""
    failures: int = 0
    refusals: Counter[str] = field(default_factory=Counter)
    due: int = 0
    last_started: datetime | None = None
    last_finished: datetime | None = None
    next_due: datetime | None = None
    problem: str = ""
    articles_hour: LastHour = field(default_factory=LastHour)
    counted: int = 0
    """The articles of the running crawl that are in `articles_hour` already."""


class Board:
    """All sites of the process."""

    def __init__(self) -> None:
        self.records: dict[str, SiteRecord] = {}
        self.articles_hour = LastHour()
        self.last_tick: datetime | None = None
        self.tick_seconds = 0.0
        self.problem = ""
        """The problem that keeps the whole fleet from working, "" without one."""
        self.broken: dict[str, str] = {}
        """The problems of declarations, by site or file of spiders/."""
        self.gone_machines: tuple[str, ...] = ()
        """The machines whose processes neither ended nor were seen lately."""
        self.alarms: tuple[Alarm, ...] = ()
        """The open alarms of the database, as they were read last."""
        self.deliveries = AlarmCounts()
        """Counts of alarms that were accepted and of attempts that failed."""

    def record(self, site: str) -> SiteRecord:
        """Returns the site's record, a new one if there is none."""
        return self.records.setdefault(site, SiteRecord(site))

    def show_broken(self, problems: Mapping[str, str]) -> None:
        """Records which declarations cannot be used now; sites whose declaration works again become idle."""
        for name in self.broken.keys() - problems.keys():
            if name in self.records and self.records[name].state == BROKEN:
                self.records[name].state, self.records[name].problem = "idle", ""
        self.broken = dict(problems)
        for name, problem in problems.items():
            record = self.record(name)
            record.problem = problem
            if record.state == "idle":
                record.state = BROKEN

    def show_gone(self, machines: Iterable[str]) -> None:
        """Records which machines are gone now."""
        self.gone_machines = tuple(sorted(machines))

    def show_alarms(self, alarms: Iterable[Alarm]) -> None:
        """Records which alarms are open now."""
        self.alarms = tuple(alarms)

    def keep_only(self, sites: Iterable[str]) -> None:
        """Removes sites that are no longer declared."""
        for name in self.records.keys() - set(sites):
            del self.records[name]

    def begun(self, site: str, now: datetime) -> None:
        """Records that a crawl of the site begins."""
        record = self.record(site)
        record.state, record.last_started, record.counted = "crawling", now, 0

    def count_articles(self, site: str, counters: Mapping[str, object], now: datetime) -> None:
        """Adds what a running crawl has stored since its articles were counted last to those of the last hour."""
        record, stored = self.record(site), counters.get("outcome/inserted", 0)
        if isinstance(stored, int) and stored > record.counted:
            record.articles_hour.add(stored - record.counted, now)
            self.articles_hour.add(stored - record.counted, now)
            record.counted = stored

    def finished(self, site: str, counters: Mapping[str, object], now: datetime) -> Summary:
        """Adds the counters of a crawl to the site's record; returns their summary."""
        record = self.record(site)
        began = record.last_started or now
        summary = summarise(site, counters, (now - began).total_seconds())
        record.crawls += 1
        record.requests += summary.answered
        record.pages += summary.fetched
        record.unchanged += summary.unchanged
        record.articles += summary.inserted
        record.new_versions += summary.new_versions
        record.held_for_review += summary.in_review
        record.failures += summary.failed
        for name, number in counters.items():
            if name.startswith(REFUSALS) and isinstance(number, int) and name not in _NO_REFUSALS:
                record.refusals[name] += number
        record.last_finished = now
        self.count_articles(site, counters, now)
        record.counted = 0
        return summary
