"""Downloader middleware that leaves the bodies of articles and sources compressed until another process reads them.

Scrapy decompresses every body on the event loop. The event loop never reads the bodies of articles and sources, so
these stay compressed; all others are decompressed as usual.
"""

from __future__ import annotations

from typing import Any, Final

from scrapy import Request, Spider
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.http import Response

from newscrawl.content_encoding import OPENERS
from newscrawl.model import ContentEncoding

STAYS_PACKED: Final = "newscrawl_stays_packed"
"""Key in a request's meta: the reader of its answer decompresses it (newscrawl.content_encoding)."""
IN_LAYERS: Final = "in layers"
"""Its value if the answer also stays compressed when it has several layers of compression."""


class EncodedResponse(Response):
    """An answer with its body as received. It has no text: reading `text` raises Scrapy's error."""

    attributes = (*Response.attributes, "packing")

    def __init__(self, *arguments: Any, packing: ContentEncoding, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.packing = packing


class LazyDecoding(HttpCompressionMiddleware):
    """Scrapy's middleware, except for answers that are to stay compressed and whose compression newscrawl can read:
    articles with one layer, as the archive keeps them, sources with as many as `EncodingLimit` allows."""

    def process_response(
        self, request: Request, response: Response, spider: Spider | None = None
    ) -> Request | Response:
        """Returns the answer, decompressed or as an EncodedResponse."""
        most = request.meta.get("download_maxsize", self._max_size)
        stays = request.meta.get(STAYS_PACKED)
        if stays and response.status != 200:
            return response  # nobody reads its body
        encodings = b",".join(response.headers.getlist("Content-Encoding")).decode("latin-1").lower()
        layers = [layer.strip() for layer in encodings.split(",")]
        may = OPENERS.keys() >= set(layers) and (len(layers) == 1 or stays == IN_LAYERS)
        if not (stays and may) or most <= 0:  # 0: no limit, so Scrapy's
            return super().process_response(request, response)
        headers = response.headers.copy()
        del headers["Content-Encoding"]
        return EncodedResponse(
            response.url,
            status=response.status,
            headers=headers,
            body=response.body,
            flags=response.flags,
            certificate=response.certificate,
            ip_address=response.ip_address,
            protocol=response.protocol,
            packing=ContentEncoding(", ".join(layers), most),
        )
