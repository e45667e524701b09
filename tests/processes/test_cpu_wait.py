"""The time for which a process waited for a core can be read from outside, also after its end."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing

import pytest
from busy_core import busy, needs_schedstat
from patience import wait_until

from newscrawl.workers.processes.supervisor import RunQueueWait


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
