"""Extraction in worker processes: a page that hangs, eats memory or kills its worker costs that page alone."""

from __future__ import annotations

import asyncio
import multiprocessing
import resource
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from pebble import ProcessExpired, ProcessPool

from newscrawl.article import ArticleOptions, make_article
from newscrawl.errors import ConfigurationError, ExtractionTimeout, WorkerDied
from newscrawl.model import Failure, ProcessedPage, RawPage

MEGABYTE: Final = 1 << 20

PAGES_PER_WORKER: Final = 5_000
"""A worker is replaced after so many pages, so that no leak of a native library can grow for ever."""

Work = Callable[[RawPage, ArticleOptions], ProcessedPage]


class ExtractionPool:
    """Worker processes that turn raw pages into articles.

    `workers` processes start with the first page; each page has `timeout` seconds and each worker `memory_mb` of
    address space. `work` is what a worker does with a page (a module-level function).
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
        options.resolve()
        self._options = options
        self._timeout = timeout
        self._memory_mb = memory_mb
        self._work = work
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["newscrawl.article"])
        self._pool = ProcessPool(
            max_workers=workers,
            max_tasks=PAGES_PER_WORKER,
            initializer=_limit_memory,
            initargs=(memory_mb * MEGABYTE,),
            context=context,
        )

    async def extract(self, raw: RawPage) -> ProcessedPage:
        """The page's article, or the failure that stands for what its worker did not survive."""
        future = self._pool.schedule(self._work, args=(raw, self._options), timeout=self._timeout)
        try:
            result: ProcessedPage = await asyncio.wrap_future(future)
        except TimeoutError:
            return _failed(raw, ExtractionTimeout.kind, f"no result within {self._timeout:g} seconds")
        except ProcessExpired as death:
            return _failed(raw, WorkerDied.kind, f"the worker process died with exit code {death.exitcode}")
        except MemoryError:
            return _failed(raw, "extraction/memory", f"more than {self._memory_mb} MB of memory")
        return result

    def close(self) -> None:
        """Stop the workers; pages still in them are given up. Blocks until the processes are gone."""
        self._pool.stop()
        self._pool.join()


def _limit_memory(limit: int) -> None:
    """An allocation beyond the limit raises MemoryError in the worker instead of taking the machine down."""
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _failed(raw: RawPage, kind: str, reason: str) -> ProcessedPage:
    return ProcessedPage(replace(raw, body=None), failure=Failure(kind, reason))
