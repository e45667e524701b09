"""Reads what a page declares about itself from the nodes of the walk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from lxml import etree

from newscrawl.page.elements import NO_PARENT, Deferred
from newscrawl.page.head import Head, HeadLink, Link, Marked
from newscrawl.page.tags import BLOCKS, READINGS, TAG_NAMES
from newscrawl.page.walk import HEAD_TAGS, Walked

MARKED_CHARACTERS: Final = 400
"""Characters kept of a marked element's text; a longer one is not a headline, byline or date."""

MARKED_ELEMENTS: Final = 200
"""Marked elements kept of a page, so that hostile mark-up cannot make the walk quadratic."""

_DECLARING_TAGS: Final = frozenset({"title", "meta", "link", "base", "script"})
_META_KEYS: Final = ("property", "name", "itemprop", "http-equiv")
_MARKED_CLASSES: Final = ("author", "byline", "autor", "auteur", "date", "publish", "firma")
_NOWHERE: Final = "\0"
"""A value that no attribute can have, because the parser's input contains no NUL."""
_ANCHOR: Final = TAG_NAMES.index("a")
_HEADLINE: Final = TAG_NAMES.index("h1")
_ALWAYS_MARKED: Final = frozenset({_HEADLINE, TAG_NAMES.index("time")})
_NEW_LINE: Final = BLOCKS | {"br"}
"""Tags at which a browser begins a new line, so that the words before and after them are separate."""
_UNREAD: Final = READINGS | {"style"}


def collapse(text: str | None) -> str:
    """Returns the text with each sequence of white space as one blank, and none at the ends."""
    return " ".join(text.split()) if text else ""


def read_head(walked: Walked) -> Head:
    """Returns title, meta, link and base elements, in document order."""
    title: str | None = None
    base: str | None = None
    meta: list[tuple[str, str]] = []
    links: list[HeadLink] = []
    for node in _declarations(walked):
        name = node.tag
        if name == "script":
            continue
        if name == "title":
            title = title if title is not None else collapse(limited_text(node)) or None
            continue
        get = dict(node.items()).get
        if name == "meta":
            if (content := get("content")) is not None:
                keys = filter(None, map(get, _META_KEYS))
                meta.extend((key.strip().lower(), content.strip()) for key in keys)
        elif name == "link":
            rel, href = get("rel"), get("href")
            if rel and href:
                links.append(
                    HeadLink(rel.lower(), href.strip(), get("type", "").lower(), get("hreflang", ""), get("title", ""))
                )
        elif base is None:
            base = get("href")
    return Head(title, tuple(meta), tuple(links), base)


def language_of(root: str | None, head: Head) -> str | None:
    """Returns the language that the page declares, in the root element, else in a meta element."""
    return root or next((content for key, content in head.meta if key == "content-language" and content), None)


def read_language(walked: Walked) -> str | None:
    """Returns the language that the root element declares."""
    root = walked.nodes[0] if walked.nodes else None
    return (root.get("lang") or root.get("xml:lang")) if root is not None and root.tag == "html" else None


def _declarations(walked: Walked) -> Iterator[Any]:
    for node in walked.declarations:
        if node.tag == "head":
            for child in node:
                if child.tag in _DECLARING_TAGS:
                    yield child
                elif child.tag in HEAD_TAGS:
                    yield from child.iter(*_DECLARING_TAGS)
        else:
            yield node


def read_headline(walked: Walked) -> str | None:
    """Returns the text of the first h1 with a text."""
    tags, place = walked.tags, -1
    for _ in range(min(tags.count(_HEADLINE), MARKED_ELEMENTS)):
        place = tags.index(_HEADLINE, place + 1)
        if text := collapse(limited_text(walked.nodes[place]))[:MARKED_CHARACTERS]:
            return text
    return None


