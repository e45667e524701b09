"""Any news site, by the address of its front page or of one article: `scrapy crawl generic -a url=https://...`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

from scrapy import Request
from scrapy.http import Response
from twisted.python.failure import Failure as TwistedFailure

from newscrawl.crawling.spider import NewsSpider, responses
from newscrawl.crawling.spider.site_declaration import Site, Source
from newscrawl.discovery.links.article_urls import looks_like_article
from newscrawl.errors import UsageError
from newscrawl.model import Discovery, Failure, RawPage
from newscrawl.model.identity import registrable_domain, url_key
from newscrawl.storage import events
from newscrawl.storage.records import GENERIC_SITE, Event, SourceRow


class Generic(NewsSpider):
    """Finds a site's feeds and sitemaps from its front page and robots.txt; else takes the page's own links."""

    name = GENERIC_SITE

    def declaration(self) -> Site:
        """The site of the address that was given."""
        url = self.arguments.url
        if url is None:
            raise UsageError("generic needs an address: scrapy crawl generic -a url=https://example.com/")
        self.pending_domain = registrable_domain(url)
        return Site.declared(self.name, domains=(self.pending_domain,), home=url)

    @property
    def lease_name(self) -> str:
        """Crawls of different sites do not get in each other's way."""
        return f"{self.name}:{self.pending_domain}"

    async def start(self) -> AsyncIterator[Any]:
        """The page given: an article, or where to look for them."""
        yield self.reading_request(self.site.home, self.read_given, self.given_failed)

    async def read_given(self, response: Response) -> AsyncIterator[Request | RawPage]:
        """An article becomes an item; any other page stands for its site."""
        from newscrawl.crawling.spider.sources.site_reader import UNREADABLE  # loads what workers do

        url = self.site.home
        read, failure = await self.read_in_worker(Source(url, "start"), response)
        if failure is not None and failure.code != UNREADABLE:
            await self.given_unread(failure, response.status)
            return
        if read.is_article:
            found = Discovery("start", url)
            async for item in self.read_article(response, url, found):
                yield item
            return
        if self.arguments.max_articles is None:
            async for request in self.pending_requests():
                yield request
        self.known_sources = self._of_this_site(await self.stored_sources())
        async for request in self.found_requests(response.url, read, response):
            yield request

    async def given_failed(self, failed: TwistedFailure) -> None:
        """Nothing can be said of a site whose front page cannot be had, and of an article neither.

        Only what looks like an article is kept as a page to ask for again; of a front page the event remains.
        """
        await self.given_unread(self.counted(failed), responses.status_of(failed))

    async def given_unread(self, failure: Failure, status: int | None) -> None:
        """Keep why."""
        url = self.site.home
        if looks_like_article(url):
            await self.record_article_failure(url, failure, status)
            return
        self.logger.warning("%s: %s (%s)", url, failure.reason, failure.code)
        event = Event(url_key(url), url, self.name, self.now(), failure.code, failure.reason, status)
        await self.stored(events.record_all, [event])

    def _of_this_site(self, rows: Sequence[SourceRow]) -> list[SourceRow]:
        """The validators of this site's sources; other sites crawled by `generic` have theirs beside them."""
        return [row for row in rows if self.site.owns(row.url)]
