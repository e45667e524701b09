"""What the downloader does around the network: refusals, waiting, repetitions."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.core.downloader import Downloader
from scrapy.exceptions import CannotResolveHostError
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from newscrawl.crawling.downloader import throttled_downloader as downloader_module
from newscrawl.crawling.downloader.middlewares.robots import READ_MEANWHILE, RobotsMiddleware, RobotsStore
from newscrawl.crawling.downloader.throttle import HostThrottle
from newscrawl.crawling.downloader.throttled_downloader import BlockedRequests, ThrottledDownloader
from newscrawl.crawling.failures import NotPermitted
from newscrawl.crawling.refusals import Refused
from newscrawl.crawling.scheduling.host import HostPolicy
from newscrawl.crawling.scheduling.robots import FRESH_FOR, Robots
from newscrawl.storage.store import open_store


@pytest.mark.parametrize(
    ("host", "told"),
    [
        ("127.0.0.1", "127.0.0.1 is not a public address"),
        ("inside.example", "inside.example: 10.0.0.1 is not a public address"),
    ],
)
def test_a_refused_address_is_named_once(monkeypatch: pytest.MonkeyPatch, host: str, told: str) -> None:
    reason = f"{host if host[0].isdigit() else '10.0.0.1'} is not a public address"
    guard = SimpleNamespace(refusal=lambda host, port: reason)
    monkeypatch.setattr(downloader_module.address_guard, "installed_guard", lambda: guard)
    error = downloader_module._explained(Request(f"http://{host}/"), CannotResolveHostError(host))
    assert told in str(error)
    assert str(error).count(host) == 1


class Alone(ThrottledDownloader):
    """Without a crawl, a guard or a network: the next downloader's answer is given back."""

    def __init__(self) -> None:
        self.throttle = HostThrottle(HostPolicy(delay=0.0))
        self.policy = self.throttle.policy
        self.session: Any = SimpleNamespace(
            is_storage_away=lambda: False,
            is_in_force=lambda: True,
            has_budget=lambda: True,
            has_to_wait=lambda _request: False,
            note_request=lambda _request: None,
        )
        self.crawler: Any = SimpleNamespace(_engine=None, spider=None)
        self._by_address = False
        self._blocked: Any = SimpleNamespace()

    def _check(self, request: Request) -> None:
        """Everything is allowed."""


def test_time_spent_waiting_for_the_database_is_no_latency_of_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    async def answered(_self: Downloader, request: Request) -> Response:
        return Response(request.url)

    monkeypatch.setattr(Downloader, "_enqueue_request", answered)
    monkeypatch.setattr(downloader_module, "LOOK_AGAIN", 0.01)
    looks = iter([True, False])
    downloader = Alone()
    begun = datetime(2026, 1, 1, tzinfo=UTC)
    clock = SimpleNamespace(passed=timedelta())
    downloader.throttle = HostThrottle(HostPolicy(delay=0.0), now=lambda: begun + clock.passed)

    def is_away() -> bool:
        clock.passed += timedelta(minutes=5)
        return next(looks)

    downloader.session.is_storage_away = is_away
    asyncio.run(downloader._enqueue_request(Request("https://www.site.example/")))
    assert downloader.throttle.state("site.example").latency < 1.0


def test_nothing_is_sent_while_the_lease_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []

    async def answered(_self: Downloader, request: Request) -> Response:
        sent.append(request.url)
        return Response(request.url)

    monkeypatch.setattr(Downloader, "_enqueue_request", answered)
    monkeypatch.setattr(downloader_module, "LOOK_AGAIN", 0.01)
    downloader, looks = Alone(), iter([False, False, True])
    before: list[int] = []

    def is_in_force() -> bool:
        before.append(len(sent))
        return next(looks)

    downloader.session.is_in_force = is_in_force
    asyncio.run(downloader._enqueue_request(Request("https://www.site.example/")))
    assert (before, len(sent)) == ([0, 0, 0], 1)


