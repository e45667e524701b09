"""A queue of jobs and its workers of one kind. If a job hangs or kills its worker, only that job is lost.

The event loop itself talks to the workers (`pipe_transport`), without threads. A worker may get its next job while it
works on one, so that it never waits for the event loop. When it dies, jobs that it has not begun go to another worker.
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
from newscrawl.logs.json_lines import about
from newscrawl.processes.forkserver import FOR_CRAWLS, Child, prepare
from newscrawl.processes.supervisor import Restarts, Worker, WorkerFactory
from newscrawl.workers.pipe_transport import PipeTransport

logger = logging.getLogger(__name__)

JOBS_PER_WORKER: Final = 5_000
"""Jobs after which a worker is replaced, so that a leak in a native library cannot grow endlessly."""

MAX_RENEWALS: Final = 5
RENEWAL_SECONDS: Final = 3_600.0
"""The crawl is given up when the process that workers are forked from dies more than MAX_RENEWALS times in this time. A
crawl that runs for months may survive more deaths."""
ONE_DEATH_SECONDS: Final = 10.0
"""Losses of workers within this time have one cause, such as the death of their common parent. On a busy machine a
killed process took seconds to end. After MAX_RENEWALS times this long without workers the crawl is given up."""
PAUSE_SECONDS: Final = 0.25
"""Pause after a failed start. A killed process takes a moment to end, and until then CPython's forkserver, which only
asks whether it exists, does not start it again."""


@dataclass(eq=False, slots=True)
class Job:
    """A request for a worker, and the caller that waits for the result."""

    request: Any
    subject: str
    timeout: float
    result: asyncio.Future[Any]

    def resolve(self, answer: Any) -> None:
        """Gives the caller its answer, if it still waits."""
        if not self.result.done():
            self.result.set_result(answer)


class _LinkedWorker(Worker[Job]):
    """A worker of a queue. The event loop talks to it."""

    def __init__(self, child: Child, queue: JobQueue) -> None:
        super().__init__(child)
        self._alarm: asyncio.TimerHandle | None = None
        self._link = PipeTransport(child.pipe, partial(queue.answered, self), partial(queue.lost, self))

    def give(self, job: Job) -> None:
        """Sends one more job."""
        self.jobs.append(job)
        self.given += 1
        if len(self.jobs) == 1:
            self.watch()
        self._link.send(pickle.dumps(job.request, pickle.HIGHEST_PROTOCOL))

    def watch(self) -> None:
        """Starts the time-out of the first job. One timer serves many jobs: when it fires, it is set again."""
        loop = asyncio.get_running_loop()
        self.begin(self.jobs[0].timeout, loop.time())
        if self._alarm is None:
            self._alarm = loop.call_at(self.begun + self.jobs[0].timeout, self._check)

    def close(self) -> None:
        """Closes the worker as `Worker.close` does. No callback is called any more."""
        if self._alarm is not None:
            self._alarm.cancel()
        self._link.close()
        super().close()

    def _check(self) -> None:
        loop = asyncio.get_running_loop()
        self._alarm = None
        if self.jobs and (left := self.kill_if_hung(loop.time())) > 0:
            self._alarm = loop.call_later(left, self._check)


class JobQueue:
    """Up to `size` workers, which start with the first jobs. Each has up to `at_once` jobs, including the one it works
    on. With `keeps`, idle workers stay. A queue belongs to one event loop."""

    def __init__(
        self,
        factory: WorkerFactory,
        restarts: Restarts,
        *,
        size: int = 1,
        at_once: int = 1,
        keeps: bool = True,
    ) -> None:
        self._factory = factory
        self._restarts = restarts
        self._size = size
        self._at_once = at_once
        self._keeps = keeps
        self._waiting: deque[Job] = deque()
        self._workers: list[_LinkedWorker] = []
        self._starting = 0
        self._tasks: set[asyncio.Task[None]] = set()

    async def answer(self, request: Any, subject: str, seconds: float) -> Any:
        """Returns a worker's answer, or how the worker ended. `subject` is for the log. A worker that takes more than
        `seconds` counts as hung. Raises WorkerDied if no workers can be started at all."""
        job = Job(request, subject, seconds, asyncio.get_running_loop().create_future())
        self._waiting.append(job)
        self._hand_out()
        return await job.result

    def give_up(self, *, cancel: bool) -> None:
        """Drops all workers and jobs. With `cancel` the callers are cancelled; without, their event loop is closed."""
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
        """Gives waiting jobs to the workers with the fewest jobs. Starts further workers while all are busy."""
        while self._waiting:
            if (
                self._restarts.are_too_many
            ):  # a new error for each caller: an error that is raised again grows its traceback
                job, reason = self._waiting.popleft(), self._restarts.reason
                if not job.result.done():
                    error = WorkerDied(f"workers cannot be kept running, {reason}: find out what kills them")
                    job.result.set_exception(error)
                continue
            worker = min(self._workers, key=lambda worker: len(worker.jobs), default=None)
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
            child = await asyncio.to_thread(self._factory.start)
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
        """Handles the answer to a worker's first job."""
        answer = pickle.loads(message)  # noqa: S301  from a worker of ours
        job = worker.jobs.popleft()
        if worker.jobs:
            worker.watch()
        if answer.defect:
            logger.error("extraction of %s failed\n%s", job.subject, answer.defect, extra=about(url=job.subject))
        job.resolve(answer)
        if worker.given >= JOBS_PER_WORKER or not (self._keeps or worker.jobs or self._waiting):
            self._retire(worker)
        self._hand_out()

    def _retire(self, worker: _LinkedWorker) -> None:
        """Ends a worker that has had enough jobs, and takes the job back that it has not begun."""
        self._workers.remove(worker)
        self._waiting.extendleft(reversed(worker.jobs))
        worker.close()

    def lost(self, worker: _LinkedWorker) -> None:
        """Handles the end of a worker."""
        self._workers.remove(worker)
        worker.close()
        self._run(self._bury(worker))

    async def _bury(self, worker: _LinkedWorker) -> None:
        """Answers the first job of a worker that ended, because that job ended it, and queues its other jobs again."""
        ended = await asyncio.to_thread(worker.ended)
        if ended.how == "orphaned":
            self._count_loss("the process they are forked from was killed")
        elif worker.jobs:
            worker.jobs.popleft().resolve(ended)
        self._waiting.extendleft(reversed(worker.jobs))
        self._hand_out()

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
