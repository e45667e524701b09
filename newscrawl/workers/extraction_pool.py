"""Extraction in worker processes: a page that hangs, eats memory or kills its worker costs that page alone, and so does
a feed, a sitemap or a page of links.

Pages and sources have workers of their own, so neither waits for the other. A source that costs more than a second is
read again in a second lane, so that one site with a costly source does not keep the sources of all others waiting.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, TypeVar

from newscrawl.article import ArticleOptions, make_article
from newscrawl.errors import ConfigurationError
from newscrawl.model import SOURCE_DIED, SOURCE_TIMEOUT, TOO_COSTLY, Failure, ProcessedPage, RawPage
from newscrawl.processes import LEAST_MEMORY_MB
from newscrawl.processes.forkserver import FOR_CRAWLS, prepare
from newscrawl.processes.supervisor import Ended, Restarts, WorkerFactory
from newscrawl.workers.extraction_worker import COSTLY_NICE, SOURCE_NICE, Computation, Computed, ExtractionAnswer, serve
from newscrawl.workers.job_queue import MAX_RENEWALS, RENEWAL_SECONDS, Lane
from newscrawl.workers.page_task import Work, lost_page
from newscrawl.workers.source_task import SourceRead, SourceTask, read_source

T = TypeVar("T")

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
        reading: Callable[[SourceTask], SourceRead | Failure] = read_source,
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
        self._reading = reading
        memory = memory_mb * MEGABYTE
        self._factory = WorkerFactory("newscrawl-extract", memory, serve, work, options, memory)
        restarts = Restarts(MAX_RENEWALS, RENEWAL_SECONDS)
        self._pages = Lane(self._factory, restarts, size=workers, at_once=PAGES_AT_ONCE)
        self._sources = Lane(self._factory, restarts, size=min(workers, SOURCE_WORKERS), nice=SOURCE_NICE)
        self._costly = Lane(self._factory, restarts, nice=COSTLY_NICE, keeps=False)
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
        self._enter_loop()
        answer: ExtractionAnswer | Ended = await self._pages.answer((raw, options), raw.final_url, self._timeout)
        return (ExtractionAnswer(None, lost_page(answer)) if isinstance(answer, Ended) else answer).of(raw)

    async def read(self, task: SourceTask, seconds: float) -> Computed[SourceRead]:
        """What the source names, or the failure that stands for what its worker did not survive; a reading of it may
        take so many CPU seconds. Raises WorkerDied as `extract` does."""
        return await self.compute(task.url, self._reading, (task,), seconds)

    async def compute(
        self, subject: str, function: Callable[..., T | Failure], arguments: tuple[Any, ...], seconds: float
    ) -> Computed[T]:
        """What a module-level function makes of the arguments, in the workers for sources and under their limits; a
        failure that it returns is one. Raises WorkerDied as `extract` does."""
        self._enter_loop()
        allowed = min(seconds, TRY_SECONDS)
        found: Computed[T] = await self._ask(self._sources, subject, Computation(function, arguments, allowed))
        if found.failure is None or found.failure.kind != TOO_COSTLY or allowed >= seconds:
            return found
        again: Computed[T] = await self._ask(self._costly, subject, Computation(function, arguments, seconds))
        return replace(again, seconds=found.seconds + again.seconds)

    def close(self) -> None:
        """Stop the workers; pages still in them are given up. Blocks until the processes are gone."""
        self._give_up()
        self._factory.close()

    async def _ask(self, lane: Lane, subject: str, asked: Computation) -> Computed[Any]:
        timeout = max(self._timeout, LEAST_SOURCE_TIMEOUT * asked.seconds)
        answer: Computed[Any] | Ended = await lane.answer(asked, subject, timeout)
        if isinstance(answer, Computed):
            return answer
        spent = f"reading it took more than {asked.seconds:g} s of CPU time"
        reason = spent if answer.how == "spent" else answer.reason
        return Computed(None, Failure(_KINDS[answer.how], reason), asked.seconds)

    def _enter_loop(self) -> None:
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            self._give_up()
            self._loop = loop

    def _give_up(self) -> None:
        is_open = self._loop is not None and not self._loop.is_closed()
        for lane in (self._pages, self._sources, self._costly):
            lane.give_up(cancel=is_open)
