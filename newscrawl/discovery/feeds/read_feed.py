"""Reads feeds of any format (RSS, RDF, Atom, JSON Feed), and sitemaps and HTML pages that are found in their place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from newscrawl.discovery.feeds.json_feed import looks_like_json, read_json_feed
from newscrawl.discovery.feeds.syndication import read_syndication
from newscrawl.discovery.feeds.text_repair import decoded
from newscrawl.discovery.proposals.find_sources import find_sources
from newscrawl.discovery.reading import EMPTY, HTML_INSTEAD, MAX_TITLE, NO_FEED, SourceContents
from newscrawl.discovery.sitemaps.read_sitemap import read_sitemap
from newscrawl.discovery.sniff import is_sitemap, starts_as_html
from newscrawl.discovery.unpack import UnpackError, gunzip
from newscrawl.page import parse

__all__ = ["EMPTY", "HTML_INSTEAD", "MAX_BYTES", "MAX_ENTRIES", "MAX_TITLE", "NO_FEED", "read_feed"]

MAX_ENTRIES: Final = 1_000
"""Entries that are read of one feed. Feeds list the latest 10 to 200; more is an archive or an attack."""

MAX_BYTES: Final = 4_000_000
"""Bytes that are read of a feed. Those of the test data, with full texts in them, are below 2 MB."""

MAX_PACKED: Final = 20_000_000
"""Bytes that a compressed feed may have after decompression."""


def read_feed(
    body: bytes, url: str, headers: Mapping[str, str] | None = None, *, max_entries: int = MAX_ENTRIES
) -> SourceContents:
    """Returns the entries of a feed as candidates, in its order. `url` is its final address, `headers` have lower-case
    names.

    A sitemap in place of a feed is read as a sitemap. For an HTML page, the feeds that it announces are returned
    (`announced`). Never raises: an unreadable body gives no candidates and a problem.
    """
    try:
        body = gunzip(body, MAX_PACKED)[:MAX_BYTES].lstrip(b" \t\r\n")
    except UnpackError as error:
        return SourceContents(problems=(str(error),))
    if not body.strip(b" \t\r\n\x00"):
        return SourceContents(problems=(EMPTY,))
    content_type = (headers or {}).get("content-type", "")
    if is_sitemap(body):
        return read_sitemap(body, url, max_urls=max_entries)
    if starts_as_html(body):
        sources = find_sources(parse(body, url=url, content_type=content_type), url)
        return SourceContents(problems=(HTML_INSTEAD,), announced=tuple(s.url for s in sources if s.kind == "feed"))
    text = decoded(body, content_type)
    if looks_like_json(text):
        return read_json_feed(text, url, max_entries)
    return read_syndication(text, url, max_entries)
