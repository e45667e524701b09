"""One crawl of one site within a fleet: its lease, Scrapy's crawler, and the notes after it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal

from scrapy.crawler import AsyncCrawlerProcess, Crawler

from newscrawl.crawling.downloader.hosts.throttle import RESTING, STOPPED, UNWRITTEN
from newscrawl.crawling.downloader.scrapy_internals import counters, engine_of
from newscrawl.crawling.downloader.throttled_downloader import DAILY_BUDGET_REACHED
from newscrawl.crawling.runtime.crawl_context import CrawlContext, SharedServices, hand_over
from newscrawl.crawling.runtime.services import LEASE_LOST
from newscrawl.crawling.runtime.site_lease import KeptLease, steady_seconds
from newscrawl.crawling.spider.declared_spider import DeclaredSpider
from newscrawl.errors import StorageError
from newscrawl.processes.process_names import is_dead
from newscrawl.scheduling.site_selection import Start
from newscrawl.storage.frontier import crawls
from newscrawl.storage.frontier.crawls import Beginning, Begun, Ending
from newscrawl.storage.records import PlanSource
from newscrawl.storage.store import FencedStore

logger = logging.getLogger(__name__)

POLL_SECONDS: Final = 0.1
DRAINED: Final = "shutdown"
TIME_LIMIT: Final = "time_limit"
"""Why a crawl is asked to end: the process ends, or other sites wait for its place."""
FINISHED: Final = "finished"


@dataclass(slots=True)
class SiteCrawl:
    """A running crawl. `counters` are Scrapy's, empty before it begins."""

    start: Start
    spider: type[DeclaredSpider]
    began: datetime
    least_new: int | None = None
    """The minimum of the site's daily limit of never-fetched addresses; None without a limit."""
    next_by_timetable: datetime | None = None
    """The next start by the site's own timetable; None without one."""
    crawler: Crawler | None = None
    task: asyncio.Task[None] | None = None
    stop_reason: str | None = None
    _stopping: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def site(self) -> str:
        return self.start.site

    @property
    def counters(self) -> Mapping[str, Any]:
        return counters(self.crawler)

    @property
    def finish_reason(self) -> str:
        """Scrapy's finish reason: "finished" after a complete crawl, "" before the end."""
        return str(self.counters.get("finish_reason", ""))

    @property
    def in_flight(self) -> int:
        """Number of requests that are being sent or wait for their host throttle."""
        engine = engine_of(self.crawler)
        return len(engine.downloader.active) if engine is not None else 0

    def stop(self, reason: str) -> None:
        """Asks the crawl to end: requests in progress are finished and stored, the rest stays due."""
        if self.stop_reason is None:
            self.stop_reason = reason
            task = asyncio.get_running_loop().create_task(self._stop(reason))
            self._stopping.add(task)
            task.add_done_callback(self._stopping.discard)

    async def _stop(self, reason: str) -> None:
        while self.task is not None and not self.task.done():
            engine = engine_of(self.crawler)
            if engine is not None and engine.running and engine.spider is not None:
                await engine.close_spider_async(reason=reason)
                return
            await asyncio.sleep(POLL_SECONDS)  # it is about to begin, or has just ended


@dataclass(frozen=True, slots=True)
class Crawling:
    """The services and options of every crawl of the process."""

    process: AsyncCrawlerProcess
    shared: SharedServices
    owner: str
    lease: timedelta
    plan: PlanSource
    compares: bool = False
    """Whether the front pages of sites are compared with their sources (newscrawl.crawling.monitoring)."""
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    async def crawl(self, crawl: SiteCrawl) -> None:
        """Crawls the site. Raises SiteLeased if another process crawls it, StorageError, and the exception with
        which the crawl failed."""
        store, asked_at = self.shared.store, steady_seconds()
        beginning = Beginning(
            *(crawl.site, crawl.site, self.owner, crawl.began, self.lease, is_dead, crawl.least_new),
            in_fleet=True,
            compares=self.compares,
        )
        begun = await asyncio.wrap_future(store.run(crawls.begin, beginning))
        kept = KeptLease(store.notes, begun.lease, lambda _: crawl.stop(LEASE_LOST), self.lease, asked_at=asked_at)
        try:
            if crawl.stop_reason is None:
                crawl.crawler = self.process.create_crawler(crawl.spider)
                everything = crawl.start.reason in {"timetable", "first"}
                which: Literal["all", "due"] = "all" if everything else "due"
                context = CrawlContext(
                    self.shared, which, crawl.start.requests_left, kept, begun, crawl.next_by_timetable
                )
                hand_over(crawl.crawler, context)
                await self.process.crawl(crawl.crawler)
            await self._note_end(crawl, kept, begun)
        except Exception:
            with contextlib.suppress(StorageError):  # logged by the writer; this crawl will count as unfinished
                await asyncio.wrap_future(
                    store.notes.run(crawls.finish_run, begun.run, self.now(), dict(crawl.counters))
                )
            raise
        finally:
            await kept.release()

    async def _note_end(self, crawl: SiteCrawl, kept: KeptLease, begun: Begun) -> None:
        with contextlib.suppress(Exception):
            # A crawl does not fail for its request counts; the next caller of `written` gets the error.
            await self.shared.counts.written()
        refused = any(crawl.counters.get(kind) for kind in (RESTING, DAILY_BUDGET_REACHED, STOPPED, UNWRITTEN))
        whole = crawl.finish_reason == FINISHED and not refused
        home = str(getattr(crawl.spider, "home", None) or f"https://{crawl.spider.domains[0]}/")
        is_over = crawl.stop_reason != DRAINED  # a drained crawl is continued by the next process
        plan = self.plan if whole and is_over else None
        ending = Ending(begun, crawl.began, self.now(), dict(crawl.counters), is_over, home, plan)
        await kept.stop()
        await asyncio.wrap_future(FencedStore(self.shared.store, begun.lease).run(crawls.end, ending))
