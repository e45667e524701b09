"""The robots.txt files that a crawl keeps in memory: thousands of small files, few large ones."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.utils.test import get_crawler

from newscrawl.crawling.downloader.middlewares.robots import (
    KEPT_BYTES,
    LINE_BYTES,
    TOO_COSTLY,
    RobotsMiddleware,
    RobotsStore,
)
from newscrawl.crawling.refusals import Refused
from newscrawl.crawling.scheduling.robots import MAX_ROBOTS_BYTES, Robots, read_answer
from newscrawl.errors import DatabaseUnavailable

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)


class Counting(RobotsStore):
    """A database that has one file for everybody, and counts who asked."""

    def __init__(self, body: bytes) -> None:
        super().__init__()
        self.asked: Counter[str] = Counter()
        self.body = body

    async def load(self, authority: str, *, newest: bool = False) -> Robots | None:
        if (kept := await super().load(authority)) is None:
            self.asked[authority] += 1
            self._keep(authority, kept := read_answer(200, self.body, NOW))
        return kept

    async def save(self, authority: str, robots: Robots) -> None:
        raise AssertionError("nothing was fetched")


class Alone(RobotsMiddleware):
    """Without a downloader, which is told of delays."""

    async def _honour_delay(self, authority: str, robots: Robots) -> None:
        pass


def asked(body: bytes, sites: int, times: int = 2) -> list[int]:
    """How often each site's file was loaded, of sites that are asked for in turns."""

    async def run() -> None:
        for _ in range(times):
            for site in range(sites):
                await middleware.robots_of(f"https://site-{site}.example/story")

    memory = Counting(body)
    middleware = Alone(get_crawler(), memory, lambda: NOW)
    asyncio.run(run())
    return [memory.asked[f"https://site-{site}.example"] for site in range(sites)]


def test_thousands_of_sites_in_turns_are_asked_once() -> None:
    assert asked(b"User-agent: *\nDisallow: /private\n", 5_000) == [1] * 5_000


@pytest.mark.parametrize("body", [b"#" * MAX_ROBOTS_BYTES, b"Allow:/\n" * 20_000], ids=["bytes", "rules"])
def test_large_files_are_few(body: bytes) -> None:
    few = KEPT_BYTES // (2 * len(body) + LINE_BYTES * body.count(b"\n"))
    assert few < 100
    assert asked(body, few) == [1] * few
    assert asked(body, few + 1) == [2] * (few + 1)


def test_a_site_with_more_rules_than_can_be_tried_is_refused_and_no_other_is() -> None:
    class Two(Counting):
        async def load(self, authority: str, *, newest: bool = False) -> Robots | None:
            return read_answer(200, self.body if "costly" in authority else b"", NOW)

    async def ask(name: str) -> None:
        await middleware.process_request(Request(f"https://{name}.example/story"))

    middleware = Alone(get_crawler(), Two(b"User-agent: *\n" + b"Disallow: /*a*b*c*d\n" * 10_000), lambda: NOW)
    asyncio.run(ask("usual"))
    with pytest.raises(Refused, match=r"costly\.example has more than 50,000 rules") as refused:
        asyncio.run(ask("costly"))
    assert refused.value.code == TOO_COSTLY


def test_who_is_asked_for_all_the_time_is_kept() -> None:
    large = b"#" * MAX_ROBOTS_BYTES

    async def run() -> None:
        for site in range(20):
            await middleware.robots_of("https://always.example/story")
            await middleware.robots_of(f"https://site-{site}.example/story")

    memory = Counting(large)
    middleware = Alone(get_crawler(), memory, lambda: NOW)
    asyncio.run(run())
    assert memory.asked["https://always.example"] == 1


def test_a_database_that_is_away_says_nothing_of_robots_txt() -> None:
    class Empty(Counting):
        async def load(self, authority: str, *, newest: bool = False) -> Robots | None:
            return None

    async def away(_request: Request) -> None:
        raise DatabaseUnavailable("cannot write to database")

    crawler: Any = SimpleNamespace(engine=SimpleNamespace(download_async=away))
    middleware = Alone(get_crawler(), Empty(b""), lambda: NOW)
    middleware._crawler = crawler
    with pytest.raises(DatabaseUnavailable):
        asyncio.run(middleware.robots_of("https://site.example/story"))
