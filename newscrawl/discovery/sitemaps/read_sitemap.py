"""Reads sitemaps: news, plain, index, text (sitemaps.org protocol 0.9; Google's news extension 0.9).

Scrapy's reader loses the nested news tags, so it is not used.
"""

from __future__ import annotations

import re
from typing import Final

from newscrawl.discovery.feeds.syndication import read_syndication
from newscrawl.discovery.feeds.text_repair import decoded, well_formed
from newscrawl.discovery.links.resolve import resolve
from newscrawl.discovery.reading import CUT, EMPTY, ENTITIES, HTML_INSTEAD, SourceContents
from newscrawl.discovery.sitemaps.xml_entries import SitemapEntries, read_entries
from newscrawl.discovery.sniff import starts_as_html
from newscrawl.discovery.unpack import UnpackError, gunzip
from newscrawl.model import Candidate, Discovery

MAX_BYTES: Final = 52_428_800
"""The greatest uncompressed size that the protocol allows (sitemaps.org, "Sitemap file"): 50 MB."""

MAX_URLS: Final = 50_000
"""The most entries that the protocol allows in one file."""

MAX_FEED_BYTES: Final = 4_000_000
MAX_FEED_ENTRIES: Final = 1_000
"""The limits of a feed in place of a sitemap."""

MAX_MENDED: Final = 10_000_000
"""Bytes of broken XML that are repaired and read a second time, which takes about 0.1 s for each megabyte."""

NO_SITEMAP: Final = "no sitemap"
CUT_XML: Final = "broken XML, read as far as it goes"

_ENTITY: Final = re.compile(rb"<!ENTITY", re.IGNORECASE)
_ROOT: Final = re.compile(rb"<(?:\w{1,20}:)?(?:urlset|sitemapindex|rss|feed|rdf)[\s>]", re.IGNORECASE)
_XML_DECLARATION: Final = re.compile(rb"<\?xml(?:(?!<\?xml)[^>])*+>")
_FEED_ROOTS: Final = frozenset({"rss", "feed", "rdf"})
_MARKUP: Final = re.compile(rb"<[!?/a-zA-Z]")
_START: Final = 10_000


def read_sitemap(body: bytes, url: str, *, max_urls: int = MAX_URLS, max_bytes: int = MAX_BYTES) -> SourceContents:
    """Returns the URLs of a sitemap as candidates, or the children of an index. `url` is its final address.

    Compressed bodies are recognised by their first bytes. Namespaces are ignored, because half of the sitemaps in use
    have a wrong one. A feed in place of a sitemap, which the protocol allows, is read as a feed. Never raises.
    """
    try:
        body = gunzip(body, max_bytes).lstrip(b" \t\r\n\x00")
    except UnpackError as error:
        return SourceContents(problems=(str(error),))
    if not body:
        return SourceContents(problems=(EMPTY,))
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        body = _XML_DECLARATION.sub(b"", body.decode("utf-16", "replace").encode("utf-8"), count=1)
    if not _MARKUP.search(body[:1_000]):
        return _read_text(body, url, max_urls)
    root = _ROOT.search(body, 0, _START)
    if _ENTITY.search(body, 0, root.start() if root else len(body)):
        return SourceContents(problems=(ENTITIES,))
    if starts_as_html(body):
        return SourceContents(problems=(HTML_INSTEAD,))
    return _read_xml(body, url, max_urls)


def _read_xml(body: bytes, url: str, max_urls: int) -> SourceContents:
    found = read_entries(body, url, max_urls)
    if found.broken and not found.cut and len(body) <= MAX_MENDED:
        mended = read_entries(well_formed(decoded(body, ""), {}).lstrip().encode("utf-8", "replace"), url, max_urls)
        found = max(mended, found, key=len)
    if found.root in _FEED_ROOTS:
        return read_syndication(decoded(body[:MAX_FEED_BYTES], ""), url, MAX_FEED_ENTRIES)
    return SourceContents(tuple(found.candidates.values()), tuple(found.children.values()), _problems(found))


def _problems(found: SitemapEntries) -> tuple[str, ...]:
    if found.root not in ("urlset", "sitemapindex"):
        return (NO_SITEMAP,)
    return ((CUT_XML,) if found.broken else ()) + ((CUT,) if found.cut else ())


def _read_text(body: bytes, url: str, limit: int) -> SourceContents:
    """Reads the protocol's text form: one address on each line."""
    candidates: dict[str, Candidate] = {}
    for line in decoded(body, "").lstrip("\ufeff").splitlines():
        loc = resolve(url, line) if line.lstrip().lower().startswith(("http://", "https://")) else None
        if loc is None:
            continue
        if len(candidates) >= limit:
            return SourceContents(tuple(candidates.values()), problems=(CUT,))
        candidates.setdefault(loc, Candidate(loc, Discovery("sitemap", url)))
    return SourceContents(tuple(candidates.values()), problems=() if candidates else (NO_SITEMAP,))
