"""robots.txt, with its last good copy, is kept after the end of the process."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

from newscrawl.crawling.downloader.robots_store import RobotsStore
from newscrawl.scheduling.robots import KEEP_GOOD, read_answer, read_failure
from newscrawl.storage.store import open_store

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
BODY = b"User-agent: *\nDisallow: /private/\nCrawl-delay: 7\n"
AUTHORITY = "https://example.org"


def test_rules_failures_and_the_last_good_copy_are_there_for_the_next_process(tmp_path: Path) -> None:
    async def story() -> None:
        memory = RobotsStore(store)
        assert await memory.load(AUTHORITY) is None
        good = read_answer(200, BODY, NOW)
        await memory.save(AUTHORITY, good)
        found = await RobotsStore(store).load(AUTHORITY)
        assert found == good
        assert await memory.load(AUTHORITY) is good

        failed = read_failure("no answer", NOW + timedelta(days=2), good)
        await memory.save(AUTHORITY, failed)
        found = await RobotsStore(store).load(AUTHORITY)
        assert found is not None
        assert found == failed
        assert found.crawl_delay("newscrawl") == 7
        assert not found.allows("https://example.org/private/x", "newscrawl")

        await memory.save(AUTHORITY, read_failure("no answer", NOW + KEEP_GOOD, failed))
        found = await RobotsStore(store).load(AUTHORITY)
        assert found is not None
        assert not found.allows("https://example.org/", "newscrawl")

    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=False) as store:
        asyncio.run(story())


def test_that_there_were_no_rules_outlives_failures_and_the_process(tmp_path: Path) -> None:
    async def story() -> list[bool]:
        found = []
        memory = RobotsStore(store)
        rules = read_answer(200, BODY, NOW)
        gone = read_answer(404, b"", NOW + timedelta(days=2), rules)
        failed = read_failure("no answer", NOW + timedelta(days=4), gone)
        for robots in (rules, gone, failed):
            await memory.save(AUTHORITY, robots)
            kept = await RobotsStore(store).load(AUTHORITY)
            assert kept is not None
            found.append(kept.allows("https://example.org/private/x", "newscrawl"))
            assert kept.failures == robots.failures
        await memory.save(AUTHORITY, read_failure("no answer", NOW + timedelta(days=2) + KEEP_GOOD, failed))
        kept = await RobotsStore(store).load(AUTHORITY)
        assert kept is not None
        return [*found, kept.allows("https://example.org/", "newscrawl")]

    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=False) as store:
        assert asyncio.run(story()) == [False, True, True, False]
