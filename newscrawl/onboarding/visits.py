"""Runs a coroutine that makes one request after the other, under all rules of a crawl.

Each request of a survey depends on the answer before it. Callbacks of a spider would spread this over a dozen methods.
So the work is one coroutine inside a spider: its requests pass the address guard, robots.txt, the host's delay, the
limits and the redirects as all other requests do.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import closing
from typing import Any, Final

from scrapy import Request

from newscrawl.config.reading import config_of
from newscrawl.crawling.downloader.hosts.command_hosts import shared_hosts
from newscrawl.crawling.runtime.crawl_services import pool_of
from newscrawl.crawling.runtime.interrupt import exit_code
from newscrawl.crawling.runtime.process import (
    CommandSpider,
    Interrupted,
    command_settings,
    make_process,
    run_spider,
)
from newscrawl.crawling.runtime.site_client import EngineSiteClient, SiteAnswer, SiteClient
from newscrawl.workers.extraction_pool import ExtractionPool

__all__ = ["EngineSiteClient", "Interrupted", "SiteAnswer", "SiteClient", "VisitSpider", "visit"]

_NO_REQUESTS: Final[tuple[Request, ...]] = ()


Work = Callable[[SiteClient, ExtractionPool], Awaitable[None]]


def visit(work: Work, overrides: Mapping[str, Any] | None = None) -> int:
    """Runs `work` in a separate crawl, with workers that read the answers, and returns the number of requests, which
    share the hosts of the database with all crawls (crawling.downloader.hosts.command_hosts).

    It can be called once in a process (crawling.runtime.process). Raises the errors of `work`, Interrupted if a
    signal stopped it, ConfigurationError for settings that cannot work, and StorageError for a database that cannot be
    used.
    """
    outcome = _Outcome()
    settings = command_settings()
    process = make_process(overrides, settings=settings)
    with closing(pool_of(config_of(settings))) as pool:
        crawler = run_spider(process, VisitSpider, work=lambda visitor: work(visitor, pool), outcome=outcome)
    if not outcome.done and (outcome.error is None or exit_code(crawler)):
        raise Interrupted(crawler)
    if outcome.error is not None:
        raise outcome.error
    return int(crawler.stats.get_value("downloader/request_count", 0)) if crawler.stats else 0


class _Outcome:
    def __init__(self) -> None:
        self.done = False
        self.error: Exception | None = None


class VisitSpider(CommandSpider):
    """Runs the work in `start`, and yields no requests."""

    name = "visit"

    def __init__(self, work: Callable[[SiteClient], Awaitable[None]], outcome: _Outcome, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._work = work
        self._outcome = outcome

    async def start(self) -> AsyncIterator[Any]:
        """Runs the work. Its error is kept for `visit`, because the engine would only log it."""
        try:
            async with shared_hosts(self.crawler):
                await self._work(EngineSiteClient(self))
            self._outcome.done = True
        except Exception as error:  # noqa: BLE001  raised again by `visit`
            self._outcome.error = error
        for request in _NO_REQUESTS:
            yield request
