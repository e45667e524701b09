"""Writes Atom (RFC 4287) and JSON Feed 1.1 from entries. An entry has a summary of an article, never its whole text.

Titles, summaries and names are the texts of publishers: they are written without control characters and marks that
change the direction of text, as on the pages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from lxml import etree

from newscrawl.wording import harmless

ATOM: Final = "http://www.w3.org/2005/Atom"
JSON_FEED: Final = "https://jsonfeed.org/version/1.1"
_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 does not allow."""


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """A story in a feed. `entry_id` is a UUID that stays when the story changes. `updated` is when it was found, or
    corrected last. Times are aware."""

    entry_id: str
    url: str
    title: str
    summary: str
    authors: Sequence[str]
    language: str | None
    published: datetime | None
    updated: datetime
    site: str | None = None


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed with its entries, the newest first. `feed_id` is a UUID. `address` is where the feed itself is read; None
    for one that is written to a file. `home` is a page for readers that shows the same."""

    feed_id: str
    title: str
    updated: datetime
    entries: Sequence[FeedEntry]
    address: str | None = None
    home: str | None = None


def atom(feed: Feed) -> bytes:
    """Returns the feed as Atom."""
    root = etree.Element(f"{{{ATOM}}}feed", nsmap={None: ATOM})
    _add(root, "id", f"urn:uuid:{feed.feed_id}")
    _add(root, "title", feed.title)
    _add(root, "updated", _time(feed.updated))
    _add(root, "generator", "newscrawl")
    _add_author(root, "newscrawl")
    if feed.address is not None:
        etree.SubElement(root, f"{{{ATOM}}}link", rel="self", href=_clean(feed.address))
    if feed.home is not None:
        etree.SubElement(root, f"{{{ATOM}}}link", rel="alternate", type="text/html", href=_clean(feed.home))
    for entry in feed.entries:
        node = etree.SubElement(root, f"{{{ATOM}}}entry")
        _add(node, "id", f"urn:uuid:{entry.entry_id}")
        _add(node, "title", entry.title)
        etree.SubElement(node, f"{{{ATOM}}}link", rel="alternate", href=_clean(entry.url))
        _add(node, "updated", _time(entry.updated))
        if entry.published is not None:
            _add(node, "published", _time(entry.published))
        for author in entry.authors:
            _add_author(node, author)
        if entry.site is not None:
            etree.SubElement(node, f"{{{ATOM}}}category", term=harmless(entry.site))
        _add(node, "summary", entry.summary)
    return bytes(etree.tostring(root, xml_declaration=True, encoding="utf-8", pretty_print=True))


def json_feed(feed: Feed) -> bytes:
    """Returns the feed as JSON Feed."""
    items = [_item(entry) for entry in feed.entries]
    values: dict[str, Any] = {"version": JSON_FEED, "title": harmless(feed.title)}
    if feed.address is not None:
        values["feed_url"] = feed.address
    if feed.home is not None:
        values["home_page_url"] = feed.home
    values["items"] = items
    return json.dumps(values, ensure_ascii=False, indent=1).encode("utf-8", "replace")


def _item(entry: FeedEntry) -> dict[str, Any]:
    summary = harmless(entry.summary)
    values: dict[str, Any] = {
        "id": f"urn:uuid:{entry.entry_id}",
        "url": entry.url,
        "title": harmless(entry.title),
        "content_text": summary,
        "summary": summary,
        "date_modified": _time(entry.updated),
    }
    if entry.published is not None:
        values["date_published"] = _time(entry.published)
    if entry.authors:
        values["authors"] = [{"name": harmless(author)} for author in entry.authors]
    if entry.site is not None:
        values["tags"] = [harmless(entry.site)]
    if entry.language:
        values["language"] = entry.language
    return values


def _add(parent: etree._Element, name: str, text: str) -> None:
    etree.SubElement(parent, f"{{{ATOM}}}{name}").text = harmless(text)


def _add_author(parent: etree._Element, name: str) -> None:
    _add(etree.SubElement(parent, f"{{{ATOM}}}author"), "name", name)


def _clean(text: str) -> str:
    return _NOT_XML.sub("", text)


def _time(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
