"""Compares the front page of a site with the sources that were found on it: the decisions, and the data kept for them.

The comparison itself runs in a worker (newscrawl.workers.front_page_task). The front page's answer, the URL keys of its
links and pickled candidates are kept, up to `MAX_KEPT` bytes.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from scrapy import Request
from scrapy.http import Response

from newscrawl.crawling.monitoring import weekly_coverage
from newscrawl.crawling.spider import crawl_plan
from newscrawl.crawling.spider.site_declaration import Source
from newscrawl.discovery.links.resolve import key_of
from newscrawl.discovery.proposals.coverage import MIN_MISSING
from newscrawl.discovery.proposals.find_sources import FoundSource
from newscrawl.storage.frontier import pages
from newscrawl.storage.records import SourceRow
from newscrawl.workers.front_page_task import EVERYTHING, Named, WantedLinks
from newscrawl.workers.source_task import SourceRead

if TYPE_CHECKING:
    from newscrawl.crawling.spider.sources.source_spider import SourceSpider

PIECES: Final = 4
"""Pieces of 250 candidates that are kept of each source, the newest. A news sitemap may have 1,000 entries."""

MAX_KEPT: Final = 4_000_000
"""Bytes of candidates that are kept of all sources: 20,000 usual ones."""


@dataclass(frozen=True, slots=True)
class FetchedFrontPage:
    """A front page, and the sitemaps that it announces beside the sources that are read."""

    url: str
    response: Response
    keys: frozenset[str]
    left_out: tuple[Source, ...] = ()

    def has_new(self, known: Collection[str]) -> bool:
        """Returns whether enough of its links lead to unknown pages."""
        return len(self.keys.difference(known)) >= MIN_MISSING


class FrontPageComparison:
    """The comparison of one crawl."""

    def __init__(self) -> None:
        self._front: FetchedFrontPage | None = None
        self._partly: Collection[str | None] = ()
        self._pieces: list[bytes] = []
        self._kept = 0
        self._languages: set[str] = set()

    def stored(self, to_read: Sequence[Source], home: str) -> None:
        """Sets the sources to those that an earlier crawl found."""
        self._partly = crawl_plan.partly_read(to_read, home)

    def found(
        self,
        announced: Iterable[FoundSource],
        url: str,
        home: tuple[SourceRead, Response | None],
        known: Sequence[SourceRow],
    ) -> list[Source]:
        """Returns the sources to read among those that the front page and robots.txt announce, with those that an
        earlier crawl needed in addition, because the others left articles out."""
        announced = list(announced)
        chosen = crawl_plan.sources_found(announced)
        beside = crawl_plan.sources_left_out(announced, chosen, url)
        before = {key_of(row.url) for row in known}
        chosen += [source for source in beside if key_of(source.url) in before]
        read, response = home
        if chosen:
            self._partly = crawl_plan.partly_read([*chosen, *beside], url)
            if response is not None and read.front_keys:
                self._front = FetchedFrontPage(url, response, frozenset(read.front_keys), tuple(beside))
        return chosen

    def wanted(self, source: Source) -> WantedLinks:
        """Returns what is wanted of the source: of an archive beside feeds, only the recent entries."""
        if key_of(source.parent or source.url) not in self._partly:
            return EVERYTHING
        return WantedLinks(recent=self._front.keys if self._front is not None else frozenset())

    def take(self, read: SourceRead) -> None:
        """Records that a source was read, and keeps some of its candidates."""
        if self._front is None:
            return
        self._languages.add(read.language)
        for piece in read.candidates.pieces[:PIECES]:
            if self._kept + len(piece) <= MAX_KEPT:
                self._kept += len(piece)
                self._pieces.append(piece)

    def due(self) -> FetchedFrontPage | None:
        """Returns, once and after all sources were read, the front page that is to be compared with them; else None."""
        front, self._front = self._front, None
        return front

    def again(self, front: FetchedFrontPage) -> None:
        """Records that the sitemaps beside the sources are read now. The comparison is repeated after them."""
        self._front = replace(front, left_out=())

    def against(self, known: Iterable[str]) -> WantedLinks:
        """Returns what the front page is compared with. `known` are the URL keys of its links to known pages."""
        return WantedLinks(against=Named(tuple(self._pieces), frozenset(known), frozenset(self._languages)))


async def left_out_requests(spider: SourceSpider) -> AsyncIterator[Request]:
    """Yields requests after all sources found on the front page were read. If the front page links to new articles that
    none of them names, these are requests for the sitemaps announced beside them; if those do not name them either, for
    the articles."""
    front = spider.comparison.due()
    if front is None or spider.progress.articles_left <= 0:
        return
    known = await spider.stored(pages.known_keys, front.keys)
    if not front.has_new(known):
        return
    wanted = spider.comparison.against(known)
    read, failure = await spider.read_in_worker(Source(front.url, "start"), front.response, wanted=wanted)
    if failure is not None:
        spider.count(failure.code)
        return
    if len(read.candidates) < MIN_MISSING:
        return
    spider.logger.info("%d links of %s that no source names", len(read.candidates), front.url)
    beside = list(spider.source_requests(front.left_out)) if read.is_uncovered else []
    if beside:
        spider.comparison.again(front)
        for request in beside:
            yield request
        return
    spider.count("discovery/left_out", len(read.candidates))
    source = Source(front.url, "section")
    async for request in spider.due_requests(await spider.record_answer(source, front.response, read)):
        yield request


async def after_sources(spider: SourceSpider) -> AsyncIterator[Request]:
    """Yields requests for what the sources leave out, after all were read or failed; or runs the watchdog's check."""
    is_over = True
    async for request in left_out_requests(spider):
        is_over = False
        yield request
    if is_over and spider.is_coverage_due:
        spider.is_coverage_due = False
        await weekly_coverage.check(spider)
