"""Recognises a body by its first bytes, because the Content-Type of servers is often wrong."""

from __future__ import annotations

import re
from typing import Final

_HTML_START: Final = re.compile(rb"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_FEED_BEHIND: Final = re.compile(
    rb"[^<>]{0,200}>\s*(?:<\?xml[^>]{0,200}>\s*)?<(?:rss|feed|rdf:rdf)[\s>]", re.IGNORECASE
)
_SITEMAP: Final = re.compile(rb"<(?:\w{1,20}:)?(?:urlset|sitemapindex)[\s>]", re.IGNORECASE)
_START: Final = 10_000


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
