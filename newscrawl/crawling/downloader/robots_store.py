"""Keeps robots.txt files in the database, so that a site that is crawled every few minutes gets one request for
robots.txt a day."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final, cast

from newscrawl.scheduling.robots import KEEP_GOOD, Reading, Robots, restored
from newscrawl.storage import Transactions
from newscrawl.storage.frontier import hosts

KEPT: Final = 5_000
KEPT_BYTES: Final = 16 << 20
"""The most files that a process keeps with their rules parsed, and their bytes together. Otherwise each crawl of a site
every few minutes would read and parse them again."""


class RobotsStore:
    """robots.txt files in the table `hosts` (implements robots.RobotsMemory), with the latest used ones in memory."""

    def __init__(self, store: Transactions) -> None:
        self._store = store
        self._kept: OrderedDict[str, Robots] = OrderedDict()
        self._bytes = 0

    async def load(self, authority: str, *, newest: bool = False) -> Robots | None:
        """Returns the robots.txt last saved for an authority such as `https://example.com`, None if none was. With
        `newest`, the database is read in any case, because another process may have saved the file meanwhile."""
        kept = self._kept.get(authority)
        if kept is not None and not newest:
            self._kept.move_to_end(authority)
            return kept
        robots = await self._load(authority)
        if robots is not None and robots.reading == "rules":
            robots = restored(robots)
        if robots is not None:
            self._keep(authority, robots)
        return robots

    def _keep(self, authority: str, robots: Robots) -> None:
        before = self._kept.pop(authority, None)
        self._kept[authority] = robots
        self._bytes += len(robots.body) - (len(before.body) if before else 0)
        while len(self._kept) > KEPT or self._bytes > KEPT_BYTES:
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= len(oldest.body)

    async def _load(self, authority: str) -> Robots | None:
        row = await asyncio.wrap_future(self._store.run(hosts.load_robots, authority))
        if row is None:
            return None
        reading, body, good_at = cast("Reading", row.reading), row.body, row.good_at
        if row.failures and good_at is not None and row.expires_at - good_at < KEEP_GOOD:
            reading = "rules"  # the last good answer is kept beside later ones; no rules are an empty file
        return Robots(reading, row.status, row.fetched_at, row.expires_at, body, row.failures, row.reason, good_at)

    async def save(self, authority: str, robots: Robots) -> None:
        """Stores the file. Returns after the commit."""
        self._keep(authority, robots)
        row = hosts.RobotsRow(
            authority,
            "disallow" if robots.failures else robots.reading,
            robots.status,
            robots.fetched_at,
            robots.expires_at,
            robots.body,
            robots.failures,
            robots.reason,
            robots.good_at,
        )
        await asyncio.wrap_future(self._store.run(hosts.save_robots, row))
