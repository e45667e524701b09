"""The one item pipeline of the add-on: archive, extraction, fingerprint, database."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final, Self

from scrapy import signals
from scrapy.crawler import Crawler

from newscrawl.addon.pages import page_of
from newscrawl.crawling.downloader.address_guard import BLOCKED
from newscrawl.crawling.downloader.middlewares.robots import FORBIDDEN, TOO_COSTLY, UNREACHABLE
from newscrawl.crawling.pipelines.archive import ArchivePipeline
from newscrawl.crawling.pipelines.extract import ExtractPipeline
from newscrawl.crawling.pipelines.fingerprint import FingerprintPipeline
from newscrawl.crawling.pipelines.store import StorePipeline
from newscrawl.crawling.spider.responses import UNCHANGED
from newscrawl.discovery.links.article_urls import is_home
from newscrawl.discovery.proposals.sources import is_about_the_site
from newscrawl.model import Article, Failure, ProcessedPage, RawPage
from newscrawl.model.identity.urls import with_ascii_host
from newscrawl.model.wording import counted

logger = logging.getLogger(__name__)

NO_PAGE: Final = "addon/no_page"
"""Counts items without `url` and `body`; the project's own items may be such."""
NOT_STORABLE: Final = "addon/not_storable"
"""Counts pages that cannot be stored: their address is not of the web, their status is an error's, their body is of
another type."""
LOGGED: Final = 10
"""Different reasons that are logged; later ones are only counted."""
_REFUSALS: Final = MappingProxyType(
    {
        UNREACHABLE: "robots.txt could not be read",
        FORBIDDEN: "robots.txt forbids them",
        TOO_COSTLY: "robots.txt has too many rules",
        BLOCKED: "the address guard refuses their addresses",
    }
)
_extracted: Final[ContextVar[tuple[Any, Article | None]]] = ContextVar("extracted")
"""The item that passes through the pipelines in this context, and its article. Scrapy awaits all pipelines of an item
in one context. The article cannot be kept on the item: a dict, and a dataclass with slots, have no room for it."""


def article_of(item: Any) -> Article | None:
    """Returns the article that the add-on extracted from an item, for pipelines with an order above 900; None if it
    found none, or if the item is not the object that the add-on's pipeline returned."""
    passing, article = _extracted.get((None, None))
    return article if passing is item else None


def refusals_line(counters: Mapping[str, Any]) -> str | None:
    """Returns a line about a crawl that stored no page because its requests were refused; None for any other."""
    refused = {code: number for code in _REFUSALS if (number := counters.get(code, 0))}
    total = sum(refused.values())
    if not total or counters.get("item_scraped_count"):
        return None
    if UNREACHABLE not in refused and total < counters.get("scheduler/dequeued", 0):
        return None
    reasons = ", and ".join(f"{_REFUSALS[code]} ({code})" for code in refused)
    return (
        f"no page was stored: {counted(total, 'request was', 'requests were')} not sent, because {reasons}; "
        "`newscrawl why URL --database URL` shows the reason"
    )


class StorePages:
    """Stores each page and returns the item unchanged, so that later pipelines of the project get the project's own
    items."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._archive = ArchivePipeline.from_crawler(crawler)
        self._extract = ExtractPipeline.from_crawler(crawler)
        self._fingerprint = FingerprintPipeline()
        self._store = StorePipeline.from_crawler(crawler)
        self._reported: set[str] = set()
        crawler.signals.connect(self.end, signal=signals.engine_stopped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Builds the pipeline as Scrapy does."""
        return cls(crawler)

    async def process_item(self, item: Any) -> Any:
        """Waits until the page is stored. Raises DropItem if the database refuses it."""
        page = self._page(item)
        if page is not None:
            archived = await self._archive.process_item(page)
            extracted = _no_failure(await self._extract.process_item(archived))
            _extracted.set((item, extracted.article))
            await self._store.process_item(self._fingerprint.process_item(extracted))
        return item

    def close_spider(self) -> None:
        """Warns if all requests were refused."""
        warning = self._refusals()
        if warning is not None:
            logger.warning("%s", warning)

    def end(self) -> None:
        """Gives `scrapy crawl` the exit code 1 if all requests were refused: Scrapy's processes take a crawler without
        a spider for one that could not work."""
        if self._refusals() is not None:
            self._crawler.spider = None

    def _refusals(self) -> str | None:
        return refusals_line(self._crawler.stats.get_stats()) if self._crawler.stats else None

    def _page(self, item: Any) -> RawPage | None:
        spider = self._crawler.spider
        try:
            page = page_of(item, spider.name if spider else "", datetime.now(UTC))
            if page is None:
                self._count(NO_PAGE, "no page is stored of items without url and body: yield the response, or add both")
                return None
            with_ascii_host(page.url)
        except (TypeError, ValueError) as error:
            self._count(NOT_STORABLE, f"a page is not stored: {error}")
            return None
        if page.status not in {200, UNCHANGED}:
            self._count(NOT_STORABLE, f"a page is not stored: the server answered {page.status} for {page.url}")
            return None
        return page

    def _count(self, name: str, message: str) -> None:
        self._crawler.stats.inc_value(name)
        if message not in self._reported and len(self._reported) < LOGGED:
            self._reported.add(message)
            logger.warning("%s (counted as %s; logged once)", message, name)


def _no_failure(page: ProcessedPage) -> ProcessedPage:
    """Returns a front page or a page about the site, in which no text was found, as a page that is no article. Spiders
    of any project yield such pages, and nobody can mend them."""
    if page.failure is None or page.failure.code != "extraction/empty":
        return page
    if is_home(page.raw.final_url):
        return replace(page, failure=Failure("verdict/listing", "a front page"))
    if is_about_the_site(page.raw.final_url):
        return replace(page, failure=Failure("verdict/service", "a page about the site"))
    return page
