"""A page or source that breaks its worker or takes too long affects no other, and workers find the extensions that the
process which started them finds."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from multiprocessing import forkserver
from pathlib import Path

import pytest
from busy_core import busy, needs_schedstat
from distribution import install, write_module, write_package
from patience import PATIENCE, under_limits
from pool_work import misbehave, misread

from newscrawl.discovery.links.article_urls import ArticleRule
from newscrawl.discovery.reading import Budget
from newscrawl.errors import ConfigurationError, UnknownChainError, WorkerDied
from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.model import Failure, ProcessedPage, RawPage
from newscrawl.workers.extraction_pool import ExtractionPool
from newscrawl.workers.extraction_worker import Computed
from newscrawl.workers.processes.forkserver import FOR_CRAWLS
from newscrawl.workers.processes.supervisor import MAX_CPU_WAIT
from newscrawl.workers.source_task import SourceRead, SourceTask

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
STORY = "<p>" + "The council met on Monday and decided to build the bridge that people had asked for. " * 8


def page(body: bytes, number: int = 0) -> RawPage:
    url = f"https://example.org/{number}"
    return RawPage(url, url, 200, {"content-type": "text/html"}, body, NOW, "example")


def make_pool(timeout: float = PATIENCE, workers: int = 2) -> ExtractionPool:
    return ExtractionPool(ArticleOptions(), workers=workers, timeout=timeout, memory_mb=1024, work=misbehave)


@pytest.fixture
def pool() -> Iterator[ExtractionPool]:
    with closing(make_pool()) as pool:
        yield pool


def test_hanging_dying_and_greedy_pages_fail_alone() -> None:
    bodies = [b"fine", b"hang", b"fine", b"die", b"fine", b"eat", *[b"fine"] * 6]
    kinds = {b"hang": "extraction/timeout", b"die": "extraction/worker_died", b"eat": "extraction/memory"}
    expected = [kinds.get(body, "test/fine") for body in bodies]

    def extracted(timeout: float) -> list[str]:
        async def run() -> list[str]:
            results = await asyncio.gather(*(pool.extract(page(body, i)) for i, body in enumerate(bodies)))
            return [result.failure.code for result in results if result.failure]

        with closing(make_pool(timeout)) as pool:
            return asyncio.run(run())

    assert under_limits(extracted, expected.__eq__) == expected


def test_a_defect_of_ours_costs_its_page_and_is_logged_with_its_traceback(
    pool: ExtractionPool, caplog: pytest.LogCaptureFixture
) -> None:
    result = asyncio.run(pool.extract(page(b"raise")))
    assert result.failure == Failure("extraction/error", "ZeroDivisionError: a defect of ours")
    assert "Traceback" in caplog.text


def test_workers_that_are_all_killed_with_their_parent_are_replaced_and_no_page_is_lost(pool: ExtractionPool) -> None:
    async def run() -> list[str]:
        first = await pool.extract(page(b"fine"))
        os.kill(forkserver._forkserver._forkserver_pid, signal.SIGKILL)  # type: ignore[attr-defined]
        results = await asyncio.gather(*(pool.extract(page(body)) for body in [b"die", b"fine", b"die", b"fine"]))
        return [result.failure.code for result in (first, *results) if result.failure]

    kinds = asyncio.run(run())
    assert kinds.count("test/fine") == 3
    assert kinds.count("extraction/worker_died") == 2


def test_a_parent_that_takes_its_time_to_be_gone_is_waited_for(
    pool: ExtractionPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("newscrawl.workers.pool.ONE_DEATH_SECONDS", PATIENCE)
    start, refusals = pool._factory.start, iter(range(8))

    def refused_at_first() -> object:
        if next(refusals, None) is not None:
            raise ConnectionRefusedError("gone, and not yet buried")
        return start()

    monkeypatch.setattr(pool._factory, "start", refused_at_first)
    results = asyncio.run(pool.extract(page(b"fine")))
    assert results.failure is not None
    assert results.failure.code == "test/fine"


def test_a_crawl_that_can_have_no_workers_at_all_ends(pool: ExtractionPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("newscrawl.workers.pool.ONE_DEATH_SECONDS", 0.0)
    monkeypatch.setattr("newscrawl.workers.pool.PAUSE_SECONDS", 0.0)

    def refuse() -> object:
        raise OSError("no room for another process")

    monkeypatch.setattr(pool._factory, "start", refuse)
    with pytest.raises(WorkerDied, match="no room for another process"):
        asyncio.run(pool.extract(page(b"fine")))


def test_workers_that_have_done_enough_are_replaced_and_no_page_is_lost(
    pool: ExtractionPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("newscrawl.workers.pool.JOBS_PER_WORKER", 3)

    async def run() -> list[str | None]:
        results = await asyncio.gather(*(pool.extract(page(b"fine", n)) for n in range(10)))
        return [result.failure and result.failure.reason.partition(" ")[0] for result in results]

    assert asyncio.run(run()) == [f"https://example.org/{n}" for n in range(10)]


def test_a_real_page_becomes_an_article_without_its_body() -> None:
    with closing(ExtractionPool(ArticleOptions(), workers=1)) as pool:
        result = asyncio.run(pool.extract(page(STORY.encode())))
    assert result.article is not None
    assert result.article.text.startswith("The council met")
    assert result.raw.body is None


def test_settings_that_cannot_work_are_refused_before_any_worker_starts() -> None:
    with pytest.raises(UnknownChainError, match="unknown chain 'nonsense'"):
        ExtractionPool(ArticleOptions(chain="nonsense"))
    with pytest.raises(ConfigurationError, match="NEWSCRAWL_EXTRACT_WORKERS"):
        ExtractionPool(ArticleOptions(), workers=0)
    with pytest.raises(ConfigurationError, match="NEWSCRAWL_EXTRACT_TIMEOUT"):
        ExtractionPool(ArticleOptions(), timeout=0)


TIMEOUT = 1.0


@pytest.fixture
def hog() -> Iterator[None]:
    with busy(0):
        yield


def extracted(body: bytes, timeout: float) -> tuple[str, float]:
    """What became of a page, and after how long."""

    async def run() -> tuple[str, float]:
        began = time.monotonic()
        result = await pool.extract(RawPage("https://e.org", "https://e.org", 200, {}, body, NOW, "e"))
        return result.failure.code if result.failure else "", time.monotonic() - began

    with closing(make_pool(timeout, workers=1)) as pool:
        return asyncio.run(run())


@needs_schedstat
def test_a_page_whose_worker_gets_no_core_is_not_taken_to_hang(hog: None) -> None:
    """On a machine with a load above six, the page may wait for longer than is counted."""
    kind, seconds = extracted(b"starve", TIMEOUT)
    assert kind == "test/fine" or seconds >= (1 + MAX_CPU_WAIT) * TIMEOUT, f"given up after {seconds:.1f} seconds"


@needs_schedstat
def test_a_page_that_hangs_is_given_up_whatever_the_machine_does(hog: None) -> None:
    kind, seconds = extracted(b"spin", 0.4)
    assert kind == "extraction/timeout"
    assert seconds >= 0.4


WHAT_COMES_WITH_A_PAGE = (
    "newscrawl.extraction.article.preload",
    "newscrawl.workers.source_task",
    "feedparser",
    "py3langid",
)
TOLD = f"""
import gc, importlib, sys
for name in {FOR_CRAWLS}:
    importlib.import_module(name)
