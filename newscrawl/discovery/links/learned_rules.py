"""Learning from examples which of a site's addresses are articles, as the expressions that a site's declaration holds.

A greedy set cover: of all marks of all samples the one that explains most samples not yet explained, and accepts no
address known to be something else; hard marks first. From few samples the shapes of the rest cannot be known, so the
general judgement's shapes are added as far as nothing speaks against them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from newscrawl.discovery.links.article_urls import ArticleRule, never_an_article
from newscrawl.discovery.links.url_shapes import CODE, UrlFeature, marks

ENOUGH: Final = 12
"""Samples from which the shapes seen are taken for all there are."""

ENOUGH_HARD: Final = 8
"""The same where one hard mark explains all of them."""

OUTLIERS: Final = 0.03
"""Share of many samples that may stay unexplained: feeds list some addresses of another kind."""

MANY: Final = 30
"""Samples from which outliers are left alone."""

WRONG: Final = 0.01
"""Share of the other addresses an expression may accept: who collected them may be wrong about a few."""

MAX_PATTERNS: Final = 8
"""More expressions than this explain a site by listing it."""

MAX_MARKS: Final = 100
"""Marks weighed, those of most samples first: an address has about six."""

MAX_SAMPLES: Final = 500
"""Addresses looked at of each kind, evenly spread."""

GENERAL: Final = (
    UrlFeature(r"/(?:19|20)\d\d[-/]?(?:\d{1,2}|[a-z]{3})[-/]?\d{1,2}[-/_].*[^/]", True, "a date in the path"),
    UrlFeature(r"/(?=[^/?]*\d{5})[^/?]+(?:/[^/?]*[a-z][^/?]*)?/?$", True, "a number near the end"),
    UrlFeature(rf"[-_/.]{CODE}(?:\.\w{{3,5}})?/?$", True, "a code at the end"),
    UrlFeature(r"/(?=[^/?]*[a-z])[^/?\-_+,]+(?:[-_+,]+[^/?\-_+,]+){3,}[-_+,]*/?$", False, "a slug of four words"),
    UrlFeature(r"[?&](?:id|nid|p|\w*id|story\w*|article)=\w*\d", True, "a number in the query"),
)
"""The general judgement's shapes (`article_urls.looks_like_article`)."""


@dataclass(frozen=True, slots=True)
class LearnedRule:
    """A rule, and how well it is founded."""

    patterns: tuple[str, ...]
    """For a declaration's `articles`. Empty when nothing was learned: then the general judgement decides."""
    meanings: tuple[str, ...]
    """What each pattern looks for, for people."""
    explained: int
    """Samples that the patterns accept."""
    samples: int
    wrongly_accepted: tuple[str, ...] = ()
    """Other addresses that the patterns accept all the same."""

    @property
    def rule(self) -> ArticleRule:
        """The rule as a spider uses it."""
        return ArticleRule.of(self.patterns)


def learn_rules(articles: Iterable[str], others: Iterable[str] = ()) -> LearnedRule:
    """Expressions that accept `articles`, and addresses shaped like them, and not `others` (sections, tags, services).

    Samples that are no article anywhere (home page, files, search) are left out.
    """
    samples = _addresses(articles)
    against = _addresses(others)
    chosen = _cover(samples, against)
    if not chosen:
        return LearnedRule((), (), 0, len(samples))
    if len(samples) < (ENOUGH_HARD if len(chosen) == 1 and chosen[0].hard else ENOUGH):
        chosen += [mark for mark in GENERAL if not _accepted(mark, against)]
    chosen = list({mark.expression: mark for mark in chosen}.values())
    rule = ArticleRule.of(mark.expression for mark in chosen)
    return LearnedRule(
        tuple(mark.expression for mark in chosen),
        tuple(mark.meaning for mark in chosen),
        sum(rule.accepts(url) for url in samples),
        len(samples),
        tuple(url for url in against if rule.accepts(url)),
    )


def _cover(samples: Mapping[str, str], against: Mapping[str, str]) -> list[UrlFeature]:
    """Marks that together explain the samples, the widest first."""
    # Counter keeps the order of the first meeting among equals: the order of `marks`, the most telling first.
    counted = Counter(mark for url in samples for mark in set(marks(url)))
    ranked = sorted(dict.fromkeys(mark for url in samples for mark in marks(url)), key=lambda m: -counted[m])
    tolerated = WRONG * len(against)
    explained_by = {
        mark: _accepted(mark, samples) for mark in ranked[:MAX_MARKS] if len(_accepted(mark, against)) <= tolerated
    }
    left = set(samples)
    chosen: list[UrlFeature] = []
    allowed = OUTLIERS * len(samples) if len(samples) >= MANY else 0
    while len(left) > allowed and explained_by and len(chosen) < MAX_PATTERNS:
        best = max(explained_by, key=lambda mark: _gain(mark, explained_by[mark], left))
        if not explained_by[best] & left:
            break
        chosen.append(best)
        left -= explained_by.pop(best)
    return chosen


def _gain(mark: UrlFeature, explained: set[str], left: set[str]) -> tuple[bool, int]:
    """Hard marks go first while they explain anything."""
    gained = len(explained & left)
    return mark.hard and gained > 0, gained


def _accepted(mark: UrlFeature, addresses: Mapping[str, str]) -> set[str]:
    """The URLs whose address the mark's expression is found in, as ArticleRule looks for it."""
    search = re.compile(mark.expression).search
    return {url for url, address in addresses.items() if search(urlsplit(url).path) or search(address)}


def _addresses(urls: Iterable[str]) -> dict[str, str]:
    """URLs that may be articles, each with the part that rules look at."""
    parts = {url: urlsplit(url) for url in _spread(urls) if not never_an_article(url)}
    return {url: f"{part.path}?{part.query}" if part.query else part.path for url, part in parts.items()}


def _spread(urls: Iterable[str]) -> list[str]:
    """At most MAX_SAMPLES of them, taken at even distances: neighbours in a list are alike."""
    unique = list(dict.fromkeys(urls))
    step = max(1, -(-len(unique) // MAX_SAMPLES))
    return unique[::step]
