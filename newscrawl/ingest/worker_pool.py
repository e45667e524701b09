"""The worker processes of an ingest: one that hangs or dies costs the page it was at.

A worker reads for itself, so only it knows which page it is at: it says so in shared memory (`worker.Shared`). The rest
of its span goes to another worker.
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
"""How often hanging workers are looked for."""
JOBS_PER_WORKER: Final = 50
"""A worker is replaced after so many jobs (some 10,000 pages), so that no leak of a native library grows for ever."""
MAX_IDLE_DEATHS: Final = 5
"""Workers that may die before they have begun a page; then something kills them all."""


class _SpanWorker(Worker[SpanJob]):
    """A worker with one job at most, and how far it has come with it."""

    def __init__(self, child: Child, shared: Shared) -> None:
        super().__init__(child)
        self.shared = shared
        self.reached = RecordPosition(0)

    def give(self, job: SpanJob) -> None:
        """A job, for a worker that has none."""
        self.jobs.append(job)
        self.given += 1
        self.reached = job.span.start
        with contextlib.suppress(OSError):  # it died meanwhile: `answers` finds that out
            self.child.pipe.send(job)

    def look(self, timeout: float) -> None:
        """Kill it if the page it is at takes longer than it may."""
        phase, begun, _ = self.shared.look()
        if not self.jobs or phase is Phase.IDLE:
            return
        if begun != self.begun:
            self.begin(timeout, begun)
        self.kill_if_hung(time.monotonic())


class WorkerPool:
    """At most `size` workers that take jobs and give batches; a page may take `timeout` seconds, up to ten times as
    long if others have the cores meanwhile (on Linux). A context manager: leaving it ends the processes."""

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
        """Whether another job can be given now."""
        return sum(bool(worker.jobs) for worker in self._workers) < self._size

    def busy(self) -> bool:
        """Whether any job is being worked on."""
        return any(worker.jobs for worker in self._workers)

    def give(self, job: SpanJob) -> None:
        """Give a job to a worker that has none; starts one if need be."""
        worker = next((worker for worker in self._workers if not worker.jobs), None)
        if worker is None:
            cells = multiprocessing.get_context("forkserver").RawArray("d", 4)
            worker = _SpanWorker(self._factory.start(cells), Shared(cells))
            self._workers.append(worker)
        worker.give(job)

    def answers(self) -> Iterator[tuple[SpanJob, Batch]]:
        """What the workers have finished since the last call; waits a moment if that is nothing."""
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

    def _replace(self, worker: _SpanWorker) -> None:
        """Give the job to another worker, without the page that this one did not survive."""
        failure = lost_page(worker.ended())
        phase, _, place = worker.shared.look()
        job, reached = worker.jobs.popleft(), worker.reached
        self._remove(worker)
        span = replace(job.span, start=reached, known=job.span.known or reached != job.span.start)
        if phase is Phase.IDLE:
            self._idle_deaths.count(failure.reason)
            if self._idle_deaths.are_too_many:
                raise WorkerDied("workers cannot be kept alive: look for what kills them (memory?)")
        else:
            logger.warning("%s: %s, at record %d of byte %d", job.span.path, failure.reason, place.number, place.offset)
        if phase is Phase.EXTRACTING:
            job = replace(job, poisoned={**job.poisoned, place: failure})
        elif phase is Phase.READING:
            job = replace(job, unreadable=job.unreadable | {place})
        self.give(replace(job, span=span))

    def _remove(self, worker: _SpanWorker) -> None:
        """Have a worker end that has no job any more."""
        self._workers.remove(worker)
        worker.close()
        worker.child.process.join()
