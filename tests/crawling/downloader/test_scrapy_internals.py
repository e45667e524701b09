"""The private names of Scrapy and Twisted that newscrawl uses are there, and what is built on them works: hosts take
turns, with one request of each at a time, however many there are.

The CI runs this file with Scrapy's newest release."""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest
from doubling import doubling
from scrapy import Request, Spider
from scrapy.core.downloader import Downloader
from scrapy.core.downloader.handlers import http11
from scrapy.core.engine import ExecutionEngine, _Slot
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.pqueues import DownloaderAwarePriorityQueue, DownloaderInterface
from scrapy.spiderloader import SpiderLoader
from scrapy.squeues import FifoMemoryQueue
from scrapy.utils.test import get_crawler
from twisted.web._newclient import HEADER, STATUS, HTTP11ClientProtocol
from twisted.web.client import HTTPConnectionPool, _HTTP11ClientFactory

from newscrawl.crawling.downloader.scrapy_internals import OneAtATimeQueue, PlainDownloader, counters, engine_of
from newscrawl.crawling.downloader.throttle import host_key

SET_BY: dict[type, tuple[str, ...]] = {
    Crawler: ("_engine", "_stats"),
    ExecutionEngine: ("_slot", "downloader"),
    _Slot: ("closing", "nextcall"),
    Downloader: ("_delay", "_jitter", "domain_concurrency", "per_slot_settings", "active"),
    DownloaderAwarePriorityQueue: ("_downloader_interface", "pqueues"),
    DownloaderInterface: ("downloader",),
    http11.HTTP11DownloadHandler: ("_pool", "_contextFactory"),
    HTTPConnectionPool: ("_factory",),
    _HTTP11ClientFactory: ("_quiescentCallback",),
    HTTP11ClientProtocol: ("_parser", "_state"),
    SpiderLoader: ("spider_modules",),
}
"""Attributes of instances, by the class whose code sets them."""
METHODS: dict[Callable[..., Any], tuple[str, ...]] = {
    Downloader._enqueue_request: ("self", "request"),
    Downloader.get_slot_key: ("self", "request"),
    SpiderLoader._load_all_spiders: ("self",),
    SpiderLoader._load_spiders: ("self", "module"),
    SpiderLoader._check_name_duplicates: ("self",),
    HTTPConnectionPool.getConnection: ("self", "key", "endpoint"),
}
"""Methods that are called or replaced, with their parameters."""


@pytest.mark.parametrize(
    ("owner", "name"), [(owner, name) for owner, names in SET_BY.items() for name in names], ids=str
)
def test_an_attribute_is_set(owner: type, name: str) -> None:
    assert re.search(rf"^ +(?:self\.)?{name}\b[^=\n]*= ", inspect.getsource(owner), re.MULTILINE)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.__qualname__)
def test_a_method_has_its_parameters(method: Callable[..., Any]) -> None:
    assert tuple(inspect.signature(method).parameters) == METHODS[method]


def test_classes_and_exceptions_are_there() -> None:
    assert issubclass(http11._LenientHTTP11ClientProtocol, HTTP11ClientProtocol)
    assert issubclass(http11._LenientHTTP11ClientFactory, _HTTP11ClientFactory)
    assert {STATUS, HEADER} == {"STATUS", "HEADER"}


def test_a_crawl_that_was_not_begun_has_no_engine_and_no_counters() -> None:
    crawler = Crawler(Spider)
    assert (engine_of(crawler), counters(crawler), engine_of(None)) == (None, {}, None)


class Busy(PlainDownloader):
    """Without a crawl: only what it is busy with."""

    def __init__(self) -> None:
        self.active: set[Request] = set()
        self.slots: dict[str, Any] = {}

    def get_slot_key(self, request: Request) -> str:
        return host_key(request.url)

    async def send(self, request: Request, transmit: Callable[[Request], Awaitable[Response]]) -> Response:
        return await transmit(request)


def make_queue(urls: list[str]) -> tuple[OneAtATimeQueue, Busy]:
    crawler = get_crawler()
    downloader = Busy()
    crawler.engine = SimpleNamespace(downloader=downloader)  # type: ignore[assignment]
    queue = OneAtATimeQueue.from_crawler(crawler, FifoMemoryQueue, "")
    for url in urls:
        queue.push(Request(url))
    return queue, downloader


def drained(queue: OneAtATimeQueue) -> list[str]:
    urls = []
    while request := queue.pop():
        urls.append(request.url)
    return urls


def test_hosts_take_turns_in_the_order_in_which_they_came() -> None:
    urls = [f"https://{host}.example/{number}" for host in "zam" for number in range(3)]
    queue, _ = make_queue(urls)
    assert len(queue) == 9
    assert drained(queue) == [f"https://{host}.example/{number}" for number in range(3) for host in "zam"]
    assert len(queue) == 0


def test_a_host_that_comes_back_stands_behind_the_others() -> None:
    queue, _ = make_queue(["https://a.example/1", "https://b.example/1", "https://b.example/2"])
    first = queue.pop()
    assert first is not None
    queue.push(Request("https://a.example/2"))
    assert [first.url, *drained(queue)] == [
        "https://a.example/1",
        "https://b.example/1",
        "https://a.example/2",
        "https://b.example/2",
    ]


def test_a_busy_host_waits_and_loses_nothing() -> None:
    queue, downloader = make_queue(["https://a.example/1", "https://a.example/2", "https://b.example/1"])
    busy = Request("https://www.a.example/0")
    downloader.active.add(busy)
    assert drained(queue) == ["https://b.example/1"]
    assert len(queue) == 2
    downloader.active.remove(busy)
    assert drained(queue) == ["https://a.example/1", "https://a.example/2"]


def test_the_urgent_requests_of_a_host_go_first() -> None:
    queue, _ = make_queue(["https://a.example/1"])
    queue.push(Request("https://a.example/robots.txt", priority=5))
    assert drained(queue) == ["https://a.example/robots.txt", "https://a.example/1"]


def test_an_empty_queue_that_a_failed_push_left_behind_is_passed_by() -> None:
    queue, _ = make_queue([])
    queue.pqueues["bad.example"] = queue.pqfactory("bad.example")
    queue.push(Request("https://good.example/"))
    assert drained(queue) == ["https://good.example/"]
    assert not queue.pqueues


def test_a_request_costs_the_same_however_many_hosts_wait() -> None:
    def make(size: int) -> OneAtATimeQueue:
        return make_queue([f"https://site-{number}.example/" for number in range(size)])[0]

    def every_host_once(queue: OneAtATimeQueue) -> None:
        for _ in range(len(queue.pqueues)):
            request = queue.pop()
            assert request is not None
            queue.push(request)

    doubling(every_host_once, make, 500)
