"""What the crawls of one process have in common, and how the fleet hands it to each of them.

A crawl that was started by `scrapy crawl` has no `Round` and opens everything for itself (services.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from scrapy.crawler import Crawler

from newscrawl.archive.keeper import Keeper
from newscrawl.crawling.landing import Landing
from newscrawl.crawling.ledger import Ledger
from newscrawl.crawling.politeness import Turnstiles
from newscrawl.crawling.pool import ExtractionPool
from newscrawl.crawling.robots_memory import StoredRobots
from newscrawl.scheduling.clock import ServerDates
from newscrawl.storage import Store

ATTRIBUTE: Final = "newscrawl_round"
"""Set on the crawler, not in its settings, which Scrapy copies deeply."""


@dataclass(frozen=True, slots=True)
class Shared:
    """One of each a process, whatever it crawls."""

    store: Store
    pool: ExtractionPool
    ledger: Ledger
    turnstiles: Turnstiles
    robots: StoredRobots
    archive: Keeper | None = None
    landing: Landing = field(default_factory=Landing)
    dates: ServerDates = field(default_factory=ServerDates)


@dataclass(frozen=True, slots=True)
class Round:
    """One crawl of one site within a fleet.

    `sources` says which are read: those that are due, or all but those that asked to be left alone. `requests_left` is
    what the site's daily budget still allows; None is no limit.
    """

    shared: Shared
    sources: Literal["due", "all"] = "due"
    requests_left: int | None = None


def hand_over(crawler: Crawler, round_: Round) -> None:
    """Give the crawler its round; call it before the crawl starts."""
    setattr(crawler, ATTRIBUTE, round_)


def round_of(crawler: Crawler) -> Round | None:
    """The round the crawler was given, None for a crawl that stands alone."""
    found = getattr(crawler, ATTRIBUTE, None)
    return found if isinstance(found, Round) else None
