"""Reads the answers that a SiteClient got from one site: feeds, sitemaps, pages of links and articles.

Workers read them under the limits of a crawl (newscrawl.workers.extraction_pool), because a command may check many
sites while the operator waits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Protocol

from newscrawl.crawling.runtime.site_client import SiteAnswer
from newscrawl.discovery import ArticleRule, SourceContents, read_feed, read_sitemap
from newscrawl.discovery.budget import BODY_SECONDS, CPU, TREE_SECONDS
from newscrawl.discovery.proposals.site_page import SitePage, read_page
from newscrawl.discovery.sniff import is_sitemap
from newscrawl.model import Failure, ProcessedPage, RawPage, SourceType
from newscrawl.workers.extraction_worker import Computed

if TYPE_CHECKING:
    from newscrawl.article import ArticleOptions

MAX_ENTRIES: Final = 20_000
"""The most entries of a source that a worker returns, the newest: the largest news sites publish a thousand a day."""

NOT_READ: Final = Failure(CPU, f"not read: reading the site has already taken {TREE_SECONDS:g} s of CPU time")


class Workers(Protocol):
    """The methods of ExtractionPool that a reader uses."""

    async def call(
        self, function: Callable[..., Any], *arguments: Any, subject: str, cpu: float | None = None
    ) -> Computed[Any]:
        """See ExtractionPool."""

    async def extract(self, raw: RawPage, options: ArticleOptions | None = None) -> ProcessedPage:
        """See ExtractionPool."""


class SiteReader:
    """The reader of one site. A body may take `BODY_SECONDS` of CPU time, all of them `TREE_SECONDS`, as in a crawl."""

    def __init__(self, workers: Workers) -> None:
        self.too_costly: dict[str, Failure] = {}
        """By address, why a feed, sitemap or page could not be read within the limits."""
        self._workers = workers
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

    async def article(self, raw: RawPage, options: ArticleOptions) -> ProcessedPage:
        """Returns the result that a crawl would extract from a page."""
        return await self._workers.extract(raw, options)

    async def _computed(self, answer: SiteAnswer, function: Callable[..., Any], *arguments: Any) -> Any:
        outcome: Computed[Any] = Computed(None, NOT_READ, 0.0)
        if self._left > 0:
            allowed = min(BODY_SECONDS, self._left)
            outcome = await self._workers.call(function, *arguments, subject=answer.final_url, cpu=allowed)
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
