"""Logs and stores the failed requests of a crawl, many at a time.

Thousands of a site's addresses may fail at once (its robots.txt cannot be fetched). A log line and a transaction for
each would delay the crawls of other sites, which share the event loop and the writer.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Final

from newscrawl.logs.json_lines import about
from newscrawl.model import Failure
from newscrawl.storage.frontier.pages import FailedRequest

AT_ONCE: Final = 100
"""Failures in one transaction, which delays other crawls."""

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


class FailureNotes:
    """Stores failed requests. `write` stores a list of them and returns after the commit. Used in one event loop."""

    def __init__(self, write: Callable[[list[FailedRequest]], Awaitable[None]]) -> None:
        self._write = write
        self._waiting: list[FailedRequest] = []
        self._added = 0
        self._taken = 0
        self._writing = asyncio.Lock()

    async def add(self, failed: FailedRequest) -> None:
        """Returns once the failure is committed. An error of `write` is raised to one of the callers whose failures it
        was to store."""
        number = self._added
        self._added += 1
        self._waiting.append(failed)
        async with self._writing:
            if number < self._taken:
                return
            batch, self._waiting = self._waiting[:AT_ONCE], self._waiting[AT_ONCE:]
            self._taken += len(batch)
            await self._write(batch)
