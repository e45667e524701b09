"""Reads sitemaps: news, plain, index, text (sitemaps.org protocol 0.9; Google's news extension 0.9).

Scrapy's reader loses the nested news tags, so it is not used. XML is read entry by entry, so that a large sitemap is
never in memory as a tree."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from lxml import etree

from newscrawl.discovery.feeds.syndication import MAX_BYTES as MAX_FEED_BYTES
from newscrawl.discovery.feeds.syndication import read_syndication
from newscrawl.discovery.feeds.text_repair import decoded, well_formed
from newscrawl.discovery.links.resolve import resolve
from newscrawl.discovery.reading import (
    CUT,
    EMPTY,
    ENTITIES,
    HTML_INSTEAD,
    MAX_TITLE,
    ChildSitemap,
    SourceContents,
    UnpackError,
    gunzip,
    starts_as_html,
)
from newscrawl.model import Candidate, Discovery
from newscrawl.model.written_dates.parse_date import read_source_date

MAX_BYTES: Final = 52_428_800
"""The greatest uncompressed size that the protocol allows (sitemaps.org, "Sitemap file"): 50 MB."""

MAX_URLS: Final = 50_000
"""The most entries that the protocol allows in one file."""

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

MAX_DEPTH: Final = 64
"""The greatest depth of nested elements. A sitemap has four; deeper ones are not read."""

MAX_KEYWORDS: Final = 20
_ENTRIES: Final = frozenset({"url", "sitemap"})
_ROOTS: Final = frozenset({"urlset", "sitemapindex"})

MAX_WRAPPERS: Final = 3
"""Elements around the root of a sitemap, which some servers add."""
_MEDIA: Final = ("image", "video")


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
        return read_syndication(decoded(body[:MAX_FEED_BYTES], ""), url)
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


@dataclass(slots=True)
class SitemapEntries:
    """The entries that were read so far."""

    root: str = ""
    candidates: dict[str, Candidate] = field(default_factory=dict)
    children: dict[str, ChildSitemap] = field(default_factory=dict)
    cut: bool = False
    """Whether there are more entries than the limit."""
    broken: bool = False
    """Whether the XML is not well formed."""

    def __len__(self) -> int:
        return len(self.candidates) + len(self.children)


def read_entries(body: bytes, url: str, limit: int) -> SitemapEntries:
    """Returns the entries of a sitemap or an index. Broken XML is read as far as libxml2 recovers. Never raises."""
    found = SitemapEntries()
    context = etree.iterparse(
        io.BytesIO(body), events=("start", "end"), resolve_entities=False, no_network=True, load_dtd=False,
        recover=True, huge_tree=False, remove_comments=True, remove_pis=True, collect_ids=False,
    )  # fmt: skip
    try:
        for element in _entries(context, found):
            if len(found) >= limit:
                found.cut = True
                return found
            _take(found, element, url)
    except etree.XMLSyntaxError:
        found.broken = True
    found.broken = found.broken or len(context.error_log.filter_from_fatals()) > 0
    return found


def _entries(context: Any, found: SitemapEntries) -> Iterator[Any]:
    """Yields complete entries, at any depth below the root: a `urlset` may stand in a `urlset`. Each is cleared when
    the next one is requested. Ends at once if the document does not begin with a sitemap, in at most `MAX_WRAPPERS`
    other elements."""
    depth = entry_depth = 0
    for event, element in context:
        if event == "start":
            depth += 1
            name = local(element)
            if depth == 1 or (found.root not in _ROOTS and name in _ROOTS):
                found.root = name
            elif not entry_depth and name in _ENTRIES:
                entry_depth = depth
            if depth > (MAX_DEPTH if found.root in _ROOTS else MAX_WRAPPERS):
                return
            continue
        if found.root not in _ROOTS:
            return
        if entry_depth == depth:
            yield element
            entry_depth = 0
        depth -= 1
        if not entry_depth:
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]


def _take(found: SitemapEntries, entry: Any, url: str) -> None:
    fields: dict[str, Any] = {}
    for child in entry:
        if not _is_media(child):
            fields.setdefault(local(child), child)
    loc = resolve(url, text_of(fields.get("loc")))
    if loc is None:
        return
    changed = _date(fields.get("lastmod"))
    if local(entry) == "sitemap":
        found.children.setdefault(loc, ChildSitemap(loc, changed))
    else:
        found.candidates.setdefault(loc, Candidate(loc, _discovery(fields.get("news"), url, changed)))


def _discovery(news: Any, url: str, changed: datetime | None) -> Discovery:
    """Returns the data of an entry, with its <news:news> part (Google's news extension 0.9)."""
    if news is None:
        return Discovery("sitemap", url, None, changed, changed)
    fields = {local(child): child for child in news}
    publication = {local(child): child for child in fields.get("publication", ())}
    keywords = (" ".join(word.split()) for word in text_of(fields.get("keywords"))[:2_000].split(","))
    return Discovery(
        "sitemap",
        url,
        " ".join(text_of(fields.get("title")).split())[:MAX_TITLE].strip() or None,
        _date(fields.get("publication_date")) or changed,
        changed,
        text_of(publication.get("language"))[:35].lower() or None,
        tuple(dict.fromkeys(word for word in keywords if word))[:MAX_KEYWORDS],
    )


def local(element: Any) -> str:
    """Returns a tag without its namespace in lower case; "" for anything that is no element."""
    tag = getattr(element, "tag", None)
    return tag.rpartition("}")[2].rpartition(":")[2].lower() if isinstance(tag, str) else ""


def text_of(element: Any) -> str:
    """Returns all text inside the element, without comments."""
    return "".join(element.itertext()).strip() if element is not None else ""


def _is_media(element: Any) -> bool:
    """Returns whether the element is of an image or video extension: its address is not that of the page."""
    tag = element.tag if isinstance(element.tag, str) else ""
    space, _, name = tag.rpartition("}")
    return any(word in space.lower() or name.lower().startswith(f"{word}:") for word in _MEDIA)


def _date(element: Any) -> datetime | None:
    return read_source_date(text_of(element))
