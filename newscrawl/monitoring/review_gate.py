"""Between extraction and storage: tries pages of a site that looks broken with other chains, or holds them for review.

newscrawl.monitoring.page_checks decides; this module applies the decisions in a crawl. A crawl keeps the samples of its
site's pages in memory, beginning with those that the watchdog has stored. Nothing is written here.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from newscrawl.config.catalogue import Config
from newscrawl.config.derived.article_options import review_chains_of
from newscrawl.config.logs.lines import about
from newscrawl.errors import StorageError
from newscrawl.model import Article, Attempt, Doubt, Failure, ProcessedPage, RawPage
from newscrawl.monitoring import page_checks, problems
from newscrawl.monitoring.extraction import ExtractionBaseline
from newscrawl.monitoring.samples import sample_of
from newscrawl.storage.monitoring.checks import SiteMemory, remembered
from newscrawl.storage.reader import Transactions
from newscrawl.storage.records import GENERIC_SITE
from newscrawl.workers.extraction_pool import ExtractionPool

if TYPE_CHECKING:
    from newscrawl.extraction.article.make import ArticleOptions

logger = logging.getLogger(__name__)

QUEUED: Final = "review/queued"
OTHER_EXTRACTOR: Final = "review/other_extractor"
MAX_TRIED: Final = 200
"""Texts of other extractors that are remembered, so that a second page with the same text counts as suspect."""


def review_gate_of(
    config: Config,
    store: Transactions,
    pool: ExtractionPool,
    count: Callable[[str], object] = lambda _: None,
    options: ArticleOptions | None = None,
) -> ReviewGate | None:
    """Returns the gate that the settings ask for; None if they turn review off. `count` counts a page under a name;
    `options` are the site's if they differ from the pool's. Raises ConfigurationError."""
    if not config.monitoring.review:
        return None
    return ReviewGate(store, pool, review_chains_of(config), count, options)


class ReviewGate:
    """The gate of one crawl. Every page of its site passes through `look`."""

    def __init__(
        self,
        store: Transactions,
        pool: ExtractionPool,
        chains: Sequence[str],
        count: Callable[[str], object] = lambda _: None,
        options: ArticleOptions | None = None,
    ) -> None:
        self._store = store
        self._pool = pool
        self._chains = chains
        self._add_one = count
        self._options = options or pool.options
        self._memories: dict[str, asyncio.Task[SiteMemory]] = {}
        self._tried: dict[str, str | None] = {}

    async def look(self, raw: RawPage, page: ProcessedPage) -> ProcessedPage:
        """Returns the page unchanged, or read by another extractor, or marked for review."""
        if raw.site == GENERIC_SITE:
            return page
        memory = await self._memory(raw.site)
        if memory is None:
            return page
        memory.baseline.add(sample_of(page), is_alarm=memory.is_alarm)
        doubts = page_checks.last_page_problems(memory.baseline, memory.alarmed)
        first = page.article or page.failure
        if not doubts or first is None:
            return page
        page_checks.mark_suspect(memory.baseline, doubts)
        # The present state of the site: while other extractors run, other pages arrive.
        now = copy(memory.baseline)
        for chain in self._chains:
            other = await self._pool.extract(raw, replace(self._options, chain=chain))
            if self._is_credible(now, other, memory.alarmed) and not _is_the_same(first, other, doubts):
                self._count(OTHER_EXTRACTOR, doubts)
                return _instead(other, first, doubts)
        self._count(QUEUED, doubts)
        extra = about(raw.site, raw.final_url, "stored/held_for_review")
        logger.info("%s is held for review: %s", raw.final_url, ", ".join(doubts), extra=extra)
        return replace(page, doubt=Doubt(doubts, first, needs_review=True))

    def _is_credible(self, baseline: ExtractionBaseline, other: ProcessedPage, alarmed: Collection[str]) -> bool:
        if other.article is None:
            return False
        sample = sample_of(other)
        text, page = sample.text_hash, sample.page_hash
        if text is not None and self._tried.setdefault(text, page) != page:
            return False
        while len(self._tried) > MAX_TRIED:
            del self._tried[next(iter(self._tried))]
        return page_checks.is_as_usual(baseline, baseline.compared(sample), alarmed)

    async def _memory(self, site: str) -> SiteMemory | None:
        """Returns what is stored of the site; None while the database does not answer."""
        task = self._memories.get(site)
        if task is None:
            reading = asyncio.wrap_future(self._store.run(remembered, site))
            task = self._memories[site] = asyncio.ensure_future(_awaited(reading))
        try:
            return await asyncio.shield(task)
        except StorageError:
            self._memories.pop(site, None)
            return None

    def _count(self, name: str, doubts: Sequence[str]) -> None:
        for counter in (name, *(f"review/{doubt.replace(' ', '_')}" for doubt in doubts)):
            self._add_one(counter)


async def _awaited(future: asyncio.Future[SiteMemory]) -> SiteMemory:
    return await future


def _is_the_same(first: Article | Failure, other: ProcessedPage, doubts: Collection[str]) -> bool:
    """Returns whether the other text is the suspect one with one more line. If that is too long, the right text is a
    part of it."""
    if not isinstance(first, Article) or other.article is None or problems.TEXT_LONG in doubts:
        return False
    return page_checks.is_mostly(other.article.text, first.text)


def _instead(other: ProcessedPage, first: Article | Failure, doubts: tuple[str, ...]) -> ProcessedPage:
    """Returns the other extractor's page, with a trace that begins with the site's own chain."""
    if other.article is None:
        raise ValueError("nothing was extracted")
    why = f"not credible: {', '.join(doubts)}"
    if isinstance(first, Article):
        before = tuple(
            replace(attempt, accepted=False, reason=why) if attempt.accepted else attempt for attempt in first.trace
        )
    else:
        before = (Attempt(first.code, 0, 0, accepted=False, reason=first.reason),)
    article = replace(other.article, trace=(*before, *other.article.trace))
    return replace(other, article=article, doubt=Doubt(doubts, first, needs_review=False))
