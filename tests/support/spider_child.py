"""One crawl of a NewsSpider in a process of its own: `spider_child.py JSON`, answers with JSON on standard output.

The whole downloader side is real (guard, robots, host throttle, redirects), the store is a real one; only extraction is
left out: a page's opened body is its article.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from typing import Any, Self

from scrapy.crawler import Crawler

from newscrawl.config.derived import intervals
from newscrawl.crawling.runtime.process import make_process, run_spider, safe_settings
from newscrawl.crawling.runtime.site_session import SiteSession
from newscrawl.crawling.spider import NewsSpider
from newscrawl.errors import NewscrawlError
from newscrawl.model import TOO_COSTLY, Article, Failure, Metadata, ProcessedPage, RawPage
from newscrawl.model.identity import content_hash
from newscrawl.storage.records import no_further_visit
from newscrawl.workers.extraction_worker import Computed
from newscrawl.workers.source_task import SourceRead, SourceTask, read_source
from spiders.generic import Generic


class ReadHere:
    """Replaces the extraction workers: a source is read in a thread, and takes the CPU seconds that a comment in its
    body states (`<!--costs 8-->`). Such a body takes a hundredth of that, and nothing else of the site may be read
    meanwhile."""

    def __init__(self) -> None:
        self._reads = 0

    async def call(self, reading: object, task: SourceTask, *, subject: str, cpu: float) -> Computed[SourceRead]:
        said = re.search(rb"<!--costs (\d+)-->", task.body)
        cost = float(said[1]) if said else 0.0
        assert not self._reads, "a site has one worker at a time"
        self._reads += 1
        await asyncio.sleep(cost / 100)
        self._reads -= 1
        if cost > cpu:
            return Computed(None, Failure(TOO_COSTLY, f"more than {cpu:g} s"), cpu)
        found = await asyncio.to_thread(read_source, task)
        return Computed(None, found, cost) if isinstance(found, Failure) else Computed(found, None, cost)

    def close(self) -> None:
        """There are no processes to end."""


class StoreOnly(SiteSession):
    """A session without extraction workers, in which no page is due again by itself."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        intervals.next_due_of = lambda _config: no_further_visit
        workers: Any = ReadHere()
        return cls.alone(crawler, workers)


class Keep:
    """A pipeline that stores each page and records the outcome."""

    raw_pages: list[RawPage]

    def __init__(self, crawler: Crawler) -> None:
        self.session = SiteSession.of(crawler)
        self.raw_pages = []
        crawler.kept = self.raw_pages  # type: ignore[attr-defined]

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_item(self, item: RawPage) -> RawPage:
        self.raw_pages.append(item)
        article = None
        if item.body is not None:
            text = (item.body or b"").decode()
            digest = content_hash(text)
            article = Article(
                item.url, item.site, Metadata(), text, "none", "article", content_hash=digest, identity_key=digest
            )
        await asyncio.wrap_future(self.session.save(ProcessedPage(item, article)))
        return item


def main(order: dict[str, Any]) -> dict[str, Any]:
    overrides = {
        "NEWSCRAWL_ALLOWED_ADDRESSES": ["127.0.0.0/8"],
        "NEWSCRAWL_ARCHIVE_URL": "off",
        "NEWSCRAWL_DATABASE_URL": order["database"],
        "DOWNLOAD_DELAY": 0,
        "RETRY_TIMES": 0,
        "EXTENSIONS": {"newscrawl.crawling.downloader.address_guard.GuardCheck": 0, StoreOnly: 100},
        "ITEM_PIPELINES": {Keep: 100},
        "LOG_LEVEL": "WARNING",
        **order.get("settings", {}),
    }
    process = make_process(overrides, settings=safe_settings())
    spider: type[NewsSpider] = Generic if order["spider"] is None else type("Site", (NewsSpider,), order["spider"])
    crawler = run_spider(process, spider, **order["arguments"])
    kept: list[RawPage] = crawler.kept  # type: ignore[attr-defined]
    items = [
        {
            "url": page.url,
            "final_url": page.final_url,
            "status": page.status,
            "body": None if page.body is None else page.body.decode(),
            "site": page.site,
            "kind": page.discovery.kind if page.discovery else None,
            "source": page.discovery.source if page.discovery else None,
            "title": page.discovery.title if page.discovery else None,
            "content_type": page.headers.get("content-type"),
        }
        for page in kept
    ]
    stats = {name: value for name, value in crawler.stats.get_stats().items() if isinstance(value, int | float | str)}
    return {"items": items, "stats": stats}


if __name__ == "__main__":
    try:
        answer = main(json.loads(sys.argv[1]))
    except NewscrawlError as error:
        answer = {"error": str(error)}
    print(json.dumps(answer))
