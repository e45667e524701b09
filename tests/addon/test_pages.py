"""How the add-on makes pages of what the spiders of a project yield."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from scrapy import Field, Item, Request
from scrapy.http import HtmlResponse

from newscrawl.addon.pipeline import page_of, refusals_line
from newscrawl.model import RawPage

NOW = datetime(2026, 11, 20, tzinfo=UTC)
URL = "https://example.org/news/bridge"


class PageItem(Item):
    url = Field()
    body = Field()
    title = Field()


@dataclass
class Page:
    url: str
    body: bytes
    title: str = ""


@pytest.mark.parametrize(
    "item", [{"url": URL, "body": b"x", "title": "t"}, PageItem(url=URL, body=b"x"), Page(URL, b"x")], ids=type
)
def test_an_item_with_url_and_body_is_enough(item: object) -> None:
    assert page_of(item, "mine", NOW) == RawPage(URL, URL, 200, {}, b"x", NOW, "mine")


def test_an_item_may_say_more() -> None:
    then = datetime(2026, 1, 1, tzinfo=UTC)
    item = {
        "url": URL,
        "body": b"x",
        "final_url": URL + "2",
        "site": "other",
        "fetched_at": then,
        "headers": {"ETag": "1"},
    }
    assert page_of(item, "mine", NOW) == RawPage(URL, URL + "2", 200, {"etag": "1"}, b"x", then, "other")


@pytest.mark.parametrize(
    "at", [datetime(2026, 1, 1, 11, tzinfo=UTC), "2026-01-01T11:00:00Z", "2026-01-01T12:00:00+01:00"]
)
def test_a_time_may_be_text_as_json_and_item_loaders_have_it(at: object) -> None:
    page = page_of({"url": URL, "body": b"x", "fetched_at": at, "status": "200"}, "mine", NOW)
    assert page is not None
    assert (page.fetched_at, page.status) == (datetime(2026, 1, 1, 11, tzinfo=UTC), 200)


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("fetched_at", "yesterday", "'yesterday': give a time of ISO 8601"),
        ("fetched_at", 42, "fetched_at is int"),
        ("fetched_at", datetime(2026, 1, 1), "no time zone"),  # noqa: DTZ001 - what is refused
        ("status", "fine", "status is 'fine'"),
        ("status", True, "status is 'True'"),
        ("headers", "etag", "headers are str"),
        ("url", "not a url", "'not a url': give one that begins with https://"),
        ("url", " ", "url is empty"),
        ("final_url", "ftp://example.org/x", "'ftp://example.org/x'"),
        ("body", 42, "body is int"),
    ],
)
def test_a_field_that_cannot_be_stored_is_named(field: str, value: object, told: str) -> None:
    with pytest.raises((TypeError, ValueError), match=re.escape(told)):
        page_of({"url": URL, "body": b"x", field: value}, "mine", NOW)


def test_a_response_has_its_headers_and_the_address_before_redirects() -> None:
    request = Request(URL, meta={"redirect_urls": ["https://example.org/1"]})
    response = HtmlResponse(URL, body=b"x", headers={"Content-Type": "text/html"}, request=request)
    page = page_of(response, "mine", NOW)
    assert page is not None
    assert (page.url, page.final_url, page.body) == ("https://example.org/1", URL, b"x")
    assert page.headers == {"content-type": "text/html"}


def test_text_becomes_utf_8_and_says_so() -> None:
    page = page_of({"url": URL, "body": "é", "headers": {"Content-Type": "text/html; charset=latin-1"}}, "mine", NOW)
    assert page is not None
    assert page.body == "é".encode()
    assert page.headers == {"content-type": "text/html; charset=utf-8"}


@pytest.mark.parametrize(
    "item", [{"title": "x"}, {"url": URL}, {"url": URL, "body": None}, PageItem(), object(), "text"]
)
def test_other_items_are_no_pages(item: object) -> None:
    assert page_of(item, "mine", NOW) is None


def test_a_crawl_that_could_read_no_robots_txt_says_so_in_one_line() -> None:
    line = refusals_line({"robots/unreachable": 2})
    assert line is not None
    assert line.startswith("no page was stored: 2 requests were not sent, because robots.txt could not be read")
    assert refusals_line({"robots/unreachable": 2, "item_scraped_count": 1}) is None
    assert refusals_line({}) is None
    assert refusals_line({"robots/forbidden": 2, "scheduler/dequeued": 3}) is None  # one was sent
    both = refusals_line({"robots/forbidden": 2, "security/blocked_address": 1, "scheduler/dequeued": 3})
    assert "3 requests were not sent, because robots.txt forbids them (robots/forbidden), and the address" in str(both)
