"""A crawl ends for all answers of a server, and each address has one outcome with a name and one line of reason."""

from __future__ import annotations

from typing import Any

import pytest
from crawls import Crawl, Crawled
from hostile_server import HostileServer
from patience import PATIENCE, under_limits

MEGABYTE = 1024 * 1024

EXPECTED = {
    "/fine": "page",
    "/overrun": "page",
    "/jpeg": "page",
    "/chain?left=7": "page",
    "/chain?left=30": "redirect/too_many",
    "/loop": "redirect/loop",
    "/to?target=0": "redirect/bad_location",
    "/to?target=1": "redirect/bad_location",
    "/to?target=2": "redirect/bad_location",
    "/to?target=3": "redirect/bad_location",
    "/to?target=4": "redirect/bad_location",
    "/to?target=5": "redirect/bad_location",
    "/status?code=404": "http/404",
    "/status?code=302": "redirect/bad_location",
    "/status?code=500": "http/500",
    "/drop": "download/connection",
    "/hang": "download/timeout",
    "/drip": "download/timeout",
    "/infinite": "download/too_large",
    "/huge-length": "download/too_large",
    "/header-flood": "download/too_large",
    "/bomb": "download/too_large",
    "/double-bomb": "download/too_large",
    "/layers": "download/too_many_encodings",
    "/bad-gzip": "download/bad_encoding",
    "/underrun": "download/incomplete",
    "/not-http": "download/bad_answer",
}
SLOW = ("/hang", "/drip")
"""These take as long as they may."""
Outcomes = tuple[Crawled, dict[str, Any], dict[str, str]]
"""The crawl, what came of each path, and the host of each path."""

LOCATIONS = [
    "javascript:alert(1)",
    "file:///etc/passwd",
    "",
    "ftp://example.com/",
    "http://[",
    "http://example.com:port/",
]


@pytest.fixture(scope="module")
def outcomes(hostile: HostileServer, crawl: Crawl) -> Outcomes:
    """All of them in one crawl, each on a host of its own, so that none waits for the back-off of another."""
    hostile.targets[:] = LOCATIONS
    hosts = {path: f"host{number}.example" for number, path in enumerate(EXPECTED)}
    urls = {path: hostile.url(path, host) for path, host in hosts.items()}

    def answered(limit: float) -> Outcomes:
        hostile.hits.clear()
        slow = [{"url": urls[path], "meta": {"download_timeout": limit}} for path in SLOW]
        crawled = crawl(
            [*slow, *(url for path, url in urls.items() if path not in SLOW)],
            names={host: ["127.0.0.1"] for host in hosts.values()},
            settings={"NEWSCRAWL_ALLOWED_ADDRESSES": ["127.0.0.1"], "DOWNLOAD_TIMEOUT": PATIENCE, "RETRY_TIMES": 1},
        )
        return crawled, {path: crawled.outcomes[url] for path, url in urls.items()}, hosts

    return under_limits(answered, lambda _: all(len(hostile.asked(hosts[path], path)) == 2 for path in SLOW))


@pytest.mark.parametrize("path", EXPECTED)
def test_each_misbehaviour_has_its_name(outcomes: Outcomes, path: str) -> None:
    assert outcomes[1][path]["kind"] == EXPECTED[path]


def test_what_passes_is_tried_again_and_what_does_not_is_not(hostile: HostileServer, outcomes: Outcomes) -> None:
    # The first request that is dropped meets the connection that robots.txt came over: it does not count as a try.
    tries = {path: len(hostile.asked(host, path.partition("?")[0])) for path, host in outcomes[2].items()}
    assert {path: tries[path] for path in ("/drop", "/underrun", "/hang", "/status?code=500")} == {
        "/drop": 3,
        "/underrun": 2,
        "/hang": 2,
        "/status?code=500": 2,
    }
    assert tries["/bomb"] == tries["/infinite"] == tries["/status?code=404"] == tries["/not-http"] == 1


def test_a_redirect_that_leads_on_is_followed_for_eight_hops_and_no_more(
    hostile: HostileServer, outcomes: Outcomes
) -> None:
    assert len(hostile.asked(outcomes[2]["/chain?left=30"], "/chain")) == 9


def test_a_flood_of_bytes_does_not_fill_the_memory(outcomes: Outcomes) -> None:
    """A quarter of a gigabyte unpacked, or what a flood brings in a second, would show."""
    stats = outcomes[0].stats
    assert stats["memusage/max"] - stats["memusage/startup"] < 200 * MEGABYTE


def test_refusals_of_ours_are_counted_under_their_names(outcomes: Outcomes) -> None:
    stats = outcomes[0].stats
    assert stats["redirect/loop"] == 1
    assert stats["redirect/bad_location"] == 7
    assert stats["download/too_many_encodings"] == 1


def test_bodies_that_cannot_be_decompressed_are_counted_where_they_are_refused(outcomes: Outcomes) -> None:
    stats = outcomes[0].stats
    assert stats["download/too_large"] == 2
    assert stats["download/bad_encoding"] == 1
