"""Reads what a visitor was answered by one site: feeds, sitemaps, pages of links and articles.

All of it is read in workers, under the limits of a crawl (newscrawl.workers.extraction_pool). A command that looks at
a site has other sites to look at and an operator who waits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, Protocol

from newscrawl.article import ArticleOptions
from newscrawl.crawling.runtime.site_client import Answer
from newscrawl.discovery import ArticleRule, Reading, read_feed, read_sitemap
from newscrawl.discovery.budget import BODY_SECONDS, CPU, TREE_SECONDS
from newscrawl.discovery.proposals.site_page import SitePage, read_page
from newscrawl.discovery.sniff import is_sitemap
from newscrawl.model import Failure, ProcessedPage, RawPage, SourceKind
from newscrawl.workers.extraction_pool import Computed

MAX_ENTRIES: Final = 20_000
"""Entries of a source that come back from a worker, the newest: the largest news sites publish a thousand a day."""

NOT_READ: Final = Failure(CPU, f"not read: what was read of the site before took {TREE_SECONDS:g} s of CPU time")


class Workers(Protocol):
    """What ExtractionPool does for a reader."""

    async def compute(
        self, subject: str, function: Callable[..., Any], arguments: tuple[Any, ...], seconds: float
    ) -> Computed:
        """See ExtractionPool."""

    async def extract(self, raw: RawPage, options: ArticleOptions | None = None) -> ProcessedPage:
        """See ExtractionPool."""


class SiteReader:
    """One site's: a body may take `BODY_SECONDS` of CPU time, all together `TREE_SECONDS`, as a source of a crawl."""

    def __init__(self, workers: Workers) -> None:
        self.not_read: dict[str, Failure] = {}
        """The feeds, sitemaps and pages that could not be read within the limits, with the reason, by address."""
        self._workers = workers
        self._left = TREE_SECONDS

    async def page(
        self, answer: Answer, domains: tuple[str, ...], rule: ArticleRule | None = None
    ) -> SitePage | Failure:
        """What an HTML answer announces and links; see `site_page`."""
        content_type = answer.headers.get("content-type")
        found: SitePage | Failure = await self._computed(
            answer, read_page, answer.body, answer.final_url, content_type, domains, rule
        )
        return found

    async def source(self, answer: Answer, kind: SourceKind) -> Reading | Failure:
        """What a feed or sitemap names; of more than `MAX_ENTRIES` the newest."""
        headers = dict(answer.headers)
        found: Reading | Failure = await self._computed(
            answer, read_listing, answer.body, answer.final_url, headers, kind
        )
        return found

    async def article(self, raw: RawPage, options: ArticleOptions) -> ProcessedPage:
        """The article that a crawl would make of a page."""
        return await self._workers.extract(raw, options)

    async def _computed(self, answer: Answer, function: Callable[..., Any], *arguments: Any) -> Any:
        found = Computed(None, NOT_READ, 0.0)
        if self._left > 0:
            allowed = min(BODY_SECONDS, self._left)
            found = await self._workers.compute(answer.final_url, function, arguments, allowed)
            self._left -= found.seconds
        if found.failure is not None:
            self.not_read[answer.url] = found.failure
            return found.failure
        return found.value


def read_listing(body: bytes, url: str, headers: dict[str, str], kind: SourceKind) -> Reading:
    """What a feed or sitemap holds, whichever of the two it is."""
    read = read_sitemap(body, url) if kind == "sitemap" or is_sitemap(body) else read_feed(body, url, headers)
    if len(read.candidates) <= MAX_ENTRIES:
        return read
    dates = [one.discovery.published.timestamp() if one.discovery.published else 0.0 for one in read.candidates]
    newest = sorted(range(len(dates)), key=lambda place: dates[place], reverse=True)[:MAX_ENTRIES]
    return replace(read, candidates=tuple(read.candidates[place] for place in sorted(newest)))
