"""Time for which a worker waits for a core does not count towards the page timeout."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime

import pytest
from busy_core import busy, needs_schedstat
from pool_work import misbehave

from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.model import RawPage
from newscrawl.workers.extraction_pool import ExtractionPool
from newscrawl.workers.processes.supervisor import MAX_CPU_WAIT

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
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

    pool = ExtractionPool(ArticleOptions(), workers=1, timeout=timeout, memory_mb=1024, work=misbehave)
    with closing(pool):
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
