"""Applies the daily limit of never-fetched addresses of a site to one crawl.

The limit holds if a site declares no `daily_requests` (newscrawl.scheduling.new_page_limit); what is left of it is
stored (newscrawl.storage.frontier.crawls). Sources, robots.txt, visits of known pages and retries are not marked,
so they do not count and are never refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from scrapy import Request

from newscrawl.scheduling.new_page_limit import Allowance

MARK: Final = "newscrawl_new_page"
SPARE: Final = 500
"""Pages read from storage beyond the allowance, because some no longer belong to the site or are too old."""
REASON: Final = "today's limit of addresses never fetched before is reached"


@dataclass(slots=True)
class NewPageLimit:
    """The limit for one crawl; none without an allowance, which was read when the crawl began. `is_reported` is set
    once the crawl has reported that it is reached."""

    allowance: Allowance | None = None
    is_reported: bool = False

    def most_wanted(self, now: datetime) -> int | None:
        """Returns how many never-fetched pages to read from storage now; None without a limit."""
        if self.allowance is None:
            return None
        return 0 if self.allowance.is_used_up(now) else self.allowance.left + SPARE

    def watch(self, request: Request) -> None:
        """Marks the request as one for a page that was never fetched."""
        request.meta[MARK] = True

    def refuses(self, request: Request, now: datetime) -> bool:
        """Returns whether the request has to wait for another day."""
        return MARK in request.meta and self.allowance is not None and self.allowance.is_used_up(now)

    def take(self, request: Request, now: datetime) -> bool:
        """Notes that the request is sent now. Returns whether it counts: a repeated or redirected request counts
        once."""
        if not request.meta.pop(MARK, False):
            return False
        if self.allowance is not None:
            self.allowance.take(now)
        return True


def new_page_limit_of(spider: Any) -> NewPageLimit | None:
    """Returns the limit of the spider's crawl; None for a spider without sources and pages."""
    limit = getattr(spider, "new_pages", None)
    return limit if isinstance(limit, NewPageLimit) else None
