"""Reads the answers of a site's sources in the pool's workers, within their budgets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from scrapy.http import Response

from newscrawl.crawling.downloader.hosts.throttle import STOPPED
from newscrawl.crawling.spider.site_declaration import Site, Source
from newscrawl.crawling.spider.sources import source_answers
from newscrawl.crawling.spider.sources.source_budget import SourceBudgets
from newscrawl.discovery.budget import BODY_SECONDS, CPU, TREE_SECONDS
from newscrawl.model import TOO_COSTLY, Failure, SourceType
from newscrawl.workers.extraction_pool import ExtractionPool
from newscrawl.workers.extraction_worker import Computed
from newscrawl.workers.front_page_task import EVERYTHING, WantedLinks
from newscrawl.workers.source_task import NOTHING, SourceRead, SourceTask, read_source

LOOK_SECONDS: Final = 0.25
"""Seconds between two checks of whether the crawl is ending."""

CLOSING_SECONDS: Final = 2.0
"""Seconds for which a crawl that is ending waits for a source that is being read; the source stays due."""

GIVEN_UP: Final = Failure(STOPPED, "the crawl ended while it was read")
NOT_READ: Final = Failure(CPU, "not read: its sitemap index has used up its CPU time")
TREE_FAILURE: Final = Failure(TOO_COSTLY, f"reading it and what it names took more than {TREE_SECONDS:g} s of CPU time")


@dataclass(frozen=True, slots=True)
class SourceResult:
    """The result for a source's answer. `blamed` is the site's own source whose account this reading has used up."""

    read: SourceRead = NOTHING
    failure: Failure | None = None
    blamed: Source | None = None


class SourceReader:
    """The reader of one crawl. It reads a site's answers one after the other, so that no two of them use the same
    budget and a site has at most one worker."""

    def __init__(self, site: Site, budgets: SourceBudgets, is_closing: Callable[[], bool]) -> None:
        self._site = site
        self._budgets = budgets
        self._is_closing = is_closing
        self._turn = asyncio.Lock()

    async def read(
        self,
        pool: ExtractionPool,
        source: Source,
        response: Response,
        now: datetime,
        kind: SourceType | None = None,
        wanted: WantedLinks = EVERYTHING,
    ) -> SourceResult:
        """Returns the result of reading the answer as `kind`, by default the source's, limited to what is wanted."""
        async with self._turn:
            if self._is_closing():
                return SourceResult(failure=GIVEN_UP)
            left = self._budgets.left(source)
            if left.seconds <= 0:
                return SourceResult(failure=NOT_READ)
            allowed = min(BODY_SECONDS, left.seconds)
            task = source_answers.task_for(source, response, self._site, left, now, kind, wanted)
            outcome = await self._outcome(pool, task, allowed)
            if outcome is None:
                return SourceResult(failure=GIVEN_UP)
            blamed = self._budgets.note_cpu_time(source, outcome.seconds)
            if outcome.value is None:
                return SourceResult(failure=judged(outcome, allowed), blamed=blamed)
            self._budgets.note_answer(source, response.url, outcome.value.size, outcome.value.entries)
            return SourceResult(outcome.value, source_answers.unusable(outcome.value), blamed)

    async def _outcome(self, pool: ExtractionPool, task: SourceTask, allowed: float) -> Computed[SourceRead] | None:
        """Returns the worker's result; None if the crawl ends before."""
        work = asyncio.ensure_future(pool.call(read_source, task, subject=task.url, cpu=allowed))
        until: float | None = None
        while not work.done():
            clock = asyncio.get_running_loop().time()
            if until is None and self._is_closing():
                until = clock + CLOSING_SECONDS
            if until is not None and clock >= until:
                work.cancel()
                return None
            await asyncio.wait({work}, timeout=LOOK_SECONDS)
        return None if work.cancelled() else work.result()


def judged(outcome: Computed[SourceRead], allowed: float) -> Failure | None:
    """Returns the failure of the answer itself. An answer that had less CPU time than a body may take, because other
    documents of its account used the rest, is not blamed."""
    failure = outcome.failure
    if failure is not None and failure.code == TOO_COSTLY and allowed < BODY_SECONDS:
        return NOT_READ
    return failure
