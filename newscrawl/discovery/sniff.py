"""Recognises a body by its first bytes, because the Content-Type of servers is often wrong; opens gzip."""

from __future__ import annotations

import re
import zlib
from typing import Final

from newscrawl.errors import BadAnswer, NewscrawlError
from newscrawl.model import content_encoding

_HTML_START: Final = re.compile(rb"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_FEED_BEHIND: Final = re.compile(
    rb"[^<>]{0,200}>\s*(?:<\?xml[^>]{0,200}>\s*)?<(?:rss|feed|rdf:rdf)[\s>]", re.IGNORECASE
)
_SITEMAP: Final = re.compile(rb"<(?:\w{1,20}:)?(?:urlset|sitemapindex)[\s>]", re.IGNORECASE)
_START: Final = 10_000

MAX_LAYERS: Final = 2
"""Layers of gzip that are opened: a .xml.gz inside a gzip content. Deeper nesting is an attack."""
_MAGIC: Final = b"\x1f\x8b"


def starts_as_html(body: bytes) -> bool:
    """Returns whether a body is HTML after byte order mark, XML declaration and comments."""
    rest = body[:_START].removeprefix(b"\xef\xbb\xbf").lstrip()
    while rest.startswith((b"<!--", b"<?")):
        rest = rest.partition(b"-->" if rest.startswith(b"<!--") else b">")[2].lstrip()
    html = _HTML_START.match(rest)
    # A template's document type may stand before a feed.
    return html is not None and not _FEED_BEHIND.match(rest, html.end())


def is_sitemap(body: bytes) -> bool:
    """Returns whether the body has the root element of a sitemap."""
    return bool(_SITEMAP.search(body[:2_000]))


class UnpackError(NewscrawlError):
    """A compressed body is broken from the start, or larger than the limit."""


def gunzip(body: bytes, limit: int) -> bytes:
    """Returns `body` decompressed if it is gzip, at most `limit` bytes. Of a truncated archive, the readable part is
    returned.

    Raises UnpackError when the content is larger than the limit or nothing can be read.
    """
    for _ in range(MAX_LAYERS):
        if not body.startswith(_MAGIC):
            break
        body = _open(body, limit)
    if body.startswith(_MAGIC):
        raise UnpackError(f"gzip inside gzip more than {MAX_LAYERS} deep")
    if len(body) > limit:
        raise UnpackError(f"larger than {limit} bytes")
    return body


def _open(body: bytes, limit: int) -> bytes:
    try:
        opened = content_encoding.gunzip(body, limit + 1)
    except (zlib.error, BadAnswer) as error:
        raise UnpackError(f"broken gzip: {error}") from error
    if len(opened) > limit:
        raise UnpackError(f"larger than {limit} bytes when unpacked")
    return opened
