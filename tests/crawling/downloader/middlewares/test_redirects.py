"""The target of a redirect, the headers that are sent with it, and the order in which failed requests are repeated."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from scrapy import Request
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from newscrawl.crawling.downloader.middlewares.offsite import on_site
from newscrawl.crawling.downloader.middlewares.redirects import NoTargetError, _prepared, redirect_target
from newscrawl.crawling.downloader.middlewares.retry import RetryMiddleware
from newscrawl.crawling.spider import NewsSpider
from newscrawl.crawling.spider.crawl_plan import SOURCE_PRIORITY, article_priority

PAGE = "https://a.example/news/page?x=1"


def leads_to(location: bytes | None) -> str:
    return redirect_target(Response(PAGE, status=302, headers={} if location is None else {"Location": location}))


@pytest.mark.parametrize(
    ("location", "target"),
    [
        (b"/other", "https://a.example/other"),
        (b"other", "https://a.example/news/other"),
        (b"?y=2", "https://a.example/news/page?y=2"),
        (b"//b.example/x", "https://b.example/x"),
        (b"http://b.example", "http://b.example"),
        (b"  /blank ", "https://a.example/blank"),
        ("/mañana".encode(), "https://a.example/ma%C3%B1ana"),
        (b"HTTPS://b.example/", "https://b.example/"),
        (b"https://ann:secret@a.example/x", "https://a.example/x"),
        ("https://straße.de/x".encode(), "https://xn--strae-oqa.de/x"),
        ("//straße.de/ß".encode(), "https://xn--strae-oqa.de/%C3%9F"),
        (b"https://tp%C3%AE.example/x", "https://xn--tp-rja.example/x"),
        (b"/caf\xe9", "https://a.example/caf%E9"),
        (b"//ann@a.example/x", "https://a.example/x"),
    ],
)
def test_a_location_is_read_relative_to_its_page(location: bytes, target: str) -> None:
    assert leads_to(location) == target


@pytest.mark.parametrize(
    "location",
    [
        None,
        b"",
        b"  ",
        b"javascript:alert(1)",
        b"file:///etc/passwd",
        b"ftp://b.example/",
        b"data:text/html,x",
        b"http://[",
        b"https://a%2Fb.example/",
        b"http://b.example:port/",
        b"http://b.example:99999/",
        b"https://b.example/" + b"x" * 3000,
    ],
)
def test_a_location_that_is_no_web_address_leads_nowhere(location: bytes | None) -> None:
    with pytest.raises(NoTargetError):
        leads_to(location)


def followed(source: str, target: str) -> Request:
    headers = {"Authorization": "Basic x", "Cookie": "a=b", "Referer": PAGE, "If-None-Match": '"1"'}
    request = Request(source, headers=headers, meta={"allow_offsite": True, "depth": 2})
    return _prepared(request.replace(url=target), request, [source], 302)


def test_nothing_secret_goes_along_to_another_host() -> None:
    request = followed("https://a.example/", "https://b.example/")
    assert not {b"Authorization", b"Cookie", b"Referer", b"If-None-Match"} & set(request.headers)
    assert "allow_offsite" not in request.meta


def test_within_one_host_the_request_stays_what_it_was() -> None:
    request = followed("https://a.example/old", "https://a.example/new")
    assert request.headers["If-None-Match"] == b'"1"'
    assert request.meta["allow_offsite"]
    assert request.meta["redirect_urls"] == ["https://a.example/old"]
    assert request.meta["redirect_times"] == 1
    assert request.dont_filter


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://a.example/", True),
        ("https://www.A.example./x", True),
        ("https://evila.example/", False),
        ("https://a.example.evil.example/", False),
        ("https://b.example/a.example", False),
        ("http://[", False),
    ],
)
def test_a_site_is_its_domains_and_what_is_below_them(url: str, expected: bool) -> None:
    assert on_site(url, ["a.example"]) is expected


NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)
FRESH, OLD = (article_priority(NOW - timedelta(hours=hours), NOW) for hours in (23, 48))


class Town(NewsSpider):
    """A site whose feed fails."""

    name = "town"
    domains = ("town.example",)
    feeds = ("https://town.example/feed",)


@pytest.fixture
def middleware() -> RetryMiddleware:
    crawler = get_crawler(Town)
    crawler.spider = Town.from_crawler(crawler)
    return RetryMiddleware.from_crawler(crawler)


def repeated(middleware: RetryMiddleware, request: Request) -> Request:
    again = middleware.process_response(request, Response(request.url, status=500))
    assert isinstance(again, Request)
    return again


def test_a_failed_source_is_repeated_after_the_articles_of_the_last_day(middleware: RetryMiddleware) -> None:
    spider = middleware._crawler.spider
    assert isinstance(spider, Town)
    request = spider.reading_request("https://town.example/feed", print, print)
    assert request.priority == SOURCE_PRIORITY > FRESH
    first = repeated(middleware, request)
    second = repeated(middleware, first)
    assert FRESH > first.priority > second.priority > OLD


def test_another_request_is_repeated_a_little_later(middleware: RetryMiddleware) -> None:
    assert repeated(middleware, Request("https://town.example/robots.txt", priority=1000)).priority == 999
