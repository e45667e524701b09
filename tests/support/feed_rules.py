"""The rules of RFC 4287 and of JSON Feed 1.1 that a feed reader relies on, as checks that list what is broken."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from urllib.parse import urlsplit

from lxml import etree

ATOM = "{http://www.w3.org/2005/Atom}"
ENTRY = {"category", "id", "title", "link", "updated", "published", "author", "summary", "content"}
FEED = {"id", "title", "updated", "generator", "author", "link", "entry"}


def atom_problems(data: bytes) -> list[str]:
    """What breaks RFC 4287 in an Atom document: elements that must be there once, times, addresses, ids."""
    root = etree.fromstring(data)
    if root.tag != f"{ATOM}feed":
        return [f"the root is {root.tag}"]
    entries = root.findall(f"{ATOM}entry")
    ids = [entry.findtext(f"{ATOM}id") for entry in entries]
    found = [] if len(ids) == len(set(ids)) else ["an id is used twice"]
    found += _node_problems(root, FEED)
    for entry in entries:
        found += _node_problems(entry, ENTRY)
        links = [link for link in entry.findall(f"{ATOM}link") if link.get("rel", "alternate") == "alternate"]
        if len(links) != 1:
            found.append(f"{len(links)} alternate links")
        found += [f"no address: {link.get('href')!r}" for link in links if not _is_address(link.get("href") or "")]
        if entry.find(f"{ATOM}author") is None and root.find(f"{ATOM}author") is None:
            found.append("no author")
    return found


def _node_problems(node: etree._Element, allowed: set[str]) -> Iterator[str]:
    for child in node:
        name = str(child.tag).removeprefix(ATOM)
        if name not in allowed:
            yield f"{name} is not allowed here"
        if name in {"updated", "published"} and not _is_time(child.text or ""):
            yield f"{name} is no time: {child.text!r}"
        if name == "content" and child.get("type") != "html":
            yield "content is no HTML"
        if name == "category" and not child.get("term"):
            yield "a category without a term"
        if name == "author" and not child.findtext(f"{ATOM}name"):
            yield "an author without a name"
    for name in ("id", "title", "updated"):
        if len(node.findall(f"{ATOM}{name}")) != 1:
            yield f"{name} must be there once"
    if not (node.findtext(f"{ATOM}id") or "").startswith(("urn:uuid:", "tag:", "https://")):
        yield "the id is no absolute IRI"


def json_feed_problems(data: bytes) -> list[str]:
    """What breaks JSON Feed 1.1."""
    feed = json.loads(data)
    found = [] if feed.get("version") == "https://jsonfeed.org/version/1.1" else ["version"]
    found += [] if isinstance(feed.get("title"), str) else ["title"]
    ids = [item.get("id") for item in feed["items"]]
    found += [] if len(ids) == len(set(ids)) and all(isinstance(one, str) and one for one in ids) else ["ids"]
    for item in feed["items"]:
        if not isinstance(item.get("content_text", item.get("content_html")), str):
            found.append("neither content_text nor content_html")
        found += [f"no time: {name}" for name in ("date_published", "date_modified") if not _is_time(item.get(name))]
        found += [] if all(isinstance(author, dict) and author for author in item.get("authors", ())) else ["authors"]
    return found


def _is_time(text: str | None) -> bool:
    """Whether a time has an offset, as RFC 3339 wants; None is no time that was stated."""
    return text is None or datetime.fromisoformat(text).tzinfo is not None


def _is_address(text: str) -> bool:
    return urlsplit(text).scheme in {"http", "https"}
