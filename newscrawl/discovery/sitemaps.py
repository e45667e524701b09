"""Sitemaps: news, plain, index, text (sitemaps.org protocol 0.9; Google's news extension 0.9).

Scrapy's own reader loses the nested news tags, so this one is our own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from lxml import etree

from newscrawl.discovery.dates import from_w3c
from newscrawl.discovery.feedtext import decoded
from newscrawl.discovery.links import resolve
from newscrawl.discovery.reading import CUT, EMPTY, ENTITIES, HTML_INSTEAD, MAX_TITLE, ChildSitemap, Reading
from newscrawl.discovery.sniff import starts_as_html
from newscrawl.discovery.syndication import read_syndication
from newscrawl.discovery.unpack import UnpackError, gunzip
from newscrawl.model import Candidate, Discovery

MAX_BYTES: Final = 52_428_800
"""Uncompressed size the protocol allows (sitemaps.org, "Sitemap file"): 50 MB."""

MAX_URLS: Final = 50_000
"""Entries the protocol allows in one file."""

MAX_FEED_BYTES: Final = 4_000_000
MAX_FEED_ENTRIES: Final = 1_000
"""A feed in the place of a sitemap is held to a feed's limits."""

NO_SITEMAP: Final = "no sitemap"
CUT_XML: Final = "broken XML, read as far as it goes"

_ENTITY: Final = re.compile(rb"<!ENTITY", re.IGNORECASE)
_XML_DECLARATION: Final = re.compile(rb"<\?xml[^>]*>")
_FEED_ROOTS: Final = frozenset({"rss", "feed", "rdf"})
_MARKUP: Final = re.compile(rb"<[!?/a-zA-Z]")


def read_sitemap(body: bytes, url: str, *, max_urls: int = MAX_URLS, max_bytes: int = MAX_BYTES) -> Reading:
    """A sitemap's URLs as candidates or, of an index, its children; `url` is its final address. Never raises.

    Namespaces are not insisted on: half the sitemaps outside have a wrong one. A feed in the place of a sitemap, which
    the protocol allows, is read as a feed.
    """
    try:
        body = gunzip(body, max_bytes).lstrip(b" \t\r\n\x00")
    except UnpackError as error:
        return Reading(problems=(str(error),))
    if not body:
        return Reading(problems=(EMPTY,))
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        body = _XML_DECLARATION.sub(b"", body.decode("utf-16", "replace").encode("utf-8"), count=1)
    if not _MARKUP.search(body[:1_000]):
        return _read_text(body, url, max_urls)
    if _ENTITY.search(body):
        return Reading(problems=(ENTITIES,))
    if starts_as_html(body):
        return Reading(problems=(HTML_INSTEAD,))
    return _read_xml(body, url, max_urls)


def _read_xml(body: bytes, url: str, max_urls: int) -> Reading:
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, recover=True, huge_tree=False, remove_comments=True,
        remove_pis=True, collect_ids=False,
    )  # fmt: skip
    try:
        root = etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError):
        root = None
    if root is None:
        return Reading(problems=(NO_SITEMAP,))
    name = _local(root)
    if name in _FEED_ROOTS:
        return read_syndication(decoded(body[:MAX_FEED_BYTES], ""), url, MAX_FEED_ENTRIES)
    if name not in ("urlset", "sitemapindex"):
        return Reading(problems=(NO_SITEMAP,))
    broken = (CUT_XML,) if len(parser.error_log.filter_from_fatals()) else ()
    wanted = "url" if name == "urlset" else "sitemap"
    entries = _entries(root, wanted)
    if wanted == "sitemap":
        return _index(entries, url, max_urls, broken)
    return _urlset(entries, url, max_urls, broken)


def _entries(root: Any, wanted: str) -> Iterator[Any]:
    return (child for child in root if _local(child) == wanted)


def _index(entries: Iterator[Any], url: str, limit: int, problems: tuple[str, ...]) -> Reading:
    children: dict[str, ChildSitemap] = {}
    for entry in entries:
        if len(children) >= limit:
            return Reading(children=tuple(children.values()), problems=(*problems, CUT))
        fields = {_local(field): field for field in entry}
        loc = resolve(url, _text(fields.get("loc")))
        if loc:
            children.setdefault(loc, ChildSitemap(loc, from_w3c(_text(fields.get("lastmod")))))
    return Reading(children=tuple(children.values()), problems=problems)


def _urlset(entries: Iterator[Any], url: str, limit: int, problems: tuple[str, ...]) -> Reading:
    found: dict[str, Candidate] = {}
    for entry in entries:
        if len(found) >= limit:
            return Reading(tuple(found.values()), problems=(*problems, CUT))
        candidate = _candidate(entry, url)
        if candidate is not None:
            found.setdefault(candidate.url, candidate)
    return Reading(tuple(found.values()), problems=problems)


def _candidate(entry: Any, url: str) -> Candidate | None:
    fields = {_local(field): field for field in entry}
    loc = resolve(url, _text(fields.get("loc")))
    if loc is None:
        return None
    title, published = _news(fields.get("news"))
    when = published or from_w3c(_text(fields.get("lastmod")))
    return Candidate(loc, Discovery("sitemap", url, title, when))


def _news(news: Any) -> tuple[str | None, datetime | None]:
    """Title and publication date of the <news:news> part; its keywords repeat what the article page says better."""
    if news is None:
        return None, None
    fields = {_local(field): field for field in news}
    title = " ".join(_text(fields.get("title")).split())[:MAX_TITLE].strip()
    return title or None, from_w3c(_text(fields.get("publication_date")))


def _read_text(body: bytes, url: str, limit: int) -> Reading:
    """The protocol's text form: one address a line."""
    found: dict[str, Candidate] = {}
    for line in body.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").splitlines():
        loc = resolve(url, line) if line.lstrip().lower().startswith(("http://", "https://")) else None
        if loc is None:
            continue
        if len(found) >= limit:
            return Reading(tuple(found.values()), problems=(CUT,))
        found.setdefault(loc, Candidate(loc, Discovery("sitemap", url)))
    return Reading(tuple(found.values()), problems=() if found else (NO_SITEMAP,))


def _local(element: Any) -> str:
    """A tag without its namespace, in lower case; empty for what is no element."""
    tag = element.tag
    return tag.rpartition("}")[2].rpartition(":")[2].lower() if isinstance(tag, str) else ""


def _text(element: Any) -> str:
    return "".join(element.itertext()).strip() if element is not None else ""
