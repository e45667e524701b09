"""The order in which failed requests are repeated."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from scrapy import Request
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from newscrawl.crawling.downloader.middlewares.retry import RetryMiddleware
from newscrawl.crawling.spider import NewsSpider
from newscrawl.crawling.spider.crawl_plan import SOURCE_PRIORITY, article_priority

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
