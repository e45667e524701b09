"""Requests that a host receives: one at a time, never closer than the delay. Other hosts are not delayed by its
pause."""

from __future__ import annotations

from itertools import pairwise

from crawls import Crawl, Crawled
from hostile_server import Hit, HostileServer, robots
from patience import under_limits

CLOCK_ERROR = 0.002
"""Two processes read one clock; what lies between reading and acting is this much at most."""


def settings(**more: object) -> dict[str, object]:
    return {"NEWSCRAWL_ALLOWED_ADDRESSES": ["127.0.0.1"], **more}


def names(*hosts: str) -> dict[str, list[str]]:
    return {host: ["127.0.0.1"] for host in hosts}


def closest(hits: list[Hit]) -> float:
    """Seconds between the end of one request and the start of the next, at their closest."""
    assert all(hit.end is not None for hit in hits)
    ordered = sorted(hits, key=lambda hit: hit.start)
    return min(after.start - (before.end or 0.0) for before, after in pairwise(ordered))


def test_requests_to_a_host_never_overlap_nor_come_closer_than_the_delay(hostile: HostileServer, crawl: Crawl) -> None:
    """Many first requests at once, under two names of one owner: pages, redirects, an error, robots.txt."""
    host, other = "www.polite.example", "images.polite.example"
    urls = [hostile.url(f"/slow?seconds=0.05&n={n}", host) for n in range(4)]
    urls += [hostile.url("/chain?left=2", host), hostile.url("/status?code=500", other), hostile.url("/page", other)]
    crawled = crawl(urls, names=names(host, other), settings=settings(DOWNLOAD_DELAY=0.2, RETRY_TIMES=1))
    hits = [*hostile.asked(host), *hostile.asked(other)]
    assert len(hits) == 12  # two robots.txt, four slow pages, three hops, two attempts at the error, a page
    assert closest(hits) >= 0.2 - CLOCK_ERROR
    assert sum(outcome["kind"] == "page" for outcome in crawled.outcomes.values()) == 6


def test_a_crawl_delay_is_longer_than_the_setting_and_wins(hostile: HostileServer, crawl: Crawl) -> None:
    hostile.robots["calm.example"] = robots("User-agent: *\nCrawl-delay: 0.4\n")
    urls = [hostile.url(f"/{number}", "calm.example") for number in range(3)]
    crawl(urls, names=names("calm.example"), settings=settings(DOWNLOAD_DELAY=0.0))
    assert closest(hostile.asked("calm.example")) >= 0.4 - CLOCK_ERROR


def test_a_crawl_delay_of_years_is_capped_counted_and_does_not_keep_a_crawl_from_ending(
    hostile: HostileServer, crawl: Crawl
) -> None:
    hostile.robots["never.example"] = robots("User-agent: *\nCrawl-delay: 1e9\n")
    url = hostile.url("/page", "never.example")

    def stopped(limit: float) -> Crawled:
        return crawl([url], names=names("never.example"), settings=settings(CLOSESPIDER_TIMEOUT=limit))

    crawled = under_limits(stopped, lambda crawled: "robots/delay_capped" in crawled.stats)
    assert crawled.stats["robots/delay_capped"] == 1
    assert crawled.kind(url) == "crawl/stopped"


def test_a_host_that_asks_for_rest_gets_it(hostile: HostileServer, crawl: Crawl) -> None:
    """The page is fetched after the time that Retry-After names, and nothing else of the host before."""
    urls = [hostile.url("/busy?times=1&after=1", "tired.example"), hostile.url("/other", "tired.example")]
    crawled = crawl(urls, names=names("tired.example"), settings=settings())
    assert {crawled.kind(url) for url in urls} == {"page"}
    hits = hostile.asked("tired.example")
    refused = next(place for place, hit in enumerate(hits) if hit.path.startswith("/busy"))
    assert hits[refused + 1].start - (hits[refused].end or 0.0) >= 1.0 - CLOCK_ERROR


