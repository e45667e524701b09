"""The pool of a crawl and of a command that looks at sites: its workers extract pages, and read feeds, sitemaps and
pages of links."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from newscrawl.errors import ConfigurationError
from newscrawl.model import ProcessedPage, RawPage
from newscrawl.workers.extraction_worker import PageOutcome, Work, extract_page
from newscrawl.workers.pool import Pool
from newscrawl.workers.processes import MIN_MEMORY_MB
from newscrawl.workers.processes.forkserver import FOR_CRAWLS

if TYPE_CHECKING:  # a command that lists sites loads this module and no extractor
    from newscrawl.extraction.article.make import ArticleOptions

MEGABYTE: Final = 1 << 20
NICE: Final = 15
"""Added to the nice value of workers. The crawl's own process goes first when both want the core, because its event
loop has deadlines. On a busy machine workers get hardly any CPU time, and that wait does not count towards the page
timeout (`supervisor`)."""


class ExtractionPool(Pool):
    """Worker processes that turn raw pages into articles, and sources into links (`call`).

    Each page may take `timeout` seconds, and each worker `memory_mb` MB of address space. `work` extracts a page; it is
    a module-level function. Raises ConfigurationError for impossible values.
    """

    def __init__(
        self,
        options: ArticleOptions,
        *,
        workers: int = 1,
        timeout: float = 20.0,
        memory_mb: int = 2048,
        work: Work | None = None,
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
        from newscrawl.extraction.article.make import make_article

        options.resolve()
        self.options = options
        """The options for pages that are extracted without their own."""
        self._extract = partial(extract_page, work or make_article, options)
        super().__init__(
            self._extract,
            workers=workers,
            timeout=timeout,
            memory=memory_mb * MEGABYTE,
            modules=FOR_CRAWLS,
            name="newscrawl-extract",
            nice=NICE,
        )

    async def extract(self, raw: RawPage, options: ArticleOptions | None = None) -> ProcessedPage:
        """Returns the page with its article, or with a failure if its worker hung or died. `options` replace the
        pool's. Raises WorkerDied as `call` does."""
        done = await self.call(self._extract, raw, options, subject=raw.final_url)
        made = done.value or PageOutcome(None, done.failure)
        return ProcessedPage(replace(raw, body=None), made.article, made.failure, made.use)
