"""Extraction in worker processes: a page that hangs, eats memory or kills its worker costs that page alone, and so does
a feed, a sitemap or a page of links.

Pages and sources have workers of their own, so neither waits for the other. A source that costs more than a second is
read again in a second lane, so that one site with a costly source does not keep the sources of all others waiting.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from newscrawl.article import ArticleOptions, make_article
from newscrawl.errors import ConfigurationError, ExtractionTimeout, WorkerDied
from newscrawl.model import SOURCE_DIED, SOURCE_TIMEOUT, TOO_COSTLY, Failure, ProcessedPage, RawPage
from newscrawl.processes.forkserver import FOR_CRAWLS, prepare
from newscrawl.processes.rlimits import LEAST_MEMORY_MB
from newscrawl.workers.extraction_worker import (
    COSTLY_NICE,
    SOURCE_NICE,
    Answer,
    Computation,
    Read,
    SourceAnswered,
    SourceRequest,
    Work,
    WorkerFactory,
)
from newscrawl.workers.job_queue import Ended, Job, Lane, Renewals
from newscrawl.workers.source_task import SourceRead, SourceTask, read_source

MEGABYTE: Final = 1 << 20

PAGES_AT_ONCE: Final = 2
"""Pages a worker has: the one it works on and the next."""

SOURCE_WORKERS: Final = 2
"""Workers for sources, where there are as many for pages: while one reads a costly source, the other reads all else."""

TRY_SECONDS: Final = 1.0
"""CPU time that a source has in the common lane. A feed of 100 entries takes 30 ms, a front page of 600 links 60 ms, a
news sitemap of 1,000 entries 80 ms; what needs more is most often a whole archive, or means harm."""

LEAST_SOURCE_TIMEOUT: Final = 4.0
"""A source's worker is taken to hang after so many times its CPU time at the least: it waits for nothing else."""

_KINDS: Final = {"hung": SOURCE_TIMEOUT, "died": SOURCE_DIED, "spent": TOO_COSTLY}


@dataclass(frozen=True, slots=True)
class SourceOutcome:
    """What became of a source: what was read, or why nothing was, and the CPU seconds it cost."""

    read: SourceRead | None
    failure: Failure | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Computed:
    """What a function returned, or why it returned nothing, and the CPU seconds it cost."""

    value: Any
    failure: Failure | None
    seconds: float


class ExtractionPool:
    """Worker processes that turn raw pages into articles, and sources into links.

    `workers` processes for pages start with the first pages; each page has `timeout` seconds (up to ten times as long
    if others have the cores meanwhile, on Linux), and each worker `memory_mb` of address space. `work` is what a worker
    does with a page, `reading` what it does with a source (module-level functions).
    """

    def __init__(
        self,
        options: ArticleOptions,
        *,
        workers: int = 1,
        timeout: float = 20.0,
        memory_mb: int = 2048,
        work: Work = make_article,
        reading: Read = read_source,
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
        self._nursery = WorkerFactory(work, options, memory_mb * MEGABYTE, reading)
        renewals = Renewals()
        self._pages = Lane(self._nursery, renewals, size=workers, at_once=PAGES_AT_ONCE)
        self._sources = Lane(self._nursery, renewals, size=min(workers, SOURCE_WORKERS), nice=SOURCE_NICE)
        self._costly = Lane(self._nursery, renewals, nice=COSTLY_NICE, keeps=False)
        self._loop: asyncio.AbstractEventLoop | None = None
        prepare(FOR_CRAWLS)  # takes a second, in which the crawl asks for its first pages

    @property
    def options(self) -> ArticleOptions:
        """How pages are extracted unless `extract` is told otherwise."""
        return self._options

    async def extract(self, raw: RawPage, options: ArticleOptions | None = None) -> ProcessedPage:
        """The page's article, or the failure that stands for what its worker did not survive; with other options than
        the pool's if some are given.

        Raises WorkerDied when there is no way to have workers at all: the crawl cannot go on.
        """
        job = Job((raw, options), raw.final_url, self._timeout, self._running_loop().create_future())
        self._pages.put(job)
        answer: Answer | Ended = await job.result
        if isinstance(answer, Ended):
            kind = ExtractionTimeout.kind if answer.how == "hung" else WorkerDied.kind
            answer = Answer(None, Failure(kind, answer.reason))
        return answer.of(raw)

    async def read(self, task: SourceTask, seconds: float) -> SourceOutcome:
        """What the source names, or the failure that stands for what its worker did not survive; a reading of it may
        take so many CPU seconds. Raises WorkerDied as `extract` does."""
        found = await self._within(task.url, partial(SourceRequest, task), seconds)
        return SourceOutcome(found.value, found.failure, found.seconds)

    async def compute(
        self, subject: str, function: Callable[..., Any], arguments: tuple[Any, ...], seconds: float
    ) -> Computed:
        """What a module-level function makes of the arguments, in the workers for sources and under their limits; a
        failure that it returns is one. Raises WorkerDied as `extract` does."""
        return await self._within(subject, partial(Computation, function, arguments), seconds)

    def close(self) -> None:
        """Stop the workers; pages still in them are given up. Blocks until the processes are gone."""
        self._give_up()
        self._nursery.close()

    async def _within(self, subject: str, request: Callable[[float], Any], seconds: float) -> Computed:
        allowed = min(seconds, TRY_SECONDS)
        found = await self._ask(self._sources, subject, request(allowed), allowed)
        if found.failure is None or found.failure.kind != TOO_COSTLY or allowed >= seconds:
            return found
        again = await self._ask(self._costly, subject, request(seconds), seconds)
        return replace(again, seconds=found.seconds + again.seconds)

    async def _ask(self, lane: Lane, subject: str, request: Any, seconds: float) -> Computed:
        patience = max(self._timeout, LEAST_SOURCE_TIMEOUT * seconds)
        job = Job(request, subject, patience, self._running_loop().create_future())
        lane.put(job)
        answer: SourceAnswered | Ended = await job.result
        if isinstance(answer, Ended):
            reason = f"reading it took more than {seconds:g} s of CPU time" if answer.how == "spent" else answer.reason
            return Computed(None, Failure(_KINDS[answer.how], reason), seconds)
        return Computed(answer.read, answer.failure, answer.seconds)

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            self._give_up()
            self._loop = loop
        return loop

    def _give_up(self) -> None:
        is_open = self._loop is not None and not self._loop.is_closed()
        for lane in (self._pages, self._sources, self._costly):
            lane.give_up(cancel=is_open)
