"""Reads the answers that a SiteClient got from one site: feeds, sitemaps, pages of links and articles. For a crawl it
prepares a source's answer for its worker, and reads its headers and redirects.

Workers read them under the limits of a crawl (newscrawl.workers.extraction_pool), because a command may check many
sites while the operator waits, and a crawl compares front pages beside its requests.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from scrapy.http import Response

from newscrawl.crawling.downloader.throttle import STOPPED
from newscrawl.crawling.runtime.site_client import SiteAnswer
from newscrawl.crawling.scheduling import sources
from newscrawl.crawling.spider.responses import OFFSITE, header, lower_headers
from newscrawl.crawling.spider.site_declaration import Site, Source
from newscrawl.discovery.feeds.read_feed import read_feed
from newscrawl.discovery.links.article_urls import ArticleRule
from newscrawl.discovery.links.resolve import within
from newscrawl.discovery.proposals.site_page import SitePage, read_page
from newscrawl.discovery.reading import BODY_SECONDS, CPU, TREE_SECONDS, Budget, SourceContents, is_sitemap
from newscrawl.discovery.sitemaps.read_sitemap import read_sitemap
from newscrawl.model import Failure, ProcessedPage, RawPage, SourceType
from newscrawl.workers.extraction_worker import Computed
from newscrawl.workers.source_task import EVERYTHING, SourceRead, SourceTask, WantedLinks, read_source

if TYPE_CHECKING:
    from newscrawl.extraction.article.make import ArticleOptions

UNREADABLE: Final = "source/unreadable"

READ_HEADERS: Final = ("content-type", "x-robots-tag")
"""The headers of an answer that are needed to read its body."""

PERMANENT: Final = frozenset({301, 308})


def task_for(
    source: Source,
    response: Response,
    site: Site,
    left: Budget,
    now: datetime,
    wanted: WantedLinks = EVERYTHING,
) -> SourceTask:
    """Returns a worker's task for the answer."""
    headers = {name: text for name in READ_HEADERS if (text := header(response, name)) is not None}
    return SourceTask(
        response.url,
        source.kind,
        headers,
        response.body,
        site.rule,
        site.domains,
        site.source_domains(source),
        left,
        now,
        wanted,
    )


def unusable(read: SourceRead) -> Failure | None:
    """Returns why a source names nothing at all, if there was a problem with it; else None."""
    return Failure(UNREADABLE, read.unusable) if read.unusable is not None else None


def moved_away(response: Response, site: Site, source: Source) -> Failure | None:
    """Returns a failure if a source has moved outside the site and the domain that served it: it may be hijacked."""
    if within(response.url, site.source_domains(source)):
        return None
    return Failure(OFFSITE, f"leads to another site: {response.url}")


def not_before(response: Response, found: SourceRead, now: datetime) -> datetime | None:
    """Returns the earliest next visit that the source allows, by its headers and a feed's update hints."""
    hints = found.update_hints
    return sources.not_before(
        lower_headers(response),
        now,
        update_interval=hints.interval or None,
        skip_hours=hints.skip_hours,
        skip_days=hints.skip_days,
    )


def moved_to(response: Response, source: Source) -> str | None:
    """Returns where the source moved permanently: all redirects on the way must be permanent. None otherwise."""
    redirected = response.meta.get("redirect_urls")
    reasons = response.meta.get("redirect_reasons", ())
    if not redirected or redirected[0] != source.url or not PERMANENT.issuperset(reasons):
        return None
    return response.url


T = TypeVar("T")

MAX_ENTRIES: Final = 20_000
"""The most entries of a source that a worker returns, the newest: the largest news sites publish a thousand a day."""

NOT_READ: Final = Failure(CPU, f"not read: reading the site has already taken {TREE_SECONDS:g} s of CPU time")
GIVEN_UP: Final = Failure(STOPPED, "the crawl ended while it was read")

LOOK_SECONDS: Final = 0.25
"""Seconds between two checks of whether the crawl is ending."""

CLOSING_SECONDS: Final = 2.0
"""Seconds for which a crawl that is ending waits for a source that is being read; the source stays due."""


