"""Learns from examples which addresses of a site are articles, as the expressions of a site's declaration.

This is a greedy set cover. Each step takes the feature that explains most of the samples left and accepts hardly any
address known to be something else; hard features come first. A few samples do not show all forms of a site's addresses,
so the general features that accept no such address are added to a rule from few samples.

The features distinguish the address of an article from that of a list, each as an expression of `articles`. Hard ones
(a number, a date, a code, a number in the query) are rare in addresses of lists. Soft ones (a slug of several words,
with or without a fixed beginning) are not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from newscrawl.discovery.links.article_urls import ID_DIGITS, ArticleRule, never_an_article

SHORT_ID_DIGITS: Final = 3
"""Digits of a running number after a separator, if every sample has one."""

SLUG_WORDS: Final = 3
"""Words of a slug. Fewer are a section's name."""

LONG_SLUG: Final = 4
"""Words that make a slug longer than a section's name (`article_urls.SLUG_WORDS`), required if the samples have
them."""

_ENDINGS: Final = re.compile(r"\.(?:html?|shtml|xhtml|php|aspx?|jsp|ece|cfm|stm|story)$", re.IGNORECASE)
_NUMBER_AT_END: Final = re.compile(rf"(^|[-_.,~a-zA-Z])(\d{{{SHORT_ID_DIGITS},}})$")
_NUMBER_AT_START: Final = re.compile(rf"^([a-zA-Z]{{0,8}}[-_]?)(\d{{{ID_DIGITS},}})([-_.,])")
_NUMBERED_SEGMENT: Final = re.compile(rf"^([a-zA-Z]{{0,8}}[-_]?)(\d{{{ID_DIGITS},}})$")
_LETTERS_AND_NUMBER: Final = re.compile(rf"(?:^|[-_.,~])([a-zA-Z]{{1,8}}|[a-zA-Z][-_])(\d{{{ID_DIGITS},}})$")
_DATE: Final = re.compile(
    r"/((?:19|20)\d\d)([-/_]?)(0?[1-9]|1[0-2]|[a-z]{3})\2(0?[1-9]|[12]\d|3[01])(?=[-/_T])", re.IGNORECASE
)
_MONTH: Final = re.compile(r"/(?:19|20)\d\d([-/])(?:0?[1-9]|1[0-2])/(?=[^/]*[a-zA-Z])")
CODE: Final = r"(?=[0-9a-zA-Z]{0,23}\d)(?=[0-9a-zA-Z]{0,23}[a-z])[0-9a-zA-Z]{10,24}"
"""Digits and letters mixed, as in identifiers. All repeats are limited, so that no address makes a search slow."""

_UUID: Final = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_CODES: Final = tuple(
    (expression, re.compile(rf"(?:^|[-_/.]){expression}$"))
    for expression in (_UUID, "[0-9a-f]{24,40}", "[A-Z2-7]{26}", CODE)
)
_PARAMETER: Final = re.compile(r"(?:id|nid|p|story|\w*id|\w*name|article|news|pid|a|no|idx|aid)$", re.IGNORECASE)
_WORDS: Final = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class UrlFeature:
    """A feature of an address: its expression, whether it is hard, and its description for people."""

    expression: str
    hard: bool
    meaning: str


def marks(url: str) -> Iterator[UrlFeature]:
    """Yields all features of an article's address, the most significant first."""
    parts = urlsplit(url)
    path = parts.path
    segments = [segment for segment in path.split("/") if segment]
    if parts.query:
        yield from _in_query(path, parts.query)
    if not segments:
        return
    ending = _ENDINGS.search(segments[-1])
    stem = segments[-1][: ending.start()] if ending else segments[-1]
    close = f"{re.escape(ending.group())}$" if ending else "/?$"
    hard = [*_numbers(segments, stem, close), *_dates(path), *_code(stem, close)]
    yield from hard
    if len(segments) > 1 and segments[0].replace("-", "").isalpha():
        first = re.escape(segments[0])
        for mark in hard:  # if lists have numbers too, the first part distinguishes them
            yield UrlFeature(f"^/{first}(?=/).*{mark.expression}", mark.hard, f"{mark.meaning}, below /{segments[0]}/")
    yield from _slugs(segments, stem, close)


