"""The robots.txt files that a crawl keeps in memory: thousands of small files, few large ones."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from patience import PATIENCE
from scrapy import Request
from scrapy.utils.test import get_crawler

from newscrawl.crawling.downloader.middlewares import robots
from newscrawl.crawling.downloader.middlewares.robots import (
    MAX_KEPT_BYTES,
    MIN_BYTES,
    WILDCARD_BYTES,
    RobotsMiddleware,
)
from newscrawl.errors import DatabaseUnavailable
from newscrawl.scheduling import robots_rules
from newscrawl.scheduling.robots import MAX_ROBOTS_BYTES, Robots, read_answer

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)


class Counting:
    """A memory that has one file for everybody, and counts who asked."""

    def __init__(self, body: bytes) -> None:
        self.asked: Counter[str] = Counter()
        self._body = body

    async def load(self, authority: str, *, newest: bool = False) -> Robots | None:
        self.asked[authority] += 1
        return read_answer(200, self._body, NOW)

    async def save(self, authority: str, robots: Robots) -> None:
        raise AssertionError("nothing was fetched")


class ArchiveWriter(RobotsMiddleware):
    """Without a downloader, which is told of delays."""

    def _honour_delay(self, authority: str, robots: Robots) -> None:
        pass


def asked(body: bytes, sites: int, times: int = 2) -> list[int]:
    """How often each site's file was loaded, of sites that are asked for in turns."""

    async def run() -> None:
        for _ in range(times):
            for site in range(sites):
                await middleware.robots_of(f"https://site-{site}.example/story")

    memory = Counting(body)
    middleware = ArchiveWriter(get_crawler(), memory, lambda: NOW)
    asyncio.run(run())
    return [memory.asked[f"https://site-{site}.example"] for site in range(sites)]


def test_thousands_of_sites_in_turns_are_asked_once() -> None:
    most = MAX_KEPT_BYTES // MIN_BYTES
    assert most > 4000
    assert asked(b"User-agent: *\nDisallow: /private\n", most) == [1] * most


def test_the_largest_files_are_few() -> None:
    large = b"#" * MAX_ROBOTS_BYTES
    few = MAX_KEPT_BYTES // MAX_ROBOTS_BYTES
    assert asked(large, few) == [1] * few
    assert asked(large, few + 1) == [2] * (few + 1)


def test_rules_with_wildcards_weigh_more() -> None:
    rules = b"User-agent: *\n" + b"".join(b"Disallow: /*?p=%d\n" % number for number in range(50))
    sites = MAX_KEPT_BYTES // (50 * WILDCARD_BYTES)
    assert asked(rules, sites // 2) == [1] * (sites // 2)
    assert asked(rules, sites) == [2] * sites


def test_who_is_asked_for_all_the_time_is_kept() -> None:
    large = b"#" * MAX_ROBOTS_BYTES

    async def run() -> None:
        for site in range(20):
            await middleware.robots_of("https://always.example/story")
            await middleware.robots_of(f"https://site-{site}.example/story")

    memory = Counting(large)
    middleware = ArchiveWriter(get_crawler(), memory, lambda: NOW)
    asyncio.run(run())
    assert memory.asked["https://always.example"] == 1


def test_who_asks_at_the_same_time_waits_for_one_answer() -> None:
    class Slow(Counting):
        async def load(self, authority: str, *, newest: bool = False) -> Robots | None:
            await asyncio.sleep(0.01)
            return await super().load(authority)

    async def run() -> None:
        await asyncio.gather(*(middleware.robots_of("https://one.example/story") for _ in range(9)))

    memory = Slow(b"User-agent: *\n")
    middleware = ArchiveWriter(get_crawler(), memory, lambda: NOW)
    asyncio.run(run())
    assert memory.asked["https://one.example"] == 1
    assert not middleware._locks


def test_a_site_whose_rules_take_many_steps_waits_and_no_other_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robots_rules, "STEP", 20)
    monkeypatch.setattr(robots, "STEP_PAUSE", 0.001)
    slow = "User-agent: *\n" + "".join(f"Disallow: /*a*b*{number}$\n" for number in range(1_000))
    order: list[str] = []

    class Two(Counting):
        async def load(self, authority: str, *, newest: bool = False) -> Robots | None:
            return read_answer(200, slow.encode() if "slow" in authority else b"User-agent: *\n", NOW)

    async def decide(middleware: ArchiveWriter, name: str) -> None:
        await middleware.process_request(Request(f"https://{name}.example/{'ab' * 40}1234567890-x"))
        order.append(name)

    async def run() -> None:
        middleware = ArchiveWriter(get_crawler(), Two(b""), lambda: NOW)
        names = ("slow1", "slow2", "quick1", "quick2")
        await asyncio.wait_for(asyncio.gather(*(decide(middleware, name) for name in names)), PATIENCE)

    asyncio.run(run())
    assert order[:2] == ["quick1", "quick2"]
    assert sorted(order[2:]) == ["slow1", "slow2"]


def test_a_database_that_is_away_says_nothing_of_robots_txt() -> None:
    class Empty(Counting):
        async def load(self, authority: str, *, newest: bool = False) -> Robots | None:
            return None

    async def away(_request: Request) -> None:
        raise DatabaseUnavailable("cannot write to database")

    crawler: Any = SimpleNamespace(engine=SimpleNamespace(download_async=away))
    middleware = ArchiveWriter(get_crawler(), Empty(b""), lambda: NOW)
    middleware._crawler = crawler
    with pytest.raises(DatabaseUnavailable):
        asyncio.run(middleware.robots_of("https://site.example/story"))