def read_marked(walked: Walked) -> tuple[Marked, ...]:
    """Returns the marked elements. Three attributes of every element are read at once; reading all takes twice as
    long."""
    nodes = walked.nodes
    classes = [node.get("class") for node in nodes]
    marked_names = _marked_classes(classes)
    marked: list[Marked] = []
    for element, (tag, names, node) in enumerate(zip(walked.tags, classes, nodes, strict=True)):
        get = node.get
        if names in marked_names or tag in _ALWAYS_MARKED or get("itemprop") is not None or get("rel") == "author":
            marked.append(Marked(element, node.tag, dict(node.items()), partial(marked_text, node)))
            if len(marked) == MARKED_ELEMENTS:
                break
    return tuple(marked)


def _marked_classes(classes: Sequence[str | None]) -> frozenset[str]:
    """The classes with a word for an author or a date. All are lower-cased and searched at once."""
    distinct = list(filter(None, set(classes)))
    whole = _NOWHERE.join(distinct).lower()
    words = [word for word in _MARKED_CLASSES if word in whole]
    if not words:
        return frozenset()
    lower = whole.split(_NOWHERE)
    return frozenset([names for names, low in zip(distinct, lower, strict=True) if any(map(low.__contains__, words))])


def marked_text(node: Any) -> str:
    """Returns the text inside `node`, white space collapsed, cut to `MARKED_CHARACTERS`."""
    return collapse(limited_text(node))[:MARKED_CHARACTERS]


def read_scripts(walked: Walked) -> tuple[str, ...]:
    """Returns the page's JSON-LD scripts as text."""
    scripts = (node for node in _declarations(walked) if node.tag == "script" and not is_unread(node))
    return tuple(node.text for node in scripts if node.text)


def links_between(links: Sequence[Link], start: int, end: int) -> tuple[Link, ...]:
    """Returns the page's links among the elements from `start` up to `end`. If the links were not read yet, only these
    are read."""
    make = links.make if isinstance(links, Deferred) else None
    if make is not None:
        return make(max(0, start), end)
    return tuple(link for link in links if start <= link.element < end)


def read_links(walked: Walked, start: int = 0, end: int | None = None) -> tuple[Link, ...]:
    """Returns the links of the elements from `start` up to `end`."""
    links: list[Link] = []
    for element, tag in enumerate(walked.tags[start:end], start):
        if tag == _ANCHOR:
            node = walked.nodes[element]
            if href := node.get("href"):
                links.append(Link(href.strip(), collapse(limited_text(node)), node.get("rel", "").lower(), element))
    return tuple(links)


def text_before(node: Any) -> str:
    """Returns the text directly before an element, up to the next tag."""
    before, parent = node.getprevious(), node.getparent()
    text: str | None = before.tail if before is not None else parent.text if parent is not None else None
    return text or ""


def numbers_of(walked: Walked, nodes: Sequence[Any]) -> list[int]:
    """Returns the number of each of these elements of the tree; NO_PARENT for one that the walk left out."""
    known = {node: number for number, node in enumerate(walked.nodes)}
    return [known.get(node, NO_PARENT) for node in nodes]


def limited_text(node: Any, limit: int = MARKED_CHARACTERS) -> str:
    """Returns the text inside `node`, up to about `limit` characters, which limits the time for nested elements.

    A blank is where a new line begins: "Council votes<br>again" is three words.
    """
    if not len(node):
        return node.text or ""
    parts: list[str] = []
    left = limit
    for part in _texts(node):
        if part is None:
            if parts and parts[-1] != " ":
                parts.append(" ")
            continue
        parts.append(part)
        left -= len(part)
        if left <= 0:
            break
    return "".join(parts)


def _texts(node: Any) -> Iterator[str | None]:
    """Yields the visible texts inside `node` in order, None for a new line, without recursion."""
    for event, inner in etree.iterwalk(node, events=("start", "end")):
        if inner.tag in _NEW_LINE and inner is not node:
            yield None
        if event == "start":
            text = None if is_unread(inner) else inner.text
        else:
            text = inner.tail if inner is not node else None
        if text:
            yield text


def is_unread(node: Any) -> bool:
    """Returns whether the text of an element is never read: that of style, readings of words, and scripts other than
    JSON-LD."""
    return node.tag in _UNREAD or (node.tag == "script" and "ld+json" not in node.get("type", "").lower())
