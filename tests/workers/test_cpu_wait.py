"""Time in which others have the cores is none that a page takes."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from patience import wait_until
from pool_work import misbehave

from newscrawl.article import ArticleOptions
from newscrawl.model import RawPage
from newscrawl.workers.cpu_wait import RunQueueWait
from newscrawl.workers.extraction_pool import ExtractionPool

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
TIMEOUT = 1.0
BUSY = """
import os
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.nice(%d)
print(flush=True)
while True:
    pass
"""

needs_schedstat = pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="the system does not tell")


@contextmanager
def busy(nice: int) -> Iterator[subprocess.Popen[bytes]]:
    """A process that wants the first core, always."""
    with subprocess.Popen([sys.executable, "-c", BUSY % nice], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            yield process
        finally:
            process.kill()


@pytest.fixture
def hog() -> Iterator[None]:
    with busy(0):
        yield


@needs_schedstat
def test_what_others_take_is_counted_and_kept_when_the_process_is_gone(hog: None) -> None:
    with busy(15) as process, closing(RunQueueWait(process.pid)) as starving:
        before, at = starving.seconds(), time.monotonic()
        wait_until(lambda: starving.seconds() - before > 0.3)
        lost = starving.seconds() - before
        assert lost <= time.monotonic() - at + 0.05
        process.kill()
        process.wait()
        assert starving.seconds() >= before + lost - 1e-6, "but for the rounding of a sum"


def test_a_process_that_is_not_there_starves_for_no_time() -> None:
    with closing(RunQueueWait(2**22 + 1)) as starving:  # beyond the greatest number that Linux gives
        assert starving.seconds() == 0.0
    assert starving.seconds() == 0.0


def extracted(body: bytes, timeout: float) -> tuple[str, float]:
    """What became of a page, and after how long."""

    async def run() -> tuple[str, float]:
        began = time.monotonic()
        result = await pool.extract(RawPage("https://e.org", "https://e.org", 200, {}, body, NOW, "e"))
        return result.failure.kind if result.failure else "", time.monotonic() - began

    pool = ExtractionPool(ArticleOptions(), workers=1, timeout=timeout, memory_mb=1024, work=misbehave)
    with closing(pool):
        return asyncio.run(run())


@needs_schedstat
def test_a_page_whose_worker_gets_no_core_is_not_taken_to_hang(hog: None) -> None:
    kind, seconds = extracted(b"starve", TIMEOUT)
    assert kind == "test/fine", f"given up after {seconds:.1f} seconds"


@needs_schedstat
def test_a_page_that_hangs_is_given_up_whatever_the_machine_does(hog: None) -> None:
    kind, seconds = extracted(b"spin", 0.4)
    assert kind == "extraction/timeout"
    assert seconds >= 0.4
