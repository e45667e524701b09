"""The limits of one crawl: requests that are not sent although nothing is wrong with their pages, and failures that are
not logged because many are alike.

Storage gives up a pattern of addresses (newscrawl.storage.frontier.patterns) and returns no more of its pages, but a
crawl may already have thousands of them in its queue. Sources, robots.txt, visits of known pages and retries are not
marked, so they are never refused.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from scrapy import Request

from newscrawl.config.logs.lines import about
from newscrawl.crawling.downloader.throttle import RESTING, STOPPED, UNWRITTEN
from newscrawl.crawling.runtime.site_session import DAILY_BUDGET_REACHED
from newscrawl.crawling.scheduling.site_state import NEW_PAGE_LIMIT_REACHED
from newscrawl.model import Failure
from newscrawl.model.identity.patterns import pattern_of
from newscrawl.storage.frontier.patterns import GIVEN_UP, GivenUp

NOT_SENT: Final = frozenset({RESTING, STOPPED, DAILY_BUDGET_REACHED, UNWRITTEN, GIVEN_UP, NEW_PAGE_LIMIT_REACHED})
"""Refusals of a request for reasons other than its page: the host asked for a pause, the crawl is ending, the site's
request budget is used up, the database is unreachable, the pattern of its address was given up, or the day's limit of
new pages is reached."""
RELOAD_AFTER: Final = 50
"""Answered requests for articles between two reads of the given-up patterns: about one batch of the store."""
PATTERN: Final = "newscrawl_pattern"
"""Key in request.meta of the pattern of a page that was never fetched."""

LOGGED_ALIKE: Final = 20
"""Failures with one kind and reason that one crawl logs at INFO."""
MAX_REASONS: Final = 1_000
"""Reasons that are counted. A reason may contain the address."""


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


class FailureLog:
    """Logs why pages of one crawl failed. After many pages with one reason, further ones are logged at DEBUG.

    Thousands of a site's addresses may fail at once (its robots.txt cannot be fetched). A log line for each would delay
    the crawls of other sites, which share the event loop."""

    def __init__(self, logger: logging.Logger | logging.LoggerAdapter[logging.Logger]) -> None:
        self._logger = logger
        self._seen: Counter[Failure] = Counter()

    def add(self, url: str, failure: Failure) -> None:
        """Logs one more failed page."""
        if failure in self._seen or len(self._seen) < MAX_REASONS:
            self._seen[failure] += 1
        count = self._seen[failure]
        level = logging.INFO if count <= LOGGED_ALIKE else logging.DEBUG
        extra = about(url=url, reason=failure.code)
        self._logger.log(level, "%s: %s (%s)", url, failure.reason, failure.code, extra=extra)
        if count == LOGGED_ALIKE:
            self._logger.info("further pages with this reason are logged at DEBUG: %s", failure.reason)
