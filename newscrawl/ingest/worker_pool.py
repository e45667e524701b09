"""The worker processes of an ingest. A worker that hangs or dies affects only the page it was processing.

A worker reads its input, so only it knows its current page; it writes it to shared memory (`worker.Shared`). The rest
of its span is given to another worker.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import time
from collections.abc import Iterator
from dataclasses import replace
from multiprocessing.connection import wait
from typing import Final, Self

from newscrawl.archive.warc import RecordPosition
from newscrawl.errors import WorkerDied
from newscrawl.ingest.worker import Batch, Phase, Plan, Shared, SpanJob, serve
from newscrawl.processes.forkserver import FOR_INGESTS, Child, prepare
from newscrawl.processes.supervisor import Restarts, Worker, WorkerFactory
from newscrawl.workers.page_task import lost_page

logger = logging.getLogger(__name__)

LOOK_SECONDS: Final = 0.25
"""Seconds between two checks for hanging workers."""
JOBS_PER_WORKER: Final = 50
"""Jobs after which a worker is replaced (about 10,000 pages), which limits memory leaks of native libraries."""
MAX_IDLE_DEATHS: Final = 5
"""Workers that may die before they have begun a page. With more, the cause is not a page."""


class _SpanWorker(Worker[SpanJob]):
    """A worker with at most one job, and its progress in it."""

    def __init__(self, child: Child, shared: Shared) -> None:
        super().__init__(child)
        self.shared = shared
        self.reached = RecordPosition(0)

    def give(self, job: SpanJob) -> None:
        """Gives a job to the worker, which must be idle."""
        self.jobs.append(job)
        self.given += 1
        self.reached = job.span.start
        with contextlib.suppress(OSError):  # it died meanwhile: `answers` notices it
            self.child.pipe.send(job)

    def look(self, timeout: float) -> None:
        """Kill the worker if its current page takes longer than `timeout` seconds."""
        phase, begun, _ = self.shared.look()
        if not self.jobs or phase is Phase.IDLE:
            return
        if begun != self.begun:
            self.begin(timeout, begun)
        self.kill_if_hung(time.monotonic())


class WorkerPool:
    """At most `size` workers that take jobs and return batches.

    A page may take `timeout` seconds, up to ten times as long while other processes use the cores (on Linux). A context
    manager: leaving it ends the processes.
    """

    def __init__(self, plan: Plan, size: int, timeout: float) -> None:
        self._size = size
        self._timeout = timeout
        self._factory = WorkerFactory("newscrawl-ingest", plan.memory, serve, plan)
        self._workers: list[_SpanWorker] = []
        self._idle_deaths = Restarts(MAX_IDLE_DEATHS)

    def __enter__(self) -> Self:
        prepare(FOR_INGESTS)
        return self

    def __exit__(self, *_: object) -> None:
        self._factory.close()
        for worker in self._workers:
            worker.close()
        self._workers.clear()

    def idle(self) -> bool:
        """Returns whether another job can be given to a worker now."""
        return sum(bool(worker.jobs) for worker in self._workers) < self._size

    def busy(self) -> bool:
        """Returns whether any worker has a job."""
        return any(worker.jobs for worker in self._workers)

    def give(self, job: SpanJob) -> None:
        """Gives a job to an idle worker; starts one if necessary."""
        worker = next((worker for worker in self._workers if not worker.jobs), None)
        if worker is None:
            cells = multiprocessing.get_context("forkserver").RawArray("d", 4)
            worker = _SpanWorker(self._factory.start(cells), Shared(cells))
            self._workers.append(worker)
        worker.give(job)

    def answers(self) -> Iterator[tuple[SpanJob, Batch]]:
        """Yields the batches that workers finished since the last call; waits a moment if there are none."""
        busy = {worker.child.pipe: worker for worker in self._workers if worker.jobs}
        for pipe in wait(list(busy), LOOK_SECONDS):
            worker = busy[pipe]  # type: ignore[index]
            try:
                batch: Batch = worker.child.pipe.recv()
            except (EOFError, OSError):
                self._replace(worker)
                continue
            job, worker.reached = worker.jobs.popleft(), batch.reached
            if not batch.finished:
                left = None if job.limit is None else job.limit - len(batch.pages)
                worker.jobs.append(replace(job, limit=left))
            elif worker.given >= JOBS_PER_WORKER:
                self._remove(worker)
            yield job, batch
        for worker in self._workers:
            worker.look(self._timeout)

    def state(self) -> str:
        """Returns nothing: the workers of this machine are always there."""
        return ""

    def _replace(self, worker: _SpanWorker) -> None:
        """Gives the job to another worker, without the page that killed this one."""
        failure = lost_page(worker.ended())
        phase, _, place = worker.shared.look()
        job, reached = worker.jobs.popleft(), worker.reached
        self._remove(worker)
        span = replace(job.span, start=reached, known=job.span.known or reached != job.span.start)
        if phase is Phase.IDLE:
            self._idle_deaths.count(failure.reason)
            if self._idle_deaths.are_too_many:
                raise WorkerDied("workers cannot be kept running: find out what kills them (memory?)")
        else:
            logger.warning("%s: %s, at record %d of byte %d", job.span.path, failure.reason, place.number, place.offset)
        if phase is Phase.EXTRACTING:
            job = replace(job, poisoned={**job.poisoned, place: failure})
        elif phase is Phase.READING:
            job = replace(job, unreadable=job.unreadable | {place})
        self.give(replace(job, span=span))

    def _remove(self, worker: _SpanWorker) -> None:
        """Ends a worker that has no job."""
        self._workers.remove(worker)
        worker.close()
        worker.child.process.join()
