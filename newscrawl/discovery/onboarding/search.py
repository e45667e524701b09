"""Searches for a site's sources: those that it announces, those in robots.txt, then less and less likely places.

A step is made only if the steps before found no source with new articles. So an ordinary site takes three or four
requests, and their number is limited for every site. `completed` then finds articles that the chosen sources leave out,
and adds sources that list them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from urllib.parse import urlsplit

from newscrawl.crawling.runtime.site_client import SiteAnswer, SiteClient
from newscrawl.crawling.spider.sources.front_page import MAX_SITEMAPS, asked
from newscrawl.crawling.spider.sources.site_reader import SiteReader
from newscrawl.discovery.links.article_urls import is_home, looks_like_article
from newscrawl.discovery.links.extraction import LIKELY
from newscrawl.discovery.links.learned_rules import learn_rules
from newscrawl.discovery.links.resolve import key_of, within
from newscrawl.discovery.proposals.coverage import (
    MIN_MISSING,
    RECENT,
    Gap,
    compare,
    dated_entries,
    language_in,
    not_named,
)
from newscrawl.discovery.proposals.find_sources import FoundSource, common_sources, rank, ranked
from newscrawl.discovery.proposals.site_page import FrontPage, SitePage, in_language
from newscrawl.discovery.proposals.sources import SourceTrial, choose_more, sections_of, try_source
from newscrawl.discovery.reading import SourceContents
from newscrawl.discovery.sitemaps.child_choice import choose_children
from newscrawl.model import Article, Candidate, Failure
from newscrawl.model.identity import registrable_domain, same_site, url_key

MAX_ASKED: Final = 30
"""Most requests for sources. With the front page, ten samples and a delay of a second they take less than a minute."""

MAX_ANNOUNCED: Final = 8
"""Most announced feeds that are read. Some sites announce one for each of a hundred sections."""

MAX_MORE_FEEDS: Final = 6
"""Further feeds that are tried if articles are missing."""

MAX_INDEXES: Final = 3
MAX_SECTIONS: Final = 6
MAX_DEPTH: Final = 3
ENOUGH: Final = 20
"""Number of articles of a tree of sitemaps from which enough can be learned."""

CURRENT: Final = 0.3
"""Share of the front page's articles that a source without new articles must list to be accepted: then the site itself
is slow."""

_ARCHIVE: Final = 3
"""The `find_sources.rank` from which a source lists the archive, or no text."""


class Search:
    """The search for one site's sources. `trials` has every source that was read, in that order."""

    def __init__(
        self,
        visitor: SiteClient,
        reader: SiteReader,
        page: SitePage,
        now: datetime,
        report: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.home = home = page.url
        self.domains = (registrable_domain(home),)
        self.trials: list[SourceTrial] = []
        self.linked: list[Candidate] = []
        """Articles that section pages link. They are collected only if no source is good."""
        self._visitor = visitor
        self._reader = reader
        self._page = page
        self._front = {
            url_key(link.url) for link in page.links if link.confidence >= LIKELY and same_site(link.url, home)
        }
        self._now = now
        self._report = report
        self._seen: set[str] = set()
        self._asked = 0
        self.dead: set[str] = set()
        """URL keys of pages that could not be read."""
        self._pages: list[SitePage] = []
        """Desks and sections that were read."""
        self.announced: Sequence[FoundSource] = ()
        """The sources that the operator, the front page and robots.txt name, in the order of `ranked`."""

    @property
    def good(self) -> list[SourceTrial]:
        """The sources that list articles."""
        return [trial for trial in self.trials if trial.good]

    @property
    def found(self) -> bool:
        """Whether a source lists new articles."""
        return any(rank(trial.source, self.home) < _ARCHIVE for trial in self.good)

    async def run(self, given: Iterable[FoundSource] = ()) -> None:
        """Searches until a source is found. `given` are sources that the operator knows."""
        named = [FoundSource(url, "sitemap") for url in await self._visitor.sitemaps(self.home)]
        self.announced = announced = ranked([*given, *self._page.sources, *named], self.home)
        for source in [source for source in announced if rank(source, self.home) < _ARCHIVE][:MAX_ANNOUNCED]:
            await self.try_source(source)
        if not self.found:
            await self._archives(announced)
        if not self.found:
            await self._desks()
        if not self.found:
            await self._guesses()
        if not self.good:
            self._links()
            if not self.linked:
                self.revive()

    async def _archives(self, announced: Sequence[FoundSource]) -> None:
        """Try plain sitemaps and indexes, which may have a news sitemap among their children."""
        plain = [source for source in announced if rank(source, self.home) == _ARCHIVE]
        for source in plain[:MAX_INDEXES]:
            await self.try_source(source)

    async def _desks(self) -> None:
        """Reads front pages of the site's other hosts, and sections, which may announce further sources."""
        links = self._page.links
        desks = [link.url for link in links if same_site(link.url, self.home) and self._is_desk(link.url)]
        for url in [*dict.fromkeys(desks), *sections_of(links, self.home)][:MAX_SECTIONS]:
            page = await self.read_page(url)
            if page is not None:
                self._pages.append(page)
                for source in ranked(page.sources, url)[:2]:
                    await self.try_source(source)

    async def _guesses(self) -> None:
        """Try common URLs of sources until one is a source."""
        for source in common_sources(self.home, thorough=True):
            trial = await self.try_source(source)
            if trial is not None and trial.good and self.found:
                return

    def _links(self) -> None:
        """Collect the articles that the front page and the read sections link."""
        for page in (self._page, *self._pages):
            self.linked += page.section.candidates

    async def try_source(self, source: FoundSource, depth: int = 0) -> SourceTrial | None:
        """Reads a source, and the sources that it leads to. Returns None if it was read before or the limit is
        reached."""
        answer = await self._ask(source.url)
        if answer is None:
            return None
        if answer.failure is not None:
            trial = SourceTrial(source, problem=answer.failure.reason)
        elif not within(answer.final_url, (*self.domains, registrable_domain(source.url))):
            trial = SourceTrial(source, problem=f"leads to another site: {answer.final_url}")
        elif isinstance(read := await self._reader.source(answer, source.kind), Failure):
            trial = SourceTrial(source, problem=read.reason)
        else:
            if within(answer.final_url, self.domains):
                source = FoundSource(answer.final_url, source.kind, source.title)
            trial = self._judged(source, read)
            if read.children and depth < MAX_DEPTH:
                trial = await self._tried_index(source, read, depth)
            elif read.announced and not trial.good and depth == 0:
                for url in [FoundSource(url, "feed") for url in read.announced[:MAX_ANNOUNCED]]:
                    await self.try_source(url, depth + 1)
        self.trials.append(trial)
        return trial

    async def peek(self, source: FoundSource) -> None:
        """Reads an announced sitemap for comparison; of an index, the freshest child if it changed recently."""
        answer = await self._ask(source.url)
        if answer is None or not answer.readable or not within(answer.final_url, self.domains):
            return
        read = await self._listing(answer)
        fresh = [c for c in choose_children(read.children, self._now, since=self._now - RECENT) if c.lastmod]
        for child in [c.url for c in fresh if within(c.url, self.domains)][:1]:
            below = await self._ask(child)
            if below is not None and below.readable:
                read = await self._listing(below)
        self.trials.append(self._judged(source, SourceContents(read.candidates)))

    async def _tried_index(self, source: FoundSource, read: SourceContents, depth: int) -> SourceTrial:
        """Judge an index by its children: news sitemaps become sources, and the freshest of the others are read."""
        domains = (*self.domains, registrable_domain(source.url))
        children = [c.url for c in choose_children(read.children, self._now) if within(c.url, domains)]
        for url in children[:ENOUGH]:
            if rank(FoundSource(url, "sitemap"), self.home) < _ARCHIVE:
                await self.try_source(FoundSource(url, "sitemap"), depth + 1)
        articles: list[Candidate] = []
        level = children
        for below in range(depth + 1, MAX_DEPTH + 1):
            deeper: list[str] = []
            for url in level[:2]:
                answer = await self._ask(url)
                if len(articles) >= ENOUGH or answer is None or not answer.readable:
                    continue
                child = await self._listing(answer)
                articles += child.candidates
                deeper += [c.url for c in choose_children(child.children, self._now) if within(c.url, domains)]
            if articles or not deeper or below == MAX_DEPTH:
                break
            level = deeper
        return self._judged(source, SourceContents(tuple(articles)))

    def _judged(self, source: FoundSource, read: SourceContents) -> SourceTrial:
        """Judge a source. One without new articles is good if the front page has nothing newer either."""
        trial = try_source(source, read, self.domains, self._now)
        named = {key_of(candidate.url) for candidate in trial.articles}
        if named and not trial.good and len(self._front & named) >= max(1, CURRENT * len(self._front)):
            return replace(trial, problem="")
        return trial

    def revive(self) -> None:
        """Accepts sources that list articles of any age, if there are no others."""
        self.trials = [replace(trial, problem="") if trial.articles else trial for trial in self.trials]

    async def read_page(self, url: str) -> SitePage | None:
        """Reads a page of the site; None if it cannot be fetched or was requested before."""
        answer = await self._ask(url)
        if answer is None:
            return None
        if answer.readable and within(answer.final_url, self.domains):
            page = await self._reader.page(answer, self.domains)
            if not isinstance(page, Failure):
                return page
        self.dead.add(url_key(url))
        return None

    async def _listing(self, answer: SiteAnswer) -> SourceContents:
        """Reads the entries of a sitemap, as far as possible."""
        read = await self._reader.source(answer, "sitemap")
        return SourceContents() if isinstance(read, Failure) else read

    async def _ask(self, url: str) -> SiteAnswer | None:
        """Makes a request; None if the URL was requested before or `MAX_ASKED` is reached."""
        key = key_of(url)
        if key is None or key in self._seen or self._asked >= MAX_ASKED:
            return None
        self._seen.add(key)
        self._asked += 1
        self._report(url)
        answer = await self._visitor.get(url)
        self._seen.add(url_key(answer.final_url))
        return answer

    def _is_desk(self, url: str) -> bool:
        return is_home(url) and urlsplit(url).netloc != urlsplit(self.home).netloc


@dataclass(frozen=True, slots=True)
class Completion:
    """The additions: sources, and front pages as sections with the articles that they link. `missing` are the articles
    still left out."""

    sources: tuple[SourceTrial, ...] = ()
    sections: tuple[str, ...] = ()
    linked: tuple[Candidate, ...] = ()
    missing: tuple[Candidate, ...] = ()


async def completed(
    search: Search,
    chosen: Sequence[SourceTrial],
    page: SitePage,
    now: datetime,
    article_of: Callable[[Candidate], Awaitable[Article | None]],
) -> Completion:
    """Compares the articles of the front pages and announced sitemaps with those of the chosen sources; returns the
    additions. `article_of` fetches a page and returns its article."""
    front_pages = [page.front]
    for url in page.front_pages:
        read = await search.read_page(url)
        if read is not None:
            front_pages.append(read.front)
    for source in [one for one in search.announced if rank(one, search.home) == _ARCHIVE][:MAX_SITEMAPS]:
        await search.peek(source)
    named = [candidate for trial in chosen for candidate in trial.articles]
    rule = learn_rules(one.url for one in named).rule
    shown = [link for front in front_pages for link in front.links]
    for trial in search.trials:
        shown += [
            one
            for one in in_language(tuple(dated_entries(trial.articles)), trial.language)
            if one.discovery.title or rule.accepts(one.url) or looks_like_article(one.url)
        ]
    gap = compare(named, shown, domains=search.domains, now=now, languages=languages_of(chosen))
    gap = await asked(gap, article_of)
    if not gap.counts:
        return Completion()
    await _try_more(search, front_pages, gap)
    used = {trial.source.url for trial in chosen}
    sources = choose_more([trial for trial in search.trials if trial.source.url not in used], gap.missing, search.home)
    left = not_named(gap.missing, (one for trial in sources for one in trial.articles))
    sections, linked = _linking(front_pages, left)
    left = not_named(left, linked)
    return Completion(tuple(sources), sections, linked, tuple(left) if len(left) >= MIN_MISSING else ())


def languages_of(trials: Sequence[SourceTrial]) -> list[str]:
    """Returns the languages that sources state, or that their URLs name."""
    return [language for trial in trials if (language := trial.language or language_in(trial.source.url))]


async def _try_more(search: Search, front_pages: Sequence[FrontPage], gap: Gap) -> None:
    """Try the feeds that the other front pages announce, and feeds of the missing articles' sections that were not read
    yet."""
    tried = {trial.source.url for trial in search.trials}
    sections = {urlsplit(one.url).path.strip("/").partition("/")[0] for one in gap.missing} - {""}
    of_sections = [one for one in search.announced if any(name in one.url for name in sections)]
    feeds: list[FoundSource] = [source for front in front_pages[1:] for source in front.sources] + of_sections
    for source in [one for one in feeds if one.kind == "feed" and one.url not in tried][:MAX_MORE_FEEDS]:
        await search.try_source(source)


def _linking(
    front_pages: Sequence[FrontPage], missing: Sequence[Candidate]
) -> tuple[tuple[str, ...], tuple[Candidate, ...]]:
    """Returns front pages with links to missing articles, and those links."""
    pages: list[str] = []
    linked: list[Candidate] = []
    for front in front_pages:
        left = not_named(missing, linked)
        found = [one for one in left if one not in not_named([one], front.links)]
        if len(found) >= MIN_MISSING:
            pages.append(front.url)
            linked += found
    return tuple(pages), tuple(linked)