def test_a_crawl_that_ends_meanwhile_sends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloader_module, "LOOK_AGAIN", 0.01)
    downloader = Alone()
    ends: list[bool] = []
    monkeypatch.setattr(downloader, "_closing", lambda: bool(ends))

    def is_in_force() -> bool:
        ends.append(True)
        return False

    downloader.session.is_in_force = is_in_force
    downloader.crawler = SimpleNamespace(_engine=None, spider=None, stats=SimpleNamespace(inc_value=lambda _: None))
    with pytest.raises(Refused, match="lease was not confirmed"):
        asyncio.run(downloader._enqueue_request(Request("https://www.site.example/")))


def test_a_request_that_was_not_permitted_on_its_connection_is_sent_in_its_next_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = iter([NotPermitted("not confirmed"), None])

    async def answered(_self: Downloader, request: Request) -> Response:
        refusal = next(answers)
        if refusal is not None:
            raise refusal
        return Response(request.url)

    monkeypatch.setattr(Downloader, "_enqueue_request", answered)
    downloader, counted = Alone(), list[str]()
    downloader.crawler = SimpleNamespace(_engine=None, spider=None, stats=SimpleNamespace(inc_value=counted.append))
    asyncio.run(downloader._enqueue_request(Request("https://www.site.example/")))
    assert counted == ["politeness/sent_again"]
    assert downloader.throttle.state("site.example").failures == 0


class LookedEarly(RobotsStore):
    """That of a process which looked for the file before the other one had saved it."""

    async def load(self, authority: str, *, newest: bool = False) -> Robots | None:
        return await super().load(authority, newest=True) if newest else None


@pytest.mark.parametrize(("later", "asked"), [(timedelta(minutes=1), 1), (timedelta(minutes=-1), 1), (FRESH_FOR, 2)])
def test_robots_txt_that_another_process_read_meanwhile_is_not_requested(
    later: timedelta, asked: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    requested: list[str] = []

    async def answered(_self: Downloader, request: Request) -> Response:
        requested.append(request.url)
        return Response(request.url, body=b"User-agent: *\nDisallow: /private/\n")

    async def crawl(memory: RobotsStore, now: datetime) -> tuple[Robots, Any]:
        downloader, crawler = Alone(), get_crawler()
        downloader.crawler = crawler
        engine: Any = SimpleNamespace(download_async=downloader._enqueue_request, downloader=downloader, _slot=None)
        crawler.engine = engine
        robots = await RobotsMiddleware(crawler, memory, lambda: now).robots_of("https://example.org/story")
        return robots, crawler.stats

    async def both() -> tuple[Robots, Any]:
        now = datetime(2026, 11, 21, tzinfo=UTC)
        await crawl(RobotsStore(store), now)
        return await crawl(LookedEarly(store), now + later)

    monkeypatch.setattr(Downloader, "_enqueue_request", answered)
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True) as store:
        robots, stats = asyncio.run(both())
    assert len(requested) == asked
    assert stats.get_value(READ_MEANWHILE, 0) == 2 - asked
    assert not robots.allows("https://example.org/private/", "newscrawl")


REASON = "inside.example: 10.0.0.1 is not a public address (NEWSCRAWL_ALLOWED_ADDRESSES=10.0.0.1/32 allows it)"


@pytest.mark.parametrize("is_answered", [False, True])
def test_the_first_refusal_and_a_crawl_of_refusals_are_told_once(
    caplog: pytest.LogCaptureFixture, *, is_answered: bool
) -> None:
    caplog.set_level(logging.INFO)
    crawler = get_crawler()
    blocked = BlockedRequests(crawler)
    for _ in range(3):
        crawler.stats.inc_value("security/blocked_address")
        blocked.add(REASON)
    blocked.is_answered = is_answered
    blocked.spider_closed(Spider(name="harbour"))
    said = [(record.levelname, record.getMessage()) for record in caplog.records if "guard" in record.getMessage()]
    first = f"the address guard refused a request: {REASON}; later ones are only counted as security/blocked_address"
    last = f"the address guard refused all requests of harbour (3), so nothing was fetched: {REASON}"
    assert said == [("INFO", first), *([] if is_answered else [("WARNING", last)])]


def test_a_crawl_without_refusals_says_nothing(caplog: pytest.LogCaptureFixture) -> None:
    BlockedRequests(get_crawler()).spider_closed(Spider(name="harbour"))
    assert [record for record in caplog.records if "guard" in record.getMessage()] == []
