"""Finds the articles that a site shows as new and that none of its chosen sources names. Pure comparison.

A site shows as new what the front pages of its languages link to, and the dated entries of the sitemaps in robots.txt.
This is compared with the entries of its sources section by section, because a feed has a few dozen entries and a front
page links to older articles too:

- in a section that the sources name, an article is missing only if its date is inside the sources' window;
- in a section or language that no source names, somewhat older articles count as well, because their front page still
  shows them, and with them the links without a date.

If there are no dates at all, a few pages have to be fetched: `questions` names them, `answered` takes their dates.
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
from newscrawl.discovery.sitemaps.child_choice import credible_date, period_end
from newscrawl.model import Candidate

MIN_MISSING: Final = 5
"""The fewest missing articles that matter. A front page always links to a few odd addresses, such as a live blog."""

SHARE: Final = 0.1
"""Share of the compared articles that must be missing. A page with 300 links has more odd ones than one with 30."""

QUESTIONS: Final = 3
"""Pages that are fetched for one section without dates."""

EXAMPLES: Final = 3
"""Addresses of missing articles that are shown."""

RECENT: Final = timedelta(days=14)
"""Articles older than this are never missing, whatever the sources' window."""

WINDOW: Final = timedelta(days=3)
"""The sources' window if their entries have no dates."""

COMMON: Final = 3
"""Addresses with the same first part from which it counts as a section's name, not as a part of one address."""

NAMED: Final = 0.3
"""Share of a language's shown articles that sources must name for the language to count as covered."""

STAMPED: Final = 0.5
"""If more than this share of a plain sitemap's entries has the same date, it is the date when the sitemap was made."""

