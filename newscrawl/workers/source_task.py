"""The worker's reading of a feed, a sitemap or a page of links: bytes in, a limited selection of links out. It also
finds the articles that a site's sources leave out: it compares what the site shows with what its sources name, and
selects the recent part of a sitemap that is an archive.

This module does not use Scrapy: it runs in the worker, within its limits.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from newscrawl.discovery.feeds.read_feed import read_feed
from newscrawl.discovery.links.article_urls import ArticleRule, never_an_article
from newscrawl.discovery.links.extraction import LIKELY, section_links
from newscrawl.discovery.links.resolve import key_of, within
from newscrawl.discovery.proposals.coverage import RECENT, Gap, compare, dated_entries, language_in, short
from newscrawl.discovery.proposals.find_sources import FoundSource, is_article_page
from newscrawl.discovery.proposals.site_page import front_page, in_language, language_fronts
from newscrawl.discovery.reading import MAX_TITLE, Budget, ChildSitemap, SourceContents, UpdateHints
from newscrawl.discovery.sitemaps.child_choice import choose, choose_children, credible_date
from newscrawl.discovery.sitemaps.read_sitemap import MAX_BYTES, MAX_URLS, read_sitemap
from newscrawl.extraction.article.make import directives
from newscrawl.model import Candidate, Failure, SourceType
from newscrawl.page import parse

MAX_CANDIDATES: Final = 5_000
"""Candidates that are taken from one source in one crawl, the newest first. A news sitemap may have 1,000 entries."""

MAX_CHILDREN: Final = 1_000
"""Sitemaps that are taken from one index, the newest first. A crawl reads 50 of them."""

CHUNK: Final = 250
"""Candidates that are unpickled together, in 1.3 ms: pickle holds the interpreter lock until it is done."""

MAX_TRAVELLING: Final = 8_000_000
"""Bytes of candidates that a worker returns. 5,000 usual ones are 1 MB."""

NOFOLLOW: Final = frozenset({"nofollow", "none"})
REFUSED_FOLLOWING: Final = "its X-Robots-Tag forbids following its links"

_SITEMAP_ROOTS: Final = (b"<urlset", b"<sitemapindex")


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


@dataclass(frozen=True, slots=True)
class SourceTask:
    """An answer that is to be read. `url` is its final address, `headers` have lower-case names. `domains` are the
    site's, `source_domains` those that may have the sitemaps it names. `left` is the rest of its budget."""

    url: str
    kind: SourceType
    headers: Mapping[str, str]
    body: bytes = field(repr=False)
    rule: ArticleRule
    domains: tuple[str, ...]
    source_domains: tuple[str, ...]
    left: Budget
    now: datetime
    wanted: WantedLinks = EVERYTHING


@dataclass(frozen=True, slots=True)
class PickledCandidates:
    """Pickled candidates from a worker. They are unpickled in pieces during iteration."""

    pieces: tuple[bytes, ...] = field(default=(), repr=False)
    size: int = 0

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[Candidate]:
        yield from _unpacked(self.pieces)


@dataclass(frozen=True, slots=True)
class SourceRead:
    """The result of reading an answer; every part of it is limited in size.

    `children` are (URL key, sitemap). `entries` counts all entries of the body. `found` are the sources that a front
    page announces.
    """

    candidates: PickledCandidates = field(default_factory=PickledCandidates)
    offsite: int = 0
    not_article: int = 0
    over_limit: int = 0
    children: tuple[tuple[str, ChildSitemap], ...] = ()
    problems: tuple[str, ...] = ()
    update_hints: UpdateHints = field(default_factory=UpdateHints)
    entries: int = 0
    size: int = 0
    content_hash: str | None = None
    found: tuple[FoundSource, ...] = ()
    is_article: bool = False
    """Whether the page itself is an article."""
    is_index: bool = False
    """Whether it names further sitemaps, whether or not they are to be read."""
    unusable: str | None = None
    """The problem of a body that names neither pages nor sitemaps."""
    language: str = ""
    """The first part of its language tag, or else of its address if that names a language."""
    shown: PickledCandidates = field(default_factory=PickledCandidates)
    """What a front page or sitemap shows to be compared with what sources name, whether or not the site's rule takes
    it."""
    shown_keys: tuple[str, ...] = ()
    """URL keys of `shown`."""
    front_pages: tuple[str, ...] = ()
    """Front pages of other languages."""
    gap: Gap | None = None
    """The articles that the site shows and its sources leave out. Those that the site's rule takes are the
    candidates."""

    @property
    def names_pages(self) -> bool:
        """Whether it names pages, whether or not they are to be fetched."""
        return bool(self.candidates or self.offsite or self.not_article or self.over_limit)

    @property
    def all_refused(self) -> bool:
        """Whether all pages that it names were refused."""
        return not self.candidates and bool(self.not_article or self.offsite)


NOTHING: Final = SourceRead()


