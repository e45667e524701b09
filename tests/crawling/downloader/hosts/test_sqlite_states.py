"""The pause that a host asked for holds after the end of the crawl."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

from newscrawl.crawling.downloader.hosts.sqlite_states import SqliteHostStates
from newscrawl.crawling.runtime.host_state_writer import HostStateWriter
from newscrawl.scheduling.host import HostState
from newscrawl.storage import open_store

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)


def test_rest_and_back_off_are_there_for_the_next_crawl_and_gone_when_they_are_over(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/news.db"
    resting = HostState(backoff=20.0, failures=2, last_request_at=NOW, not_before=NOW + timedelta(hours=2))

    async def first() -> None:
        memory = SqliteHostStates(store, HostStateWriter(store))
        assert await memory.load("example.org") is None
        await memory.save("example.org", resting)

    async def second() -> None:
        memory = SqliteHostStates(store, HostStateWriter(store))
        assert await memory.load("example.org") == resting
        await memory.save("example.org", HostState(last_request_at=NOW))
        assert await memory.load("example.org") == HostState(last_request_at=NOW)

    for crawl in (first, second):
        with open_store(url, upgrade=False) as store:
            asyncio.run(crawl())


def test_hosts_in_good_standing_are_not_written(tmp_path: Path) -> None:
    async def crawl() -> None:
        memory = SqliteHostStates(store, HostStateWriter(store))
        await memory.save("example.org", HostState(last_request_at=NOW, latency=0.3))
        assert await memory.load("example.org") is None

    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=False) as store:
        asyncio.run(crawl())
