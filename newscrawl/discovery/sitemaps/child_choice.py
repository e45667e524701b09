"""Decides which links of a source become candidates, which further sitemaps are read, and in which order. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from newscrawl.discovery.links.resolve import key_of, within
from newscrawl.discovery.reading import ChildSitemap
from newscrawl.model import Candidate
from newscrawl.model.identity.patterns import repeats_itself

FUTURE: Final = timedelta(hours=24)
"""The widest difference of clocks and zones. A date further in the future is ignored, or it would always come first."""

_NO_ARTICLES: Final = re.compile(
    r"(?<![a-z])(?:post[_\-]?)?(?:tags?|authors?|autor(?:es|en)?|categor(?:y|ies|ias?)|taxonom(?:y|ies)|topics?|images?"
    r"|videos?|photos?|galler(?:y|ies)|static|sections?|pages?|users?|profiles?)(?![a-z])",
    re.IGNORECASE,
)
"""Words in the names of sitemaps that list no articles, as the usual content systems use them (but not "stage",
"tageblatt" or "vintage")."""

_DATED: Final = re.compile(
    r"(?<!\d)((?:19|20)\d\d)(?:[/_\-.]?(0[1-9]|1[0-2])(?:[/_\-.]?(0[1-9]|[12]\d|3[01]))?)?(?!\d)"
)
"""A day, month or year in a sitemap's name: the sitemap lists what was published then."""

_NEVER: Final = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen links of a source: the candidates, the newest first, and how many were left out for which reason."""

    candidates: tuple[Candidate, ...] = ()
    offsite: int = 0
    not_article: int = 0
    over_limit: int = 0


def choose(
    found: Iterable[Candidate],
    *,
    domains: Sequence[str],
    accepts: Callable[[Candidate], bool],
    now: datetime,
    limit: int,
) -> Choice:
    """Returns the candidates on `domains` for which `accepts` returns True: one for each URL key, the newest first, at
    most `limit`."""
    kept: dict[str, Candidate] = {}
    offsite = refused = 0
    for candidate in found:
        if not within(candidate.url, domains):
            offsite += 1
        elif repeats_itself(candidate.url) or not accepts(candidate) or (key := key_of(candidate.url)) is None:
            refused += 1
        else:
            kept.setdefault(key, candidate)
    ordered = sorted(kept.values(), key=lambda c: credible_date(c.discovery.published, now) or _NEVER, reverse=True)
    over = max(0, len(ordered) - limit)
    return Choice(tuple(ordered[:limit]), offsite, refused, over)


def credible_date(when: datetime | None, now: datetime) -> datetime | None:
    """Returns a source's date if it is credible; None if it is in the future."""
    return when if when is not None and when <= now + FUTURE else None


def is_older(candidate_date: datetime | None, since: datetime | None) -> bool:
    """Returns whether a candidate is known to be older than `since`; one without a date is not."""
    return since is not None and candidate_date is not None and candidate_date < since


def choose_children(
    children: Iterable[ChildSitemap], now: datetime, *, since: datetime | None = None
) -> list[ChildSitemap]:
    """Returns the children of a sitemap index that may list articles, the newest first; with `since` only those that
    may have changed after it.

    A child without a date changed at the latest when the period in its name ended. Without that the numbers in the
    names give the order, because archives are numbered.
    """
    children = list(children)
    # If all names are like that, the index may call its articles "pages" or "videos".
    useful = [child for child in children if not _NO_ARTICLES.search(child.url.rpartition("/")[2])] or children
    changed = {child.url: credible_date(child.lastmod, now) or period_end(child.url) for child in useful}
    if since is not None:
        useful = [child for child in useful if (when := changed[child.url]) is None or when >= since]
    return sorted(useful, key=lambda child: (_past(changed[child.url], now), _numbers(child.url)), reverse=True)


def period_end(url: str) -> datetime | None:
    """Returns the end of the last day, month or year that the address names; None if it names none."""
    parts = urlsplit(url)
    periods = _DATED.findall(f"{parts.path}?{parts.query}")
    if not periods:
        return None
    year, month, day = (int(part or 0) for part in max(periods, key=lambda period: [bool(part) for part in period]))
    try:
        start = datetime(year, month or 12, day or 1, tzinfo=UTC)
    except ValueError:
        return None
    # The last day of a month is computed from its first: 32 days later is always in the next month.
    return start + timedelta(days=2) if day else (start + timedelta(days=32)).replace(day=2)


def _past(when: datetime | None, now: datetime) -> datetime:
    return min(when, now) if when else _NEVER


def _numbers(url: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d{1,8}", url)]
