"""Extraction in worker processes: a page that hangs, eats memory or kills its worker costs that page alone.

The event loop talks to the workers itself (link.py), without threads. A worker is given its next page while it works
on one, so that it never waits for the event loop; what it has not begun goes to another when it dies.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import time
from collections import deque
from collections.abc import Coroutine
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing.process import BaseProcess
from typing import Any, Final

from newscrawl.article import ArticleOptions, make_article
from newscrawl.crawling.link import Link
from newscrawl.crawling.starving import Starving
from newscrawl.crawling.worker import Answer, Nursery, Work
from newscrawl.errors import ConfigurationError, ExtractionTimeout, WorkerDied
from newscrawl.forking import FOR_CRAWLS, prepare
from newscrawl.model import Failure, ProcessedPage, RawPage

logger = logging.getLogger(__name__)

MEGABYTE: Final = 1 << 20

PAGES_PER_WORKER: Final = 5_000
"""A worker is replaced after so many pages, so that no leak of a native library can grow for ever."""

PAGES_AT_ONCE: Final = 2
"""Pages a worker has: the one it works on and the next."""

MOST_STARVED: Final = 9
"""A page's worker may wait for a core so many times as long as the page may take, or else one that hangs would be in
the way of all others for as long as the machine is busy."""

LEAST_MEMORY_MB: Final = 512
"""Address space that a worker needs for itself: Python, lxml, numpy and the language model."""

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


@dataclass(eq=False, slots=True)
class _Job:
    raw: RawPage
    chain: str | None
    page: asyncio.Future[ProcessedPage]

    def settle(self, answer: Answer) -> None:
        """Answers who waits, if somebody still does."""
        if not self.page.done():
            self.page.set_result(answer.of(self.raw))


@dataclass(eq=False, slots=True)
class _Worker:
    """A process and the pages it has; it works on the first."""

    process: BaseProcess
    link: Link | None = None
    jobs: deque[_Job] = field(default_factory=deque)
    given: int = 0
    timeout: float = 0.0
    """Seconds that its first page has."""
    deadline: float = 0.0
    """When that one has had them, by the event loop's clock, if it never waits for a core."""
    starving: Starving = field(init=False)
    starved: float = 0.0
    """What `starving` said when its first page began."""
    alarm: asyncio.TimerHandle | None = None
    is_hung: bool = False

    def __post_init__(self) -> None:
        self.starving = Starving(self.process.pid or 0)

    def give(self, job: _Job, timeout: float) -> None:
        """One more page."""
        self.jobs.append(job)
        self.given += 1
        if len(self.jobs) == 1:
            self.watch(timeout)
        if self.link is not None:
            self.link.send(pickle.dumps((job.raw, job.chain), pickle.HIGHEST_PROTOCOL))

    def watch(self, timeout: float) -> None:
        """The seconds of its first page begin. One alarm serves for many pages: when it goes off, it is set again."""
        loop = asyncio.get_running_loop()
        self.timeout, self.deadline = timeout, loop.time() + timeout
        self.starved = self.starving.seconds()
        if self.alarm is None:
            self.alarm = loop.call_at(self.deadline, self._look)

    def leave(self) -> None:
        """It gets no more pages, and ends by itself."""
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


