"""Ends the crawl of `scrapy crawl SITE` within ten seconds after `newscrawl pause SITE`."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from newscrawl.errors import StorageError, UsageError
from newscrawl.logs.json_lines import about
from newscrawl.storage import Store
from newscrawl.storage.crawls import site_controls

logger = logging.getLogger(__name__)

LOOK_SECONDS: Final = 8.0
"""Seconds between two reads of the table `site_controls`."""
PAUSED: Final = "paused"
"""Finish reason of a crawl whose site was paused."""


def check_not_paused(store: Store, site: str, now: datetime) -> None:
    """Raises UsageError if the site is paused."""
    if is_paused(store, site, now):
        raise UsageError(f"site {site!r} is paused: `newscrawl resume {site}` ends the pause")


def is_paused(store: Store, site: str, now: datetime) -> bool:
    """Returns whether the site is paused. Raises StorageError."""
    with store.reading() as connection:
        control = site_controls.of_site(connection, site)
    return control is not None and control.is_paused(now)


class PauseWatch:
    """Calls `paused` once, when the site is paused."""

    def __init__(self, store: Store, site: str, paused: Callable[[], None]) -> None:
        self._store = store
        self._site = site
        self._paused = paused
        self._task = asyncio.get_running_loop().create_task(self._watch())

    async def close(self) -> None:
        """Ends the watching."""
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                paused = await asyncio.to_thread(is_paused, self._store, self._site, datetime.now(UTC))
            except StorageError:
                continue  # the crawl itself reports a database that does not answer
            if paused:
                logger.info(
                    "%s is paused: its crawl ends after the requests in progress", self._site, extra=about(self._site)
                )
                self._paused()
                return
