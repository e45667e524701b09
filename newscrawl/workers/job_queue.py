"""Workers of one kind and the jobs that wait for them: a job that hangs or kills its worker costs that job alone.

The event loop talks to the workers itself (link.py), without threads. A worker may be given its next job while it works
on one, so that it never waits for the event loop; what it has not begun goes to another when it dies.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import signal
import time
from collections import deque
from collections.abc import Coroutine
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.process import BaseProcess
from typing import Any, Final, Literal

from newscrawl.errors import WorkerDied
from newscrawl.processes.forkserver import FOR_CRAWLS, prepare
from newscrawl.workers.cpu_wait import RunQueueWait
from newscrawl.workers.extraction_worker import NICE, WorkerFactory
from newscrawl.workers.pipe_transport import Link

logger = logging.getLogger(__name__)

JOBS_PER_WORKER: Final = 5_000
"""A worker is replaced after so many jobs, so that no leak of a native library can grow for ever."""

MOST_STARVED: Final = 9
"""A job's worker may wait for a core so many times as long as the job may take, or else one that hangs would be in
the way of all others for as long as the machine is busy."""

ORPHANED: Final = 255
"""Exit code of a worker whose true one nobody knows: the process it was forked from is gone, most often with it."""
MAX_RENEWALS: Final = 5
RENEWAL_SECONDS: Final = 3_600.0
"""So often may that process die in so long before the crawl is given up; one that runs for months may see it more."""
ONE_DEATH_SECONDS: Final = 10.0
"""Workers that are orphaned, or cannot be started, within so long have lost the same parent. On a busy machine a killed
process was seen to take seconds to be gone; MAX_RENEWALS times so long without workers is the end."""
PAUSE_SECONDS: Final = 0.25
"""Between a start that failed and the next try: a process that was killed takes a moment to be gone, and is not started
again before (CPython's forkserver asks only whether it still is there)."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a worker's end ended its job: no answer in time, a death, or more CPU time than the job may take."""

    how: Literal["hung", "died", "spent"]
    reason: str


@dataclass(eq=False, slots=True)
class Job:
    """What a worker gets, pickled; its answer, or how it ended, goes to who waits. `subject` is for the log."""

    request: Any
    subject: str
    timeout: float
    """Seconds until the worker is taken to hang."""
    result: asyncio.Future[Any]

    def settle(self, answer: Any) -> None:
        """Answers who waits, if somebody still does."""
        if not self.result.done():
            self.result.set_result(answer)


@dataclass(eq=False, slots=True)
class _Worker:
    """A process and the jobs it has; it works on the first."""

    process: BaseProcess
    link: Link | None = None
    jobs: deque[Job] = field(default_factory=deque)
    given: int = 0
    timeout: float = 0.0
    """Seconds that its first job has."""
    deadline: float = 0.0
    """When that one has had them, by the event loop's clock, if it never waits for a core."""
    starving: RunQueueWait = field(init=False)
    starved: float = 0.0
    """What `starving` said when its first job began."""
    alarm: asyncio.TimerHandle | None = None
    is_hung: bool = False

    def __post_init__(self) -> None:
        self.starving = RunQueueWait(self.process.pid or 0)

    def give(self, job: Job) -> None:
        """One more job."""
        self.jobs.append(job)
        self.given += 1
        if len(self.jobs) == 1:
            self.watch()
        if self.link is not None:
            self.link.send(pickle.dumps(job.request, pickle.HIGHEST_PROTOCOL))

    def watch(self) -> None:
        """The seconds of its first job begin. One alarm serves for many jobs: when it goes off, it is set again."""
        loop = asyncio.get_running_loop()
        self.timeout = self.jobs[0].timeout
        self.deadline = loop.time() + self.timeout
        self.starved = self.starving.seconds()
        if self.alarm is None:
            self.alarm = loop.call_at(self.deadline, self._look)

    def leave(self) -> None:
        """It gets no more jobs, and ends by itself."""
        if self.alarm is not None:
            self.alarm.cancel()
        if self.link is not None:
            self.link.close()
        self.starving.close()

    def _look(self) -> None:
        loop = asyncio.get_running_loop()
        self.alarm = None
        if not self.jobs:
            return
        until = self.deadline + min(self.starving.seconds() - self.starved, MOST_STARVED * self.timeout)
        if loop.time() < until:
            self.alarm = loop.call_at(until, self._look)
        else:
            self.is_hung = True
            self.process.kill()


class Renewals:
    """Counts how often the process died that all workers are forked from (killed by the kernel's out-of-memory killer,
    say): a crawl goes on after that, unless it happens again and again."""

    def __init__(self) -> None:
        self.end = ""
        """Why there is no way to have workers any more."""
        self._at: list[float] = []

    def count(self, reason: str) -> None:
        """It died."""
        now = time.monotonic()
        if self._at and now - self._at[-1] < ONE_DEATH_SECONDS:
            return
        logger.error("the extraction workers are gone (%s): starting new ones", reason)
        self._at = [*(at for at in self._at if now - at < RENEWAL_SECONDS), now]
        if len(self._at) > MAX_RENEWALS:
            self.end = f"workers cannot be kept alive, {reason}: look for what kills them"


class Lane:
    """Up to `size` workers that start with the first jobs; each has `at_once` jobs, the one it works on among them.
    `nice` is their priority. With `keeps`, a worker that has nothing to do stays. Used in one event loop."""

    def __init__(
        self,
        nursery: WorkerFactory,
        renewals: Renewals,
        *,
        size: int = 1,
        at_once: int = 1,
        nice: int = NICE,
        keeps: bool = True,
    ) -> None:
        self._nursery = nursery
        self._renewals = renewals
        self._size = size
        self._at_once = at_once
        self._nice = nice
        self._keeps = keeps
        self._waiting: deque[Job] = deque()
        self._workers: list[_Worker] = []
        self._starting = 0
        self._tasks: set[asyncio.Task[None]] = set()

    def put(self, job: Job) -> None:
        """The job is done after those that wait already."""
        self._waiting.append(job)
        self._hand_out()

    def give_up(self, *, cancel: bool) -> None:
        """Leaves all workers and jobs, which belong to an event loop that may be closed; if not, who waits is told."""
        jobs = [*self._waiting, *(job for worker in self._workers for job in worker.jobs)]
        for worker in self._workers:
            worker.leave()
        self._workers.clear()
        self._waiting.clear()
        self._starting = 0
        if cancel:
            for job in jobs:
                job.result.cancel()

    def _hand_out(self) -> None:
        """Gives waiting jobs to the workers that have fewest; starts another while all are busy."""
        while self._waiting:
            if self._renewals.end:  # a new error for each: one that is raised again and again grows its traceback
                job = self._waiting.popleft()
                if not job.result.done():
                    job.result.set_exception(WorkerDied(self._renewals.end))
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
            process, pipe = await asyncio.to_thread(self._nursery.start, self._nice)
        except (OSError, EOFError) as error:
            self._renewals.count(f"none can be started: {error}")
            await asyncio.sleep(PAUSE_SECONDS)
        else:
            worker = _Worker(process)
            worker.link = Link(pipe, partial(self._answered, worker), partial(self._lost, worker))
            self._workers.append(worker)
        self._starting -= 1
        self._hand_out()

    def _answered(self, worker: _Worker, message: bytes) -> None:
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

    def _retire(self, worker: _Worker) -> None:
        """Takes the job it has not begun back from a worker that has done enough."""
        self._workers.remove(worker)
        self._waiting.extendleft(reversed(worker.jobs))
        worker.leave()

    def _lost(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        worker.leave()
        self._run(self._bury(worker))

    async def _bury(self, worker: _Worker) -> None:
        """What becomes of the jobs of a worker that is gone: the first was its end, the others are tried again."""
        await asyncio.to_thread(worker.process.join)
        code = worker.process.exitcode
        if worker.is_hung:
            self._end(worker.jobs, Ended("hung", f"no result within {worker.timeout:g} seconds"))
        elif code == -signal.SIGPROF:
            self._end(worker.jobs, Ended("spent", "more CPU time than it may take"))
        elif code != ORPHANED:
            self._end(worker.jobs, Ended("died", f"the worker process died with exit code {code}"))
        else:
            self._renewals.count("the process they are forked from was killed")
        self._waiting.extendleft(reversed(worker.jobs))
        self._hand_out()

    @staticmethod
    def _end(jobs: deque[Job], how: Ended) -> None:
        if jobs:
            jobs.popleft().settle(how)

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
