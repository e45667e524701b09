"""When a worker counts as hanging, the name of its end, and how many losses of workers are accepted."""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Iterator
from contextlib import closing

import pytest
from busy_core import busy, needs_schedstat
from child_work import FakeProcess, FakeWait, fake_child
from patience import wait_until

from newscrawl.workers.processes import supervisor
from newscrawl.workers.processes.supervisor import MAX_CPU_WAIT, ORPHANED, Ended, Restarts, RunQueueWait, Worker


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Worker:
    """One whose work began at 100.0 and may take 2 seconds."""
    monkeypatch.setattr(supervisor, "RunQueueWait", FakeWait)
    worker: Worker = Worker(fake_child())
    worker.begin(2.0, 100.0)
    return worker


def process_of(worker: Worker) -> FakeProcess:
    process = worker.child.process
    assert isinstance(process, FakeProcess)
    return process


def wait_of(worker: Worker) -> FakeWait:
    assert isinstance(worker._wait, FakeWait)
    return worker._wait


def test_a_worker_is_killed_once_when_its_work_has_taken_too_long(worker: Worker) -> None:
    assert worker.kill_if_hung(101.5) == 0.5
    assert process_of(worker).kills == 0
    assert worker.kill_if_hung(102.0) == 0.0
    assert worker.kill_if_hung(103.0) == -1.0
    assert process_of(worker).kills == 1
    assert worker.ended() == Ended("hung", "no result within 2 seconds")


def test_waits_for_a_core_do_not_count_but_those_before_the_work_began_do_not_help(worker: Worker) -> None:
    wait_of(worker).waited = 3.0
    assert worker.kill_if_hung(102.0) == 3.0
    worker.begin(2.0, 110.0)
    assert worker.kill_if_hung(111.0) == 1.0
    wait_of(worker).waited = 4.0
    assert worker.kill_if_hung(112.0) == 1.0
    assert process_of(worker).kills == 0


def test_work_that_may_take_any_time_is_never_killed(worker: Worker) -> None:
    worker.begin(math.inf, 110.0)
    assert worker.kill_if_hung(1e9) == math.inf
    assert process_of(worker).kills == 0


def test_a_worker_that_waits_for_a_core_for_ever_is_killed_in_the_end(worker: Worker) -> None:
    wait_of(worker).waited = 1e6
    longest = 2.0 + MAX_CPU_WAIT * 2.0
    assert worker.kill_if_hung(99.0 + longest) == 1.0
    worker.kill_if_hung(100.0 + longest)
    assert process_of(worker).kills == 1


@pytest.mark.parametrize(
    ("code", "ended"),
    [
        (-signal.SIGKILL, Ended("died", "the worker process died with exit code -9")),
        (1, Ended("died", "the worker process died with exit code 1")),
        (-signal.SIGPROF, Ended("over_cpu", "more CPU time than it may take")),
        (ORPHANED, Ended("orphaned", "the worker process died with exit code 255")),
    ],
)
def test_the_end_of_a_worker_is_known_by_its_exit_code(worker: Worker, code: int, ended: Ended) -> None:
    process_of(worker).exitcode = code
    assert worker.ended() == ended


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The monotonic clock, as its only element."""
    now = [1000.0]
    monkeypatch.setattr(supervisor.time, "monotonic", lambda: now[0])
    return now


def test_losses_are_too_many_when_there_are_more_than_are_borne_in_that_time(clock: list[float]) -> None:
    restarts = Restarts(2, within=60.0)
    for clock[0] in (1000.0, 1030.0, 1100.0, 1101.0):
        assert restarts.count("gone")
        assert not restarts.are_too_many
    clock[0] = 1102.0
    assert restarts.count("gone again")
    assert (restarts.are_too_many, restarts.reason) == (True, "gone again")
    clock[0] = 2000.0
    restarts.count("gone")
    assert restarts.are_too_many, "nothing makes them few again"


def test_losses_that_have_one_cause_are_one(clock: list[float]) -> None:
    restarts = Restarts(1)
    assert restarts.count("gone", together=10.0)
    clock[0] = 1009.0
    assert not restarts.count("gone", together=10.0)
    clock[0] = 1019.0
    assert restarts.count("gone", together=10.0)
    assert restarts.are_too_many


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
