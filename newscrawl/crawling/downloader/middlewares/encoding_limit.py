"""Downloader middleware that limits how many layers of compression a body may have.

Scrapy limits the size of each layer (DOWNLOAD_MAXSIZE) but not their number. A header can name thousands of layers, and
decompressing 10 MB for each would block the event loop.
"""

from __future__ import annotations

from typing import Final

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response

from newscrawl.content_encoding import MAX_LAYERS
from newscrawl.crawling.refusals import Refused

TOO_MANY_ENCODINGS: Final = "download/too_many_encodings"


class EncodingLimit:
    """Refuses a response with more than `MAX_LAYERS` content encodings, before it is decompressed."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> EncodingLimit:
        """Builds the middleware as Scrapy does."""
        return cls(crawler)

    def process_response(self, request: Request, response: Response) -> Response:
        """Returns a response with few layers; raises Refused for others."""
        layers = sum(value.count(b",") + 1 for value in response.headers.getlist("Content-Encoding"))
        if layers <= MAX_LAYERS:
            return response
        self._crawler.stats.inc_value(TOO_MANY_ENCODINGS)
        raise Refused(TOO_MANY_ENCODINGS, f"compressed {layers} times; at most {MAX_LAYERS} layers are decompressed")
