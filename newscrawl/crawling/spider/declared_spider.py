"""The base class of all sites' spiders: checked declaration and arguments, access to store, workers and counters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, ClassVar, Concatenate, ParamSpec, TypeVar

from scrapy import Spider
from scrapy.exceptions import CloseSpider
from scrapy.settings import BaseSettings
from twisted.python.failure import Failure as TwistedFailure

from newscrawl.config.catalogue import Config
from newscrawl.config.derived.daily_requests import DailyRequests, declared_of, least_new_pages
from newscrawl.config.per_site import hints_of
from newscrawl.config.reading import config_of, value_of
from newscrawl.crawling.downloader.middlewares import offsite
from newscrawl.crawling.failures import FailureLog, failure_of
from newscrawl.crawling.refusals import Refused
from newscrawl.crawling.runtime.site_session import LEASE_LOST, SiteSession
from newscrawl.crawling.runtime.summary import STORAGE_FAILED
from newscrawl.crawling.spider import responses
from newscrawl.crawling.spider.arguments import read_arguments
from newscrawl.crawling.spider.crawl_plan import CrawlProgress
from newscrawl.crawling.spider.declaration_checks import check_attributes
from newscrawl.crawling.spider.limits import Traps
from newscrawl.crawling.spider.site_declaration import Site
from newscrawl.crawling.spider.sources.source_budget import SourceBudgets
from newscrawl.errors import LeaseLost, StorageError, UsageError
from newscrawl.model import Failure
from newscrawl.storage.frontier.pages import FailedRequest
from newscrawl.storage.frontier.source_state import SourceItem
from newscrawl.storage.reader import Connection
from newscrawl.storage.records import DuePage
from newscrawl.storage.store import Store
from newscrawl.workers.extraction_pool import ExtractionPool

P = ParamSpec("P")
T = TypeVar("T")


class DeclaredSpider(Spider):
    """A site's declaration as class attributes, and the helpers that NewsSpider uses."""

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
    """The requests that `newscrawl run` may make a day (UTC). By default, requests of never-fetched addresses are
    limited (newscrawl.scheduling.new_page_limit); "unlimited" removes that limit."""
    hints: ClassVar[Any] = None
    """Selectors of parts of the site's pages that are not or that are the article, and of fields: a dict, or a tuple of
    dicts with `since` for redesigns (newscrawl.site_hints.declared)."""
    republishes: ClassVar[bool] = False
    """Whether the site republishes texts of others. Then pages of other sites are shown first in a story."""

    def __init_subclass__(cls, **given: Any) -> None:
        super().__init_subclass__(**given)
        hints_of(f"site {getattr(cls, 'name', cls.__name__)!r}", cls)  # a wrong hint makes this file wrong, no other

    def __init__(
        self, *, max_articles: str | None = None, since: str | None = None, url: str | None = None, **unknown: Any
    ) -> None:
        super().__init__()
        check_attributes(type(self), DeclaredSpider)
        if unknown:
            raise UsageError(
                f"unknown argument {', '.join(sorted(unknown))}: the arguments are max_articles, since and url"
            )
        self.arguments = read_arguments(max_articles=max_articles, since=since, url=url, now=self.now())
        self.site = self.declaration()
        self.allowed_domains = list(self.site.domains)
        self.progress = CrawlProgress(self.arguments.max_articles or float("inf"))
        self.source_budgets = SourceBudgets()
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
        check_attributes(cls, DeclaredSpider)
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
        return Site.declared(
            self.name,
            domains=self.domains,
            home=self.home,
            feeds=self.feeds,
            sitemaps=self.sitemaps,
            sections=self.sections,
            articles=self.articles,
        )

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

    @property
    def store(self) -> Store:
        """The crawl's store."""
        return self.session.services.store

    @property
    def pool(self) -> ExtractionPool:
        """The crawl's workers."""
        return self.session.services.pool

    @property
    def session(self) -> SiteSession:
        """The crawl's session: its lease and its writes."""
        return SiteSession.of(self.crawler)

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