def read_source(task: SourceTask) -> SourceRead | Failure:
    """Returns the links of the answer, as far as its budget allows, or a failure if it cannot be read."""
    if task.wanted.against is not None:  # everything to be compared was read before
        gap = shown_gap(task.wanted.against, task.rule, task.domains, task.now)
        return replace(_bounded(task, SourceContents(gap.possible), b""), gap=gap)
    body = task.body
    if not body.strip() and task.kind != "start":  # robots.txt may name the sources of a site with an empty front page
        from newscrawl.extraction.article.make import EMPTY_ANSWER

        return EMPTY_ANSWER
    if task.kind == "start":
        return _read_front(task, body)
    reading = read_body(task, body)
    if task.wanted.shown:
        shown = shown_entries(reading.candidates, reading.language, task.now)
        return _showing(_bounded(task, replace(reading, candidates=()), body), shown)
    if task.wanted.recent is not None and not reading.children:
        reading = replace(reading, candidates=recent_part(reading.candidates, task.wanted.recent, task.now))
    return _bounded(task, reading, body)


def _read_front(task: SourceTask, body: bytes) -> SourceRead:
    """Reads the sources and links of a front page."""
    page = parse(body, url=task.url, content_type=task.headers.get("content-type"))
    front = front_page(page, task.url, task.rule.accepts)
    read = _bounded(task, section_links(page, task.url, task.rule), body)
    return replace(
        _showing(read, front.links[:MAX_LINKS]),
        found=tuple(replace(source, title=source.title[:MAX_TITLE]) for source in front.sources),
        front_pages=tuple(language_fronts(page, task.url, task.domains)),
        is_article=is_article_page(page, task.url),
    )


def read_body(task: SourceTask, body: bytes) -> SourceContents:
    """Reads a body by its kind."""
    if task.kind == "section":
        directive = task.headers.get("x-robots-tag", "")
        if not NOFOLLOW.isdisjoint(directives([directive], scoped=True)):
            return SourceContents(problems=(REFUSED_FOLLOWING,))
        page = parse(body, url=task.url, content_type=task.headers.get("content-type"))
        return section_links(page, task.url, task.rule)
    if task.kind == "sitemap" or any(root in body[:2_000] for root in _SITEMAP_ROOTS):
        most, size = min(task.left.entries, MAX_URLS), min(task.left.bytes, MAX_BYTES)
        return read_sitemap(body, task.url, max_urls=most, max_bytes=size)
    return read_feed(body, task.url, task.headers)


def _showing(read: SourceRead, shown: Sequence[Candidate]) -> SourceRead:
    """Returns the reading with what is shown, whether or not that are articles by the rule."""
    keys = tuple(key for entry in shown if (key := key_of(entry.url)) is not None)
    return replace(read, shown=pickle_candidates(shown), shown_keys=keys)


def _bounded(task: SourceTask, reading: SourceContents, body: bytes) -> SourceRead:
    accepts = filter_for(task.rule)
    chosen = choose(reading.candidates, domains=task.domains, accepts=accepts, now=task.now, limit=MAX_CANDIDATES)
    pickled = pickle_candidates(chosen.candidates)
    names_nothing = not (reading.candidates or reading.children)
    children = (
        (key, child)
        for child in choose_children(reading.children, task.now)
        if within(child.url, task.source_domains) and (key := key_of(child.url)) is not None
    )
    return SourceRead(
        pickled,
        chosen.offsite,
        chosen.not_article,
        chosen.over_limit + len(chosen.candidates) - len(pickled),
        tuple(child for child, _ in zip(children, range(MAX_CHILDREN), strict=False)),
        reading.problems,
        reading.update_hints,
        reading.entries,
        len(body),
        hashlib.blake2b(body, digest_size=16).hexdigest(),
        is_index=bool(reading.children),
        unusable=reading.problems[0] if reading.problems and names_nothing else None,
        language=short(reading.language) or language_in(task.url),
    )


def pickle_candidates(candidates: Sequence[Candidate], most: int = MAX_TRAVELLING) -> PickledCandidates:
    """Pickles the first candidates, at most `most` bytes of them."""
    pieces: list[bytes] = []
    size = count = 0
    for start in range(0, len(candidates), CHUNK):
        some = candidates[start : start + CHUNK]
        piece = pickle.dumps(some, pickle.HIGHEST_PROTOCOL)
        size += len(piece)
        if size > most:
            break
        pieces.append(piece)
        count += len(some)
    return PickledCandidates(tuple(pieces), count)


def filter_for(rule: ArticleRule) -> Callable[[Candidate], bool]:
    """Returns a function that decides which candidates are articles by the site's rule.

    Without declared expressions, all entries of feeds and news sitemaps are accepted: they list articles by definition,
    and the general rule reads addresses only. Links that were judged by text and place are accepted, too.
    """

    def accepts(candidate: Candidate) -> bool:
        origin = candidate.discovery
        listed = origin.kind == "feed" or (origin.kind == "sitemap" and origin.title is not None)
        listed = listed or (origin.kind == "section" and (candidate.confidence or 0) >= LIKELY)
        if listed and not rule.patterns:
            return not never_an_article(candidate.url)
        return rule.accepts(candidate.url)

    return accepts


MAX_LINKS: Final = 1_000
"""Links of a front page that are compared. Large front pages have 600."""

MAX_SHOWN: Final = 2_000
"""Entries of a sitemap that are compared, the newest first."""

MAX_GROUPS: Final = 20
"""Sections without dates that are returned. Pages of at most two of them are fetched."""

MAX_UNDATED: Final = 500
"""A plain sitemap with at most this many entries and no dates is no archive."""


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
