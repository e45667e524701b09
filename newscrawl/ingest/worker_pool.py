"""The worker processes of an ingest, watched over: one that hangs or dies costs the page it was at."""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from multiprocessing import connection
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from typing import Final, Self

from newscrawl.archive.warc import Place
from newscrawl.errors import ExtractionTimeout, WorkerDied
from newscrawl.ingest.worker import Batch, Job, Phase, Plan, Shared, serve
from newscrawl.model import Failure
from newscrawl.processes.forkserver import FOR_INGESTS, prepare

logger = logging.getLogger(__name__)

LOOK_SECONDS: Final = 0.25
"""How often hanging workers are looked for."""
JOBS_PER_WORKER: Final = 50
"""A worker is replaced after so many jobs (some 10,000 pages), so that no leak of a native library grows for ever."""
MAX_IDLE_DEATHS: Final = 5
"""Workers that may die before they have begun a page; then something kills them all."""


@dataclass
class Worker:
    """A process, the pipe to it, and the job it has."""

    process: BaseProcess
    pipe: connection.Connection
    shared: Shared
    job: Job | None = None
    reached: Place | None = None
    jobs: int = 0
    dead: Failure | None = None
    """Set when we killed it."""


@dataclass
class WorkerPool:
    """Worker processes that take jobs and give batches. Use as a context manager: leaving it ends the processes."""

    plan: Plan
    size: int
    timeout: float
    workers: list[Worker] = field(default_factory=list)
    idle_deaths: int = 0
    _context: ForkServerContext = field(default_factory=lambda: multiprocessing.get_context("forkserver"))

    def __enter__(self) -> Self:
        prepare(FOR_INGESTS)
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.workers:
            worker.process.kill()
        for worker in self.workers:
            self._discard(worker)
        self.workers.clear()

    def idle(self) -> bool:
        """Whether another job can be given now."""
        return sum(worker.job is not None for worker in self.workers) < self.size

    def busy(self) -> bool:
        """Whether any job is being worked on."""
        return any(worker.job is not None for worker in self.workers)

    def give(self, job: Job) -> None:
        """Give a job to a worker that has none; starts one if need be."""
        worker = next((worker for worker in self.workers if worker.job is None), None)
        if worker is None:
            worker = self._start()
        worker.job, worker.reached = job, job.span.start
        worker.jobs += 1
        with contextlib.suppress(OSError):  # it died meanwhile: `answers` finds that out
            worker.pipe.send(job)

    def answers(self) -> Iterator[tuple[Job, Batch]]:
        """What the workers have finished since the last call; waits a moment if that is nothing."""
        busy = {worker.pipe: worker for worker in self.workers if worker.job is not None}
        for pipe in connection.wait(list(busy), LOOK_SECONDS):
            worker = busy[pipe]  # type: ignore[index]
            try:
                batch: Batch = worker.pipe.recv()
            except (EOFError, OSError):
                self._replace(worker)
                continue
            if worker.job is None:
                continue
            job, worker.reached = worker.job, batch.reached
            if job.limit is not None:
                worker.job = replace(job, limit=job.limit - len(batch.pages))
            if batch.finished:
                worker.job = None
                if worker.jobs >= JOBS_PER_WORKER:
                    self._dismiss(worker)
            yield job, batch
        self._kill_hanging()

    def _start(self) -> Worker:
        ours, theirs = self._context.Pipe()
        cells = self._context.RawArray("d", 4)
        arguments = (theirs, cells, self.plan)
        process = self._context.Process(target=serve, args=arguments, name="newscrawl-ingest", daemon=True)
        process.start()
        theirs.close()
        worker = Worker(process, ours, Shared(cells))
        self.workers.append(worker)
        return worker

    def _kill_hanging(self) -> None:
        now = time.monotonic()
        for worker in self.workers:
            phase, began, _ = worker.shared.look()
            if worker.job is not None and phase is not Phase.IDLE and now - began > self.timeout and not worker.dead:
                worker.dead = Failure(ExtractionTimeout.kind, f"no result within {self.timeout:g} seconds")
                worker.process.kill()

    def _replace(self, worker: Worker) -> None:
        """Goes on, with another worker, after the page that this one did not survive."""
        worker.process.join()
        phase, _, place = worker.shared.look()
        code = worker.process.exitcode
        failure = worker.dead or Failure(WorkerDied.kind, f"the worker process died with exit code {code}")
        job, reached = worker.job, worker.reached
        self._discard(worker)
        self.workers.remove(worker)
        if job is None or reached is None:
            return
        span = replace(job.span, start=reached, known=job.span.known or reached != job.span.start)
        poisoned, unreadable = dict(job.poisoned), job.unreadable
        if phase is Phase.IDLE:
            self.idle_deaths += 1
            if self.idle_deaths > MAX_IDLE_DEATHS:
                raise WorkerDied("workers cannot be kept alive: look for what kills them (memory?)")
        else:
            logger.warning("%s: %s, at record %d of byte %d", job.span.path, failure.reason, place.number, place.offset)
            if phase is Phase.EXTRACTING:
                poisoned[place] = failure
            else:
                unreadable |= {place}
        self.give(Job(span, poisoned, unreadable, job.limit))

    def _dismiss(self, worker: Worker) -> None:
        with contextlib.suppress(OSError):
            worker.pipe.send(None)
        self.workers.remove(worker)
        self._discard(worker)

    @staticmethod
    def _discard(worker: Worker) -> None:
        worker.process.join()
        worker.pipe.close()
