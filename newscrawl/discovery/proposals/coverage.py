"""Articles that a site shows as new and that none of its chosen sources names: pure comparison.

What a site shows as new are the links of its front pages (one for each language) and the dated entries of the sitemaps
that robots.txt announces. What its sources name is compared section by section, because a feed holds a few dozen
entries and a front page links older articles too:

- in a section that the sources name, only an article with a date inside the sources' window is missing;
- in a section, or a language, that no source names, articles somewhat older than the window count as well, because
  their front page still shows them, and with them the links that have no date.

Where nothing gives a date, a few pages must be fetched to decide: `questions` names them, `answered` takes the dates.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from newscrawl.discovery.links.article_urls import never_an_article
from newscrawl.discovery.links.resolve import key_of, within
from newscrawl.discovery.sitemaps.child_choice import believed, period_end
from newscrawl.model import Candidate

LEAST: Final = 5
"""Missing articles that are worth a word: a front page always links a few odd addresses (a live blog, a dossier)."""

SHARE: Final = 0.1
"""Share of the compared articles that must be missing: a page of 300 links has more odd ones than one of 30."""

QUESTIONS: Final = 3
"""Pages fetched for one section whose links have no date."""

EXAMPLES: Final = 3
"""Addresses named of what is missing."""

RECENT: Final = timedelta(days=14)
"""Age beyond which no article is missing, whatever the sources' window."""

WINDOW: Final = timedelta(days=3)
"""The sources' window where their entries have no dates."""

COMMON: Final = 3
"""Addresses that share a first part from which it is a section's name and not a part of one article's address."""

NAMED: Final = 0.3
"""Share of the shown articles of a language that must be named for the language to have a source."""

STAMPED: Final = 0.5
"""Share of a plain sitemap's entries with one and the same date from which the dates are those of its making."""

