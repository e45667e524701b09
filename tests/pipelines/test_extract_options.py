"""A site's own chain is used by workers that it shares with other sites, as `newscrawl run` has them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from patience import PATIENCE
from pool_work import misbehave
from scrapy.settings import Settings

from newscrawl.crawling.pipelines.extract import ExtractPipeline
from newscrawl.crawling.spider import NewsSpider
from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.extraction.limits import Limits
from newscrawl.extraction.site_hints import SiteHints
from newscrawl.model import ProcessedPage, RawPage
from newscrawl.storage.store import Store, open_store
from newscrawl.workers.extraction_pool import ExtractionPool
from settings import base

PAGE = RawPage("https://e.org/1", "https://e.org/1", 200, {}, b"fine", datetime(2026, 5, 1, tzinfo=UTC), "e")


class SharedPool:
    """Says with which options it was asked."""

    def __init__(self) -> None:
        self.options = ArticleOptions()
        self.asked: list[ArticleOptions | None] = []

    async def extract(self, raw: RawPage, options: ArticleOptions | None = None) -> ProcessedPage:
        self.asked.append(options)
        return ProcessedPage(replace(raw, body=None))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True) as opened:
        yield opened


def crawler_of(pool: SharedPool, store: Store, own: dict[str, Any] | None, hints: Any = None) -> Any:
    settings = Settings()
    settings.setmodule(base, priority="project")
    settings.set("NEWSCRAWL_REVIEW", False, priority="project")
    spider = type("Made", (NewsSpider,), {"name": "e", "domains": ("e.org",), "custom_settings": own, "hints": hints})
    spider.update_settings(settings)
    session = SimpleNamespace(services=SimpleNamespace(store=store, pool=pool))
    return SimpleNamespace(settings=settings, stats=None, spidercls=spider, newscrawl_session=session)


def test_the_hints_of_a_site_go_to_the_workers_with_its_pages(store: Store) -> None:
    pool = SharedPool()
    crawler = crawler_of(pool, store, {"NEWSCRAWL_CHAIN": "justext"}, {"drop": ".box"})
    asyncio.run(ExtractPipeline.from_crawler(crawler).process_item(PAGE))
    assert pool.asked == [ArticleOptions("justext", hints=SiteHints.of({"drop": ".box"}))]


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        (None, None),
        ({"NEWSCRAWL_CHAIN": "justext"}, ArticleOptions("justext")),
        ({"NEWSCRAWL_MIN_WORDS": 5}, ArticleOptions(limits=Limits(5, 300))),
        ({"NEWSCRAWL_CHAIN": "m", "NEWSCRAWL_CHAINS": {"m": ["justext"]}}, ArticleOptions("m", {"m": ["justext"]})),
    ],
    ids=["none", "chain", "limit", "chain of its own"],
)
def test_pages_are_extracted_as_their_site_wants(
    store: Store, own: dict[str, Any] | None, expected: ArticleOptions | None
) -> None:
    pool = SharedPool()
    asyncio.run(ExtractPipeline.from_crawler(crawler_of(pool, store, own)).process_item(PAGE))
    assert pool.asked == [expected]


def test_a_shared_worker_takes_each_page_by_its_own_options() -> None:
    pool = ExtractionPool(ArticleOptions(), workers=1, timeout=PATIENCE, memory_mb=1024, work=misbehave)

    async def extracted() -> list[str]:
        wanted = (None, ArticleOptions("justext"), None)
        pages = await asyncio.gather(*(pool.extract(PAGE, options) for options in wanted))
        return [page.failure.reason.split()[-1] for page in pages if page.failure]

    with closing(pool):
        assert asyncio.run(extracted()) == ["classic", "justext", "classic"]
