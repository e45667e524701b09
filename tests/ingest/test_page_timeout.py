"""Time for which a worker waits for a core does not count towards the timeout of an ingested page."""

from __future__ import annotations

import time
from dataclasses import dataclass

import pytest
from child_work import FakeProcess, FakeWait, fake_child

from newscrawl.archive.warc import RecordPosition
from newscrawl.ingest.inputs import InputSpan
from newscrawl.ingest.worker import Phase, Shared, SpanJob
from newscrawl.ingest.worker_pool import _SpanWorker
from newscrawl.processes import supervisor

TIMEOUT = 20.0
JOB = SpanJob(InputSpan("key", "warc", "a.warc", 0, RecordPosition(0), 100, True))


@dataclass
class Watched:
    """A worker without a process, its place in shared memory and the time that it waited for a core."""

    worker: _SpanWorker
    cells: list[float]
    wait: FakeWait

    def at(self, phase: Phase, seconds: float) -> None:
        """Have it begun with what it is at so long ago."""
        self.cells[:] = [phase, time.monotonic() - seconds, 7.0, 1.0]

    def is_killed(self) -> bool:
        self.worker.look(TIMEOUT)
        assert isinstance(self.worker.child.process, FakeProcess)
        return self.worker.child.process.kills > 0


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Watched:
    wait = FakeWait()
    monkeypatch.setattr(supervisor, "RunQueueWait", lambda _: wait)
    cells = [0.0] * 4
    worker = _SpanWorker(fake_child(), Shared(cells))
    worker.jobs.append(JOB)
    return Watched(worker, cells, wait)


def test_a_page_that_takes_too_long_is_given_up_and_one_that_takes_less_is_not(watched: Watched) -> None:
    watched.at(Phase.EXTRACTING, TIMEOUT - 10)
    assert not watched.is_killed()
    watched.at(Phase.EXTRACTING, TIMEOUT + 1)
    assert watched.is_killed()


def test_what_a_worker_waits_for_a_core_while_it_is_at_a_page_does_not_count(watched: Watched) -> None:
    watched.at(Phase.EXTRACTING, 1)
    assert not watched.is_killed()
    begun = watched.cells[1]
    watched.wait.waited = 30.0
    watched.cells[1] = watched.worker.begun = begun - 40
    assert not watched.is_killed(), "41 seconds, 30 of them without a core"
    watched.cells[1] = watched.worker.begun = begun - 60
    assert watched.is_killed()


def test_a_worker_that_has_no_page_is_not_taken_to_hang(watched: Watched) -> None:
    """It waits until the parent takes its batch."""
    watched.at(Phase.IDLE, TIMEOUT + 100)
    assert not watched.is_killed()
