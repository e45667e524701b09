"""Which of a source's links become candidates, which further sitemaps are read, and in which order: pure decisions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from newscrawl.discovery.links import key_of, within
from newscrawl.discovery.reading import ChildSitemap
from newscrawl.model import Candidate

FUTURE: Final = timedelta(hours=24)
"""A date further ahead than the widest difference of clocks and zones is not believed: it would float to the top."""

_NO_ARTICLES: Final = re.compile(
    r"tag|author|autor|categor|taxonom|image|video|photo|galler|static|section", re.IGNORECASE
)
"""Names of sitemaps that list no articles, as the usual content systems give them."""

_NEVER: Final = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Choice:
    """A source's links after choosing: the candidates, the freshest first, and how many were left out and why."""

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
    """Candidates on `domains` that `accepts` takes for articles: one a URL key, freshest first, at most `limit`."""
    kept: dict[str, Candidate] = {}
    offsite = refused = 0
    for candidate in found:
        if not within(candidate.url, domains):
            offsite += 1
        elif not accepts(candidate) or (key := key_of(candidate.url)) is None:
            refused += 1
        else:
            kept.setdefault(key, candidate)
    ordered = sorted(kept.values(), key=lambda c: believed(c.discovery.published, now) or _NEVER, reverse=True)
    return Choice(tuple(ordered[:limit]), offsite, refused, max(0, len(ordered) - limit))


def believed(when: datetime | None, now: datetime) -> datetime | None:
    """A source's date unless it lies in the future."""
    return when if when is not None and when <= now + FUTURE else None


def is_older(candidate_date: datetime | None, since: datetime | None) -> bool:
    """Whether a candidate is known to be older than wanted; one without a date is not."""
    return since is not None and candidate_date is not None and candidate_date < since


def choose_children(children: Iterable[ChildSitemap], now: datetime) -> list[ChildSitemap]:
    """Children of a sitemap index that may list articles, the freshest first.

    Those without a date are ordered by the numbers in their names, because archives are numbered or dated there.
    """
    useful = [child for child in children if not _NO_ARTICLES.search(child.url.rpartition("/")[2])]
    return sorted(useful, key=lambda child: (believed(child.lastmod, now) or _NEVER, _numbers(child.url)), reverse=True)


def _numbers(url: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d{1,8}", url)]
