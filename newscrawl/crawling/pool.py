"""Extraction in worker processes: a page that hangs, eats memory or kills its worker costs that page alone."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from multiprocessing import forkserver
from typing import Final

from pebble import ProcessExpired, ProcessPool

from newscrawl.article import ArticleOptions, fingerprint, make_article
from newscrawl.errors import ConfigurationError, ExtractionError, ExtractionTimeout, WorkerDied
from newscrawl.memory import limit_memory
from newscrawl.model import Failure, ProcessedPage, RawPage

logger = logging.getLogger(__name__)

MEGABYTE: Final = 1 << 20

PAGES_PER_WORKER: Final = 5_000
"""A worker is replaced after so many pages, so that no leak of a native library can grow for ever."""

LEAST_MEMORY_MB: Final = 512
"""Address space that a worker needs for itself: Python, lxml, numpy and the language model."""

MAX_RENEWALS: Final = 5
RENEWAL_SECONDS: Final = 3_600.0
"""So many pools may break in so long before the crawl is given up; a process that runs for months may lose more."""

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
        if memory_mb < LEAST_MEMORY_MB:
            raise ConfigurationError(
                "NEWSCRAWL_EXTRACT_MEMORY_MB",
                f"{memory_mb} MB is too little for a worker: give {LEAST_MEMORY_MB} or more",
            )
        options.resolve()
        self._options = options
        self._timeout = timeout
        self._memory_mb = memory_mb
        self._work = work
        self._workers = workers
        self._renewals: list[float] = []
        self._pool = self._start()

    def options_with(self, chain: str) -> ArticleOptions:
        """How pages are extracted, but with another chain."""
        return replace(self._options, chain=chain)

    async def extract(self, raw: RawPage, chain: str | None = None) -> ProcessedPage:
        """The page's article, or the failure that stands for what its worker did not survive; by another chain than
        usual if one is named.

        Raises WorkerDied when there is no way to have workers at all: the crawl cannot go on.
        """
        options = self._options if chain is None else self.options_with(chain)
        while True:
            pool = self._pool
            try:
                return await self._extract(pool, raw, options)
            except BrokenProcessPool as error:
                self._renew(pool, error)

    async def _extract(self, pool: ProcessPool, raw: RawPage, options: ArticleOptions) -> ProcessedPage:
        try:
            future = pool.schedule(_finished, args=(self._work, raw, options), timeout=self._timeout)
        except RuntimeError as error:  # pebble's word for a pool that broke earlier
            raise BrokenProcessPool(str(error)) from error
        try:
            result: ProcessedPage = await asyncio.wrap_future(future)
        except BrokenProcessPool:
            raise
        except TimeoutError:
            return _failed(raw, ExtractionTimeout.kind, f"no result within {self._timeout:g} seconds")
        except ProcessExpired as death:
            return _failed(raw, WorkerDied.kind, f"the worker process died with exit code {death.exitcode}")
        except MemoryError:
            return _failed(raw, "extraction/memory", f"more than {self._memory_mb} MB of memory")
        # A defect of ours that this page brought to light: said loudly, kept with the page, and no reason to stop
        # the crawl of all others.
        except Exception as error:
            logger.exception("extraction of %s failed", raw.final_url)
            return _failed(raw, ExtractionError.kind, f"{type(error).__name__}: {error}")
        return result

    def _start(self) -> ProcessPool:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["newscrawl.article.warm"])
        _start_forkserver()
        return ProcessPool(
            max_workers=self._workers,
            max_tasks=PAGES_PER_WORKER,
            initializer=_start_worker,
            initargs=(self._memory_mb * MEGABYTE,),
            context=context,
        )

    def _renew(self, broken: ProcessPool, error: BrokenProcessPool) -> None:
        """Start anew after the process that workers are forked from was killed (by the kernel's out-of-memory killer,
        say): all pages it had are tried again. The first page to notice does it."""
        if self._pool is not broken:
            return
        now = time.monotonic()
        self._renewals = [*(at for at in self._renewals if now - at < RENEWAL_SECONDS), now]
        if len(self._renewals) > MAX_RENEWALS:
            raise WorkerDied(
                f"workers cannot be kept alive, {MAX_RENEWALS} pools broke: look for what kills them"
            ) from error
        logger.error("the extraction workers are gone (%s): starting new ones", error)
        broken.stop()
        self._pool = self._start()

    def close(self) -> None:
        """Stop the workers; pages still in them are given up. Blocks until the processes are gone."""
        self._pool.stop()
        self._pool.join()


def _start_forkserver() -> None:
    """Start the process that workers are forked from, deaf to Ctrl-C: a terminal sends it to the whole group, and the
    crawl wants to finish the pages it has begun."""
    if threading.current_thread() is not threading.main_thread():
        return  # only the main thread may set handlers; a Ctrl-C during the next second may then kill the workers
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        forkserver.ensure_running()
    finally:
        signal.signal(signal.SIGINT, handler)


def _start_worker(memory: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_memory(memory)


def _finished(work: Work, raw: RawPage, options: ArticleOptions) -> ProcessedPage:
    """In the worker: the page's article with its hashes, which would else be worked out in the crawl's own process."""
    return fingerprint(work(raw, options))


def _failed(raw: RawPage, kind: str, reason: str) -> ProcessedPage:
    return ProcessedPage(replace(raw, body=None), failure=Failure(kind, reason))
