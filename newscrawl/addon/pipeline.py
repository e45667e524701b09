"""The one item pipeline of the add-on: archive, extraction, fingerprint, database. It makes a page of a response, or of
an item with `url` and `body`, which a spider of any project yields."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import fields, replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final, Self
from urllib.parse import urlsplit

from itemadapter import ItemAdapter
from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.http import Headers, Response

from newscrawl.crawling.downloader.address_guard import BLOCKED
from newscrawl.crawling.downloader.middlewares.robots import FORBIDDEN, TOO_COSTLY, UNREACHABLE
from newscrawl.crawling.pipelines.archive import ArchivePipeline
from newscrawl.crawling.pipelines.extract import ExtractPipeline
from newscrawl.crawling.pipelines.fingerprint import FingerprintPipeline
from newscrawl.crawling.pipelines.store import StorePipeline
from newscrawl.crawling.spider import responses
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


_FIELDS: Final = tuple(field.name for field in fields(RawPage))
_SHOWN: Final = 80
"""Characters of a wrong value that an error shows."""
HTML_AS_UTF8: Final = {"content-type": "text/html; charset=utf-8"}
"""The headers of a body that is given as text, which is encoded in UTF-8."""


def page_of(item: Any, site: str, now: datetime) -> RawPage | None:
    """Returns the page; None for an item that is no page. `site` and `now` (UTC) are used if the item does not state
    them.

    A body is bytes, or text; `fetched_at` is a time with a zone, or its ISO 8601 text; `status` is a number, or its
    digits. Raises TypeError for a value of another type, and ValueError for an address that is not of the web and for a
    time without a zone.
    """
    if isinstance(item, RawPage):
        return item
    if isinstance(item, Response):
        request = item.request
        redirected = request.meta.get("redirect_urls") if request is not None else None
        requested_url = str(redirected[0]) if redirected else item.url
        return responses.raw_page(item, requested_url=requested_url, site=site, discovery=None, now=now)
    if not ItemAdapter.is_item(item):
        return None
    adapter = ItemAdapter(item)
    if adapter.get("url") is None or adapter.get("body") is None:
        return None
    return _page(adapter, site, now)


def _page(adapter: ItemAdapter, site: str, now: datetime) -> RawPage:
    url, body = str(adapter["url"]), adapter["body"]
    if not isinstance(body, bytes | str):
        raise TypeError(f"the item's body is {type(body).__name__}: give response.body (bytes) or response.text")
    given = {name: adapter[name] for name in _FIELDS if adapter.get(name) is not None}
    for name, read in _READ.items():
        if name in given:
            given[name] = read(given[name])
    headers = _headers(given.get("headers", {}))
    if isinstance(body, str):
        body, headers = body.encode("utf-8", "replace"), {**headers, **HTML_AS_UTF8}
    standard = {"final_url": url, "status": 200, "fetched_at": now, "site": site}
    return RawPage(**{**standard, **given, "url": _address(url), "body": body, "headers": headers})


def _address(url: object) -> str:
    text = str(url)
    if not text.strip():
        raise ValueError("the item's url is empty")
    parts = urlsplit(text.strip())
    if parts.scheme.lower() not in {"http", "https"} or not parts.hostname:
        raise ValueError(f"the item's address is {text[:_SHOWN]!r}: give one that begins with https:// or http://")
    return text


def _time(moment: object) -> datetime:
    """Returns a time, also of its ISO 8601 text, as JSON and item loaders have it."""
    if isinstance(moment, str):
        text = moment
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            raise ValueError(f"the item's fetched_at is {text[:_SHOWN]!r}: give a time of ISO 8601") from None
    if not isinstance(moment, datetime):
        raise TypeError(f"the item's fetched_at is {type(moment).__name__}: give a datetime with a time zone")
    if moment.utcoffset() is None:
        raise ValueError("the item's fetched_at has no time zone: give datetime.now(UTC)")
    return moment


def _status(status: object) -> int:
    if isinstance(status, bool) or not isinstance(status, int | str) or not str(status).isdecimal():
        raise TypeError(f"the item's status is {str(status)[:_SHOWN]!r}: give the number, like 200")
    return int(status)


def _headers(given: object) -> dict[str, str]:
    if isinstance(given, Headers):
        return responses.lower_headers(Response("about:blank", headers=given))
    if not isinstance(given, Mapping):
        raise TypeError(f"the item's headers are {type(given).__name__}: give a mapping of names to values")
    return {str(name).lower(): str(value) for name, value in given.items()}


_READ: Final[Mapping[str, Callable[[object], object]]] = MappingProxyType(
    {"final_url": _address, "fetched_at": _time, "status": _status, "site": str}
)
"""How fields are read that an item loader, or a JSON file, gives as text."""
