"""The screen of one site: sources, hosts, latest addresses, alarms, and what operators did."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from newscrawl.crawling.scheduling.robots import PRODUCT, Robots, authority_of
from newscrawl.crawling.scheduling.site_state import SiteControl
from newscrawl.discovery.links.article_urls import ArticleRule
from newscrawl.errors import NotFoundError
from newscrawl.model.identity.masking import masked
from newscrawl.monitoring.volume import Learning
from newscrawl.reports.site_pages import Address, FailingPage, failing_pages, latest_addresses
from newscrawl.reports.sites import CrawlRun, State, alarm_history, is_known, last_runs, named
from newscrawl.reports.sources import Host, Source, first_sources, hosts_of
from newscrawl.reports.views import CRAWL_SCREEN, HOST_SCREEN, SOURCE_SCREEN
from newscrawl.storage import events
from newscrawl.storage.frontier import patterns, sites
from newscrawl.storage.frontier.patterns import GivenUp
from newscrawl.storage.frontier.sites import AGENT, AppliedSetting
from newscrawl.storage.monitoring import hours, site_models
from newscrawl.storage.monitoring.alarms import Alarm
from newscrawl.storage.monitoring.hours import DayNumbers, Numbers
from newscrawl.storage.reader import Connection
from newscrawl.storage.records import Event
from newscrawl.web.screens.now import OpenAlarm, open_alarm
from newscrawl.web.screens.screen import Context, Screen


@dataclass(frozen=True, slots=True)
class SiteQuery:
    """Which site."""

    name: str


@dataclass(frozen=True, slots=True)
class Declared:
    """The declaration of a site, as a crawl noted it at `noted_at`. `patterns` are the expressions of its rule for
    addresses of articles; without any, general rules judge them. `settings` are those that apply to it, each with its
    origin."""

    home: str
    language: str | None
    country: str | None
    patterns: Sequence[str]
    settings: Sequence[AppliedSetting]
    noted_at: datetime


@dataclass(frozen=True, slots=True)
class SiteScreen:
    """A site. `state` is that under which it is listed, `reasons` say what is wrong besides its open alarms. `day` has
    the numbers of its last 24 hours. `declared` is None if no crawl has noted it. `failing` are the pages that failed
    last, at most 20. `sources` has at most 200, and `hosts` at most 20 of those and of the latest addresses;
    `more_sources` and `more_hosts` are the numbers of the others. `events` are what operators did with it on these
    pages, the newest first."""

    site: str
    state: State
    reasons: Sequence[str]
    open_alarms: Sequence[OpenAlarm]
    day: Numbers
    days: Sequence[DayNumbers]
    newest_article: datetime | None
    last_crawl: CrawlRun | None
    control: SiteControl | None
    is_paused: bool
    learning: Learning | None
    declared: Declared | None
    sources: Sequence[Source]
    more_sources: int
    hosts: Sequence[Host]
    more_hosts: int
    addresses: Sequence[Address]
    failing: Sequence[FailingPage]
    patterns_given_up: Sequence[GivenUp]
    alarms: Sequence[Alarm]
    events: Sequence[Event]


def load(connection: Connection, query: SiteQuery, context: Context) -> SiteScreen:
    """Returns a site. Raises NotFoundError."""
    name, now = query.name, context.now
    if not is_known(connection, name):
        raise NotFoundError(f"no site {name[:80]!r} is in the database")
    sources, more_sources = first_sources(connection, name)
    addresses = latest_addresses(connection, name)
    declared = _declared(connection, name)
    rule, agent = _rule(declared), _agent(declared)
    urls = [*(one.url for one in addresses), *(one.url for one in sources)]
    hosts, more_hosts = hosts_of(connection, urls, agent, now)
    rules = {host.key: host.rules for host in hosts}
    site = named(connection, [name], now)[name]
    return SiteScreen(
        site=name,
        state=site.state,
        reasons=(*site.reasons, *_rests(hosts, now)),
        open_alarms=tuple(map(open_alarm, site.alarms)),
        day=site.day,
        days=hours.by_day(connection, [name], now)[name],
        newest_article=site.shown_article,
        last_crawl=last_runs(connection, name).get(name),
        control=site.control,
        is_paused=site.is_paused,
        learning=site_models.learning(connection, name).get(name),
        declared=declared,
        sources=[replace(one, url=masked(one.url)) for one in sources],
        more_sources=more_sources,
        hosts=hosts,
        more_hosts=more_hosts,
        addresses=[_judged(one, rules.get(authority_of(one.url)), agent, rule) for one in addresses],
        failing=failing_pages(connection, name),
        patterns_given_up=patterns.given_up(connection, name),
        alarms=alarm_history(connection, name),
        events=events.acts(connection, name),
    )


def _rests(hosts: Sequence[Host], now: datetime) -> Iterator[str]:
    """Yields which hosts get no request now, and until when."""
    for host in hosts:
        if host.not_before is not None and host.not_before > now:
            yield f"{host.key} rests until {host.not_before.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def _declared(connection: Connection, site: str) -> Declared | None:
    found = sites.declaration(connection, site)
    if found is None:
        return None
    of_site, noted_at = found
    return Declared(of_site.home, of_site.language, of_site.country, of_site.patterns, of_site.settings, noted_at)


def _agent(declared: Declared | None) -> str:
    """Returns the user agent whose groups of robots.txt the site's latest crawl obeyed."""
    settings = declared.settings if declared is not None else ()
    return next((one.value for one in settings if one.name == AGENT), PRODUCT)


def _rule(declared: Declared | None) -> ArticleRule | None:
    """Returns the rule of a site; None if it is not known, or if its stored expressions were cut."""
    try:
        return ArticleRule.of(declared.patterns) if declared is not None else None
    except re.error:
        return None


def _judged(one: Address, robots: Robots | None, agent: str, rule: ArticleRule | None) -> Address:
    allowed = robots.allows(one.url, agent) if robots is not None else None
    return replace(one, is_article=rule.accepts(one.url) if rule is not None else None, is_allowed=allowed)


VIEWS = {"last_crawl": CRAWL_SCREEN, "sources": SOURCE_SCREEN, "hosts": HOST_SCREEN}
SCREEN = Screen("site", "/site", "Site", SiteQuery, SiteScreen, load, in_navigation=False, views=VIEWS)
