"""Which articles may match a query, besides its words: as it is asked, and as an index answers it.

An index reads the list of a word's articles much faster than a row for each article that has the word. So an entry has
words for its sites, its language and its days beside those of its text, and a query with filters asks for them. The
words for sites and languages are exact. The words for days choose whole days; `conditions` then compares the times of
the rows that are left, to the second; `find_stories` compares the exact times of the pages.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from hashlib import blake2b
from typing import Final

from newscrawl.errors import UsageError
from newscrawl.publishing.search.words import languages_with_stems_of
from newscrawl.storage.engine.types import NAME_LIMIT, clean_text

FILTER_MARK: Final = "\u241d"
"""The first character of the words of filters. No word of a text contains it."""

_FIRST_DAY: Final = date(1900, 1, 1)
_LAST_DAY: Final = date(2099, 12, 31)
"""Times before the first or after the last day count as that day."""

_DIGITS: Final = (3, 4, 6, 8)
"""How many digits of a day such as 20261127 name its decade, its year, its month and the day itself."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND: Final = timedelta(seconds=1)
_ONE_DAY: Final = timedelta(days=1)
_SITE, _LANGUAGE, _LAST, _FIRST = "s", "l", "a", "b"
"""What a word names, after FILTER_MARK: a site, a language, the last or the first day of an article's pages."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Which articles may match, by any page that shows them. `since` and `until`: published at this time or later, and
    before that one, or first seen if no date is stated. With `by_local_day` a publication is compared by the time that
    readers saw (newscrawl.model.times.local_time). `language`: a code such as "de", which also matches "de-AT"."""

    site: str | None = None
    since: datetime | None = None
    language: str | None = None
    by_local_day: bool = False
    until: datetime | None = None


def combined(options: Filters, typed: Filters) -> Filters:
    """Returns the filters that allow what both allow: those of the options and those typed in the query. Raises
    UsageError if nothing can match both."""
    return Filters(
        site=_either("site", options.site, typed.site),
        since=max(filter(None, (options.since, typed.since)), default=None),
        language=_language(options.language, typed.language),
        by_local_day=options.by_local_day,
        until=min(filter(None, (options.until, typed.until)), default=None),
    )


def _either(name: str, option: str | None, typed: str | None) -> str | None:
    if option is not None and typed is not None and option != typed:
        raise UsageError(f"{name} {option!r} is asked for, and {typed!r} in the query: nothing matches both, give one")
    return option if typed is None else typed


def _language(option: str | None, typed: str | None) -> str | None:
    """Returns the narrower of two codes, such as "de-AT" of "de" and "de-AT"."""
    if option is not None and typed is not None:
        narrow, wide = sorted((option.casefold(), typed.casefold()), key=len, reverse=True)
        if narrow.startswith(f"{wide}-"):
            return narrow
        return _either("lang", option.casefold(), typed.casefold())
    return _either("lang", option, typed)


def words_of(sites: Iterable[str], language: str | None, times: Collection[datetime]) -> list[str]:
    """Returns the words of an entry: its sites, its language and what it is a dialect of, the first and the last day
    of its pages, each with its month, year and decade. `times`: all times of its pages, in any zone."""
    found = [_named(_SITE, site) for site in sites]
    if language is not None:
        parts = _with_hyphens(language).split("-")
        found += [_named(_LANGUAGE, "-".join(parts[:count])) for count in range(1, len(parts) + 1)]
    for kind, at in ((_LAST, max(times)), (_FIRST, min(times))):
        found += [f"{FILTER_MARK}{kind}{_digits(_day(at))[:digits]}" for digits in _DIGITS]
    return list(dict.fromkeys(found))


def wanted_words(filters: Filters) -> list[list[str]]:
    """Returns lists of words: each entry that the filters allow has one word of each list."""
    wanted = []
    if filters.site is not None:
        wanted.append([_named(_SITE, filters.site)])
    if filters.language is not None:
        wanted.append([_named(_LANGUAGE, _with_hyphens(filters.language.casefold()))])
    if filters.since is not None:
        wanted.append([f"{FILTER_MARK}{_LAST}{part}" for part in _span(_day(filters.since), _LAST_DAY)])
    if filters.until is not None:
        wanted.append([f"{FILTER_MARK}{_FIRST}{part}" for part in _span(_FIRST_DAY, _day(filters.until))])
    return wanted


def conditions(filters: Filters) -> tuple[str, dict[str, int]]:
    """Returns the times of the filters as SQL that follows other conditions on a row of an index, and its values."""
    kind = "local_at" if filters.by_local_day else "at"
    found, values = "", dict[str, int]()
    if filters.since is not None:
        found += f" AND {kind} >= :since"
        values["since"] = seconds(filters.since)
    if filters.until is not None:
        found += f" AND first_{kind} <= :until"
        values["until"] = seconds(filters.until)
    return found, values


def seconds(at: datetime) -> int:
    """Returns a time as a row of an index has it, in whole seconds since 1970."""
    return (at - _EPOCH) // _SECOND


def language_words(code: str) -> Sequence[str]:
    """Returns words of which an entry has one if its stems are stored under the code of a language."""
    return [_named(_LANGUAGE, language) for language in languages_with_stems_of(code)]


def _named(kind: str, name: str) -> str:
    """Returns the word of a name: a hash of the name as the database stores it, with single blanks, since a name may
    have any character and any length."""
    stored = " ".join(clean_text(name, NAME_LIMIT).split())
    return f"{FILTER_MARK}{kind}{blake2b(stored.encode(), digest_size=8).hexdigest()}"


def _with_hyphens(language: str) -> str:
    """Returns a code as stems are stored under it: those of "pt_br" are Portuguese, too."""
    return language.replace("_", "-")


def _day(at: datetime) -> date:
    return min(max(at.date(), _FIRST_DAY), _LAST_DAY)


def _digits(day: date) -> str:
    return day.strftime("%Y%m%d")


def _span(first: date, last: date) -> Iterator[str]:
    """Yields the fewest decades, years, months and days, by their digits, that together are the days of a span."""
    day = first
    while day <= last:
        for digits, following in _periods(day):
            if following - _ONE_DAY <= last:
                yield _digits(day)[:digits]
                day = following
                break


def _periods(day: date) -> Iterator[tuple[int, date]]:
    """Yields the periods that begin with a day, the longest first: how many digits name it, and the day after it."""
    begins_month = day.day == 1
    begins_year = begins_month and day.month == 1
    if begins_year and day.year % 10 == 0:
        yield 3, day.replace(year=day.year + 10)
    if begins_year:
        yield 4, day.replace(year=day.year + 1)
    if begins_month:
        yield 6, (day + timedelta(days=31)).replace(day=1)
    yield 8, day + _ONE_DAY
