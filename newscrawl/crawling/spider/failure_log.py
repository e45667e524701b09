"""Logs why pages of a crawl failed.

Thousands of a site's addresses may fail at once (its robots.txt cannot be fetched). A log line for each would delay the
crawls of other sites, which share the event loop.
"""

from __future__ import annotations

import logging
from collections import Counter
from typing import Final

from newscrawl.logs.json_lines import about
from newscrawl.model import Failure

LOGGED_ALIKE: Final = 20
"""Failures with one kind and reason that one crawl logs at INFO."""
MAX_REASONS: Final = 1_000
"""Reasons that are counted. A reason may contain the address."""


class FailureLog:
    """Logs why pages of one crawl failed. After many pages with one reason, further ones are logged at DEBUG."""

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
