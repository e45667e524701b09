"""What the crawls of one process have in common, and how the fleet hands it to each of them.

A crawl that was started by `scrapy crawl` has no `CrawlContext` and opens everything for itself (services.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from scrapy.crawler import Crawler

from newscrawl.archive.archive_thread import ArchiveWriter
from newscrawl.crawling.downloader.host_throttle import HostThrottle
from newscrawl.crawling.downloader.robots_store import RobotsStore
from newscrawl.crawling.runtime.host_state_writer import HostStateWriter
from newscrawl.scheduling.clock_skew import ServerDates
from newscrawl.storage import Store
from newscrawl.workers.extraction_pool import ExtractionPool
from newscrawl.workers.loop_bridge import LoopBridge

ATTRIBUTE: Final = "newscrawl_round"
"""Set on the crawler, not in its settings, which Scrapy copies deeply."""


@dataclass(frozen=True, slots=True)
class SharedServices:
    """One of each a process, whatever it crawls."""

    store: Store
    pool: ExtractionPool
    ledger: HostStateWriter
    turnstiles: HostThrottle
    robots: RobotsStore
    archive: ArchiveWriter | None = None
    landing: LoopBridge = field(default_factory=LoopBridge)
    dates: ServerDates = field(default_factory=ServerDates)


@dataclass(frozen=True, slots=True)
class CrawlContext:
    """One crawl of one site within a fleet.

    `sources` says which are read: those that are due, or all but those that asked to be left alone. `requests_left` is
    what the site's daily budget still allows; None is no limit.
    """

    shared: SharedServices
    sources: Literal["due", "all"] = "due"
    requests_left: int | None = None


def hand_over(crawler: Crawler, round_: CrawlContext) -> None:
    """Give the crawler its round; call it before the crawl starts."""
    setattr(crawler, ATTRIBUTE, round_)


def round_of(crawler: Crawler) -> CrawlContext | None:
    """The round the crawler was given, None for a crawl that stands alone."""
    found = getattr(crawler, ATTRIBUTE, None)
    return found if isinstance(found, CrawlContext) else None
