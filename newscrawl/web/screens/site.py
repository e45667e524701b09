"""The screen of one site: sources, hosts, latest addresses, alarms, and what operators did."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final, Literal

from newscrawl.discovery.links.article_urls import ArticleRule
from newscrawl.errors import NotFoundError
from newscrawl.identity.masking import masked
from newscrawl.monitoring.volume import Learning
from newscrawl.reports import failing_pages, operator_events, site_facts, site_parts
from newscrawl.reports.failing_pages import FailingPage
from newscrawl.reports.site_parts import AddressLine, HostLine, SourceLine
from newscrawl.reports.site_states import State, is_paused, reasons_of, state_of
from newscrawl.scheduling.robots import Robots, authority_of, decode, restored
from newscrawl.scheduling.robots_rules import PRODUCT
from newscrawl.scheduling.site_state import SiteControl
from newscrawl.storage.frontier import crawls, patterns, sites
from newscrawl.storage.frontier.hosts import RobotsRow
from newscrawl.storage.frontier.patterns import GivenUp
from newscrawl.storage.frontier.sites import AGENT, AppliedSetting
from newscrawl.storage.monitoring import hours, site_models
from newscrawl.storage.monitoring.alarms import Alarm
from newscrawl.storage.monitoring.hours import DayNumbers, DayResults
from newscrawl.storage.reader import Connection
from newscrawl.storage.records import Event
from newscrawl.web.screens.now import OpenAlarm, open_alarm
from newscrawl.web.screens.screen import Context, Screen

MAX_ROBOTS: Final = 20_000
"""Characters of a robots.txt that are shown."""


@dataclass(frozen=True, slots=True)
class SiteQuery:
    """Which site."""

    name: str


@dataclass(frozen=True, slots=True)
class RobotsFile:
    """The robots.txt of a host as it is in force. `reading` "rules" obeys `text`, "allow" and "disallow" hold for all
    addresses. `allows_front_page` is whether newscrawl may read the host's front page, and `crawl_delay` the seconds
    between two requests that the file asks for. `good_at` is when the rules were last read; `reason` says why the
    latest reading failed."""

    reading: str
    status: int | None
    fetched_at: datetime
    expires_at: datetime
    good_at: datetime | None
    failures: int
    reason: str
    text: str
    is_cut: bool
    allows_front_page: bool
    crawl_delay: float | None


@dataclass(frozen=True, slots=True)
class SiteHost:
    """A host of the site, or its registrable domain (`domain:`). `backoff`, `crawl_delay` and `latency` are in
    seconds."""

    key: str
    last_request_at: datetime | None
    backoff: float | None
    crawl_delay: float | None
    latency: float | None
    not_before: datetime | None
    failures: int
    requests_today: int
    robots: RobotsFile | None


@dataclass(frozen=True, slots=True)
class FetchedAddress:
    """A lately fetched address with its result, whether the site's rule takes it for an article, and whether the
    robots.txt in force allows it (None: not known)."""

    url: str
    fetched_at: datetime | None
    article_id: int | None
    failure: str | None
    is_article: bool | None
    is_allowed: bool | None


@dataclass(frozen=True, slots=True)
class CrawlLine:
    """The last crawl of the site."""

    started: datetime
    finished: datetime | None


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
    day: DayResults
    days: Sequence[DayNumbers]
    newest_article: datetime | None
    last_crawl: CrawlLine | None
    control: SiteControl | None
    is_paused: bool
    learning: Learning | None
    declared: Declared | None
    sources: Sequence[SourceLine]
    more_sources: int
    hosts: Sequence[SiteHost]
    more_hosts: int
    addresses: Sequence[FetchedAddress]
    failing: Sequence[FailingPage]
    patterns_given_up: Sequence[GivenUp]
    alarms: Sequence[Alarm]
    events: Sequence[Event]


def load(connection: Connection, query: SiteQuery, context: Context) -> SiteScreen:
    """Returns a site. Raises NotFoundError."""
    if not site_parts.is_known(connection, query.name):
        raise NotFoundError(f"no site {query.name[:80]!r} is in the database")
    sources = site_parts.source_lines(connection, query.name)
    addresses = site_parts.address_lines(connection, query.name)
    hosts, more_hosts = site_parts.host_lines(
        connection, [*(line.url for line in addresses), *(line.url for line in sources)], context.now
    )
    crawl = crawls.last_runs(connection, query.name).get(query.name)
    facts = site_facts.of_site(connection, query.name, context.now)
    rules = {line.key: _robots(line.robots) for line in hosts if line.robots is not None}
    declared = _declared(connection, query.name)
    rule, agent = _rule(declared), _agent(declared)
    return SiteScreen(
        site=query.name,
        state=state_of(facts, context.now),
        reasons=(*reasons_of(facts), *_rests(hosts, context.now)),
        open_alarms=tuple(map(open_alarm, facts.alarms)),
        day=hours.day_results(facts.day, context.now),
        days=hours.by_day(connection, [query.name], context.now)[query.name],
        newest_article=hours.of_shown_days(facts.day.newest_article, context.now),
        last_crawl=CrawlLine(crawl.started, crawl.finished) if crawl is not None else None,
        control=facts.control,
        is_paused=is_paused(facts, context.now),
        learning=site_models.learning(connection, query.name).get(query.name),
        declared=declared,
        sources=tuple(replace(line, url=masked(line.url)) for line in sources),
        more_sources=site_parts.number_of_sources(connection, query.name) - len(sources),
        hosts=tuple(_host(line, agent) for line in hosts),
        more_hosts=more_hosts,
        addresses=tuple(_address(line, rules, agent, rule) for line in addresses),
        failing=tuple(failing_pages.newest(connection, query.name)),
        patterns_given_up=tuple(patterns.given_up(connection, query.name)),
        alarms=tuple(site_parts.alarm_history(connection, query.name)),
        events=tuple(reversed(operator_events.load_site(connection, query.name))),
    )


def _rests(hosts: Sequence[HostLine], now: datetime) -> Iterator[str]:
    """Yields which hosts get no request now, and until when."""
    for host in hosts:
        if host.not_before is not None and host.not_before > now:
            yield f"{host.key} rests until {host.not_before.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def _host(line: HostLine, agent: str) -> SiteHost:
    return SiteHost(
        line.key,
        line.last_request_at,
        line.backoff,
        line.crawl_delay,
        line.latency,
        line.not_before,
        line.failures,
        line.requests_today,
        _file(line.key, line.robots, agent) if line.robots is not None else None,
    )


def _file(key: str, row: RobotsRow, agent: str) -> RobotsFile:
    text, robots = decode(row.body), _robots(row)
    return RobotsFile(
        row.reading,
        row.status,
        row.fetched_at,
        row.expires_at,
        row.good_at,
        row.failures,
        row.reason,
        text[:MAX_ROBOTS],
        len(text) > MAX_ROBOTS,
        robots.allows(f"{key}/", agent),
        robots.crawl_delay(agent),
    )


def _robots(row: RobotsRow) -> Robots:
    reading: dict[str, Literal["rules", "allow", "disallow"]] = {"rules": "rules", "allow": "allow"}
    return restored(
        Robots(
            reading.get(row.reading, "disallow"),
            row.status,
            row.fetched_at,
            row.expires_at,
            row.body,
            row.failures,
            row.reason,
            row.good_at,
        )
    )


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


def _address(line: AddressLine, rules: dict[str, Robots], agent: str, rule: ArticleRule | None) -> FetchedAddress:
    robots = rules.get(authority_of(line.url))
    allowed = robots.allows(line.url, agent) if robots is not None else None
    is_article = rule.accepts(line.url) if rule is not None else None
    return FetchedAddress(line.url, line.fetched_at, line.article_id, line.failure, is_article, allowed)


SCREEN = Screen("site", "/site", "Site", SiteQuery, SiteScreen, load, in_navigation=False)
