"""Keeps robots.txt files in the database, so that a site that is crawled every few minutes gets one request for
robots.txt a day."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final, cast

from newscrawl.crawling.scheduling.robots import KEEP_GOOD, Reading, Robots, restored
from newscrawl.storage.frontier import hosts
from newscrawl.storage.reader import Transactions

KEPT_BYTES: Final = 64 << 20
"""About the most memory that the files of a process take, the latest used ones: thousands of usual files or three of
the largest. Without them each crawl of a site every few minutes would read and parse its file again, and without a
limit a site that answers for any subdomain could fill the memory."""
MIN_BYTES: Final = 1024
"""The least that a file counts for."""
LINE_BYTES: Final = 300
"""What a parsed rule takes (measured with Protego 0.7)."""


class RobotsStore:
    """The latest used robots.txt files of a process, and, with a database, all of them in the table `hosts`."""

    def __init__(self, store: Transactions | None = None) -> None:
        self._store = store
        self._kept: OrderedDict[str, Robots] = OrderedDict()
        self._bytes = 0

    async def load(self, authority: str, *, newest: bool = False) -> Robots | None:
        """Returns the robots.txt last saved for an authority such as `https://example.com`, None if none was. With
        `newest`, the database is read in any case, because another process may have saved the file meanwhile."""
        kept = self._kept.get(authority)
        if self._store is None or (kept is not None and not newest):
            if kept is not None:
                self._kept.move_to_end(authority)
            return kept
        robots = await self._load(self._store, authority)
        if robots is not None:
            self._keep(authority, robots)
        return robots

    async def save(self, authority: str, robots: Robots) -> None:
        """Stores the file. Returns after the commit."""
        self._keep(authority, robots)
        if self._store is None:
            return
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

    def _keep(self, authority: str, robots: Robots) -> None:
        before = self._kept.pop(authority, None)
        self._kept[authority] = robots
        self._bytes += _weight(robots) - (_weight(before) if before else 0)
        while self._bytes > KEPT_BYTES:
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= _weight(oldest)

    async def _load(self, store: Transactions, authority: str) -> Robots | None:
        row = await asyncio.wrap_future(store.run(hosts.load_robots, authority))
        if row is None:
            return None
        reading, body, good_at = cast("Reading", row.reading), row.body, row.good_at
        if row.failures and good_at is not None and row.expires_at - good_at < KEEP_GOOD:
            reading = "rules"  # the last good answer is kept beside later ones; no rules are an empty file
        return restored(
            Robots(reading, row.status, row.fetched_at, row.expires_at, body, row.failures, row.reason, good_at)
        )


def _weight(robots: Robots) -> int:
    """Returns about the memory that it takes when it is parsed: its bytes, its text, its rules."""
    return max(MIN_BYTES, 2 * len(robots.body) + LINE_BYTES * robots.body.count(b"\n"))
