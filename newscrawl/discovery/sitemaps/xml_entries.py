"""Reads the XML of sitemaps entry by entry, so that a large one is never in memory as a tree."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from lxml import etree

from newscrawl.discovery.dates import from_text
from newscrawl.discovery.links.resolve import resolve
from newscrawl.discovery.reading import MAX_TITLE, ChildSitemap
from newscrawl.model import Candidate, Discovery

MAX_DEPTH: Final = 64
"""The greatest depth of nested elements. A sitemap has four; deeper ones are not read."""

MAX_KEYWORDS: Final = 20
_ENTRIES: Final = frozenset({"url", "sitemap"})
_ROOTS: Final = frozenset({"urlset", "sitemapindex"})
MAX_WRAPPERS: Final = 3
"""Elements around the root of a sitemap, which some servers add."""
_MEDIA: Final = ("image", "video")


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
    return from_text(text_of(element))