print([name for name in {WHAT_COMES_WITH_A_PAGE} if name not in sys.modules], gc.get_freeze_count() > 10_000)
"""


def test_what_comes_with_the_first_page_and_source_is_loaded_once_for_all_workers() -> None:
    done = subprocess.run([sys.executable, "-c", TOLD], capture_output=True, text=True, check=True)
    assert done.stdout == "[] True\n"


BRIDGE = "<p>The council met on Monday and decided to build the bridge that people had asked for.</p>" * 20
SOURCE = """
def every(page_at):
    return range(len(page_at.runs))

def leaving(page_at):
    raise SystemExit(3)

CHAIN = ["leaving", "every"]

def paid(signals):
    if "sponsored" in signals.segments:
        yield "its address says so"
"""


def page_at(path: str) -> RawPage:
    url = f"https://example.org{path}"
    body = f"<h1>Bridge</h1>{BRIDGE}".encode()
    return RawPage(url, url, 200, {"content-type": "text/html"}, body, datetime(2026, 11, 1, tzinfo=UTC), "example")


def extracted_with(options: ArticleOptions, *paths: str) -> list[ProcessedPage]:
    async def run() -> list[ProcessedPage]:
        return list(await asyncio.gather(*(pool.extract(page_at(path)) for path in paths)))

    with closing(ExtractionPool(options, workers=1, timeout=PATIENCE, memory_mb=1024)) as pool:
        return asyncio.run(run())


def test_workers_load_the_extensions_of_packages_and_of_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_module(tmp_path, "ext_workers", SOURCE)
    extractors = {"every": "ext_workers:every", "leaving": "ext_workers:leaving"}
    write_package(tmp_path, {"extractors": extractors, "chains": {"publisher": "ext_workers:CHAIN"}})
    install(monkeypatch, tmp_path)
    options = ArticleOptions("publisher", verdict_rules=("ext_workers:paid",))
    plain, paid = extracted_with(options, "/2026/bridge", "/sponsored/bridge")
    assert plain.article is not None
    assert plain.article.extractor == "every"
    # sys.exit() in an extractor costs it its turn, and no worker process.
    assert plain.article.trace[0].reason == "ExtractionError: it calls sys.exit(3)"
    assert paid.failure is not None
    assert paid.failure.code == "verdict/paid"
    own = ArticleOptions("mine", {"mine": ["own"]}, extractors={"own": "ext_workers:every"})
    (found,) = extracted_with(own, "/2026/ferry")
    assert found.article is not None
    assert found.article.extractor == "own"


@pytest.fixture
def single() -> Iterator[ExtractionPool]:
    with closing(make_pool(workers=1)) as pool:
        yield pool


DOMAINS = ("example.org",)


def source(body: bytes) -> SourceTask:
    return SourceTask("https://example.org/feed", "feed", {}, body, ArticleRule(), DOMAINS, DOMAINS, Budget(), NOW)


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

        with closing(make_pool(timeout, workers=1)) as pool:
            return asyncio.run(run())

    assert under_limits(tried, expected.__eq__) == expected
    assert "a defect of ours" in caplog.text


def test_a_source_that_takes_more_cpu_time_than_it_may_is_given_up(single: ExtractionPool) -> None:
    async def run() -> list[Computed[SourceRead]]:
        return [await read(single, body, 0.3) for body in (b"spin 3600", b"fine")]

    costly, fine = asyncio.run(run())
    assert (kind_of(costly), kind_of(fine)) == ("source/too_costly", "4 entries")
    assert costly.seconds >= 0.3
    assert fine.seconds < 0.3


def test_a_source_that_takes_longer_than_others_is_read_in_a_second_lane(
    single: ExtractionPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others do not wait for it: a hundred of them are done before the one that was first."""
    monkeypatch.setattr("newscrawl.workers.pool.TRY_SECONDS", 0.1)
    ended: list[str] = []

    async def noted(name: str, work: Awaitable[Computed[SourceRead]]) -> str:
        kind = kind_of(await work)
        ended.append(name)
        return kind

    async def run() -> list[str]:
        costly = [noted("costly", read(single, b"spin 0.5", PATIENCE)) for _ in range(2)]
        small = [noted("small", read(single, b"fine", PATIENCE)) for _ in range(100)]
        return await asyncio.gather(*costly, *small)

    kinds = asyncio.run(run())
    assert kinds == ["8 entries"] * 2 + ["4 entries"] * 100
    assert ended == ["small"] * 100 + ["costly"] * 2


def test_sources_go_before_pages_that_wait(single: ExtractionPool) -> None:
    ended: list[str] = []

    async def noted(name: str, work: Awaitable[object]) -> None:
        await work
        ended.append(name)

    async def run() -> None:
        pages = [noted("page", single.extract(page(b"fine"))) for _ in range(20)]
        await asyncio.gather(*pages, noted("source", read(single, b"fine", PATIENCE)))

    asyncio.run(run())
    assert ended.index("source") <= 2, ended


def test_a_costly_source_does_not_hold_up_pages(single: ExtractionPool) -> None:
    """The only worker of pages is free again after a second."""

    async def run() -> None:
        costly = asyncio.ensure_future(read(single, b"spin 3600", PATIENCE))
        await asyncio.sleep(0)
        assert (await single.extract(page(b"fine"))).failure == Failure("test/fine", "https://example.org/0 classic")
        assert not costly.done()
        costly.cancel()

    asyncio.run(run())
