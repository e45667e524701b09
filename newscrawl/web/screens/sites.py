"""The screen of all sites, those in trouble first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, timedelta
from typing import Final

from newscrawl.reports import sites
from newscrawl.reports.sites import STATES, Site, Sort, State, order_of, place_text, read_place
from newscrawl.reports.views import SITE_SCREEN
from newscrawl.storage.monitoring import hours
from newscrawl.storage.monitoring.hours import DayNumbers
from newscrawl.storage.reader import Connection
from newscrawl.web.screens.screen import Context, Screen

SIZE: Final = 200
SITES_LIFE: Final = timedelta(seconds=10)
"""How old the states and numbers of all sites may be before they are read again."""
SITES_STALE: Final = timedelta(minutes=3)
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
class SitesScreen:
    """Some sites. The numbers `found` to `no_article` of a site are those of its last 24 hours. `failures` counts by
    reason code the results that `failed` counts, `other_results` those that are gone, refused, no article or in review.
    `reasons` say what is wrong. `days` are its last 28 days, oldest first. `newest_article` is when the newest article
    of these days was fetched, `last_good_read` when a source was last read without an error. `daily_requests` is what
    an operator set in place of the declared budget. `next_due` of a paused site is when it would be due.

    `counts` says how many sites are in each state: one with an alarm may also fail, be paused and have
    pages in review, and then counts in each. `languages` and `countries` say how many declare each. These and `total`
    are the same with every filter; `matching` is the number of sites that match the filters. `next` is the parameter
    `after` of the following part, None at the end."""

    counts: Mapping[str, int]
    languages: Mapping[str, int]
    countries: Mapping[str, int]
    total: int
    matching: int
    sites: Sequence[Site]
    next: str | None


def load(connection: Connection, query: SitesQuery, context: Context) -> SitesScreen:
    """Returns the sites of a part."""
    every, place = _every(context), order_of(query.sort)
    wanted = sorted((one for one in every if _is_wanted(one, query)), key=place)
    matching = len(wanted)
    if query.after is not None:
        after = read_place(query.after, query.sort)
        wanted = [one for one in wanted if place(one) > after]
    part = wanted[:SIZE]
    days = _days(connection, [one.site for one in part], context)
    return SitesScreen(
        counts=_counts(every),
        languages=_numbers(one.language for one in every),
        countries=_numbers(one.country for one in every),
        total=len(every),
        matching=matching,
        sites=[replace(one, days=days[one.site]) for one in part],
        next=place_text(place(part[-1]), query.sort) if len(wanted) > SIZE else None,
    )


def _numbers(values: Iterable[str | None]) -> Mapping[str, int]:
    return dict(sorted(Counter(value for value in values if value).items()))


def counts(context: Context) -> Mapping[str, int]:
    """Returns how many sites are in each state, as the list of sites says it."""
    return _counts(_every(context))


def _counts(every: Sequence[Site]) -> Mapping[str, int]:
    counted = Counter(state for one in every for state in one.states)
    return {state: counted[state] for state in STATES}


def _every(context: Context) -> Sequence[Site]:
    def read() -> Sequence[Site]:
        with context.reading() as connection:
            return sites.listed(connection, context.now)

    return context.recent.shared("sites", context.now, SITES_LIFE, SITES_STALE, read)


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


def _is_wanted(one: Site, query: SitesQuery) -> bool:
    if query.state is not None and query.state not in one.states:
        return False
    if query.language is not None and query.language != one.language:
        return False
    if query.country is not None and query.country != one.country:
        return False
    return query.name is None or query.name.casefold() in one.site.casefold()


SCREEN = Screen("sites", "/sites", "Sites", SitesQuery, SitesScreen, load, views={"sites": SITE_SCREEN})
