"""What a process reads of its hosts while others crawl with the same SQLite database."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from newscrawl.crawling.downloader.hosts.sqlite_states import SqliteHostStates
from newscrawl.crawling.downloader.hosts.states import HostClaim
from newscrawl.crawling.runtime.host_state_writer import HostStateWriter
from newscrawl.scheduling.host import HostState, shared
from newscrawl.storage import open_store
from newscrawl.storage.frontier import hosts

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
GRANTED = HostClaim(is_granted=True)


class Others:
    """Another process that crawls, as told."""

    def __init__(self) -> None:
        self.are_there = False
        self.has_host = False
        self.came = 1
        self.taken: list[str] = []

    def are_others(self) -> bool:
        return self.are_there

    def arrivals(self) -> int:
        return self.came

    def take(self, host: str) -> bool:
        self.taken += [] if self.has_host else [host]
        return not self.has_host

    def give_back(self, host: str) -> None:
        self.taken.remove(host)


def test_the_row_is_read_again_only_while_another_process_crawls(tmp_path: Path) -> None:
    known = HostState(last_request_at=NOW - timedelta(seconds=9))
    row = hosts.HostRow("domain:example.org", NOW, 4.0, NOW + timedelta(hours=1), 2, 7.0, 0.5)

    async def scenario() -> None:
        others: Any = Others()
        memory = SqliteHostStates(store, HostStateWriter(store), others)
        await memory.save("example.org", known)
        with store.reading() as connection:
            assert hosts.load(connection, "domain:example.org") is None, "alone, nothing is written"
        store.run(hosts.save, row).result()
        assert await memory.claim("example.org", known, 1.0, NOW) == GRANTED, "alone, nothing is read"
        memory.release("example.org")
        others.are_there = True
        claim = await memory.claim("example.org", known, 1.0, NOW)
        state = HostState(7.0, 4.0, 0.5, 2, NOW, NOW + timedelta(hours=1))
        assert claim == HostClaim(is_granted=False, state=state, again_in=0.0)
        assert await memory.claim("example.org", state, 1.0, NOW) == GRANTED, "nobody else changed it"
        memory.release("example.org")
        await memory.save("example.org", known)
        with store.reading() as connection:
            saved = hosts.load(connection, "domain:example.org")
        assert saved is not None
        assert saved.last_request_at == known.last_request_at, "written though the delay is short and all is well"
        others.has_host = True
        assert await memory.claim("example.org", known, 1.0, NOW) == HostClaim(is_granted=False)
        assert others.taken == []

    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True) as store:
        asyncio.run(scenario())


def test_what_a_process_learned_that_came_and_went_is_read_once(tmp_path: Path) -> None:
    async def scenario() -> None:
        others: Any = Others()
        memory = SqliteHostStates(store, HostStateWriter(store), others)
        known = HostState(last_request_at=NOW - timedelta(minutes=5))
        store.run(hosts.save, hosts.HostRow("domain:example.org", NOW, not_before=NOW + timedelta(hours=1))).result()
        others.came += 1
        state = (await memory.claim("example.org", known, 1.0, NOW)).state
        assert state is not None
        assert state.not_before == NOW + timedelta(hours=1)
        store.close()
        assert await memory.claim("example.org", state, 1.0, NOW) == GRANTED, "the database is not asked again"

    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True) as store:
        asyncio.run(scenario())


def test_a_process_that_comes_later_waits_for_the_notes_of_the_first(tmp_path: Path) -> None:
    async def scenario() -> None:
        clock = [100.0]
        others: Any = Others()
        others.are_there = True
        memory = SqliteHostStates(store, HostStateWriter(store), others, lambda: clock[0])
        assert await memory.claim("example.org", HostState(), 1.0, NOW) == HostClaim(is_granted=False)
        clock[0] += 5.0
        assert await memory.claim("example.org", HostState(), 1.0, NOW) == GRANTED

    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True) as store:
        asyncio.run(scenario())


def test_of_two_readings_of_a_host_the_stored_one_is_newer_and_the_greater_moments_count() -> None:
    own = HostState(crawl_delay=5.0, backoff=8.0, failures=3, last_request_at=NOW, not_before=NOW + timedelta(hours=2))
    stored = HostState(crawl_delay=1.0, latency=0.5, last_request_at=NOW - timedelta(seconds=1))
    assert shared(own, stored, NOW) == HostState(5.0, 0.0, 0.5, 0, NOW, NOW + timedelta(hours=2))
    ahead = HostState(last_request_at=NOW + timedelta(hours=1))
    assert shared(HostState(), ahead, NOW).last_request_at == NOW, "a clock that differs stops nobody"
