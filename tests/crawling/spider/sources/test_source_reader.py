"""The budget with which an answer is read, the source that is blamed, and answers that come while the crawl ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from scrapy.http import Response

from newscrawl.crawling.spider.site_declaration import Site, Source
from newscrawl.crawling.spider.sources import source_reader
from newscrawl.crawling.spider.sources.source_budget import SourceBudgets
from newscrawl.crawling.spider.sources.source_reader import GIVEN_UP, NOT_READ, SourceReader, SourceResult
from newscrawl.discovery.budget import BODY_SECONDS, TREE_SECONDS
from newscrawl.model import TOO_COSTLY, Failure
from newscrawl.workers.extraction_worker import Computed
from newscrawl.workers.source_task import SourceRead, SourceTask

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
SITE = Site.declared("x", domains=["example.com"])
INDEX = Source("https://example.com/index.xml", "sitemap")
CHILDREN = [Source(f"https://example.com/{n}.xml", "sitemap", 1, parent=INDEX.url) for n in range(9)]


class Pool:
    """Answers as `cost` says, in CPU seconds; None never ends. `allowed` is what each reading might have taken."""

    def __init__(self, cost: float | None) -> None:
        self.allowed: list[float] = []
        self.under_way = self.most_under_way = 0
        self._cost = cost

    async def call(self, reading: object, task: SourceTask, *, subject: str, cpu: float) -> Computed[SourceRead]:
        self.allowed.append(cpu)
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        await asyncio.sleep(0 if self._cost is not None else 3600)
        self.under_way -= 1
        assert self._cost is not None
        if self._cost > cpu:
            return Computed(None, Failure(TOO_COSTLY, "too much"), cpu)
        return Computed(SourceRead(entries=1, size=len(task.body)), None, self._cost)


def read_all(sources: list[Source], pool: Pool, is_closing: Callable[[], bool] = lambda: False) -> list[SourceResult]:
    """What becomes of the sources' answers, which all came at once."""

    async def run() -> list[SourceResult]:
        reader: Any = SourceReader(SITE, SourceBudgets(), is_closing)
        answers = [(source, Response(source.url, body=b"<urlset/>")) for source in sources]
        return await asyncio.gather(*(reader.read(pool, *answer, NOW) for answer in answers))

    return asyncio.run(run())


def test_the_answers_of_a_site_are_read_one_by_one_so_that_the_budget_of_an_index_holds_across_its_sitemaps() -> None:
    pool = Pool(8.0)
    results = read_all(CHILDREN, pool)
    assert pool.most_under_way == 1
    assert pool.allowed == [BODY_SECONDS, BODY_SECONDS, BODY_SECONDS, TREE_SECONDS - 24.0]
    assert [result.failure for result in results] == [None] * 3 + [NOT_READ] * 6
    assert [result.blamed for result in results] == [None] * 3 + [INDEX] + [None] * 5


def test_a_body_that_has_all_that_a_body_may_cost_is_to_blame_itself() -> None:
    first, second = read_all(CHILDREN[:2], Pool(BODY_SECONDS + 1))
    for result in (first, second):
        assert result.failure is not None
        assert result.failure.code == TOO_COSTLY
        assert result.blamed is None


def test_what_one_source_of_a_site_costs_is_not_taken_from_another() -> None:
    pool = Pool(BODY_SECONDS + 1)
    feeds = [Source(f"https://example.com/feed/{n}", "feed") for n in range(6)]
    assert all(result.blamed is None for result in read_all(feeds, pool))
    assert pool.allowed == [BODY_SECONDS] * 6


def test_when_the_crawl_ends_what_is_being_read_is_given_up_and_nothing_else_is_begun(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(source_reader, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(source_reader, "CLOSING_SECONDS", 0.05)
    pool = Pool(None)
    results = read_all(CHILDREN, pool, lambda: bool(pool.allowed))
    assert [result.failure for result in results] == [GIVEN_UP] * len(CHILDREN)
    assert len(pool.allowed) == 1
