"""The screen of all sites, those in trouble first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from newscrawl.reports import site_facts
from newscrawl.reports.site_facts import SiteFacts
from newscrawl.reports.site_order import Sort, order_of, place_text, read_place
from newscrawl.reports.site_states import STATES, State, is_paused, reasons_of, state_of, states_of
from newscrawl.storage.monitoring import hours
from newscrawl.storage.monitoring.hours import DayNumbers
from newscrawl.storage.reader import Connection
from newscrawl.web.screens.screen import Context, Screen

SIZE: Final = 200
FACTS_LIFE: Final = timedelta(seconds=10)
"""How old the states and numbers of all sites may be before they are read again."""
FACTS_STALE: Final = timedelta(minutes=3)
"""How old they may be while they are read again for others. 5,000 sites take a second; with one minute here, a view
after a minute without one waited for them."""
DAYS_LIFE: Final = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class SitesQuery:
    """Which sites: those of a state, those that declare a language or a country, and those whose name contains a text;
    in which order: most `failed` or `stored` in 24 hours, `newest` article or `due` next first, by default those in
    trouble; and those after one (`next` of a part of the same order)."""

    state: State | None = None
    language: str | None = None
    country: str | None = None
    name: str | None = None
    sort: Sort | None = None
    after: str | None = None


@dataclass(frozen=True, slots=True)
class SiteLine:
    """A site. The numbers `found` to `no_article` are those of its last 24 hours. `failures` counts by reason code the
    results that `failed` counts, `other_results` those that are gone, refused, no article or in review. `reasons` say
    what is wrong. `days` are its last 28 days, oldest first. `newest_article` is when the newest article of these days
    was fetched, `last_good_read` when a source was last read without an error. `daily_requests` is what an operator set
    in place of the declared budget. `next_due` of a paused site is when it would be due."""

    site: str
    state: State
    language: str | None
    country: str | None
    reasons: Sequence[str]
    found: int
    fetched: int
    stored: int
    duplicates: int
    in_review: int
    failed: int
    gone: int
    refused: int
    no_article: int
    failures: Mapping[str, int]
    other_results: Mapping[str, int]
    newest_article: datetime | None
    last_good_read: datetime | None
    next_due: datetime | None
    sources: int
    failing_sources: int
    requests_today: int
    daily_requests: str | None
    paused_until: datetime | None
    is_paused: bool
    crawled_by: str | None
    days: Sequence[DayNumbers]


@dataclass(frozen=True, slots=True)
class SitesScreen:
    """Some sites. `counts` says how many sites are in each state: one with an alarm may also fail, be paused and have
    pages in review, and then counts in each. `languages` and `countries` say how many declare each. These and `total`
    are the same with every filter; `matching` is the number of sites that match the filters. `next` is the parameter
    `after` of the following part, None at the end."""

    counts: Mapping[str, int]
    languages: Mapping[str, int]
    countries: Mapping[str, int]
    total: int
    matching: int
    sites: Sequence[SiteLine]
    next: str | None


def load(connection: Connection, query: SitesQuery, context: Context) -> SitesScreen:
    """Returns the sites of a part."""
    facts = _facts(context)
    now = context.now
    place = order_of(query.sort, now)
    wanted = sorted((one for one in facts if _is_wanted(one, query, now)), key=place)
    matching = len(wanted)
    if query.after is not None:
        after = read_place(query.after, query.sort)
        wanted = [one for one in wanted if place(one) > after]
    part = wanted[:SIZE]
    days = _days(connection, [one.site for one in part], context)
    lines = tuple(_line(one, days[one.site], now) for one in part)
    following = place_text(place(part[-1]), query.sort) if len(wanted) > SIZE else None
    languages = _numbers(one.locale.language for one in facts)
    countries = _numbers(one.locale.country for one in facts)
    return SitesScreen(_counts(facts, now), languages, countries, len(facts), matching, lines, following)


def _numbers(values: Iterable[str | None]) -> Mapping[str, int]:
    return dict(sorted(Counter(value for value in values if value).items()))


def counts(context: Context) -> Mapping[str, int]:
    """Returns how many sites are in each state, as the list of sites says it."""
    return _counts(_facts(context), context.now)


def _counts(facts: Sequence[SiteFacts], now: datetime) -> Mapping[str, int]:
    counted = Counter(state for one in facts for state in states_of(one, now))
    return {state: counted[state] for state in STATES}


def _facts(context: Context) -> Sequence[SiteFacts]:
    def read() -> Sequence[SiteFacts]:
        with context.reading() as connection:
            return site_facts.all_sites(connection, context.now)

    return context.recent.shared("sites", context.now, FACTS_LIFE, FACTS_STALE, read)


def _days(connection: Connection, names: Sequence[str], context: Context) -> Mapping[str, Sequence[DayNumbers]]:
    """Returns the last days of the sites. Today's numbers may be some minutes old. Those of earlier days are read once
    a day: 28 days of 200 sites are some 800,000 rows."""
    recent, now = context.recent, context.now
    keys = {name: ("days", name, now.astimezone(UTC).date()) for name in names}
    known: dict[str, Sequence[DayNumbers]] = {}
    older: dict[str, Sequence[DayNumbers]] = {}
    for name, key in keys.items():
        if (days := recent.known(key, now, DAYS_LIFE)) is not None:
            known[name] = days
        elif (days := recent.known(key, now, timedelta(days=1))) is not None:
            older[name] = days
    made = hours.by_day(connection, [name for name in names if name not in known and name not in older], now)
    for name, today in hours.by_day(connection, list(older), now, 1).items():
        made[name] = [*older[name][:-1], *today]
    for name, days in made.items():
        recent.put(keys[name], now, days)
    return known | made


def _is_wanted(facts: SiteFacts, query: SitesQuery, now: datetime) -> bool:
    if query.state is not None and query.state not in states_of(facts, now):
        return False
    if query.language is not None and query.language != facts.locale.language:
        return False
    if query.country is not None and query.country != facts.locale.country:
        return False
    return query.name is None or query.name.casefold() in facts.site.casefold()


def _line(facts: SiteFacts, days: Sequence[DayNumbers], now: datetime) -> SiteLine:
    day, control = hours.day_results(facts.day, now), facts.control
    paused = is_paused(facts, now)
    return SiteLine(
        site=facts.site,
        state=state_of(facts, now),
        language=facts.locale.language,
        country=facts.locale.country,
        reasons=(*(alarm.message for alarm in facts.alarms), *reasons_of(facts)),
        found=day.found,
        fetched=day.fetched,
        stored=day.stored,
        duplicates=day.duplicates,
        in_review=day.in_review,
        failed=day.failed,
        gone=day.gone,
        refused=day.refused,
        no_article=day.no_article,
        failures=day.failures,
        other_results=day.other_results,
        newest_article=hours.of_shown_days(facts.day.newest_article, now),
        last_good_read=facts.sources.last_good,
        next_due=facts.sources.next_due,
        sources=facts.sources.number,
        failing_sources=facts.sources.failing,
        requests_today=facts.requests_today,
        daily_requests=control.daily_requests if control is not None else None,
        paused_until=control.paused_until if paused and control is not None else None,
        is_paused=paused,
        crawled_by=facts.crawled_by,
        days=days,
    )


SCREEN = Screen("sites", "/sites", "Sites", SitesQuery, SitesScreen, load)