_LANGUAGE: Final = re.compile(r"([a-z]{2})(?:[-_][a-z]{2,4})?", re.IGNORECASE)
_DAY: Final = re.compile(r"(?<!\d)(?:19|20)\d\d[/\-]?(?:0[1-9]|1[0-2])[/\-]?(?:0[1-9]|[12]\d|3[01])(?!\d)")
_LIVE: Final = re.compile(
    r"(?:^|[/\-_.])(?:live|live-?blog|live-?ticker|newsticker|minute-by-minute)(?:[/\-_.]|$)", re.IGNORECASE
)
_PAGES: Final = re.compile(r"(?:page|pagina|seite|pag|p|offset|start)", re.IGNORECASE)
_PAGED: Final = re.compile(r"/(?:page|pagina|seite|pag|archiv\w{0,2})(?:[/\-]\d{1,5})?(?:/|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Unsure:
    """Links of one section of which nothing says how old they are; the section's articles count from `since` on."""

    links: tuple[Candidate, ...]
    since: datetime
    uncovered: bool = False
    """Whether no source names anything of this section or language."""


@dataclass(frozen=True, slots=True)
class Gap:
    """What the chosen sources leave out.

    `missing` are articles that are surely new, `unsure` the links without a date, section by section. `compared` counts
    all articles that were compared, named or not.
    """

    missing: tuple[Candidate, ...] = ()
    unsure: tuple[Unsure, ...] = ()
    compared: int = 0

    @property
    def counts(self) -> bool:
        """Whether so many are missing that it matters."""
        return len(self.missing) >= max(LEAST, SHARE * self.compared)

    @property
    def is_uncovered(self) -> bool:
        """Whether articles are missing for sure, or may be in a section or language that no source names."""
        return self.counts or sum(len(group.links) for group in self.unsure if group.uncovered) >= LEAST

    @property
    def possible(self) -> tuple[Candidate, ...]:
        """All that may be missing: `missing`, then the unsure ones."""
        return (*self.missing, *(one for group in self.unsure for one in group.links))


def compare(
    named: Iterable[Candidate],
    shown: Iterable[Candidate],
    *,
    domains: Sequence[str],
    now: datetime,
    known: Iterable[str | None] = (),
    languages: Iterable[str] = (),
    since: datetime | None = None,
) -> Gap:
    """The articles of `shown` that are not among `named`.

    `shown` are articles by the site's rule, with the language of the page or sitemap that shows them where it says so.
    `known` are URL keys that are named as well (pages of the database). `languages` are those of the named articles;
    without any, they are those that the candidates state. `since` is the beginning of the sources' window; without it,
    it is the latest of the oldest dates of each source.
    """
    by_key = {key_of(one.url): one for one in named}
    keys = {*by_key, *known}
    spoken = {short(one) for one in languages if short(one)} | {
        short(one.discovery.language) for one in by_key.values() if one.discovery.language
    }
    unnamed: dict[str, Candidate] = {}
    compared: set[str] = set()
    everything = list(shown)
    spoken |= _languages_named(everything, keys)
    for one in everything:
        key = key_of(one.url)
        if key is None or not within(one.url, domains) or _never_counted(one.url):
            continue
        compared.add(key)
        if key not in keys and (key not in unnamed or unnamed[key].discovery.published is None):
            unnamed[key] = one
    sections = _Sections([*by_key.values(), *everything])
    covered = {sections.of(one.url) for one in by_key.values()}
    windows = _Windows.of(by_key.values(), now, since)
    groups: dict[tuple[str, datetime, bool], list[Candidate]] = defaultdict(list)
    for one in unnamed.values():
        language, section = short(one.discovery.language), sections.of(one.url)
        if language and spoken and language not in spoken:
            groups[f"{section} {language}", windows.longest, True].append(one)
        elif section not in covered:
            groups[section, windows.wide, True].append(one)
        else:
            groups[section, windows.strict, False].append(one)
    missing: list[Candidate] = []
    unsure: list[Unsure] = []
    for (_, begin, uncovered), found in groups.items():
        sure, rest = _judge_group(found, begin, now, uncovered=uncovered)
        missing += sure
        if rest:
            unsure.append(Unsure(tuple(rest), begin, uncovered))
    return Gap(tuple(missing), tuple(unsure), len(compared | {key for key in by_key if key}))


def questions(gap: Gap, most: int = 2 * QUESTIONS) -> list[Candidate]:
    """Pages to fetch so that `answered` can decide on sections without dates, the largest first; few of each."""
    groups = sorted(gap.unsure, key=lambda group: len(group.links), reverse=True)
    worth = [group for group in groups if len(group.links) >= COMMON]
    if len(gap.missing) + sum(len(group.links) for group in worth) < LEAST:
        return []
    return [one for group in worth for one in group.links[:QUESTIONS]][:most]


def answered(gap: Gap, dates: Mapping[str, datetime | None]) -> Gap:
    """The gap after `questions` were fetched: `dates` has the date of each that is an article, by its address.

    A section counts when most of the pages asked are articles that are new enough.
    """
    missing = list(gap.missing)
    for group in gap.unsure:
        asked = [one for one in group.links[:QUESTIONS] if one.url in dates]
        new = [one for one in asked if (when := dates[one.url]) is not None and when >= group.since]
        if 2 * len(new) > min(QUESTIONS, len(group.links)):
            missing += [one for one in group.links if one not in asked or one in new]
    return Gap(tuple(missing), (), gap.compared)


def not_named(missing: Iterable[Candidate], named: Iterable[Candidate]) -> list[Candidate]:
    """Those of `missing` that are not among `named`."""
    keys = {key_of(one.url) for one in named}
    return [one for one in missing if key_of(one.url) not in keys]


def dated_entries(found: Sequence[Candidate]) -> list[Candidate]:
    """A sitemap's entries whose dates can be believed: not those of a plain one that stamps all with one moment."""
    dated = [one for one in found if one.discovery.published is not None]
    plain = [one.discovery.published for one in dated if one.discovery.title is None]
    if len(plain) >= LEAST and Counter(plain).most_common(1)[0][1] > STAMPED * len(plain):
        return [one for one in dated if one.discovery.title is not None]
    return dated


def left_out(missing: Sequence[Candidate]) -> str:
    """What is missing, for people: how many articles, and some of their addresses."""
    examples = ", ".join(one.url for one in missing[:EXAMPLES])
    return f"{len(missing)} articles that no chosen source names, such as {examples}"


def short(language: str | None) -> str:
    """A language tag's first part, "" for none: "de" of "de-AT"."""
    match = _LANGUAGE.fullmatch((language or "").strip())
    return match.group(1).lower() if match else ""


def language_in(url: str) -> str:
    """The language that the first part of an address names ("/de/..."), "" for none."""
    first = urlsplit(url).path.strip("/").partition("/")[0]
    return short(first) if len(first) in {2, 5} else ""


def _languages_named(shown: Iterable[Candidate], keys: Collection[str | None]) -> set[str]:
    """Languages of the shown articles of which a fair share is named: feeds may state a wrong language."""
    totals: Counter[str] = Counter()
    named: Counter[str] = Counter()
    for one in shown:
        language = short(one.discovery.language)
        totals[language] += 1
        named[language] += key_of(one.url) in keys
    return {language for language, total in totals.items() if named[language] >= NAMED * total}


def _judge_group(
    found: Sequence[Candidate], since: datetime, now: datetime, *, uncovered: bool
) -> tuple[list[Candidate], list[Candidate]]:
    """Those of a section that are missing for sure, and those that have no date."""
    dates = {one.url: _date_of(one, now) for one in found}
    undated = [one for one in found if dates[one.url] is None]
    fresh = [one for one in found if (when := dates[one.url]) is not None and when >= since]
    if uncovered and len(fresh) >= COMMON:
        return [*fresh, *undated], []
    if uncovered and not fresh and len(undated) < len(found):  # all that have a date are old
        return [], []
    return fresh, undated


def _date_of(one: Candidate, now: datetime) -> datetime | None:
    """The date that is stated, else the end of the day in the address."""
    stated = believed(one.discovery.published, now)
    if stated is None and _DAY.search(urlsplit(one.url).path):
        return period_end(one.url)
    return stated


@dataclass(frozen=True, slots=True)
class _Windows:
    """Since when an article is missing: `strict` in a section that the sources name, `wide` in one that they do not
    name, `longest` in a language that they do not name."""

    strict: datetime
    wide: datetime
    longest: datetime

    @classmethod
    def of(cls, named: Iterable[Candidate], now: datetime, since: datetime | None) -> _Windows:
        """By the dates of the sources' entries: every source names all that is newer than its oldest entry."""
        oldest: dict[str, datetime] = {}
        dates = [(one.discovery.source, believed(one.discovery.published, now)) for one in named]
        for source, when in dates:
            if when is not None:
                oldest[source] = min(when, oldest.get(source, when))
        newest = min(now, max((when for _, when in dates if when), default=now))
        longest = newest - RECENT
        strict = max(longest, since or max(oldest.values(), default=newest - WINDOW))
        wide = max(longest, min(newest - WINDOW, strict - (newest - strict)))
        return cls(strict, wide, longest)


class _Sections:
    """The section of an address: host and first part of the path, where several addresses share it."""

    def __init__(self, candidates: Iterable[Candidate]) -> None:
        self._counted = Counter(_first_part(url) for url in {one.url for one in candidates})

    def of(self, url: str) -> str:
        """A name; addresses without a section of their own share one a host."""
        host, part = _first_part(url)
        return f"{host}/{part}" if part and self._counted[host, part] >= COMMON else f"{host}/"


def _first_part(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    first, slash, rest = parts.path.strip("/").partition("/")
    host = parts.netloc.removeprefix("www.")
    return host, first.lower() if slash and rest and not first.isdigit() else ""


def _never_counted(url: str) -> bool:
    """Live blogs, which feeds name late or never, and pages of archives."""
    parts = urlsplit(url)
    paged = any(_PAGES.fullmatch(name) and value.isdigit() and len(value) < 4 for name, value in parse_qsl(parts.query))
    return paged or never_an_article(url) or bool(_LIVE.search(parts.path) or _PAGED.search(parts.path))
