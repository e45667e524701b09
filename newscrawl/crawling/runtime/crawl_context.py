"""The services that the crawls of one process share, and how the fleet passes them to each crawl.

A crawl that was started by `scrapy crawl` has no `CrawlContext` and opens everything for itself (services.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from scrapy.crawler import Crawler

from newscrawl.archive.archive_thread import ArchiveWriter
from newscrawl.crawling.downloader.hosts.throttle import HostThrottle
from newscrawl.crawling.downloader.robots_store import RobotsStore
from newscrawl.crawling.runtime.request_counts import RequestCounts
from newscrawl.crawling.runtime.site_lease import KeptLease
from newscrawl.storage.frontier.crawls import Begun
from newscrawl.storage.store import Store
from newscrawl.workers.extraction_pool import ExtractionPool

ATTRIBUTE: Final = "newscrawl_crawl_context"
"""The name of an attribute of the crawler. It is not in the crawler's settings, which Scrapy copies deeply."""


@dataclass(frozen=True, slots=True)
class SharedServices:
    """The services that exist once in a process, for all its crawls."""

    store: Store
    pool: ExtractionPool
    counts: RequestCounts
    throttle: HostThrottle
    robots: RobotsStore
    archive: ArchiveWriter | None = None


@dataclass(frozen=True, slots=True)
class CrawlContext:
    """One crawl of one site within a fleet.

    `sources` selects which are read: those that are due, or all except those that asked for a pause. `requests_left` is
    how many requests the site's daily budget still allows; None is no limit.
    """

    shared: SharedServices
    sources: Literal["due", "all"] = "due"
    requests_left: int | None = None
    lease: KeptLease | None = None
    begun: Begun | None = None
    """The site's lease, and what was read when the crawl began; None only in tests."""
    next_crawl: datetime | None = None
    """When the site's own timetable begins its next crawl, which reads all sources again; None without one."""


def hand_over(crawler: Crawler, context: CrawlContext) -> None:
    """Gives the crawler its CrawlContext; call it before the crawl starts."""
    setattr(crawler, ATTRIBUTE, context)


def context_of(crawler: Crawler) -> CrawlContext | None:
    """Returns the crawler's CrawlContext; None for a crawl outside a fleet."""
    context = getattr(crawler, ATTRIBUTE, None)
    return context if isinstance(context, CrawlContext) else None