def test_a_host_that_wants_to_rest_for_hours_is_left_alone_for_this_round(hostile: HostileServer, crawl: Crawl) -> None:
    urls = [hostile.url(f"/busy?times=99&after=7200&n={n}", "closed.example") for n in range(5)]
    crawled = crawl(urls, names=names("closed.example"), settings=settings())
    assert len(hostile.asked("closed.example")) == 2  # robots.txt, and the page that answered 429
    assert {crawled.kind(url) for url in urls} == {"politeness/host_resting"}


def test_a_plea_for_rest_is_not_answered_with_retries_without_end(hostile: HostileServer, crawl: Crawl) -> None:
    """Garbage for a time: the back-off of our own, growing, and an end."""
    url = hostile.url("/busy?times=99&after=soon&code=503", "garbage.example")
    crawled = crawl([url], names=names("garbage.example"), settings=settings(RETRY_TIMES=2))
    assert crawled.kind(url) == "http/503"
    hits = hostile.asked("garbage.example", "/busy")
    assert len(hits) == 3
    gaps = [after.start - (before.end or 0.0) for before, after in pairwise(hits)]
    assert gaps[0] >= 0.1 - CLOCK_ERROR
    assert gaps[1] >= 0.2 - CLOCK_ERROR


def test_a_host_that_waits_does_not_hold_up_another(hostile: HostileServer, crawl: Crawl) -> None:
    """More requests wait for the slow host than a crawl may have open, and they were asked for first."""
    hostile.robots["snail.example"] = robots("User-agent: *\nCrawl-delay: 3600\n")
    slow = [hostile.url(f"/{number}", "snail.example") for number in range(20)]
    fast = [hostile.url(f"/{number}", "hare.example") for number in range(20)]

    def crawled(limit: float) -> Crawled:
        hostile.hits.clear()
        return crawl(
            [*slow, *fast],
            names=names("snail.example", "hare.example"),
            settings=settings(CONCURRENT_REQUESTS=4, CLOSESPIDER_TIMEOUT=limit),
        )

    def is_right(crawled: Crawled) -> bool:
        return {crawled.kind(url) for url in fast} == {"page"}

    assert is_right(under_limits(crawled, is_right))
    assert len(hostile.asked("snail.example")) == 1


def test_hosts_that_hang_do_not_hold_up_another(hostile: HostileServer, crawl: Crawl) -> None:
    hanging = [f"hanging{number}.example" for number in range(8)]
    fast = [hostile.url(f"/{number}", "quick.example") for number in range(20)]

    def crawled(limit: float) -> Crawled:
        return crawl(
            [hostile.url("/hang", host) for host in hanging] + fast,
            names=names("quick.example", *hanging),
            settings=settings(DOWNLOAD_TIMEOUT=limit, RETRY_TIMES=0),
        )

    def is_right(crawled: Crawled) -> bool:
        last_fast = max(crawled.outcomes[url]["at"] for url in fast)
        return last_fast < min(crawled.outcomes[hostile.url("/hang", host)]["at"] for host in hanging)

    assert is_right(under_limits(crawled, is_right))


def test_a_crawl_stays_on_its_site_through_redirects_too(hostile: HostileServer, crawl: Crawl) -> None:
    hostile.targets[:] = [hostile.url("/", "elsewhere.example"), hostile.url("/", "sub.home.example")]
    away, along = hostile.url("/to?target=0", "home.example"), hostile.url("/to?target=1", "home.example")
    outside = hostile.url("/start", "elsewhere.example")
    declared = {"url": hostile.url("/feed", "feeds.example"), "meta": {"allow_offsite": True}}
    crawled = crawl(
        [away, along, outside, declared],
        names=names("home.example", "elsewhere.example", "sub.home.example", "feeds.example"),
        settings=settings(),
        spider={"allowed_domains": ["home.example"]},
    )
    assert crawled.kind(away) == crawled.kind(outside) == "offsite/forbidden"
    assert crawled.kind(along) == crawled.kind(hostile.url("/feed", "feeds.example")) == "page"
    assert hostile.asked("elsewhere.example") == []
