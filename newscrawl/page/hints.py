"""Collecting, during the one walk, what a page says about itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from newscrawl.page.head import Head, HeadLink, Hints, Link, Marked

MARKED_CHARACTERS: Final = 400
"""Text kept of a marked element: longer ones are no headline, byline or date."""

MARKED_ELEMENTS: Final = 200
"""Marked elements kept of a page, so that hostile mark-up cannot make the walk quadratic."""

_MARKED_TAGS: Final = frozenset({"h1", "time"})
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

    def head_element(self, tag: str, node: Any) -> None:
        """title, meta, link, base or script, wherever it stands."""
        if tag == "meta":
            self._see_meta(node)
        elif tag == "link":
            rel, href = node.get("rel"), node.get("href")
            if rel and href:
                get = node.get
                self._head_links.append(
                    HeadLink(rel.lower(), href.strip(), get("type", "").lower(), get("hreflang", ""), get("title", ""))
                )
        elif tag == "script":
            if "ld+json" in node.get("type", "").lower() and node.text:
                self._scripts.append(node.text)
        elif tag == "title":
            if self._title is None:
                self._title = collapse(limited_text(node)) or None
        elif tag == "base" and self._base is None:
            self._base = node.get("href")

    def body_element(self, tag: str, node: Any, attributes: Mapping[str, str], element: int) -> None:
        """Any other element that has attributes, or is a heading."""
        if tag == "a":
            href = attributes.get("href")
            if href:
                self._anchors.append((node, href, attributes.get("rel", ""), element))
        elif tag == "html" and self._language is None:
            self._language = attributes.get("lang") or attributes.get("xml:lang") or None
        if len(self._marked) < MARKED_ELEMENTS and _is_marked(tag, attributes):
            text = collapse(limited_text(node))
            self._marked.append(Marked(element, tag, dict(attributes), text[:MARKED_CHARACTERS]))

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

    def _see_meta(self, node: Any) -> None:
        content = node.get("content")
        if content is None:
            return
        for attribute in ("property", "name", "itemprop", "http-equiv"):
            key = node.get(attribute)
            if key:
                self._meta.append((key.strip().lower(), content.strip()))


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


def _is_marked(tag: str, attributes: Mapping[str, str]) -> bool:
    if tag in _MARKED_TAGS or "itemprop" in attributes:
        return True
    if attributes.get("rel") == "author":
        return True
    names = attributes.get("class")
    if not names:
        return False
    names = names.lower()
    return any(word in names for word in _MARKED_CLASSES)
