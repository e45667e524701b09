"""Two processes that crawl with one SQLite database send requests to a domain as one process would."""

from __future__ import annotations

import asyncio
import json
import sys
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import warm
from patience import wait_until

from newscrawl.crawling.downloader.hosts.sqlite_states import SqliteHostStates
from newscrawl.crawling.downloader.hosts.states import HostClaim
from newscrawl.crawling.runtime.host_state_writer import HostStateWriter
from newscrawl.scheduling.host import HostState, shared
from newscrawl.storage import open_store
from newscrawl.storage.frontier import hosts

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
DELAY = 0.2
"""Too short to be stored by a process that is alone (sqlite_states.RESTART)."""
REST = 2
GRANTED = HostClaim(is_granted=True)
CRAWL = f"""
import asyncio, json, sys, time
from newscrawl.crawling.downloader.hosts.sqlite_states import SqliteHostStates
from newscrawl.crawling.runtime.host_state_writer import HostStateWriter
from newscrawl.crawling.downloader.hosts.throttle import HostThrottle
from newscrawl.scheduling.host import HostPolicy
from newscrawl.storage import open_store
from newscrawl.storage.engine.process_locks import ProcessRegistration

async def crawl(url, log, name, number, plea):
    with open_store(url, upgrade=False) as store, ProcessRegistration(url) as living:
        memory = SqliteHostStates(store, HostStateWriter(store), living)
        gate = HostThrottle(HostPolicy(delay={DELAY}, first_rest=0.1), host_states=memory)
        for count in range(number):
            async with gate.slot("example.org") as answer:
                begun = time.monotonic()
                await asyncio.sleep(0.05)
                answer.status, answer.retry_after = (429, "{REST}") if count == plea else (200, None)
                line = dict(name=name, begun=begun, ended=time.monotonic(), status=answer.status)
            with open(log, "a") as file:
                file.write(json.dumps(line) + "\\n")

asyncio.run(crawl(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])))
"""


def test_delay_and_rest_of_a_domain_hold_whichever_process_learned_them(tmp_path: Path) -> None:
    url, log = f"sqlite:///{tmp_path}/news.db", tmp_path / "log.jsonl"
    open_store(url, upgrade=True).close()
    command = [sys.executable, "-c", CRAWL, url, str(log)]
    with warm.Popen([*command, "first", "10000", "12"]) as first:
        try:
            wait_until(log.exists)
            warm.run([*command, "second", "8", "2"], check=True)
            assert first.poll() is None, "the first goes on"
        finally:
            first.kill()
    requests: list[dict[str, Any]] = sorted(map(json.loads, log.read_text().splitlines()), key=lambda one: one["begun"])
    names = "".join(one["name"][0] for one in requests)
    assert names.startswith("f")
    assert "sf" in names, "they take turns"
    assert any(one["status"] == 429 and one["name"] == "second" for one in requests)
    for before, after in pairwise(requests):
        assert after["begun"] - before["ended"] > (REST if before["status"] == 429 else DELAY) - 0.02


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
