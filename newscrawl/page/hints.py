"""Collecting, during the one walk, what a page says about itself."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from newscrawl.page.head import Head, HeadLink, Hints, Link, Marked
from newscrawl.page.tags import ANCHOR, DECLARES, HEADLINE, ROOT, TAGS, TITLE

MARKED_CHARACTERS: Final = 400
"""Text kept of a marked element: longer ones are no headline, byline or date."""

MARKED_ELEMENTS: Final = 200
"""Marked elements kept of a page, so that hostile mark-up cannot make the walk quadratic."""

_HEAD_TAGS: Final = frozenset({"title", "meta", "link", "base", "script", "style", "noscript", "template", "object"})
_META_KEYS: Final = ("property", "name", "itemprop", "http-equiv")
_CLASS_CODE: Final = len(' class=""')
_ID_CODE: Final = len(' id=""')
_HREF_CODE: Final = len(' href=""')
_MARKED_CLASSES: Final = ("author", "byline", "autor", "auteur", "date", "publish", "firma")


def collapse(text: str | None) -> str:
    """White space runs as one blank, none at the ends."""
    return " ".join(text.split()) if text else ""


class HintCollector:
    """Sees every element once; `head()`, `links()` and `hints()` give what it saw."""

    def __init__(self) -> None:
        self._title: str | None = None
        self._base: str | None = None
        self._language: str | None = None
        self._meta: list[tuple[str, str]] = []
        self._head_links: list[HeadLink] = []
        self._anchors: list[tuple[Any, str, str, int]] = []
        self._scripts: list[str] = []
        self._marked: list[Marked] = []

    def skipped_element(self, tag: str, node: Any) -> None:
        """title or script (and others that declare nothing)."""
        if tag == "script":
            if "ld+json" in node.get("type", "").lower() and node.text:
                self._scripts.append(node.text)
        elif tag == "title" and self._title is None:
            self._title = collapse(limited_text(node)) or None

    def read_head(self, head: Any) -> list[Any]:
        """What a head declares; returns its children that belong into the body.

        HTML5 lets <head> and <body> go unwritten, and libxml2, which knows neither main nor article, then takes them
        for children of the head.
        """
        content = []
        for child in head:
            if child.tag not in _HEAD_TAGS:
                content.append(child)
                continue
            for node in child.iter("title", "meta", "link", "base", "script"):
                if TAGS[node.tag].kind == DECLARES:
                    self._declare(node.tag, node.attrib)
                else:
                    self.skipped_element(node.tag, node)
        return content

    def element(self, tag: str, kind: int, node: Any, attributes: Mapping[str, str], element: int) -> int:
        """Any other element that has attributes, or is a headline; returns the characters of its id, class and href."""
        get = attributes.get
        href = ""
        if kind == ANCHOR:
            if href := get("href", ""):
                self._anchors.append((node, href, get("rel", ""), element))
        elif kind == DECLARES:
            self._declare(tag, attributes)
        elif kind == TITLE:
            self.skipped_element(tag, node)
        elif kind == ROOT and self._language is None:
            self._language = get("lang") or get("xml:lang") or None
        names = get("class", "")
        if kind == HEADLINE or (names and _names_mark(names)) or "itemprop" in attributes or get("rel") == "author":
            self._mark(tag, node, attributes, element)
        code = len(names) + _CLASS_CODE if names else 0
        if name := get("id"):
            code += len(name) + _ID_CODE
        return code + len(href) + _HREF_CODE if href else code

    def _mark(self, tag: str, node: Any, attributes: Mapping[str, str], element: int) -> None:
        if len(self._marked) < MARKED_ELEMENTS:
            text = collapse(limited_text(node))[:MARKED_CHARACTERS]
            self._marked.append(Marked(element, tag, dict(attributes), text))

    def head(self) -> Head:
        return Head(self._title, tuple(self._meta), tuple(self._head_links), self._base)

    def links(self) -> tuple[Link, ...]:
        return tuple(
            Link(href.strip(), collapse(limited_text(node)), rel.lower(), element)
            for node, href, rel, element in self._anchors
        )

    def hints(self) -> Hints:
        headline = next((m.text for m in self._marked if m.tag == "h1" and m.text), None)
        language = self._language or next((c for k, c in self._meta if k == "content-language" and c), None)
        return Hints(language, headline, tuple(self._marked), tuple(self._scripts))

    def _declare(self, tag: str, attributes: Mapping[str, str]) -> None:
        """A meta, link or base element, wherever it stands."""
        get = attributes.get
        if tag == "meta":
            content = get("content")
            if content is not None:
                keys = filter(None, map(get, _META_KEYS))
                self._meta.extend((key.strip().lower(), content.strip()) for key in keys)
        elif tag == "link":
            rel, href = get("rel"), get("href")
            if rel and href:
                self._head_links.append(
                    HeadLink(rel.lower(), href.strip(), get("type", "").lower(), get("hreflang", ""), get("title", ""))
                )
        elif self._base is None:
            self._base = get("href")


def limited_text(node: Any, limit: int = MARKED_CHARACTERS) -> str:
    """Text inside `node`, no further than about `limit` characters, so that nested elements cost no more."""
    if not len(node):
        return node.text or ""
    parts: list[str] = []
    left = limit
    for part in node.itertext():
        parts.append(part)
        left -= len(part)
        if left <= 0:
            break
    return "".join(parts)


@lru_cache(maxsize=4096)
def _names_mark(names: str) -> bool:
    """Whether class names speak of an author or a date; cached, since a page repeats its few names often."""
    names = names.lower()
    return any(word in names for word in _MARKED_CLASSES)
