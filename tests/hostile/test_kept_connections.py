"""Requests of a crawl over persistent connections: each page once, and none before its delay is over."""

from __future__ import annotations

from itertools import pairwise

import pytest
from crawls import Crawl, Crawled
from hostile_server import Hit, HostileServer

from newscrawl.crawling.downloader.download_handler import MAX_HEAD_BYTES
from newscrawl.testing.politeness import doubled

DELAY = 0.05
CLOCK_ERROR = 0.002
"""Two processes read one clock; what lies between reading and acting is this much at most."""

PAGE_BYTES = 15_000
"""Headers included, such a page arrives in one segment."""
PAGES = 3 * MAX_HEAD_BYTES // PAGE_BYTES
"""Of each host: more than a connection may carry if answers were taken for headers."""

BIG = tuple(f"big{number}.example" for number in range(6))
CROSSING = "crossing.example"
RACING = "racing.example"
HOSTS = (*BIG, CROSSING, RACING)


def pages(host: str, server: HostileServer) -> list[str]:
    size, count = (PAGE_BYTES, PAGES) if host in BIG else (500, 20)
    return [server.url(f"/sized?bytes={size}&n={number}", host) for number in range(count)]


@pytest.fixture(scope="module")
def crawled(hostile: HostileServer, crawl: Crawl) -> Crawled:
    """One crawl of hosts that keep connections: six with many small pages, one that closes a connection while the next
    request is on its way, one that closes idle connections about when the next request is due."""
    hostile.crossing.add(CROSSING)
    hostile.idle[RACING] = 1.15 * DELAY
    return crawl(
        [url for host in HOSTS for url in pages(host, hostile)],
        names={host: ["127.0.0.1"] for host in HOSTS},
        settings={
            "NEWSCRAWL_ALLOWED_ADDRESSES": ["127.0.0.1"],
            "DOWNLOAD_DELAY": DELAY,
            "NEWSCRAWL_FIRST_BACKOFF": 5.0,
            "RETRY_TIMES": 0,
        },
    )


def seen(server: HostileServer, host: str) -> list[Hit]:
    """What the network brought to a host, requests that it never read included."""
    hits = [hit for hit in (*server.hits, *server.crossed) if hit.host == host]
    return sorted(hits, key=lambda hit: hit.start)


@pytest.mark.parametrize("host", HOSTS)
def test_every_page_is_fetched_and_answered_once(hostile: HostileServer, crawled: Crawled, host: str) -> None:
    assert {crawled.kind(url) for url in pages(host, hostile)} == {"page"}
    answered = [hit.path for hit in hostile.asked(host) if hit.path != "/robots.txt"]
    assert sorted(answered) == sorted(url.partition(f"{hostile.port}")[2] for url in pages(host, hostile))


@pytest.mark.parametrize("host", HOSTS)
def test_no_request_comes_before_its_turn(hostile: HostileServer, crawled: Crawled, host: str) -> None:
    assert crawled.stats["finish_reason"] == "finished"
    hits = seen(hostile, host)
    gaps = [after.start - (before.end or before.start) for before, after in pairwise(hits)]
    assert min(gaps) >= DELAY - CLOCK_ERROR
    assert doubled([(hit.path, hit.start) for hit in hits], DELAY) == []


def test_connections_are_kept(hostile: HostileServer, crawled: Crawled) -> None:
    assert crawled.stats["downloader/request_count"] >= len(BIG) * PAGES
    assert hostile.crossed


def test_a_connection_closed_meanwhile_is_no_failure(hostile: HostileServer, crawled: Crawled) -> None:
    """Without attempts left to the page, and without a back-off: the host would then wait for seconds."""
    assert crawled.stats["politeness/sent_again"] >= len(hostile.crossed) > 0
    assert not [name for name in crawled.stats if "exception" in name or name.startswith("retry/")]
