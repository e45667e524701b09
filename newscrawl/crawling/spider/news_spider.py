"""NewsSpider: crawls a site from its declaration to raw pages.

    start           pages known and still to fetch, then the sources: declared, stored, or found (home page, robots.txt)
    read_source     candidates into storage together with the source's validators, then requests for those that are due
    read_article    RawPage

Every article request ends in a RawPage, or in a failure that is counted and stored. The class is built in layers:
DeclaredSpider has the declaration and what all layers use, ArticleSpider requests pages, SourceSpider reads sources,
and NewsSpider, here, starts the crawl and finds the sources of a site that declares none.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

from scrapy import Request
from scrapy.http import Response
from twisted.python.failure import Failure as TwistedFailure

from newscrawl.crawling.spider import crawl_plan, responses
from newscrawl.crawling.spider.site_declaration import Source
from newscrawl.crawling.spider.sources import source_answers
from newscrawl.crawling.spider.sources.source_spider import SourceSpider
from newscrawl.model import Discovery
from newscrawl.storage.frontier import sources
from newscrawl.storage.records import SourceRow
from newscrawl.workers.source_task import NOTHING, SourceRead


class NewsSpider(SourceSpider):
    """Base of all sites' spiders; a subclass sets the attributes of DeclaredSpider."""

    async def start(self) -> AsyncIterator[Any]:
        """Yields the request for the one page of the argument `url`, or else those for pages and sources."""
        if self.arguments.url:
            yield self.article_request(self.arguments.url, Discovery("start", self.arguments.url))
            return
        if self.arguments.max_articles is None:
            # A crawl of a few articles is for the newest; pending pages would use up the number before a source is
            # read.
            async for request in self.pending_requests():
                yield request
        for request in await self.first_source_requests():
            yield request

    async def first_source_requests(self) -> list[Request]:
        """Returns requests for the site's sources, or for the front page to find them; in a fleet, for those due."""
        self.known_sources = await self.stored_sources()
        to_read = crawl_plan.sources_to_read(self.site, self.known_sources)
        if not to_read:
            return [self.home_request()]
        if not self.site.sources:
            self.comparison.stored(to_read, self.site.home)
        fleet, begun = self.session.fleet, self.session.begun
        if fleet is not None:
            self.is_coverage_due = begun is not None and begun.is_comparison_due
            everything = fleet.reads_all or self.is_coverage_due
            to_read = crawl_plan.sources_now(to_read, self.known_sources, self.now(), everything=everything)
        return list(self.source_requests(to_read))

    async def stored_sources(self) -> Sequence[SourceRow]:
        """Returns the stored sources of this site, with their validators."""
        return await self.stored(sources.load_site, self.name)

    def home_request(self) -> Request:
        """Returns the request for the front page. It is not conditional, because the body is needed."""
        return self.reading_request(self.site.home, self.read_home, self.home_failed)

    async def read_home(self, response: Response) -> AsyncIterator[Request]:
        """Reads the announcements of the front page, and then those of robots.txt."""
        home = Source(self.site.home, "start")
        read, failure = await self.read_in_worker(home, response)
        if failure is not None and failure.code != source_answers.UNREADABLE:
            self.count(failure.code)
            await self.record_source_failure(home, failure, response.status)
        async for request in self.found_requests(response.url, read, response):
            yield request

    async def home_failed(self, failed: TwistedFailure) -> AsyncIterator[Request]:
        """Handles a missing front page: robots.txt may still name sitemaps."""
        await self.home_unread(failed)
        async for request in self.found_requests(self.site.home, NOTHING, None):
            yield request

    async def home_unread(self, failed: TwistedFailure) -> None:
        """Handles a front page that could not be fetched."""
        home = Source(self.site.home, "start")
        await self.record_source_failure(home, self.counted(failed), responses.status_of(failed))

    async def found_requests(self, url: str, read: SourceRead, home: Response | None) -> AsyncIterator[Request]:
        """Yields requests for the sources found; without any, uses the front page's own links; else, the usual
        addresses."""
        announced = [*read.found, *await self.robots_named(url)]
        sources = self.comparison.found(announced, url, (read, home), self.known_sources)
        self.count("discovery/sources_found", len(sources))
        if sources or home is None or not read.names_pages:
            for request in self.source_requests(sources or crawl_plan.guessed_sources(url)):
                yield request
            return
        async for request in self.due_requests(await self.record_answer(Source(url, "section"), home, read)):
            yield request