class Workers(Protocol):
    """The methods of ExtractionPool that a reader uses."""

    async def call(
        self, function: Callable[..., Any], *arguments: Any, subject: str, cpu: float | None = None
    ) -> Computed[Any]:
        """See ExtractionPool."""

    async def extract(self, raw: RawPage, options: ArticleOptions | None = None) -> ProcessedPage:
        """See ExtractionPool."""


async def unless_ending(work: Coroutine[Any, Any, T], is_ending: Callable[[], bool]) -> T | None:
    """Returns the result of the work; None if the crawl ends before."""
    task = asyncio.ensure_future(work)
    until: float | None = None
    try:
        while not task.done():
            clock = asyncio.get_running_loop().time()
            if until is None and is_ending():
                until = clock + CLOSING_SECONDS
            if until is not None and clock >= until:
                return None
            await asyncio.wait({task}, timeout=LOOK_SECONDS)
    finally:
        task.cancel()
    return None if task.cancelled() else task.result()


class SiteReader:
    """The reader of one site. A body may take `BODY_SECONDS` of CPU time, all of them `TREE_SECONDS`, as in a crawl."""

    def __init__(self, workers: Workers, is_ending: Callable[[], bool] = lambda: False) -> None:
        self.too_costly: dict[str, Failure] = {}
        """By address, why a feed, sitemap or page could not be read within the limits."""
        self._workers = workers
        self._is_ending = is_ending
        self._left = TREE_SECONDS

    async def page(
        self, answer: SiteAnswer, domains: tuple[str, ...], rule: ArticleRule | None = None
    ) -> SitePage | Failure:
        """Returns what an HTML answer announces and links; see `site_page`."""
        content_type = answer.headers.get("content-type")
        page: SitePage | Failure = await self._computed(
            answer, read_page, answer.body, answer.final_url, content_type, domains, rule
        )
        return page

    async def source(self, answer: SiteAnswer, kind: SourceType) -> SourceContents | Failure:
        """Returns the entries of a feed or sitemap, the newest `MAX_ENTRIES` at most."""
        headers = dict(answer.headers)
        reading: SourceContents | Failure = await self._computed(
            answer, read_listing, answer.body, answer.final_url, headers, kind
        )
        return reading

    async def links(
        self, answer: SiteAnswer, kind: SourceType, site: Site, now: datetime, wanted: WantedLinks
    ) -> SourceRead | Failure:
        """Returns of an answer the part that is wanted, as a crawl reads it."""
        url = answer.final_url
        headers = {name: text for name in READ_HEADERS if (text := answer.headers.get(name))}
        domains = site.source_domains(Source(url, kind))
        task = SourceTask(url, kind, headers, answer.body, site.rule, site.domains, domains, Budget(), now, wanted)
        read: SourceRead | Failure = await self._computed(answer, read_source, task)
        return read

    async def article(self, raw: RawPage, options: ArticleOptions | None) -> ProcessedPage:
        """Returns the result that a crawl would extract from a page, by default with the workers' options."""
        return await self._workers.extract(raw, options)

    async def _computed(self, answer: SiteAnswer, function: Callable[..., Any], *arguments: Any) -> Any:
        outcome: Computed[Any] = Computed(None, NOT_READ, 0.0)
        if self._left > 0:
            allowed = min(BODY_SECONDS, self._left)
            work = self._workers.call(function, *arguments, subject=answer.final_url, cpu=allowed)
            outcome = await unless_ending(work, self._is_ending) or Computed(None, GIVEN_UP, 0.0)
            self._left -= outcome.seconds
        if outcome.failure is not None:
            self.too_costly[answer.url] = outcome.failure
            return outcome.failure
        return outcome.value


def read_listing(body: bytes, url: str, headers: dict[str, str], kind: SourceType) -> SourceContents:
    """Reads a feed or sitemap, whichever of the two it is."""
    read = read_sitemap(body, url) if kind == "sitemap" or is_sitemap(body) else read_feed(body, url, headers)
    if len(read.candidates) <= MAX_ENTRIES:
        return read
    dates = [entry.discovery.published.timestamp() if entry.discovery.published else 0.0 for entry in read.candidates]
    newest = sorted(range(len(dates)), key=lambda place: dates[place], reverse=True)[:MAX_ENTRIES]
    return replace(read, candidates=tuple(read.candidates[place] for place in sorted(newest)))
