"""Hosts take turns, with one request of each at a time, however many there are."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from doubling import doubling
from scrapy import Request
from scrapy.squeues import FifoMemoryQueue
from scrapy.utils.test import get_crawler

from newscrawl.crawling.downloader.scheduler_queue import OneAtATimeQueue
from newscrawl.crawling.downloader.throttled_downloader import ThrottledDownloader


class Busy(ThrottledDownloader):
    """Without a crawl: only what it is busy with."""

    def __init__(self) -> None:
        self.active: set[Request] = set()
        self.slots: dict[str, Any] = {}


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
