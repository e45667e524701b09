"""Failed requests of a crawl on their way to the log and to the database.

Thousands of a site's addresses may fail at once (its robots.txt cannot be reached). A log line and a transaction for
each would keep the event loop and the writer, which all crawls share, from the other sites.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Final

from newscrawl.model import Failure
from newscrawl.storage.frontier.pages import FailedRequest

AT_ONCE: Final = 100
"""Failures in one transaction: other crawls wait for it."""

LOGGED_ALIKE: Final = 20
"""Failures of one kind and reason that one crawl logs at INFO."""
MOST_REASONS: Final = 1_000
"""Reasons that are counted; a reason may name the address."""


class FailureLog:
    """Logs why pages of one crawl failed; those with a reason that many had before at DEBUG."""

    def __init__(self, logger: logging.Logger | logging.LoggerAdapter[logging.Logger]) -> None:
        self._logger = logger
        self._seen: Counter[Failure] = Counter()

    def add(self, url: str, failure: Failure) -> None:
        """One more page."""
        if failure in self._seen or len(self._seen) < MOST_REASONS:
            self._seen[failure] += 1
        count = self._seen[failure]
        level = logging.INFO if count <= LOGGED_ALIKE else logging.DEBUG
        self._logger.log(level, "%s: %s (%s)", url, failure.reason, failure.kind)
        if count == LOGGED_ALIKE:
            self._logger.info("further pages with this reason are logged at DEBUG: %s", failure.reason)


class FailureNotes:
    """`write` stores failed requests and returns after the commit. Used in one event loop."""

    def __init__(self, write: Callable[[list[FailedRequest]], Awaitable[None]]) -> None:
        self._write = write
        self._waiting: list[FailedRequest] = []
        self._added = 0
        self._taken = 0
        self._writing = asyncio.Lock()

    async def add(self, failed: FailedRequest) -> None:
        """Returns once the failure is committed. What `write` raises reaches one of those whose failures it was
        given."""
        number = self._added
        self._added += 1
        self._waiting.append(failed)
        async with self._writing:
            if number < self._taken:
                return
            batch, self._waiting = self._waiting[:AT_ONCE], self._waiting[AT_ONCE:]
            self._taken += len(batch)
            await self._write(batch)
