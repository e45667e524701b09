"""A source that takes too long, hangs or kills its worker affects no other source."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime

import pytest
from patience import PATIENCE, under_limits
from pool_work import misbehave, misread

from newscrawl.article.make import ArticleOptions
from newscrawl.discovery.budget import Budget
from newscrawl.discovery.links.article_urls import ArticleRule
from newscrawl.model import RawPage
from newscrawl.workers.extraction_pool import ExtractionPool
from newscrawl.workers.extraction_worker import Computed
from newscrawl.workers.source_task import SourceRead, SourceTask

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
DOMAINS = ("example.org",)
BODIES = (b"spin 3600", b"raise", b"fine")


def source(body: bytes) -> SourceTask:
    return SourceTask(
        "https://example.org/feed", "feed", {}, body, None, ArticleRule(), DOMAINS, DOMAINS, Budget(), NOW
    )


def page(body: bytes) -> RawPage:
    return RawPage("https://example.org/", "https://example.org/", 200, {}, body, NOW, "example")


def make_pool(timeout: float = PATIENCE) -> ExtractionPool:
    return ExtractionPool(ArticleOptions(), workers=1, timeout=timeout, memory_mb=1024, work=misbehave, reading=misread)


@pytest.fixture
def pool() -> Iterator[ExtractionPool]:
    with closing(make_pool()) as pool:
        yield pool


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

    def read(timeout: float) -> list[str]:
        async def run() -> list[str]:
            return [kind_of(one) for one in await asyncio.gather(*(pool.read(source(body), 0.2) for body in bodies))]

        with closing(make_pool(timeout)) as pool:
            return asyncio.run(run())

    assert under_limits(read, expected.__eq__) == expected
    assert "a defect of ours" in caplog.text


def test_a_source_that_takes_more_cpu_time_than_it_may_is_given_up(pool: ExtractionPool) -> None:
    async def run() -> list[Computed[SourceRead]]:
        return [await pool.read(source(body), 0.3) for body in (b"spin 3600", b"fine")]

    costly, fine = asyncio.run(run())
    assert (kind_of(costly), kind_of(fine)) == ("source/too_costly", "4 entries")
    assert costly.seconds >= 0.3
    assert fine.seconds < 0.3


def test_any_function_is_called_within_the_same_limits(pool: ExtractionPool) -> None:
    async def run() -> list[str]:
        found = [await pool.compute("https://example.org/", misread, (source(body),), 0.3) for body in BODIES]
        return [one.failure.code if one.failure else f"{one.value.entries} entries" for one in found]

    assert asyncio.run(run()) == ["source/too_costly", "source/error", "4 entries"]


def test_a_source_that_takes_longer_than_others_is_read_in_a_second_lane(
    pool: ExtractionPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others do not wait for it: a hundred of them are done before the one that was first."""
    monkeypatch.setattr("newscrawl.workers.extraction_pool.TRY_SECONDS", 0.1)
    ended: list[str] = []

    async def noted(name: str, work: Awaitable[Computed[SourceRead]]) -> str:
        kind = kind_of(await work)
        ended.append(name)
        return kind

    async def run() -> list[str]:
        costly = [noted("costly", pool.read(source(b"spin 0.5"), PATIENCE)) for _ in range(2)]
        small = [noted("small", pool.read(source(b"fine"), PATIENCE)) for _ in range(100)]
        return await asyncio.gather(*costly, *small)

    kinds = asyncio.run(run())
    assert kinds == ["8 entries"] * 2 + ["4 entries"] * 100
    assert ended == ["small"] * 100 + ["costly"] * 2


def test_pages_do_not_wait_for_a_source_nor_sources_for_a_page(pool: ExtractionPool) -> None:
    async def run(first: Callable[[], Awaitable[object]], then: Callable[[], Awaitable[object]]) -> object:
        waiting = asyncio.ensure_future(first())
        await asyncio.sleep(0)
        answer = await then()
        assert not waiting.done()
        waiting.cancel()
        return answer

    async def both() -> None:
        assert await run(lambda: pool.read(source(b"spin 3600"), PATIENCE), lambda: pool.extract(page(b"fine")))
        assert await run(lambda: pool.extract(page(b"hang")), lambda: pool.read(source(b"fine"), PATIENCE))

    asyncio.run(both())
