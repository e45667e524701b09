"""Work on all cores ends, whatever becomes of a worker process."""

from __future__ import annotations

import os
import signal

import pytest

from newscrawl.bench.parallel import in_parallel
from newscrawl.errors import NewscrawlError
from newscrawl.workers.processes.forkserver import FOR_CRAWLS, prepare

pytestmark = pytest.mark.process


def doubled(number: int) -> int:
    return 2 * number


def dies_at_three(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def signals(number: int) -> tuple[object, object, bool]:
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    return signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM), signal.SIGTERM in blocked


@pytest.fixture(autouse=True)
def _prepared() -> None:
    """The fork server of a crawl blocks SIGTERM, in its workers as well."""
    prepare(FOR_CRAWLS)


def test_results_come_in_the_order_of_the_items() -> None:
    assert list(in_parallel(doubled, range(50), label="doubling", processes=2)) == [2 * number for number in range(50)]


def test_whoever_stops_reading_does_not_wait_for_the_rest() -> None:
    results = in_parallel(doubled, range(1_000), label="doubling", processes=2)
    assert next(results) == 0
    results.close()  # type: ignore[attr-defined]


def test_a_worker_that_dies_is_an_error_and_nobody_waits_for_it() -> None:
    with pytest.raises(NewscrawlError, match="counting: a worker process died"):
        list(in_parallel(dies_at_three, range(50), label="counting", processes=2))


def test_workers_are_ended_by_sigterm_and_leave_ctrl_c_to_the_main_process() -> None:
    assert set(in_parallel(signals, range(8), label="signals", processes=2)) == {
        (signal.SIG_IGN, signal.SIG_DFL, False)
    }
