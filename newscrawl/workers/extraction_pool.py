"""The pool of worker processes that extract pages and read sources. A page, feed, sitemap or page of links that hangs,
uses too much memory or kills its worker loses only itself.

Pages and sources have separate workers, so neither waits for the other. A source that costs more than a second is read
again in a second queue, so that one site's costly source does not delay the sources of all others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from newscrawl.errors import ConfigurationError
from newscrawl.model import SOURCE_DIED, SOURCE_TIMEOUT, TOO_COSTLY, Failure, ProcessedPage, RawPage
from newscrawl.processes import MIN_MEMORY_MB
from newscrawl.processes.forkserver import FOR_CRAWLS, prepare
from newscrawl.processes.supervisor import Ended, Restarts, WorkerFactory
from newscrawl.workers.extraction_worker import Computation, Computed, ExtractionAnswer, serve
from newscrawl.workers.job_queue import MAX_RENEWALS, RENEWAL_SECONDS, JobQueue
from newscrawl.workers.page_task import Work, lost_page
from newscrawl.workers.source_task import SourceRead, SourceTask, read_source

if TYPE_CHECKING:  # a command that lists sites loads this module and no extractor
    from newscrawl.article.make import ArticleOptions

T = TypeVar("T")

MEGABYTE: Final = 1 << 20

PAGES_AT_ONCE: Final = 2
"""Pages that a worker has at a time: the one it works on and the next."""

SOURCE_WORKERS: Final = 2
"""Workers for sources, if there are as many for pages. While one reads a costly source, the other reads the rest."""

TRY_SECONDS: Final = 1.0
"""CPU seconds that a source may take in the common queue. A feed of 100 entries takes 30 ms, a front page of 600 links
60 ms, a news sitemap of 1,000 entries 80 ms. A source that takes longer is most often an archive, or an attack."""

MIN_SOURCE_TIMEOUT: Final = 4.0
"""Time-out for a source, as a multiple of its CPU seconds. After that its worker counts as hung."""

_KINDS: Final = {"hung": SOURCE_TIMEOUT, "died": SOURCE_DIED, "over_cpu": TOO_COSTLY}


class ExtractionPool:
    """Worker processes that turn raw pages into articles, and sources into links.

    `workers` processes for pages start with the first pages. Each page may take `timeout` seconds (on Linux up to ten
    times as long if other processes use the cores), and each worker `memory_mb` MB of address space. `work` extracts a
    page and `reading` reads a source; both are module-level functions. Raises ConfigurationError for impossible values.
    """

    def __init__(
        self,
        options: ArticleOptions,
        *,
        workers: int = 1,
        timeout: float = 20.0,
        memory_mb: int = 2048,
        work: Work | None = None,
        reading: Callable[[SourceTask], SourceRead | Failure] = read_source,
    ) -> None:
        if workers < 1:
            raise ConfigurationError("NEWSCRAWL_EXTRACT_WORKERS", f"{workers} is too few: give 1 or more")
        if timeout <= 0:
            raise ConfigurationError("NEWSCRAWL_EXTRACT_TIMEOUT", f"{timeout} is too short: give seconds above 0")
        if memory_mb < MIN_MEMORY_MB:
            raise ConfigurationError(
                "NEWSCRAWL_EXTRACT_MEMORY_MB",
                f"{memory_mb} MB is too little for a worker: give {MIN_MEMORY_MB} or more",
            )
        from newscrawl.article.make import make_article

        options.resolve()
        self._options = options
        self._timeout = timeout
        self._reading = reading
        memory = memory_mb * MEGABYTE
        self._factory = WorkerFactory("newscrawl-extract", memory, serve, work or make_article, options, memory)
        restarts = Restarts(MAX_RENEWALS, RENEWAL_SECONDS)
        self._pages = JobQueue(self._factory, restarts, size=workers, at_once=PAGES_AT_ONCE)
        self._sources = JobQueue(self._factory, restarts, size=min(workers, SOURCE_WORKERS))
        self._costly = JobQueue(self._factory, restarts, keeps=False)
        self._loop: asyncio.AbstractEventLoop | None = None
        prepare(FOR_CRAWLS)  # takes a second, during which the crawl requests its first pages

    @property
    def options(self) -> ArticleOptions:
        """The options for pages that are extracted without their own."""
        return self._options

    async def extract(self, raw: RawPage, options: ArticleOptions | None = None) -> ProcessedPage:
        """Returns the page with its article, or with a failure if its worker hung or died. `options` replace the
        pool's.

        Raises WorkerDied if no workers can be started at all. Then the crawl cannot continue.
        """
        self._enter_loop()
        answer: ExtractionAnswer | Ended = await self._pages.answer((raw, options), raw.final_url, self._timeout)
        return (ExtractionAnswer(None, lost_page(answer)) if isinstance(answer, Ended) else answer).of(raw)

    async def read(self, task: SourceTask, seconds: float) -> Computed[SourceRead]:
        """Returns the links of the source, or a failure if its worker hung or died. Reading may take `seconds` of CPU
        time. Raises WorkerDied as `extract` does."""
        return await self.compute(task.url, self._reading, (task,), seconds)

    async def compute(
        self, subject: str, function: Callable[..., T | Failure], arguments: tuple[Any, ...], seconds: float
    ) -> Computed[T]:
        """Calls a module-level function with the arguments, in the workers for sources and within their limits. Returns
        its result, or the failure that it returned. `subject` is for the log. Raises WorkerDied as `extract` does."""
        self._enter_loop()
        allowed = min(seconds, TRY_SECONDS)
        first: Computed[T] = await self._compute_in(self._sources, subject, Computation(function, arguments, allowed))
        if first.failure is None or first.failure.code != TOO_COSTLY or allowed >= seconds:
            return first
        again: Computed[T] = await self._compute_in(self._costly, subject, Computation(function, arguments, seconds))
        return replace(again, seconds=first.seconds + again.seconds)

    def close(self) -> None:
        """Stops the workers; pages still in them are lost. Blocks until the processes have ended."""
        self._give_up()
        self._factory.close()

    async def _compute_in(self, queue: JobQueue, subject: str, computation: Computation) -> Computed[Any]:
        timeout = max(self._timeout, MIN_SOURCE_TIMEOUT * computation.seconds)
        answer: Computed[Any] | Ended = await queue.answer(computation, subject, timeout)
        if isinstance(answer, Computed):
            return answer
        too_much = f"reading it took more than {computation.seconds:g} s of CPU time"
        reason = too_much if answer.how == "over_cpu" else answer.reason
        return Computed(None, Failure(_KINDS[answer.how], reason), computation.seconds)

    def _enter_loop(self) -> None:
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            self._give_up()
            self._loop = loop

    def _give_up(self) -> None:
        is_open = self._loop is not None and not self._loop.is_closed()
        for queue in (self._pages, self._sources, self._costly):
            queue.give_up(cancel=is_open)
