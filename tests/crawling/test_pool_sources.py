"""A source that takes too long, hangs or kills its worker affects no other source."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator
from contextlib import closing
from datetime import UTC, datetime

import pytest
from patience import PATIENCE, under_limits
from pool_work import misbehave, misread

from newscrawl.discovery.links.article_urls import ArticleRule
from newscrawl.discovery.reading import Budget
from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.model import Failure, RawPage
from newscrawl.workers.extraction_pool import ExtractionPool
from newscrawl.workers.extraction_worker import Computed
from newscrawl.workers.source_task import SourceRead, SourceTask

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
DOMAINS = ("example.org",)


def source(body: bytes) -> SourceTask:
    return SourceTask("https://example.org/feed", "feed", {}, body, ArticleRule(), DOMAINS, DOMAINS, Budget(), NOW)


def page(body: bytes) -> RawPage:
    return RawPage("https://example.org/", "https://example.org/", 200, {}, body, NOW, "example")


def make_pool(timeout: float = PATIENCE) -> ExtractionPool:
    return ExtractionPool(ArticleOptions(), workers=1, timeout=timeout, memory_mb=1024, work=misbehave)


@pytest.fixture
def pool() -> Iterator[ExtractionPool]:
    with closing(make_pool()) as pool:
        yield pool


async def read(pool: ExtractionPool, body: bytes, cpu: float) -> Computed[SourceRead]:
    task = source(body)
    return await pool.call(misread, task, subject=task.url, cpu=cpu)


def kind_of(outcome: Computed[SourceRead]) -> str:
    return outcome.failure.code if outcome.failure else f"{outcome.value.entries} entries" if outcome.value else "?"


def test_hanging_dying_greedy_and_broken_sources_fail_alone(caplog: pytest.LogCaptureFixture) -> None:
    kinds = {
        b"fine": "4 entries",
        b"hang": "source/timeout",
        b"die": "source/worker_died",
        b"eat": "source/memory",
        b"raise": "source/error",
        b"refuse": "source/unreadable",
    }
    bodies = [b"fine", b"hang", b"fine", b"die", b"eat", b"raise", b"refuse", b"fine"]
    expected = [kinds[body] for body in bodies]

    def tried(timeout: float) -> list[str]:
        async def run() -> list[str]:
            return [kind_of(one) for one in await asyncio.gather(*(read(pool, body, 0.2) for body in bodies))]

        with closing(make_pool(timeout)) as pool:
            return asyncio.run(run())

    assert under_limits(tried, expected.__eq__) == expected
    assert "a defect of ours" in caplog.text


def test_a_source_that_takes_more_cpu_time_than_it_may_is_given_up(pool: ExtractionPool) -> None:
    async def run() -> list[Computed[SourceRead]]:
        return [await read(pool, body, 0.3) for body in (b"spin 3600", b"fine")]

    costly, fine = asyncio.run(run())
    assert (kind_of(costly), kind_of(fine)) == ("source/too_costly", "4 entries")
    assert costly.seconds >= 0.3
    assert fine.seconds < 0.3


def test_a_source_that_takes_longer_than_others_is_read_in_a_second_lane(
    pool: ExtractionPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others do not wait for it: a hundred of them are done before the one that was first."""
    monkeypatch.setattr("newscrawl.workers.pool.TRY_SECONDS", 0.1)
    ended: list[str] = []

    async def noted(name: str, work: Awaitable[Computed[SourceRead]]) -> str:
        kind = kind_of(await work)
        ended.append(name)
        return kind

    async def run() -> list[str]:
        costly = [noted("costly", read(pool, b"spin 0.5", PATIENCE)) for _ in range(2)]
        small = [noted("small", read(pool, b"fine", PATIENCE)) for _ in range(100)]
        return await asyncio.gather(*costly, *small)

    kinds = asyncio.run(run())
    assert kinds == ["8 entries"] * 2 + ["4 entries"] * 100
    assert ended == ["small"] * 100 + ["costly"] * 2


def test_sources_go_before_pages_that_wait(pool: ExtractionPool) -> None:
    ended: list[str] = []

    async def noted(name: str, work: Awaitable[object]) -> None:
        await work
        ended.append(name)

    async def run() -> None:
        pages = [noted("page", pool.extract(page(b"fine"))) for _ in range(20)]
        await asyncio.gather(*pages, noted("source", read(pool, b"fine", PATIENCE)))

    asyncio.run(run())
    assert ended.index("source") <= 2, ended


def test_a_costly_source_does_not_hold_up_pages(pool: ExtractionPool) -> None:
    """The only worker of pages is free again after a second."""

    async def run() -> None:
        costly = asyncio.ensure_future(read(pool, b"spin 3600", PATIENCE))
        await asyncio.sleep(0)
        assert (await pool.extract(page(b"fine"))).failure == Failure("test/fine", "https://example.org/ classic")
        assert not costly.done()
        costly.cancel()

    asyncio.run(run())
