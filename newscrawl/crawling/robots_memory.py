"""robots.txt files outlive the crawl: a site that is crawled every few minutes is asked for it once a day."""

from __future__ import annotations

import asyncio
from typing import cast

from newscrawl.scheduling.robots import KEEP_GOOD, Reading, Robots
from newscrawl.storage import Store, hosts


class StoredRobots:
    """robots.txt in `hosts` (robots.RobotsMemory)."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def load(self, authority: str) -> Robots | None:
        """What was last stored for `https://example.com`."""
        row = await asyncio.wrap_future(self._store.run(hosts.load_robots, authority))
        if row is None:
            return None
        reading = cast("Reading", row.reading)
        if row.failures and row.good_at is not None and row.expires_at - row.good_at < KEEP_GOOD:
            reading = "rules"  # the last good copy, which is kept beside what came since
        return Robots(
            reading, row.status, row.fetched_at, row.expires_at, row.body, row.failures, row.reason, row.good_at
        )

    async def save(self, authority: str, robots: Robots) -> None:
        """Keep it; returns after the commit."""
        row = hosts.RobotsRow(
            authority,
            "disallow" if robots.failures else robots.reading,  # storage keeps the last body that was read as rules
            robots.status,
            robots.fetched_at,
            robots.expires_at,
            robots.body,
            robots.failures,
            robots.reason,
        )
        await asyncio.wrap_future(self._store.run(hosts.save_robots, row))