class ExtractionPool:
    """Worker processes that turn raw pages into articles.

    `workers` processes start with the first pages; each page has `timeout` seconds (up to ten times as long if others
    have the cores meanwhile, on Linux), and each worker `memory_mb` of address space. `work` is what a worker does with
    a page (a module-level function).
    """

    def __init__(
        self,
        options: ArticleOptions,
        *,
        workers: int = 1,
        timeout: float = 20.0,
        memory_mb: int = 2048,
        work: Work = make_article,
    ) -> None:
        if workers < 1:
            raise ConfigurationError("NEWSCRAWL_EXTRACT_WORKERS", f"{workers} is too few: give 1 or more")
        if timeout <= 0:
            raise ConfigurationError("NEWSCRAWL_EXTRACT_TIMEOUT", f"{timeout} is too short: give seconds above 0")
        if memory_mb < LEAST_MEMORY_MB:
            raise ConfigurationError(
                "NEWSCRAWL_EXTRACT_MEMORY_MB",
                f"{memory_mb} MB is too little for a worker: give {LEAST_MEMORY_MB} or more",
            )
        options.resolve()
        self._options = options
        self._timeout = timeout
        self._size = workers
        self._nursery = Nursery(work, options, memory_mb * MEGABYTE)
        self._waiting: deque[_Job] = deque()
        self._workers: list[_Worker] = []
        self._starting = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._renewals: list[float] = []
        self._end = ""
        """Why there is no way to have workers any more."""
        self._loop: asyncio.AbstractEventLoop | None = None
        prepare(FOR_CRAWLS)  # takes a second, in which the crawl asks for its first pages

    def options_with(self, chain: str) -> ArticleOptions:
        """How pages are extracted, but with another chain."""
        return replace(self._options, chain=chain)

    async def extract(self, raw: RawPage, chain: str | None = None) -> ProcessedPage:
        """The page's article, or the failure that stands for what its worker did not survive; by another chain than
        usual if one is named.

        Raises WorkerDied when there is no way to have workers at all: the crawl cannot go on.
        """
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            self._give_up()
            self._loop = loop
        job = _Job(raw, chain, loop.create_future())
        self._waiting.append(job)
        self._hand_out()
        return await job.page

    def close(self) -> None:
        """Stop the workers; pages still in them are given up. Blocks until the processes are gone."""
        self._give_up()
        self._nursery.close()

    def _give_up(self) -> None:
        """Leaves all workers and pages, which belong to an event loop that may be closed."""
        jobs = [*self._waiting, *(job for worker in self._workers for job in worker.jobs)]
        for worker in self._workers:
            worker.leave()
        self._workers.clear()
        self._waiting.clear()
        self._starting = 0
        if self._loop is not None and not self._loop.is_closed():
            for job in jobs:
                job.page.cancel()

    def _hand_out(self) -> None:
        """Gives waiting pages to the workers that have fewest; starts another while all are busy."""
        while self._waiting:
            if self._end:  # a new error for each: one that is raised again and again grows its traceback
                self._waiting.popleft().page.set_exception(WorkerDied(self._end))
                continue
            worker = min(self._workers, key=lambda one: len(one.jobs), default=None)
            if worker is None or worker.jobs:
                room = self._size - len(self._workers) - self._starting
                for _ in range(min(room, len(self._waiting) - self._starting)):
                    self._starting += 1
                    self._run(self._add_worker())
            if worker is None or len(worker.jobs) >= (1 if self._starting else PAGES_AT_ONCE):
                return
            job = self._waiting.popleft()
            if not job.page.done():
                worker.give(job, self._timeout)

    async def _add_worker(self) -> None:
        prepare(FOR_CRAWLS)
        try:
            process, pipe = await asyncio.to_thread(self._nursery.start)
        except (OSError, EOFError) as error:
            self._count_death(f"none can be started: {error}")
            await asyncio.sleep(PAUSE_SECONDS)
        else:
            worker = _Worker(process)
            worker.link = Link(pipe, partial(self._answered, worker), partial(self._lost, worker))
            self._workers.append(worker)
        self._starting -= 1
        self._hand_out()

    def _answered(self, worker: _Worker, message: bytes) -> None:
        answer: Answer = pickle.loads(message)  # noqa: S301  from a worker of ours
        job = worker.jobs.popleft()
        if worker.jobs:
            worker.watch(self._timeout)
        if answer.defect:
            logger.error("extraction of %s failed\n%s", job.raw.final_url, answer.defect)
        job.settle(answer)
        if worker.given >= PAGES_PER_WORKER:
            self._retire(worker)
        self._hand_out()

    def _retire(self, worker: _Worker) -> None:
        """Takes the page it has not begun back from a worker that has done enough."""
        self._workers.remove(worker)
        self._waiting.extendleft(reversed(worker.jobs))
        worker.leave()

    def _lost(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        worker.leave()
        self._run(self._bury(worker))

    async def _bury(self, worker: _Worker) -> None:
        """What becomes of the pages of a worker that is gone: the first was its end, the others are tried again."""
        await asyncio.to_thread(worker.process.join)
        code = worker.process.exitcode
        if worker.is_hung:
            self._fail(worker.jobs, ExtractionTimeout.kind, f"no result within {self._timeout:g} seconds")
        elif code != ORPHANED:
            self._fail(worker.jobs, WorkerDied.kind, f"the worker process died with exit code {code}")
        else:
            self._count_death("the process they are forked from was killed")
        self._waiting.extendleft(reversed(worker.jobs))
        self._hand_out()

    @staticmethod
    def _fail(jobs: deque[_Job], kind: str, reason: str) -> None:
        if jobs:
            job = jobs.popleft()
            job.settle(Answer(None, Failure(kind, reason)))

    def _count_death(self, reason: str) -> None:
        """Goes on after the process that workers are forked from was killed (by the kernel's out-of-memory killer,
        say), unless that happens again and again."""
        now = time.monotonic()
        if self._renewals and now - self._renewals[-1] < ONE_DEATH_SECONDS:
            return
        logger.error("the extraction workers are gone (%s): starting new ones", reason)
        self._renewals = [*(at for at in self._renewals if now - at < RENEWAL_SECONDS), now]
        if len(self._renewals) > MAX_RENEWALS:
            self._end = f"workers cannot be kept alive, {reason}: look for what kills them"

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
