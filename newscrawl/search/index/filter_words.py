"""Words of an index by which it finds the articles of a site, a language or a time.

An index reads the list of a word's articles much faster than a row for each article that has the word. So an entry has
words for its sites, its language and its days beside those of its text, and a query with filters asks for them. They
choose somewhat too much, whole days for example: the rows that are left are compared with the filters themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from hashlib import blake2b
from typing import Final

from newscrawl.search.filters import Filters
from newscrawl.search.index.protocol import IndexedArticle, storable
from newscrawl.search.stems import languages_with_stems_of

FILTER_MARK: Final = "\u241d"
"""The first character of these words. No word of a text contains it."""

_FIRST_DAY: Final = date(1900, 1, 1)
_LAST_DAY: Final = date(2099, 12, 31)
"""Times before the first or after the last day count as that day."""

_DIGITS: Final = (3, 4, 6, 8)
"""How many digits of a day such as 20261127 name its decade, its year, its month and the day itself."""

_ONE_DAY: Final = timedelta(days=1)
_SITE, _LANGUAGE, _LAST, _FIRST = "s", "l", "a", "b"
"""What a word names, after FILTER_MARK: a site, a language, the last or the first day of an article's pages."""


def filter_words(entry: IndexedArticle) -> list[str]:
    """Returns the words of an entry: its sites, its language and what it is a dialect of, the last and the first day
    of its pages, each with its month, year and decade."""
    last = max(entry.at, entry.local_at)
    first = min(entry.first_at, entry.first_local_at)
    found = [_named(_SITE, one_line(site)) for site in entry.sites]
    if entry.language is not None:
        parts = _with_hyphens(entry.language).split("-")
        found += [_named(_LANGUAGE, "-".join(parts[:count])) for count in range(1, len(parts) + 1)]
    for kind, at in ((_LAST, last), (_FIRST, first)):
        found += [f"{FILTER_MARK}{kind}{_digits(_day(at))[:digits]}" for digits in _DIGITS]
    return list(dict.fromkeys(found))


def wanted_words(filters: Filters) -> list[list[str]]:
    """Returns lists of words: each entry that the filters allow has one word of each list."""
    wanted = []
    if filters.site is not None:
        wanted.append([_named(_SITE, one_line(storable(filters.site)))])
    if filters.language is not None:
        wanted.append([_named(_LANGUAGE, _with_hyphens(storable(filters.language.casefold())))])
    if filters.since is not None:
        wanted.append([f"{FILTER_MARK}{_LAST}{part}" for part in _span(_day(filters.since), _LAST_DAY)])
    if filters.until is not None:
        wanted.append([f"{FILTER_MARK}{_FIRST}{part}" for part in _span(_FIRST_DAY, _day(filters.until))])
    return wanted


def language_words(code: str) -> list[str]:
    """Returns words of which an entry has one if its stems are stored under the code of a language."""
    return [_named(_LANGUAGE, language) for language in languages_with_stems_of(code)]


def _named(kind: str, name: str) -> str:
    """Returns the word of a name: a hash, since a name may have any character and any length."""
    return f"{FILTER_MARK}{kind}{blake2b(name.encode(), digest_size=8).hexdigest()}"


def one_line(site: str) -> str:
    """Returns the name of a site with single blanks, and without line feeds."""
    return " ".join(site.split())


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
