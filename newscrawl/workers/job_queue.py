"""Workers of one kind and the jobs that wait for them: a job that hangs or kills its worker costs that job alone.

The event loop talks to the workers itself (`pipe_transport`), without threads. A worker may be given its next job while
it works on one, so that it never waits for the event loop; what it has not begun goes to another when it dies.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
from collections import deque
from collections.abc import Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from newscrawl.errors import WorkerDied
from newscrawl.processes.forkserver import FOR_CRAWLS, Child, prepare
from newscrawl.processes.supervisor import Restarts, Worker, WorkerFactory
from newscrawl.workers.extraction_worker import NICE
from newscrawl.workers.pipe_transport import PipeTransport

logger = logging.getLogger(__name__)

JOBS_PER_WORKER: Final = 5_000
"""A worker is replaced after so many jobs, so that no leak of a native library can grow for ever."""

MAX_RENEWALS: Final = 5
RENEWAL_SECONDS: Final = 3_600.0
"""The process that workers are forked from may die so often in so long before the crawl is given up; one that runs for
months may see it more often."""
ONE_DEATH_SECONDS: Final = 10.0
"""Workers that are orphaned, or cannot be started, within so long have lost the same parent. On a busy machine a killed
process was seen to take seconds to be gone; MAX_RENEWALS times so long without workers is the end."""
PAUSE_SECONDS: Final = 0.25
"""Between a start that failed and the next try: a process that was killed takes a moment to be gone, and is not started
again before (CPython's forkserver asks only whether it still is there)."""


@dataclass(eq=False, slots=True)
class Job:
    """What a worker gets, pickled, and who waits for what becomes of it."""

    request: Any
    subject: str
    timeout: float
    result: asyncio.Future[Any]

    def settle(self, answer: Any) -> None:
        """Answer the caller, if it still waits."""
        if not self.result.done():
            self.result.set_result(answer)


class _LinkedWorker(Worker[Job]):
    """A worker of a lane, which the event loop talks to."""

    def __init__(self, child: Child, lane: Lane) -> None:
        super().__init__(child)
        self._alarm: asyncio.TimerHandle | None = None
        self._link = PipeTransport(child.pipe, partial(lane.answered, self), partial(lane.lost, self))

    def give(self, job: Job) -> None:
        """One more job."""
        self.jobs.append(job)
        self.given += 1
        if len(self.jobs) == 1:
            self.watch()
        self._link.send(pickle.dumps(job.request, pickle.HIGHEST_PROTOCOL))

    def watch(self) -> None:
        """The seconds of its first job begin. One alarm serves for many jobs: when it goes off, it is set again."""
        loop = asyncio.get_running_loop()
        self.begin(self.jobs[0].timeout, loop.time())
        if self._alarm is None:
            self._alarm = loop.call_at(self.begun + self.jobs[0].timeout, self._look)

    def close(self) -> None:
        """As of every worker; nothing is called any more."""
        if self._alarm is not None:
            self._alarm.cancel()
        self._link.close()
        super().close()

    def _look(self) -> None:
        loop = asyncio.get_running_loop()
        self._alarm = None
        if self.jobs and (left := self.kill_if_hung(loop.time())) > 0:
            self._alarm = loop.call_later(left, self._look)


class Lane:
    """Up to `size` workers that start with the first jobs; each has `at_once` jobs, the one it works on among them.
    `nice` is their priority. With `keeps`, a worker that has nothing to do stays. Used in one event loop."""

    def __init__(
        self,
        factory: WorkerFactory,
        restarts: Restarts,
        *,
        size: int = 1,
        at_once: int = 1,
        nice: int = NICE,
        keeps: bool = True,
    ) -> None:
        self._factory = factory
        self._restarts = restarts
        self._size = size
        self._at_once = at_once
        self._nice = nice
        self._keeps = keeps
        self._waiting: deque[Job] = deque()
        self._workers: list[_LinkedWorker] = []
        self._starting = 0
        self._tasks: set[asyncio.Task[None]] = set()

    async def answer(self, request: Any, subject: str, seconds: float) -> Any:
        """What a worker answers, or how it ended. `subject` is for the log; a worker that takes so many seconds is
        taken to hang. Raises WorkerDied when there is no way to have workers at all."""
        job = Job(request, subject, seconds, asyncio.get_running_loop().create_future())
        self._waiting.append(job)
        self._hand_out()
        return await job.result

    def give_up(self, *, cancel: bool) -> None:
        """Leaves all workers and jobs, which belong to an event loop that may be closed; if not, who waits is told."""
        jobs = [*self._waiting, *(job for worker in self._workers for job in worker.jobs)]
        for worker in self._workers:
            worker.close()
        self._workers.clear()
        self._waiting.clear()
        self._starting = 0
        if cancel:
            for job in jobs:
                job.result.cancel()

    def _hand_out(self) -> None:
        """Gives waiting jobs to the workers that have fewest; starts another while all are busy."""
        while self._waiting:
            if self._restarts.are_too_many:  # a new error for each: one that is raised again grows its traceback
                job, reason = self._waiting.popleft(), self._restarts.reason
                if not job.result.done():
                    error = WorkerDied(f"workers cannot be kept alive, {reason}: look for what kills them")
                    job.result.set_exception(error)
                continue
            worker = min(self._workers, key=lambda one: len(one.jobs), default=None)
            if worker is None or worker.jobs:
                room = self._size - len(self._workers) - self._starting
                for _ in range(min(room, len(self._waiting) - self._starting)):
                    self._starting += 1
                    self._run(self._add_worker())
            if worker is None or len(worker.jobs) >= (1 if self._starting else self._at_once):
                return
            job = self._waiting.popleft()
            if not job.result.done():
                worker.give(job)

    async def _add_worker(self) -> None:
        prepare(FOR_CRAWLS)
        try:
            child = await asyncio.to_thread(self._factory.start, nice=self._nice)
        except (OSError, EOFError) as error:
            self._count_loss(f"none can be started: {error}")
            await asyncio.sleep(PAUSE_SECONDS)
        else:
            self._workers.append(_LinkedWorker(child, self))
        self._starting -= 1
        self._hand_out()

    def _count_loss(self, reason: str) -> None:
        if self._restarts.count(reason, ONE_DEATH_SECONDS):
            logger.error("the extraction workers are gone (%s): starting new ones", reason)

    def answered(self, worker: _LinkedWorker, message: bytes) -> None:
        """A worker has done its first job."""
        answer = pickle.loads(message)  # noqa: S301  from a worker of ours
        job = worker.jobs.popleft()
        if worker.jobs:
            worker.watch()
        if answer.defect:
            logger.error("extraction of %s failed\n%s", job.subject, answer.defect)
        job.settle(answer)
        if worker.given >= JOBS_PER_WORKER or not (self._keeps or worker.jobs or self._waiting):
            self._retire(worker)
        self._hand_out()

    def _retire(self, worker: _LinkedWorker) -> None:
        """Takes the job it has not begun back from a worker that has done enough."""
        self._workers.remove(worker)
        self._waiting.extendleft(reversed(worker.jobs))
        worker.close()

    def lost(self, worker: _LinkedWorker) -> None:
        """A worker is gone."""
        self._workers.remove(worker)
        worker.close()
        self._run(self._bury(worker))

    async def _bury(self, worker: _LinkedWorker) -> None:
        """Settle the first job of a worker that is gone, which was its end, and try the others again."""
        ended = await asyncio.to_thread(worker.ended)
        if ended.how == "orphaned":
            self._count_loss("the process they are forked from was killed")
        elif worker.jobs:
            worker.jobs.popleft().settle(ended)
        self._waiting.extendleft(reversed(worker.jobs))
        self._hand_out()

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
