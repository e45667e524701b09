"""NewsSpider: crawls a site from its declaration to raw pages.

    start           pages known and still to fetch, then the sources, which its SourceReader requests and reads
    read_article    RawPage

Every article request ends in a RawPage, or in a failure that is counted and stored.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, Final, ParamSpec, TypeVar

from scrapy import Request, Spider
from scrapy.exceptions import CloseSpider
from scrapy.http import Response
from scrapy.settings import BaseSettings
from twisted.python.failure import Failure as TwistedFailure

from newscrawl.config.catalogue import Config
from newscrawl.config.derived.daily_requests import DailyRequests, declared_of, least_new_pages
from newscrawl.config.per_site import hints_of
from newscrawl.config.reading import config_of, value_of
from newscrawl.crawling.downloader.middlewares import offsite
from newscrawl.crawling.downloader.middlewares.retry import SLOW_DOWN, SlowDown
from newscrawl.crawling.downloader.throttle import RESTING
from newscrawl.crawling.failures import failure_of
from newscrawl.crawling.refusals import Refused
from newscrawl.crawling.runtime.site_session import LEASE_LOST, NEW_PAGE, SiteSession
from newscrawl.crawling.runtime.summary import STORAGE_FAILED
from newscrawl.crawling.scheduling.site_state import NEW_PAGE_LIMIT_REACHED
from newscrawl.crawling.spider import crawl_plan, responses
from newscrawl.crawling.spider.limits import NOT_SENT, FailureLog, Traps
from newscrawl.crawling.spider.site_declaration import Site, Source, check_attributes, read_arguments
from newscrawl.discovery.links.resolve import key_of
from newscrawl.discovery.sitemaps.child_choice import is_older
from newscrawl.errors import LeaseLost, StorageError, UsageError
from newscrawl.model import Discovery, Failure, RawPage
from newscrawl.model.identity import url_key
from newscrawl.storage import events
from newscrawl.storage.frontier import crawls, pages, patterns, sources
from newscrawl.storage.frontier.pages import FailedRequest
from newscrawl.storage.frontier.source_state import SourceItem
from newscrawl.storage.reader import Connection
from newscrawl.storage.records import DuePage, Event, SourceRow

if TYPE_CHECKING:
    from newscrawl.workers.extraction_pool import ExtractionPool
    from newscrawl.workers.source_task import SourceRead

P = ParamSpec("P")
T = TypeVar("T")

PENDING_LIMIT: Final = 10_000
"""The most known pages that one crawl requests."""

SPARE: Final = 500
"""Pages read from storage beyond the allowance, because some no longer belong to the site or are too old."""

PAGES_A_TURN: Final = 20
"""Requests that are built before the event loop runs again. 20 take 2 ms, and a sitemap may name 5,000 pages."""


class NewsSpider(Spider):
    """Base of all sites' spiders. The class attributes are a site's declaration; a subclass sets some of them.

    A subclass may replace `start`, `article_request` and `read_article`. One that finds its site from an argument
    replaces `declaration` and `lease_name` as well, and reads its first page itself (spiders/generic.py).
    """

    domains: ClassVar[Sequence[str]] = ()
    """Registrable domains whose pages are the site's; subdomains count."""
    language: ClassVar[str | None] = None
    """The language by ISO 639-1, for readers of the declaration. A page's language is read from the page."""
    country: ClassVar[str | None] = None
    """The country by ISO 3166-1, in small letters: "es", "gb"."""
    home: ClassVar[str | None] = None
    """The front page, by default `https://DOMAIN/`. It is requested only to find the sources of a site without any."""
    feeds: ClassVar[Sequence[str]] = ()
    """RSS or Atom feeds, on any host."""
    sitemaps: ClassVar[Sequence[str]] = ()
    """News sitemaps; a plain one lists the whole archive."""
    sections: ClassVar[Sequence[str]] = ()
    """Pages with links to articles."""
    articles: ClassVar[Sequence[str]] = ()
    """Expressions that are searched in an address's path, and in path?query. If one matches, it is an article."""
    delay: ClassVar[float | None] = None
    """The least seconds between two requests, if that is more than DOWNLOAD_DELAY."""

    cron: ClassVar[str | None] = None
    """The times at which `newscrawl run` crawls the site, instead of when its sources are due: `"*/15 6-22 * * *"`."""
    interval: ClassVar[float | None] = None
    """Or the seconds between two crawls."""
    quiet_hours: ClassVar[str | None] = None
    """The hours in which `newscrawl run` does not crawl the site: "23:00-06:00, 12:00-13:00"."""
    time_zone: ClassVar[str | None] = None
    """The zone of `cron` and `quiet_hours`, UTC if not given: "Europe/Madrid"."""
    daily_requests: ClassVar[DailyRequests | None] = None
    """The requests that the site may receive a day (UTC). By default, requests of never-fetched addresses are
    limited (newscrawl.crawling.scheduling.site_state); "unlimited" removes that limit."""
    hints: ClassVar[Any] = None
    """Selectors of parts of the site's pages that are not or that are the article, and of fields: a dict, or a tuple of
    dicts with `since` for redesigns (newscrawl.extraction.site_hints.declared)."""
    republishes: ClassVar[bool] = False
    """Whether the site republishes texts of others. Then pages of other sites are shown first in a story."""

    is_limit_reported: bool = False
    """Whether the crawl has reported that today's limit of never-fetched addresses is reached."""
    pending_domain: str | None = None
    """Registrable domain to which the requested pages are limited, if the spider's name stands for several sites."""

    # --- the declaration and the arguments ---

    def __init_subclass__(cls, **given: Any) -> None:
        super().__init_subclass__(**given)
        hints_of(f"site {getattr(cls, 'name', cls.__name__)!r}", cls)  # a wrong hint makes this file wrong, no other

    def __init__(
        self, *, max_articles: str | None = None, since: str | None = None, url: str | None = None, **unknown: Any
    ) -> None:
        super().__init__()
        check_attributes(type(self), NewsSpider)
        if unknown:
            raise UsageError(
                f"unknown argument {', '.join(sorted(unknown))}: the arguments are max_articles, since and url"
            )
        self.arguments = read_arguments(max_articles=max_articles, since=since, url=url, now=self.now())
        self.site = self.declaration()
        self.allowed_domains = list(self.site.domains)
        self.taken = crawl_plan.ArticlesTaken(self.arguments.max_articles or float("inf"))
        # Here, because commands that only read declarations load this module.
        from newscrawl.crawling.spider.sources.source_reader import SourceReader

        self.source_reader = SourceReader(self)
        self.traps = Traps()
        self.failure_log = FailureLog(self.logger)
        wanted = self.arguments.url
        if wanted and not self.site.owns(wanted):
            raise UsageError(
                f"argument url={wanted}: not on {', '.join(self.site.domains)}; use `generic` for any site"
            )

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Applies the site's delay if it is longer than the project's. Raises UsageError for a wrong declaration."""
        check_attributes(cls, NewsSpider)
        super().update_settings(settings)
        declared_of(cls.name, cls.daily_requests, value_of(settings, "NEWSCRAWL_SITE_SCHEDULES"))
        if cls.delay is not None and cls.delay > settings.getfloat("DOWNLOAD_DELAY"):
            settings.set("DOWNLOAD_DELAY", cls.delay, priority="spider")

    @cached_property
    def crawl_config(self) -> Config:
        """The settings of this crawl."""
        return config_of(self.crawler.settings)

    def declaration(self) -> Site:
        """Returns the class attributes as a checked value. Raises UsageError."""
        return Site.of(self)

    @property
    def least_new_pages(self) -> int | None:
        """The minimum of the daily limit of never-fetched addresses; None without a limit."""
        daily = declared_of(self.name, self.daily_requests, self.crawl_config.scheduling.site_schedules)
        return least_new_pages(daily, self.crawl_config)

    @property
    def lease_name(self) -> str:
        """The name of the lease. Two crawls with the same name never run at once, in any process."""
        return self.name

    def now(self) -> datetime:
        """Returns the present time."""
        return datetime.now(UTC)

    # --- requests for articles ---

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
        for request in await self.source_reader.first_requests():
            yield request

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
            elif page.is_first and await self._new_pages_used_up():
                self.count(NEW_PAGE_LIMIT_REACHED)
            elif self.taken.take(page.url, page.url_key):
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

    # --- answers ---

    async def read_article(
        self, response: Response, requested_url: str, discovery: Discovery | None
    ) -> AsyncIterator[RawPage]:
        """Yields the raw page, unless the answer is unusable or from another site."""
        self.taken.keys.add(key_of(response.url) or requested_url)
        await self._answered(requested_url, response.meta)
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
        await self._answered(requested_url, failed.request.meta)  # type: ignore[attr-defined]
        await self.record_article_failure(requested_url, self.counted(failed), responses.status_of(failed))

    async def _answered(self, url: str, meta: Mapping[str, Any]) -> None:
        """Reads at intervals which patterns have been given up meanwhile, and stores that the host asked for a pause
        when this page was requested: one event, however often it asked."""
        if self.traps.count_answer():
            self.traps.learn(await self.stored(patterns.given_up, self.name))
        asked: SlowDown | None = meta.get(SLOW_DOWN)
        if asked is not None:
            told = Event(url_key(url), url, self.name, asked.at, SLOW_DOWN, asked.reason, asked.status)
            await self.stored(events.record_all, [told])

    async def record_article_failure(self, url: str, failure: Failure, status: int | None) -> None:
        """Stores why this page has no article. Storage decides when it is requested again.

        A page that was not requested after all is not changed, so the next crawl requests it.
        """
        if failure.code == NEW_PAGE_LIMIT_REACHED:
            await self._new_pages_used_up()  # this reports it once, not for each of thousands of pages
            return
        self.failure_log.add(url, failure)
        was_sent = failure.code not in NOT_SENT
        if was_sent or failure.code == RESTING:
            await self.recorded(FailedRequest.of(url, self.name, failure, status, self.now(), was_sent=was_sent))

    async def _new_pages_used_up(self) -> bool:
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

    # --- for a spider that begins at a page of its own, as spiders/generic.py ---

    def reading_request(self, url: str, callback: Callable[..., Any], errback: Callable[..., Any]) -> Request:
        """Returns a request for a page that is read for links; see SourceReader."""
        return self.source_reader.request(url, callback, errback)

    async def read_in_worker(self, source: Source, response: Response) -> tuple[SourceRead, Failure | None]:
        """Returns what the answer names, and why it cannot be used; see SourceReader."""
        return await self.source_reader.in_worker(source, response)

    async def stored_sources(self) -> Sequence[SourceRow]:
        """Returns the stored sources of this site, with their validators."""
        return await self.stored(sources.load_site, self.name)

    @property
    def known_sources(self) -> Sequence[SourceRow]:
        """The sources that earlier crawls read."""
        return list(self.source_reader.rows.values())

    @known_sources.setter
    def known_sources(self, rows: Sequence[SourceRow]) -> None:
        self.source_reader.rows = {key_of(row.url): row for row in rows}

    def found_requests(self, url: str, read: SourceRead, home: Response | None) -> AsyncIterator[Request]:
        """Yields requests for the sources that the front page and robots.txt announce; see SourceReader."""
        return self.source_reader.found(url, read, home)

    # --- store, workers and counters ---

    @property
    def session(self) -> SiteSession:
        """The crawl's session: its lease and its writes."""
        return SiteSession.of(self.crawler)

    @property
    def pool(self) -> ExtractionPool:
        """The crawl's workers."""
        return self.session.services.pool

    async def stored(
        self, transaction: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Runs a function of storage in the writer thread, in its own transaction, and returns after the commit. If the
        database refuses it, which the writer logs, or the site's lease is lost, the crawl ends: raises CloseSpider."""
        return await self._committed(self.session.run(transaction, *args, **kwargs))

    async def recorded(self, what: SourceItem | FailedRequest) -> list[DuePage]:
        """Stores what happened to a source, or a failed request, with the next batch of pages; else as `stored` does.
        Returns the pages to fetch now that an answer named."""
        return await self._committed(self.session.record(what))

    async def _committed(self, future: Future[T]) -> T:
        try:
            return await self.session.committed(future)
        except StorageError as error:
            raise CloseSpider(LEASE_LOST if isinstance(error, LeaseLost) else STORAGE_FAILED) from error

    def count(self, name: str, by: int = 1) -> None:
        """Adds to one of the crawl's counters. 0 creates no counter."""
        if by:
            self.crawler.stats.inc_value(name, by)

    def counted(self, failed: TwistedFailure) -> Failure:
        """Returns the failure of a request and counts it, unless it is a refusal, which was counted where it was
        made."""
        failure = failure_of(failed)
        redirected = failed.request.meta.get("redirect_urls")  # type: ignore[attr-defined]
        if failure.code == offsite.OFFSITE and redirected:
            failure = Failure(responses.OFFSITE, f"leads to another site: {failed.request.url}")  # type: ignore[attr-defined]
        elif isinstance(failed.value, Refused):
            return failure
        self.count(failure.code)
        return failure
