"""Runs a coroutine that makes one request after the other, under all rules of a crawl.

Each request of a survey depends on the answer before it. Callbacks of a spider would spread this over a dozen methods.
So the work is one coroutine.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import closing
from typing import Any

from scrapy.crawler import Crawler

from newscrawl.config.reading import config_of
from newscrawl.crawling.runtime.crawl_services import pool_of
from newscrawl.crawling.runtime.process import Interrupted, run_work
from newscrawl.crawling.runtime.site_client import EngineSiteClient, SiteAnswer, SiteClient
from newscrawl.workers.extraction_pool import ExtractionPool

__all__ = ["EngineSiteClient", "Interrupted", "SiteAnswer", "SiteClient", "visit"]

Work = Callable[[SiteClient, ExtractionPool], Awaitable[None]]


def visit(work: Work, overrides: Mapping[str, Any] | None = None) -> int:
    """Runs `work` in a separate crawl (crawling.runtime.process.run_work), with workers that read the answers, and
    returns the number of requests. It can be called once in a process, and raises what `run_work` raises."""

    async def with_workers(crawler: Crawler) -> None:
        with closing(pool_of(config_of(crawler.settings))) as pool:
            await work(EngineSiteClient(crawler), pool)

    crawler = run_work(with_workers, overrides)
    return int(crawler.stats.get_value("downloader/request_count", 0)) if crawler.stats else 0
