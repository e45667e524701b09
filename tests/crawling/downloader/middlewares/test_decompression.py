"""Which answers are decompressed, and what is refused. tests/test_content_encoding.py has the formats, tests/spiders
and tests/hostile have crawls."""

from __future__ import annotations

import gzip
from typing import Any

import pytest
import zstandard_bodies as zstd
from scrapy import Request
from scrapy.http import HtmlResponse, Response
from scrapy.utils.test import get_crawler

from newscrawl.crawling.downloader.middlewares.decompression import Decompression
from newscrawl.crawling.refusals import Refused

URL = "https://harbour.example/1"
PAGE = '<meta charset="iso-8859-2"><p>The ferry to Świnoujście was late again.'.encode("iso-8859-2")


def answered(
    body: bytes, encoding: str, *, status: int = 200, maxsize: int = 1_000, method: str = "GET", **meta: Any
) -> Response:
    crawler = get_crawler(settings_dict={"DOWNLOAD_MAXSIZE": maxsize})
    headers = {"Content-Type": "text/html", "Content-Encoding": encoding}
    request = Request(URL, method=method, meta=meta)
    return Decompression.from_crawler(crawler).process_response(
        request, Response(URL, status=status, headers=headers, body=body)
    )


@pytest.mark.parametrize("layers", [1, 2])
def test_a_page_is_opened_and_read_as_if_it_had_come_open(layers: int) -> None:
    body = PAGE
    for _ in range(layers):
        body = gzip.compress(body)
    response = answered(body, ", ".join(["gzip"] * layers))
    assert isinstance(response, HtmlResponse)
    assert response.body == PAGE
    assert "Świnoujście" in response.text
    assert "Content-Encoding" not in response.headers


@pytest.mark.parametrize(
    ("body", "encoding", "more", "code"),
    [
        pytest.param(gzip.compress(bytes(1_001)), "gzip", {}, "download/too_large", id="larger than it may be"),
        pytest.param(gzip.compress(bytes(99)), "gzip", {"download_maxsize": 50}, "download/too_large", id="own limit"),
        pytest.param(zstd.compress(b"") * 200, "zstd", {}, "download/bad_encoding", id="pieces without end"),
        pytest.param(b"\x1f\x8b\x08junk", "gzip", {}, "download/bad_encoding", id="broken"),
        pytest.param(b"", "gzip, gzip, gzip", {}, "download/too_many_encodings", id="layers"),
    ],
)
def test_what_cannot_be_opened_is_refused_with_its_reason(
    body: bytes, encoding: str, more: dict[str, Any], code: str
) -> None:
    with pytest.raises(Refused) as refused:
        answered(body, encoding, **more)
    assert refused.value.code == code


def test_an_empty_name_among_the_encodings_is_none() -> None:
    assert answered(gzip.compress(PAGE), "gzip, ").body == PAGE


def test_no_limit_is_none() -> None:
    assert answered(gzip.compress(bytes(5_000)), "gzip", maxsize=0).body == bytes(5_000)


@pytest.mark.parametrize(
    "more",
    [{"encoding": "rot13"}, {"encoding": "gzip", "status": 404}, {"encoding": "gzip", "method": "HEAD"}],
    ids=["unknown encoding", "no page", "no body"],
)
def test_others_stay_as_they_are(more: dict[str, Any]) -> None:
    body = b"" if "method" in more else b"\x1f\x8b\x08junk"
    response = answered(body, **more)
    assert (response.body, "Content-Encoding" in response.headers) == (body, True)


def test_a_request_names_the_encodings_that_are_understood() -> None:
    request, own = Request(URL), Request(URL, headers={"Accept-Encoding": "identity"})
    middleware = Decompression(get_crawler())
    middleware.process_request(request)
    middleware.process_request(own)
    assert request.headers["Accept-Encoding"] == b"gzip, deflate, br, zstd"
    assert own.headers["Accept-Encoding"] == b"identity"