def _code(stem: str, close: str) -> Iterator[UrlFeature]:
    expression = next((expression for expression, found in _CODES if found.search(stem)), None)
    if expression:
        yield UrlFeature(f"[-_/.]{expression}{close}", True, "a code at the end")


def _in_query(path: str, query: str) -> Iterator[UrlFeature]:
    for name, value in parse_qsl(query):
        if _PARAMETER.match(name) and value.isdigit():
            yield UrlFeature(
                rf"^{re.escape(path)}\?(?:.*&)?{re.escape(name)}=\d+", True, f"a number in the parameter {name!r}"
            )


def _numbers(segments: list[str], stem: str, close: str) -> Iterator[UrlFeature]:
    found = _NUMBER_AT_END.search(stem)
    if found:
        before = found.group(1)
        digits = len(found.group(2))
        named = _LETTERS_AND_NUMBER.search(stem)
        if named:
            letters = re.escape(named.group(1))
            yield UrlFeature(
                rf"{letters}{_digits(digits)}{close}", True, f"a number behind {named.group(1)!r} at the end"
            )
        elif before and not before.isalpha():
            yield UrlFeature(
                rf"{re.escape(before)}{_digits(digits)}{close}", digits >= ID_DIGITS, "a number at the end"
            )
        elif not before and digits >= ID_DIGITS:
            yield UrlFeature(rf"/{_digits(digits)}{close}", True, "a number alone at the end")
    start = _NUMBER_AT_START.match(stem)
    if start:
        head = re.escape(start.group(1))
        yield UrlFeature(
            rf"/{head}{_digits(len(start.group(2)))}{re.escape(start.group(3))}[^/]+{close}",
            True,
            "a number before the slug",
        )
    for segment in segments[:-1]:
        alone = _NUMBERED_SEGMENT.match(segment)
        if alone and not re.match(r"(?:19|20)\d{4}(?:\d\d)?$", segment):
            head = re.escape(alone.group(1))
            yield UrlFeature(rf"/{head}{_digits(len(alone.group(2)))}/[^/]+/?", True, "a number as a part of its own")


def _digits(length: int) -> str:
    """Returns an expression for a number of this length, one digit less, or more: numbers grow."""
    return rf"\d{{{max(SHORT_ID_DIGITS, min(length - 1, 8))},}}"


def _dates(path: str) -> Iterator[UrlFeature]:
    found = _DATE.search(path)
    if found:
        separator = re.escape(found.group(2))
        month = "[a-z]{3}" if found.group(3).isalpha() else r"\d{1,2}" if separator else r"\d{2}"
        day = r"\d{1,2}" if separator else r"\d{2}"
        yield UrlFeature(rf"/\d{{4}}{separator}{month}{separator}{day}[-/_T].*[^/]", True, "a date in the path")
        return
    month_only = _MONTH.search(path)
    if month_only:
        yield UrlFeature(rf"/\d{{4}}{month_only.group(1)}\d{{1,2}}/[^/]*[a-zA-Z]", True, "a month in the path")


def _slugs(segments: list[str], stem: str, close: str) -> Iterator[UrlFeature]:
    pieces = len(re.split("[-_]+", stem.strip("-_")))
    if min(pieces, len(_WORDS.findall(stem))) < SLUG_WORDS:
        if not stem.isascii() and len(segments) > 1:
            yield UrlFeature(rf"^/{re.escape(segments[0])}/.*[^/]{{8,}}{close}", False, f"a name below /{segments[0]}/")
        return
    slug = rf"[^/\-_]+(?:[-_]+[^/\-_]+){{{min(pieces, LONG_SLUG) - 1},}}[-_]*"
    for depth in (2, 1):
        if len(segments) > depth:
            prefix = "/".join(re.escape(segment) for segment in segments[:depth])
            yield UrlFeature(
                rf"^/{prefix}/(?:[^/]+/)*{slug}{close}", False, f"a slug below /{'/'.join(segments[:depth])}/"
            )
    folders = rf"(?:[^/]+/){{{len(segments) - 1}}}" if len(segments) > 1 else ""
    yield UrlFeature(rf"^/{folders}{slug}{close}", False, f"a slug at depth {len(segments)}")
    yield UrlFeature(rf"/{slug}{close}", False, "a slug at the end")


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
