"""What a crawl logs of requests that the address guard refused."""

from __future__ import annotations

import logging

import pytest
from scrapy import Spider
from scrapy.utils.test import get_crawler

from newscrawl.crawling.downloader.throttled_downloader import BlockedRequests

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
