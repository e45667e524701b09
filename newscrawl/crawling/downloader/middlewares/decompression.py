"""Downloader middleware that decompresses bodies, within limits of size, layers and pieces.

Scrapy's own limits the size of each layer and nothing else. A header can name thousands of layers, and 10 MB of empty
Zstandard frames block the event loop for half a minute there.
"""

from __future__ import annotations

import sys
from typing import Any, Final

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response, TextResponse
from scrapy.responsetypes import responsetypes

from newscrawl.crawling.refusals import RefusedAnswer
from newscrawl.errors import BadAnswer
from newscrawl.model.content_encoding import OPENERS, layers_of, unpack

MAX_LAYERS: Final = 2
"""Nested compressions of one body. Each may be of DOWNLOAD_MAXSIZE, which takes the event loop up to 35 ms."""
TOO_MANY_ENCODINGS: Final = "download/too_many_encodings"
ACCEPTED: Final = b"gzip, deflate, br, zstd"
NO_LIMIT: Final = sys.maxsize - 1
"""The meaning of DOWNLOAD_MAXSIZE = 0."""


class Decompression:
    """Decompresses each answer that has an encoding which newscrawl can read; others stay as they are."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._most = crawler.settings.getint("DOWNLOAD_MAXSIZE")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Decompression:
        """Builds the middleware as Scrapy does."""
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Says which encodings the answer may have."""
        request.headers.setdefault("Accept-Encoding", ACCEPTED)

    def process_response(self, request: Request, response: Response) -> Response:
        """Returns the answer with its body decompressed. Raises RefusedAnswer for a body with too many layers, and for
        one that is broken or too large; if it is no page, its status says more, and it stays as it is."""
        stated = b",".join(response.headers.getlist("Content-Encoding")).decode("latin-1")
        layers = layers_of(stated)
        if len(layers) > MAX_LAYERS:
            reason = f"compressed {len(layers)} times; at most {MAX_LAYERS} layers are decompressed"
            raise self._refused(TOO_MANY_ENCODINGS, reason)
        if not layers or not OPENERS.keys() >= set(layers) or request.method == "HEAD":
            return response
        try:
            body = unpack(response.body, stated, request.meta.get("download_maxsize", self._most) or NO_LIMIT)
        except BadAnswer as error:
            if response.status != 200:
                return response
            raise self._refused(error.code, str(error)) from error
        headers = response.headers.copy()
        del headers["Content-Encoding"]
        kind = responsetypes.from_args(headers=headers, url=response.url, body=body)
        of_text: dict[str, Any] = {"encoding": None} if issubclass(kind, TextResponse) else {}  # not that of the bytes
        return response.replace(cls=kind, headers=headers, body=body, **of_text)

    def _refused(self, code: str, reason: str) -> RefusedAnswer:
        self._crawler.stats.inc_value(code)
        return RefusedAnswer(code, reason)
