"""What a page declares about itself outside its visible text, as written. Nothing is interpreted here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Final, NamedTuple

from lxml import etree

from newscrawl.page.elements import NO_PARENT, Deferred
from newscrawl.page.jsonld import parse_json_ld
from newscrawl.page.tags import BLOCKS, READINGS, TAG_NAMES
from newscrawl.page.walk import HEAD_TAGS, Walked

MAX_TITLE: Final = 1_000
"""Characters kept of <title> and of the meta elements that are titles: the longest of 1,448 real pages has 766, and
expressions that look for its parts may take quadratic time."""

MAX_META: Final = 8_000
"""Characters kept of any other meta element's content. The longest description of 1,448 real pages has 4,427; longer
values are data of a program, which nothing reads."""

_TITLES: Final = ("title", "headline", "hdl", "site_name")


class HeadLink(NamedTuple):
    """A <link> element: `rel` in lower case, the address as written. Pages have dozens, hence a named tuple."""

    rel: str
    href: str
    type: str = ""
    hreflang: str = ""
    title: str = ""


@dataclass(frozen=True)
class Head:
    """Title, meta and link elements, anywhere in the page.

    `meta` keeps order and repetitions; its keys are the lower-case name, property, itemprop or http-equiv.
    """

    title: str | None = None
    meta: tuple[tuple[str, str], ...] = ()
    links: tuple[HeadLink, ...] = ()
    base: str | None = None

    def bounded(self) -> Head:
        """Returns a copy with texts cut to `MAX_TITLE` and `MAX_META` characters."""
        is_title_long = self.title is not None and len(self.title) > MAX_TITLE
        if not is_title_long and all(len(content) <= MAX_TITLE for _, content in self.meta):
            return self
        meta = tuple((key, content[: _limit(key)]) for key, content in self.meta)
        return replace(self, title=self.title[:MAX_TITLE] if self.title else self.title, meta=meta)

    def first(self, *keys: str) -> str | None:
        """Returns the first non-blank meta content under the first of `keys` that has one."""
        contents = self.contents
        return next((contents[key][0] for key in keys if key in contents), None)

    def all(self, key: str) -> list[str]:
        """Returns every non-blank meta content under `key`."""
        return self.contents.get(key, [])

    @cached_property
    def contents(self) -> dict[str, list[str]]:
        """The non-blank meta contents by key; metadata reads dozens of keys."""
        by_key: dict[str, list[str]] = {}
        for key, content in self.meta:
            if content:
                by_key.setdefault(key, []).append(content)
        return by_key


def _limit(key: str) -> int:
    return MAX_TITLE if key.endswith(_TITLES) else MAX_META


@dataclass(frozen=True, slots=True)
class Link:
    """An <a href> of the page's body: address and anchor text as written (white space collapsed)."""

    href: str
    text: str
    rel: str
    element: int


class Marked:
    """An element with special mark-up: a heading, <time>, microdata property, rel=author or byline class.

    `text` is its text with white space collapsed, cut after `MARKED_CHARACTERS`. It is read from the parser's
    node on first use, because most are never used.
    """

    __slots__ = ("_text", "attributes", "element", "tag")

    def __init__(self, element: int, tag: str, attributes: dict[str, str], text: str | Callable[[], str]) -> None:
        self.element = element
        self.tag = tag
        self.attributes = attributes
        self._text = text

    @property
    def text(self) -> str:
        text = self._text
        if not isinstance(text, str):
            text = self._text = text()
        return text

    def __eq__(self, other: object) -> bool:
        return self._values() == other._values() if isinstance(other, Marked) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.element, self.tag))

    def __repr__(self) -> str:
        return f"Marked{self._values()}"

    def __reduce__(self) -> tuple[type[Marked], tuple[int, str, dict[str, str], str]]:
        return Marked, self._values()

    def _values(self) -> tuple[int, str, dict[str, str], str]:
        return self.element, self.tag, self.attributes, self.text


@dataclass(frozen=True)
class Hints:
    """What a page declares about its article, as written. Extraction and metadata both read it."""

    language: str | None = None
    """The language that the mark-up declares, as written (html lang, content-language)."""
    headline: str | None = None
    """The text of the first h1 with a text."""
    marked: Sequence[Marked] = ()
    json_ld_scripts: Sequence[str] = ()

    @cached_property
    def json_ld(self) -> tuple[dict[str, Any], ...]:
        """All JSON-LD objects of the page, @graph and arrays flattened; of broken scripts, the readable objects."""
        return tuple(item for script in self.json_ld_scripts for item in parse_json_ld(script))


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
