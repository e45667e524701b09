"""The pages of a site: requests for those that are due, and what becomes of each."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any, Final

from scrapy import Request
from scrapy.http import Response
from twisted.python.failure import Failure as TwistedFailure

from newscrawl.crawling.downloader.hosts.throttle import RESTING, STOPPED, UNWRITTEN
from newscrawl.crawling.downloader.middlewares.retry import SLOW_DOWN, SlowDown
from newscrawl.crawling.runtime.site_session import DAILY_BUDGET_REACHED, NEW_PAGE
from newscrawl.crawling.spider import crawl_plan, responses
from newscrawl.crawling.spider.declared_spider import DeclaredSpider
from newscrawl.discovery.links.resolve import key_of
from newscrawl.discovery.sitemaps.child_choice import is_older
from newscrawl.identity import url_key
from newscrawl.model import Discovery, Failure, RawPage
from newscrawl.scheduling.new_page_limit import NEW_PAGE_LIMIT_REACHED
from newscrawl.storage import events
from newscrawl.storage.frontier import crawls, pages, patterns
from newscrawl.storage.frontier.pages import FailedRequest
from newscrawl.storage.records import DuePage, Event

PENDING_LIMIT: Final = 10_000
"""The most known pages that one crawl requests."""

SPARE: Final = 500
"""Pages read from storage beyond the allowance, because some no longer belong to the site or are too old."""

PAGES_A_TURN: Final = 20
"""Requests that are built before the event loop runs again. 20 take 2 ms, and a sitemap may name 5,000 pages."""

NOT_SENT: Final = frozenset(
    {RESTING, STOPPED, DAILY_BUDGET_REACHED, UNWRITTEN, patterns.GIVEN_UP, NEW_PAGE_LIMIT_REACHED}
)
"""Refusals of a request for reasons other than its page: the host asked for a pause, the crawl is ending, the site's
request budget is used up, the database is unreachable, the pattern of its address was given up, or the day's limit of
new pages is reached."""


class ArticleSpider(DeclaredSpider):
    """Requests pages of a declared site. Each request ends in a RawPage, or in a failure that is counted and stored."""

    is_limit_reported: bool = False
    """Whether the crawl has reported that today's limit of never-fetched addresses is reached."""
    pending_domain: str | None = None
    """Registrable domain to which the requested pages are limited, if the spider's name stands for several sites."""

    async def pending_requests(self) -> AsyncIterator[Request]:
        """Yields requests for pages that an earlier crawl found and did not fetch, within today's limit, and for pages
        that are due again."""
        allowance = self.session.allowance
        most = None if allowance is None else 0 if allowance.is_used_up(self.now()) else allowance.left + SPARE
        due = await self.stored(
            pages.due, self.name, self.now(), PENDING_LIMIT, domain=self.pending_domain, most_found=most
        )
        async for request in self.due_requests(due, only_own=True):
            yield request

    async def due_requests(self, due: Iterable[DuePage], *, only_own: bool = False) -> AsyncIterator[Request]:
        """Yields requests for due pages that match the crawl's arguments; the others stay `found`. With `only_own`,
        only pages of the site's domains. The event loop runs in between."""
        for number, page in enumerate(due, start=1):
            if not number % PAGES_A_TURN:
                await asyncio.sleep(0)
            if only_own and not self.site.owns(page.url):
                continue
            published = page.discovery.published if page.discovery else None
            if is_older(published, self.arguments.since):
                self.count("discovery/too_old")
            elif page.is_first and await self.new_pages_used_up():
                self.count(NEW_PAGE_LIMIT_REACHED)
            elif self.progress.take_article(page.url, page.url_key):
                request = self.article_request(page.url, page.discovery)
                if page.is_first:
                    self.traps.watch(request)
                    request.meta[NEW_PAGE] = True
                yield responses.made_conditional(request, page.etag, page.last_modified)

    def article_request(self, url: str, discovery: Discovery | None) -> Request:
        """Returns a request whose answer becomes an item. Younger articles go first."""
        return Request(
            url,
            self.read_article,
            errback=self.article_failed,
            cb_kwargs={"requested_url": url, "discovery": discovery},
            meta={"handle_httpstatus_list": [responses.UNCHANGED]},
            priority=crawl_plan.article_priority(discovery.published if discovery else None, self.now()),
        )

    async def read_article(
        self, response: Response, requested_url: str, discovery: Discovery | None
    ) -> AsyncIterator[RawPage]:
        """Yields the raw page, unless the answer is unusable or from another site."""
        self.progress.requested.add(key_of(response.url) or requested_url)
        await self.check_patterns()
        await self.record_slow_down(requested_url, response.meta)
        failure = responses.no_page(response, requested_url, self.site.domains)
        if failure is None:
            yield responses.raw_page(
                response, requested_url=requested_url, site=self.name, discovery=discovery, now=self.now()
            )
        else:
            self.count(failure.code)
            await self.record_article_failure(requested_url, failure, response.status)

    async def article_failed(self, failed: TwistedFailure) -> None:
        """Handles an article that could not be fetched."""
        requested_url = failed.request.cb_kwargs["requested_url"]  # type: ignore[attr-defined]
        await self.check_patterns()
        await self.record_slow_down(requested_url, failed.request.meta)  # type: ignore[attr-defined]
        await self.record_article_failure(requested_url, self.counted(failed), responses.status_of(failed))

    async def check_patterns(self) -> None:
        """Reads at intervals which patterns have been given up meanwhile. It is called after each request for an
        article."""
        if self.traps.count_answer():
            self.traps.learn(await self.stored(patterns.given_up, self.name))

    async def new_pages_used_up(self) -> bool:
        """Returns whether never-fetched pages have to wait for another day, which is reported once a crawl."""
        allowance = self.session.allowance
        if allowance is None or not allowance.is_used_up(self.now()):
            return False
        if not self.is_limit_reported:
            self.is_limit_reported = True
            alarm = await self.stored(crawls.note_reached, self.lease_name, allowance.bound, self.now())
            if alarm is not None:
                self.logger.warning("alarm: %s: %s", self.lease_name, alarm.message)
        return True

    async def record_slow_down(self, url: str, meta: Mapping[str, Any]) -> None:
        """Stores that the host asked for a pause when this page was requested: one event, however often it asked."""
        asked: SlowDown | None = meta.get(SLOW_DOWN)
        if asked is not None:
            told = Event(url_key(url), url, self.name, asked.at, SLOW_DOWN, asked.reason, asked.status)
            await self.stored(events.record_all, [told])

    async def record_article_failure(self, url: str, failure: Failure, status: int | None) -> None:
        """Stores why this page has no article. Storage decides when it is requested again.

        A page that was not requested after all is not changed, so the next crawl requests it.
        """
        if failure.code == NEW_PAGE_LIMIT_REACHED:
            await self.new_pages_used_up()  # this reports it once, not for each of thousands of pages
            return
        self.failure_log.add(url, failure)
        was_sent = failure.code not in NOT_SENT
        if was_sent or failure.code == RESTING:
            await self.recorded(FailedRequest.of(url, self.name, failure, status, self.now(), was_sent=was_sent))
