"""Downloader middleware that leaves the bodies of articles packed until they are read, in another process.

Scrapy opens every body on the event loop. Nobody there looks into an article's or a source's; all others are opened as
ever.
"""

from __future__ import annotations

from typing import Any, Final

from scrapy import Request, Spider
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.http import Response

from newscrawl.content_encoding import OPENERS
from newscrawl.model import ContentEncoding

STAYS_PACKED: Final = "newscrawl_stays_packed"
"""In a request's meta: whoever reads its answer opens it (newscrawl.content_encoding)."""
IN_LAYERS: Final = "in layers"
"""Its value where the answer also stays packed when it is packed several times over."""


class PackedResponse(Response):
    """An answer with its body as it came. It has no text: who asks for that gets Scrapy's error."""

    attributes = (*Response.attributes, "packing")

    def __init__(self, *arguments: Any, packing: ContentEncoding, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.packing = packing


class Unpacking(HttpCompressionMiddleware):
    """Scrapy's, but for answers that are to stay packed and are packed in a way that newscrawl can open: articles once,
    as the archive keeps them, sources as often as `EncodingLimit` lets pass."""

    def process_response(
        self, request: Request, response: Response, spider: Spider | None = None
    ) -> Request | Response:
        """The answer, opened or a PackedResponse."""
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
        return PackedResponse(
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
