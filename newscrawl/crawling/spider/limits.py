"""The pages that a crawl does not request although its site has them: those of patterns that were given up, and new
ones beyond the daily limit.

Storage gives up a pattern (newscrawl.storage.frontier.patterns) and returns no more of its pages, but a crawl may
already have thousands of them in its queue. The limit of never-fetched addresses holds if a site declares no
`daily_requests` (newscrawl.scheduling.new_page_limit); the rest of it is stored (newscrawl.storage.frontier.crawls).
Sources, robots.txt, visits of known pages and retries are not marked, so they do not count and are never refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from scrapy import Request

from newscrawl.identity.patterns import pattern_of
from newscrawl.scheduling.new_page_limit import Allowance
from newscrawl.storage.frontier.patterns import GivenUp

RELOAD_AFTER: Final = 50
"""Answered requests for articles between two reads of the given-up patterns: about one batch of the store."""
PATTERN: Final = "newscrawl_pattern"
"""Key in request.meta of the pattern of a page that was never fetched."""
NEW_PAGE: Final = "newscrawl_new_page"
"""Key in request.meta of a request for a page that was never fetched, until it is sent."""
SPARE: Final = 500
"""Pages read from storage beyond the allowance, because some no longer belong to the site or are too old."""
REASON: Final = "today's limit of addresses never fetched before is reached"


class Traps:
    """The given-up patterns that one crawl knows."""

    def __init__(self, reload_after: int = RELOAD_AFTER) -> None:
        self._given_up: frozenset[str] = frozenset()
        self._answered = 0
        self._reload_after = reload_after

    def watch(self, request: Request) -> None:
        """Marks a request for a never-fetched page with its pattern. A request whose pattern is already given up is not
        marked: it is the one address a day with which storage probes the pattern."""
        pattern = pattern_of(request.url)
        if pattern not in self._given_up:
            request.meta[PATTERN] = pattern

    def count_answer(self) -> bool:
        """Counts an answer. Returns whether the given-up patterns have to be read again."""
        self._answered += 1
        return self._answered % self._reload_after == 0

    def learn(self, given_up: Iterable[GivenUp]) -> None:
        """Sets the patterns that are given up now."""
        self._given_up = frozenset(pattern.pattern for pattern in given_up)

    def refuses(self, request: Request) -> bool:
        """Returns whether the request must not be sent."""
        return bool(self._given_up) and request.meta.get(PATTERN) in self._given_up


def is_trapped(request: Request, spider: Any) -> bool:
    """Returns whether the pattern of the request's address has been given up since the request was marked."""
    traps = getattr(spider, "traps", None)
    return isinstance(traps, Traps) and traps.refuses(request)


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
        request.meta[NEW_PAGE] = True

    def refuses(self, request: Request, now: datetime) -> bool:
        """Returns whether the request has to wait for another day."""
        return NEW_PAGE in request.meta and self.allowance is not None and self.allowance.is_used_up(now)

    def take(self, request: Request, now: datetime) -> bool:
        """Notes that the request is sent now. Returns whether it counts: a repeated or redirected request counts
        once."""
        if not request.meta.pop(NEW_PAGE, False):
            return False
        if self.allowance is not None:
            self.allowance.take(now)
        return True


def new_page_limit_of(spider: Any) -> NewPageLimit | None:
    """Returns the limit of the spider's crawl; None for a spider without sources and pages."""
    limit = getattr(spider, "new_pages", None)
    return limit if isinstance(limit, NewPageLimit) else None
