"""Between extraction and storage: pages of a site that looks broken are tried with other extractors, or held back.

What is decided is in newscrawl.monitoring.page_checks; this is what a crawl does about it. A crawl remembers what its
site's pages came to, beginning with what the watchdog has stored of them; nothing here is written.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from scrapy.settings import BaseSettings
from scrapy.statscollectors import StatsCollector

from newscrawl.article import ArticleOptions
from newscrawl.config.review_chains import chains_of
from newscrawl.errors import StorageError
from newscrawl.model import Article, Attempt, Doubt, Failure, ProcessedPage, RawPage
from newscrawl.monitoring import page_checks
from newscrawl.monitoring.extraction_baseline import Pages, page_word
from newscrawl.storage import Store
from newscrawl.storage.monitoring import alarms, baselines
from newscrawl.storage.monitoring.baselines import Observation
from newscrawl.storage.records import GENERIC_SITE
from newscrawl.workers.extraction_pool import ExtractionPool

logger = logging.getLogger(__name__)

SETTING: Final = "NEWSCRAWL_HOLD"
HELD: Final = "hold/held"
OTHER_EXTRACTOR: Final = "hold/other_extractor"
EXTRACTION: Final = "extraction"
"""The watchdog's alarm that this goes with."""
MOST_TRIED: Final = 200
"""Texts of other extractors that are remembered, so that the second page with the same one is not believed."""

_OF_ALARM: Final = {"page failed": page_checks.NO_TEXT}


@dataclass(frozen=True, slots=True)
class Memory:
    """What is stored of a site's pages: those before this crawl, and what an open alarm says is wrong with them."""

    pages: Pages
    alarmed: frozenset[str]
    is_alarm: bool


def remembered(connection: Any, site: str) -> Memory:
    """A storage operation: what the site's pages came to, those that the watchdog has not taken in yet, too."""
    row = baselines.load(connection, [site]).get(site)
    pages = Pages.read(row.base, row.recent) if row is not None else Pages()
    open_alarms = [alarm for alarm in alarms.open_alarms(connection, site) if alarm.kind == EXTRACTION]
    for one in baselines.waiting(connection, site):
        take_in(pages, one, is_alarm=bool(open_alarms))
    said = {what for alarm in open_alarms for what in alarm.details.get("shares", {})}
    return Memory(pages, frozenset(_OF_ALARM.get(what, what) for what in said), bool(open_alarms))


def take_in(pages: Pages, one: Observation, *, is_alarm: bool) -> None:
    """One more page that was stored."""
    pages.add(page_word(one), one.at, is_alarm=is_alarm)
    if one.doubted:
        page_checks.doubt(pages, page_checks.doubts(pages))


def gate_of(
    settings: BaseSettings,
    store: Store,
    pool: ExtractionPool,
    stats: StatsCollector | None = None,
    options: ArticleOptions | None = None,
) -> Gate | None:
    """As the settings want it; None where nothing is to be held back. `options` are the site's, where they are not the
    pool's. Raises ConfigurationError."""
    if not settings.getbool(SETTING, True):
        return None
    return Gate(store, pool, chains_of(settings), stats, options)


class Gate:
    """One crawl's: every page of its site goes through `look`."""

    def __init__(
        self,
        store: Store,
        pool: ExtractionPool,
        chains: Sequence[str],
        stats: StatsCollector | None = None,
        options: ArticleOptions | None = None,
    ) -> None:
        self._store = store
        self._pool = pool
        self._chains = chains
        self._stats = stats
        self._options = options or pool.options
        self._memories: dict[str, asyncio.Task[Memory]] = {}
        self._tried: dict[str, str | None] = {}

    async def look(self, raw: RawPage, page: ProcessedPage) -> ProcessedPage:
        """The page as it is, or read by another extractor, or marked as held back."""
        if raw.site == GENERIC_SITE:
            return page
        memory = await self._memory(raw.site)
        if memory is None:
            return page
        memory.pages.add(page_word(baselines.observed(page)), raw.fetched_at, is_alarm=memory.is_alarm)
        doubts = page_checks.doubts(memory.pages, memory.alarmed)
        first = page.article or page.failure
        if not doubts or first is None:
            return page
        page_checks.doubt(memory.pages, doubts)
        # As the site is now: while other extractors have their turn, other pages come.
        now = replace(memory.pages)
        for chain in self._chains:
            other = await self._pool.extract(raw, replace(self._options, chain=chain))
            if self._is_believed(now, other, memory.alarmed) and not _is_the_same(first, other, doubts):
                self._count(OTHER_EXTRACTOR, doubts)
                return _instead(other, first, doubts)
        self._count(HELD, doubts)
        logger.info("%s is held back: %s", raw.final_url, ", ".join(doubts))
        return replace(page, doubt=Doubt(doubts, first, held=True))

    def _is_believed(self, pages: Pages, other: ProcessedPage, alarmed: Collection[str]) -> bool:
        if other.article is None:
            return False
        fact = baselines.observed(other)
        if fact.text is not None and self._tried.setdefault(fact.text, fact.page) != fact.page:
            return False
        while len(self._tried) > MOST_TRIED:
            del self._tried[next(iter(self._tried))]
        return page_checks.passes(pages, pages.compared(page_word(fact)), alarmed)

    async def _memory(self, site: str) -> Memory | None:
        """None when the database cannot be asked now."""
        task = self._memories.get(site)
        if task is None:
            asked = asyncio.wrap_future(self._store.run(remembered, site))
            task = self._memories[site] = asyncio.ensure_future(_awaited(asked))
        try:
            return await asyncio.shield(task)
        except StorageError:
            self._memories.pop(site, None)
            return None

    def _count(self, name: str, doubts: Sequence[str]) -> None:
        if self._stats is not None:
            self._stats.inc_value(name)
            for doubt in doubts:
                self._stats.inc_value(f"hold/{doubt.replace(' ', '_')}")


async def _awaited(future: asyncio.Future[Memory]) -> Memory:
    return await future


def _is_the_same(first: Article | Failure, other: ProcessedPage, doubts: Collection[str]) -> bool:
    """Whether the other text is the doubted one with a line more. Of one that is too long, the right one is a part."""
    if not isinstance(first, Article) or other.article is None or page_checks.TEXT_LONG in doubts:
        return False
    return page_checks.is_mostly(other.article.text, first.text)


def _instead(other: ProcessedPage, first: Article | Failure, doubts: tuple[str, ...]) -> ProcessedPage:
    """The other extractor's page, with a trace that begins with the site's own chain."""
    if other.article is None:
        raise ValueError("nothing was extracted")
    why = f"not believed: {', '.join(doubts)}"
    if isinstance(first, Article):
        before = tuple(replace(one, accepted=False, reason=why) if one.accepted else one for one in first.trace)
    else:
        before = (Attempt(first.kind, 0, 0, accepted=False, reason=first.reason),)
    article = replace(other.article, trace=(*before, *other.article.trace))
    return replace(other, article=article, doubt=Doubt(doubts, first, held=False))
