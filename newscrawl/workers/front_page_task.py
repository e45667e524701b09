"""The worker's part in finding the articles that a site's sources leave out. It compares what a site shows with what
its sources name, and selects the recent part of a sitemap that is an archive.

This module does not use Scrapy: it runs in the worker, within its limits.
"""

from __future__ import annotations

import pickle
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from newscrawl.discovery.links.article_urls import ArticleRule
from newscrawl.discovery.links.front_pages import in_language
from newscrawl.discovery.links.resolve import key_of
from newscrawl.discovery.proposals.coverage import RECENT, Gap, compare, dated_entries, short
from newscrawl.discovery.sitemaps.child_choice import credible_date
from newscrawl.model import Candidate

MAX_LINKS: Final = 1_000
"""Links of a front page that are compared. Large front pages have 600."""

MAX_SHOWN: Final = 2_000
"""Entries of a sitemap that are compared, the newest first."""

MAX_GROUPS: Final = 20
"""Sections without dates that are returned. Pages of at most two of them are fetched."""

MAX_UNDATED: Final = 500
"""A plain sitemap with at most this many entries and no dates is no archive."""


@dataclass(frozen=True, slots=True)
class Named:
    """What the sources of a site name: pickled candidates from workers, the URL keys of what is shown and known to the
    database, and the languages of the sources. It is compared with what the site shows."""

    pieces: tuple[bytes, ...] = field(default=(), repr=False)
    keys: frozenset[str] = frozenset()
    languages: frozenset[str] = frozenset()
    shown: tuple[bytes, ...] = field(default=(), repr=False)
    """Pickled candidates from workers that front pages and sitemaps show."""

    def __iter__(self) -> Iterator[Candidate]:
        yield from _unpacked(self.pieces)


@dataclass(frozen=True, slots=True)
class WantedLinks:
    """Which part of an answer is wanted; everything by default. `recent`: of a sitemap, the recent part and the entries
    with these URL keys. `shown`: what the page or sitemap shows, to be compared later. `against`: no body is read; what
    was shown before is compared with what the sources name."""

    recent: frozenset[str] | None = None
    against: Named | None = None
    shown: bool = False


EVERYTHING: Final = WantedLinks()
SHOWN: Final = WantedLinks(shown=True)


def _unpacked(pieces: Sequence[bytes]) -> Iterator[Candidate]:
    for piece in pieces:
        yield from pickle.loads(piece)  # noqa: S301  from a worker of ours


def shown_entries(found: Sequence[Candidate], language: str | None, now: datetime) -> list[Candidate]:
    """Returns a sitemap's entries with credible dates, the newest first, with the language that they or it state."""
    dated = [(when, entry) for entry in dated_entries(found) if (when := credible_date(entry.discovery.published, now))]
    dated.sort(key=lambda pair: pair[0], reverse=True)
    return in_language(tuple(entry for _, entry in dated[:MAX_SHOWN]), language)


def shown_gap(against: Named, rule: ArticleRule, domains: Sequence[str], now: datetime) -> Gap:
    """Returns the articles that are shown and that no source names, at most `MAX_LINKS` and `MAX_GROUPS` groups."""
    languages = tuple(against.languages)
    shown = [entry for entry in _unpacked(against.shown) if is_article(rule, entry, languages)]
    gap = compare(against, shown, domains=domains, now=now, known=against.keys, languages=languages)
    largest = sorted(gap.unsure, key=lambda group: len(group.links), reverse=True)[:MAX_GROUPS]
    unsure = tuple(replace(group, links=group.links[:MAX_LINKS]) for group in largest)
    return Gap(gap.missing[:MAX_LINKS], unsure, gap.compared)


def is_article(rule: ArticleRule, candidate: Candidate, languages: Sequence[str]) -> bool:
    """Returns whether a candidate is an article by the declared rule.

    If the rule refuses a section, that is the operator's choice. But a rule that was learned from articles of one
    language says nothing about another language.
    """
    if candidate.discovery.kind == "section" and not rule.patterns:
        return True
    language = short(candidate.discovery.language)
    of_sources = {short(known) for known in languages} - {""}
    return rule.accepts(candidate.url) or bool(language and of_sources and language not in of_sources)


def recent_part(found: Sequence[Candidate], wanted: Collection[str], now: datetime) -> tuple[Candidate, ...]:
    """Returns a plain sitemap's entries that are recent or have one of the `wanted` URL keys; without credible dates
    all entries of a small sitemap."""
    dated = dated_entries(found)
    newest = max((when for entry in dated if (when := credible_date(entry.discovery.published, now))), default=None)
    if newest is None and len(found) <= MAX_UNDATED:
        return tuple(found)
    fresh = {entry.url for entry in dated if newest and (entry.discovery.published or newest) >= newest - RECENT}
    return tuple(entry for entry in found if entry.url in fresh or key_of(entry.url) in wanted)
