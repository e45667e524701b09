"""Which answers stay compressed. tests/spiders and tests/test_content_encoding.py test how they are read."""

from __future__ import annotations

import gzip
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse, Response
from scrapy.utils.test import get_crawler

from newscrawl.content_encoding import unpack
from newscrawl.crawling.downloader.middlewares.lazy_decoding import (
    IN_LAYERS,
    STAYS_PACKED,
    EncodedResponse,
    LazyDecoding,
)
from newscrawl.model import ContentEncoding

URL = "https://harbour.example/1"
PAGE = b"<p>The ferry was late again."


def answered(
    meta: dict[str, Any], *, status: int = 200, encoding: str = "gzip", maxsize: int = 1_000
) -> Request | Response:
    middleware = LazyDecoding.from_crawler(get_crawler(settings_dict={"DOWNLOAD_MAXSIZE": maxsize}))
    headers = {"Content-Type": "text/html", "Content-Encoding": encoding}
    body = gzip.compress(PAGE) if "gzip" in encoding else PAGE
    return middleware.process_response(
        Request(URL, meta=meta), HtmlResponse(URL, status=status, headers=headers, body=body)
    )


def test_an_article_stays_as_it_came_with_the_size_it_may_have() -> None:
    response = answered({STAYS_PACKED: True})
    assert isinstance(response, EncodedResponse)
    assert gzip.decompress(response.body) == PAGE
    assert response.packing == ContentEncoding("gzip", 1_000)
    assert "Content-Encoding" not in response.headers
    again = response.replace(status=203)
    assert isinstance(again, EncodedResponse)
    assert (again.body, again.packing) == (response.body, response.packing)


def test_a_request_may_have_a_limit_of_its_own() -> None:
    response = answered({STAYS_PACKED: True, "download_maxsize": 50})
    assert isinstance(response, EncodedResponse)
    assert response.packing.most == 50


@pytest.mark.parametrize(
    ("meta", "more"),
    [
        ({}, {}),
        ({STAYS_PACKED: True}, {"maxsize": 0}),
        ({STAYS_PACKED: True, "download_maxsize": 0}, {}),
    ],
)
def test_all_else_is_opened_as_scrapy_does(meta: dict[str, Any], more: dict[str, Any]) -> None:
    response = answered(meta, **more)
    assert isinstance(response, HtmlResponse)
    assert response.body == PAGE


def test_the_body_of_an_answer_that_nobody_reads_is_not_opened() -> None:
    response = answered({STAYS_PACKED: True}, status=404)
    assert isinstance(response, Response)
    assert gzip.decompress(response.body) == PAGE


@pytest.mark.parametrize(("value", "stays"), [(True, False), (IN_LAYERS, True)], ids=["an article", "a source"])
def test_only_a_source_stays_packed_when_it_is_packed_several_times_over(value: object, stays: bool) -> None:
    middleware = LazyDecoding.from_crawler(get_crawler(settings_dict={"DOWNLOAD_MAXSIZE": 1_000}))
    body = gzip.compress(gzip.compress(PAGE))
    answer = HtmlResponse(URL, headers={"Content-Encoding": "gzip, gzip"}, body=body)
    response = middleware.process_response(Request(URL, meta={STAYS_PACKED: value}), answer)
    assert isinstance(response, EncodedResponse) is stays
    if isinstance(response, EncodedResponse):
        assert unpack(response.body, response.packing.encoding, response.packing.most) == PAGE


def test_an_encoding_that_nobody_knows_is_left_to_scrapy() -> None:
    response = answered({STAYS_PACKED: True}, encoding="rot13")
    assert isinstance(response, Response)
    assert not isinstance(response, EncodedResponse)
    assert response.headers["Content-Encoding"] == b"rot13"