_LANGUAGE: Final = re.compile(r"([a-z]{2})(?:[-_][a-z]{2,4})?", re.IGNORECASE)
_DAY: Final = re.compile(r"(?<!\d)(?:19|20)\d\d[/\-]?(?:0[1-9]|1[0-2])[/\-]?(?:0[1-9]|[12]\d|3[01])(?!\d)")
_LIVE: Final = re.compile(
    r"(?:^|[/\-_.])(?:live|live-?blog|live-?ticker|newsticker|minute-by-minute)(?:[/\-_.]|$)", re.IGNORECASE
)
_PAGES: Final = re.compile(r"(?:page|pagina|seite|pag|p|offset|start)", re.IGNORECASE)
_PAGED: Final = re.compile(r"/(?:page|pagina|seite|pag|archiv\w{0,2})(?:[/\-]\d{1,5})?(?:/|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Unsure:
    """Links of one section without a date. Its articles count as new from `since` on."""

    links: tuple[Candidate, ...]
    since: datetime
    uncovered: bool = False
    """Whether no source names an article of this section or language."""


@dataclass(frozen=True, slots=True)
class Gap:
    """The articles that the chosen sources leave out.

    `missing` are certainly new; `unsure` are links without a date, by section. `compared` is the number of all articles
    that were compared, named or not.
    """

    missing: tuple[Candidate, ...] = ()
    unsure: tuple[Unsure, ...] = ()
    compared: int = 0

    @property
    def counts(self) -> bool:
        """Whether enough articles are missing to matter."""
        return len(self.missing) >= max(MIN_MISSING, SHARE * self.compared)

    @property
    def is_uncovered(self) -> bool:
        """Whether articles are certainly missing, or may be in a section or language that no source names."""
        return self.counts or sum(len(group.links) for group in self.unsure if group.uncovered) >= MIN_MISSING

    @property
    def possible(self) -> tuple[Candidate, ...]:
        """All articles that may be missing: `missing`, then the unsure ones."""
        return (*self.missing, *(link for group in self.unsure for link in group.links))


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
    """Returns the articles of `shown` that are not among `named`.

    `shown` are articles by the site's rule, with the language that the page or sitemap states for them. `known` are URL
    keys that count as named, too (pages of the database). `languages` are those of the named articles; without any, the
    languages of the candidates are used. `since` is the beginning of the sources' window; without it, it is the latest
    of the oldest dates of all sources.
    """
    by_key = {key_of(entry.url): entry for entry in named}
    keys = {*by_key, *known}
    spoken = {short(tag) for tag in languages if short(tag)} | {
        short(entry.discovery.language) for entry in by_key.values() if entry.discovery.language
    }
    unnamed: dict[str, Candidate] = {}
    compared: set[str] = set()
    everything = list(shown)
    spoken |= _languages_named(everything, keys)
    for entry in everything:
        key = key_of(entry.url)
        if key is None or not within(entry.url, domains) or _never_counted(entry.url):
            continue
        compared.add(key)
        if key not in keys and (key not in unnamed or unnamed[key].discovery.published is None):
            unnamed[key] = entry
    sections = _Sections([*by_key.values(), *everything])
    covered = {sections.of(entry.url) for entry in by_key.values()}
    windows = _Windows.of(by_key.values(), now, since)
    groups: dict[tuple[str, datetime, bool], list[Candidate]] = defaultdict(list)
    for entry in unnamed.values():
        language, section = short(entry.discovery.language), sections.of(entry.url)
        if language and spoken and language not in spoken:
            groups[f"{section} {language}", windows.longest, True].append(entry)
        elif section not in covered:
            groups[section, windows.wide, True].append(entry)
        else:
            groups[section, windows.strict, False].append(entry)
    missing: list[Candidate] = []
    unsure: list[Unsure] = []
    for (_, begin, uncovered), entries in groups.items():
        sure, rest = _judge_group(entries, begin, now, uncovered=uncovered)
        missing += sure
        if rest:
            unsure.append(Unsure(tuple(rest), begin, uncovered))
    return Gap(tuple(missing), tuple(unsure), len(compared | {key for key in by_key if key}))


def questions(gap: Gap, most: int = 2 * QUESTIONS) -> list[Candidate]:
    """Returns a few pages to fetch, so that `answered` can decide on sections without dates; large sections first."""
    groups = sorted(gap.unsure, key=lambda group: len(group.links), reverse=True)
    worth = [group for group in groups if len(group.links) >= COMMON]
    if len(gap.missing) + sum(len(group.links) for group in worth) < MIN_MISSING:
        return []
    return [link for group in worth for link in group.links[:QUESTIONS]][:most]


def answered(gap: Gap, dates: Mapping[str, datetime | None]) -> Gap:
    """Returns the gap after the pages of `questions` were fetched. `dates` maps their addresses to their dates; pages
    that are no articles are left out or None.

    All links of a section count as missing if most of its fetched pages are new enough.
    """
    missing = list(gap.missing)
    for group in gap.unsure:
        fetched = [link for link in group.links[:QUESTIONS] if link.url in dates]
        new = [link for link in fetched if (when := dates[link.url]) is not None and when >= group.since]
        if 2 * len(new) > min(QUESTIONS, len(group.links)):
            missing += [link for link in group.links if link not in fetched or link in new]
    return Gap(tuple(missing), (), gap.compared)


def not_named(missing: Iterable[Candidate], named: Iterable[Candidate]) -> list[Candidate]:
    """Returns the articles of `missing` that are not among `named`."""
    keys = {key_of(entry.url) for entry in named}
    return [entry for entry in missing if key_of(entry.url) not in keys]


def dated_entries(found: Sequence[Candidate]) -> list[Candidate]:
    """Returns a sitemap's entries with credible dates. A plain sitemap that gives most entries one date has none."""
    dated = [entry for entry in found if entry.discovery.published is not None]
    plain = [entry.discovery.published for entry in dated if entry.discovery.title is None]
    if len(plain) >= MIN_MISSING and Counter(plain).most_common(1)[0][1] > STAMPED * len(plain):
        return [entry for entry in dated if entry.discovery.title is not None]
    return dated


def left_out(missing: Sequence[Candidate]) -> str:
    """Returns a description of what is missing: the number of articles and some of their addresses."""
    examples = ", ".join(entry.url for entry in missing[:EXAMPLES])
    return f"{len(missing)} articles that no chosen source names, such as {examples}"


def short(language: str | None) -> str:
    """Returns the first part of a language tag, such as "de" for "de-AT"; "" for none."""
    match = _LANGUAGE.fullmatch((language or "").strip())
    return match.group(1).lower() if match else ""


def language_in(url: str) -> str:
    """Returns the language that the first part of an address names ("/de/..."), "" for none."""
    first = urlsplit(url).path.strip("/").partition("/")[0]
    return short(first) if len(first) in {2, 5} else ""


def _languages_named(shown: Iterable[Candidate], keys: Collection[str | None]) -> set[str]:
    """Returns the languages of which sources name a fair share of the articles. Feeds may state a wrong language."""
    totals: Counter[str] = Counter()
    named: Counter[str] = Counter()
    for entry in shown:
        language = short(entry.discovery.language)
        totals[language] += 1
        named[language] += key_of(entry.url) in keys
    return {language for language, total in totals.items() if named[language] >= NAMED * total}


def _judge_group(
    found: Sequence[Candidate], since: datetime, now: datetime, *, uncovered: bool
) -> tuple[list[Candidate], list[Candidate]]:
    """Returns the articles of a section that are certainly missing, and those without a date."""
    dates = {entry.url: _date_of(entry, now) for entry in found}
    undated = [entry for entry in found if dates[entry.url] is None]
    fresh = [entry for entry in found if (when := dates[entry.url]) is not None and when >= since]
    if uncovered and len(fresh) >= COMMON:
        return [*fresh, *undated], []
    if uncovered and not fresh and len(undated) < len(found):  # all that have a date are old
        return [], []
    return fresh, undated


def _date_of(entry: Candidate, now: datetime) -> datetime | None:
    """Returns the stated date, else the end of the day in the address, else None."""
    stated = credible_date(entry.discovery.published, now)
    if stated is None and _DAY.search(urlsplit(entry.url).path):
        return period_end(entry.url)
    return stated


@dataclass(frozen=True, slots=True)
class _Windows:
    """The times since when an article counts as missing: `strict` in a section that the sources name, `wide` in another
    section, `longest` in a language that they do not name."""

    strict: datetime
    wide: datetime
    longest: datetime

    @classmethod
    def of(cls, named: Iterable[Candidate], now: datetime, since: datetime | None) -> _Windows:
        """Returns the windows from the dates of the entries: a source names all that is newer than its oldest entry."""
        oldest: dict[str, datetime] = {}
        dates = [(entry.discovery.source, credible_date(entry.discovery.published, now)) for entry in named]
        for source, when in dates:
            if when is not None:
                oldest[source] = min(when, oldest.get(source, when))
        newest = min(now, max((when for _, when in dates if when), default=now))
        longest = newest - RECENT
        strict = max(longest, since or max(oldest.values(), default=newest - WINDOW))
        wide = max(longest, min(newest - WINDOW, strict - (newest - strict)))
        return cls(strict, wide, longest)


class _Sections:
    """Sections of a site: host and first part of the path, if several addresses have it."""

    def __init__(self, candidates: Iterable[Candidate]) -> None:
        self._counted = Counter(_first_part(url) for url in {candidate.url for candidate in candidates})

    def of(self, url: str) -> str:
        """Returns the name of an address's section. Addresses without one share one name for each host."""
        host, part = _first_part(url)
        return f"{host}/{part}" if part and self._counted[host, part] >= COMMON else f"{host}/"


def _first_part(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    first, slash, rest = parts.path.strip("/").partition("/")
    host = parts.netloc.removeprefix("www.")
    return host, first.lower() if slash and rest and not first.isdigit() else ""


def _never_counted(url: str) -> bool:
    """Returns whether the address is never counted: live blogs, which feeds name late or never, and archive pages."""
    parts = urlsplit(url)
    paged = any(_PAGES.fullmatch(name) and value.isdigit() and len(value) < 4 for name, value in parse_qsl(parts.query))
    return paged or never_an_article(url) or bool(_LIVE.search(parts.path) or _PAGED.search(parts.path))
