"""Learns from examples which addresses of a site are articles, as the expressions of a site's declaration.

This is a greedy set cover. Each step takes the feature that explains most of the samples left and accepts hardly any
address known to be something else; hard features come first. A few samples do not show all forms of a site's addresses,
so the general features that accept no such address are added to a rule from few samples.
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
"""With this many samples, no general features are added."""

ENOUGH_HARD: Final = 8
"""The same if one hard feature explains all samples."""

OUTLIERS: Final = 0.03
"""Share of many samples that may stay unexplained: feeds list some addresses of other kinds."""

MANY: Final = 30
"""Samples from which `OUTLIERS` applies."""

WRONG: Final = 0.01
"""Share of the other addresses that an expression may accept, because a few of them may be articles."""

MAX_PATTERNS: Final = 8
"""The most expressions of a rule. More would list a site's addresses instead of describing them."""

MAX_MARKS: Final = 100
"""Features that are tried, those of most samples first. An address has about six."""

MAX_SAMPLES: Final = 500
"""Addresses of each kind that are read, evenly spread."""

GENERAL: Final = (
    UrlFeature(r"/(?:19|20)\d\d[-/]?(?:\d{1,2}|[a-z]{3})[-/]?\d{1,2}[-/_].*[^/]", True, "a date in the path"),
    UrlFeature(r"/(?=[^/?]*\d{5})[^/?]+(?:/[^/?]*[a-z][^/?]*)?/?$", True, "a number near the end"),
    UrlFeature(rf"[-_/.]{CODE}(?:\.\w{{3,5}})?/?$", True, "a code at the end"),
    UrlFeature(r"/(?=[^/?]*[a-z])[^/?\-_+,]+(?:[-_+,]+[^/?\-_+,]+){3,}[-_+,]*/?$", False, "a slug of four words"),
    UrlFeature(r"[?&](?:id|nid|p|\w*id|story\w*|article)=\w*\d", True, "a number in the query"),
)
"""The features of the general rule (`article_urls.looks_like_article`)."""


MIN_EXPLAINED: Final = 0.8
"""Least share of the samples that the features must explain together. With less, the folder of all samples is tried."""

_FOLDER: Final = re.compile(r"/([^/\d]{3,})/[^/]")
"""The first segment of a path with more after it. A segment of two letters is a language, one with digits a date."""


@dataclass(frozen=True, slots=True)
class LearnedRule:
    """A rule, and on what it is based."""

    patterns: tuple[str, ...]
    """Expressions for a declaration's `articles`. Empty if nothing was learned: then the general rule decides."""
    meanings: tuple[str, ...]
    """The meanings of the expressions, in their order, for display."""
    explained: int
    """Number of samples that the expressions accept."""
    samples: int
    wrongly_accepted: tuple[str, ...] = ()
    """Other addresses that the expressions accept."""

    @property
    def rule(self) -> ArticleRule:
        """The rule in the form that a spider uses."""
        return ArticleRule.of(self.patterns)


def learn_rules(articles: Iterable[str], others: Iterable[str] = ()) -> LearnedRule:
    """Returns expressions that accept `articles` and addresses of the same form, and not `others` (sections, tags,
    services).

    Samples that are no article on any site (home page, files, search) are ignored.
    """
    samples = _addresses(articles)
    against = _addresses(others)
    chosen = _cover(samples, against)
    explained = set().union(*(_accepted(mark, samples) for mark in chosen))
    if len(explained) < MIN_EXPLAINED * len(samples):
        chosen = _folder(samples, against) or chosen
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
    """Returns features that together explain the samples, those with most samples first."""
    # Among features with equal counts the order of `marks` stays: the most significant first.
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


def _folder(samples: Mapping[str, str], against: Mapping[str, str]) -> list[UrlFeature]:
    """Returns the feature "all are in this folder" if it is true of enough samples and of no other address, else none.

    It is the last resort, for short names and numbers ("/news/7"), in which the other features find nothing.
    """
    folders = {found[1] if (found := _FOLDER.match(address)) else "" for address in samples.values()}
    if len(samples) < ENOUGH_HARD or len(folders) != 1 or "" in folders:
        return []
    (name,) = folders
    mark = UrlFeature(rf"^/{re.escape(name)}/[^/]", True, f"addresses in /{name}/")
    return [] if _accepted(mark, against) else [mark]


def _gain(mark: UrlFeature, explained: set[str], left: set[str]) -> tuple[bool, int]:
    """Returns the sort key of a feature: hard ones that explain anything first, then by the number of new samples."""
    gained = len(explained & left)
    return mark.hard and gained > 0, gained


def _accepted(mark: UrlFeature, addresses: Mapping[str, str]) -> set[str]:
    """Returns the URLs that the feature's expression matches, searched as ArticleRule does."""
    search = re.compile(mark.expression).search
    return {url for url, address in addresses.items() if search(urlsplit(url).path) or search(address)}


def _addresses(urls: Iterable[str]) -> dict[str, str]:
    """Returns the URLs that may be articles, each with the part that rules search."""
    parts = {url: urlsplit(url) for url in _spread(urls) if not never_an_article(url)}
    return {url: f"{part.path}?{part.query}" if part.query else part.path for url, part in parts.items()}


def _spread(urls: Iterable[str]) -> list[str]:
    """Returns at most MAX_SAMPLES of the URLs, taken at even distances, because neighbours in a list are alike."""
    unique = list(dict.fromkeys(urls))
    step = max(1, -(-len(unique) // MAX_SAMPLES))
    return unique[::step]
