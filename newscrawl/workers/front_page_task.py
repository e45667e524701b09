"""What an extraction worker does to find what a site's sources leave out: it compares a front page with them, and takes
the recent part of a sitemap that is an archive.

Nothing here knows Scrapy: it runs in the worker, under its limits.
"""

from __future__ import annotations

import pickle
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from newscrawl.discovery import ArticleRule, believed
from newscrawl.discovery.links.front_pages import FrontPage, in_language
from newscrawl.discovery.links.resolve import key_of
from newscrawl.discovery.proposals.coverage import RECENT, Gap, compare, dated_entries, short
from newscrawl.model import Candidate, travels

MAX_LINKS: Final = 1_000
"""Links of a front page that are compared; large front pages have 600."""

MAX_SHOWN: Final = 2_000
"""Entries of a sitemap that are compared, the newest first."""

MAX_GROUPS: Final = 20
"""Sections without dates that are told of: at most two of them are asked about."""

MAX_UNDATED: Final = 500
"""Entries of a plain sitemap without dates up to which it is no archive."""


@travels
@dataclass(frozen=True, slots=True)
class Named:
    """What a front page is compared with: pickled candidates as they came from workers, the URL keys of the front
    page's links that lead to known pages, and the languages of the sources."""

    pieces: tuple[bytes, ...] = field(default=(), repr=False)
    keys: frozenset[str] = frozenset()
    languages: frozenset[str] = frozenset()
    shown: tuple[bytes, ...] = field(default=(), repr=False)
    """What is compared instead of a front page's links: candidates that several pages and sitemaps show, pickled."""

    def __iter__(self) -> Iterator[Candidate]:
        yield from _unpacked(self.pieces)


@travels
@dataclass(frozen=True, slots=True)
class WantedLinks:
    """What is wanted of an answer, where that is not all: of a sitemap its recent part and the entries with the URL
    keys `recent`; of a front page the links that may be missing from `against`."""

    recent: frozenset[str] | None = None
    against: Named | None = None
    shown: bool = False
    """Only what the front page or sitemap shows, to be compared later together with what others show."""


EVERYTHING: Final = WantedLinks()


def _unpacked(pieces: Sequence[bytes]) -> Iterator[Candidate]:
    for piece in pieces:
        yield from pickle.loads(piece)  # noqa: S301  from a worker of ours


def shown_entries(found: Sequence[Candidate], language: str | None, now: datetime) -> list[Candidate]:
    """A sitemap's entries with believable dates, the newest first, with the language that they or the sitemap state."""
    dated = [(when, one) for one in dated_entries(found) if (when := believed(one.discovery.published, now))]
    dated.sort(key=lambda entry: entry[0], reverse=True)
    return in_language(tuple(one for _, one in dated[:MAX_SHOWN]), language)


def shown_gap(against: Named, rule: ArticleRule, domains: Sequence[str], now: datetime) -> Gap:
    """What of all that is shown no source names, bounded."""
    spoken = tuple(against.languages)
    shown = [one for one in _unpacked(against.shown) if is_article(rule, one, spoken)]
    gap = compare(against, shown, domains=domains, now=now, known=against.keys, languages=spoken)
    largest = sorted(gap.unsure, key=lambda group: len(group.links), reverse=True)[:MAX_GROUPS]
    unsure = tuple(replace(group, links=group.links[:MAX_LINKS]) for group in largest)
    return Gap(gap.missing[:MAX_LINKS], unsure, gap.compared)


def is_article(rule: ArticleRule, one: Candidate, languages: Sequence[str]) -> bool:
    """By the declared rule. A rule that refuses a section is the operator's choice; but one that was learned from the
    articles of one language cannot be believed on another's."""
    if one.discovery.kind == "section" and not rule.patterns:
        return True
    language = short(one.discovery.language)
    spoken = {short(known) for known in languages} - {""}
    return rule.accepts(one.url) or bool(language and spoken and language not in spoken)


def link_keys(front: FrontPage) -> tuple[str, ...]:
    """The URL keys of the links that are compared."""
    return tuple(key for link in front.links[:MAX_LINKS] if (key := key_of(link.url)) is not None)


def left_out(front: FrontPage, against: Named, domains: Sequence[str], now: datetime) -> Gap:
    """Links of the front page that its sources leave out."""
    links = front.links[:MAX_LINKS]
    return compare(against, links, domains=domains, now=now, known=against.keys, languages=against.languages)


def recent_part(found: Sequence[Candidate], wanted: Collection[str], now: datetime) -> tuple[Candidate, ...]:
    """A plain sitemap's entries that are recent or have one of the `wanted` URL keys; without believable dates, all
    entries of a small one."""
    dated = dated_entries(found)
    newest = max((when for one in dated if (when := believed(one.discovery.published, now))), default=None)
    if newest is None and len(found) <= MAX_UNDATED:
        return tuple(found)
    fresh = {one.url for one in dated if newest and (one.discovery.published or newest) >= newest - RECENT}
    return tuple(one for one in found if one.url in fresh or key_of(one.url) in wanted)
