"""HTML to runs, elements, head, links and hints: the only place that knows the HTML parser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from lxml import etree

from newscrawl.page import tags
from newscrawl.page.elements import NO_PARENT, Elements
from newscrawl.page.head import Head, Hints, Link
from newscrawl.page.hints import HintCollector
from newscrawl.page.run import (
    HEADING,
    HIDDEN,
    IGNORED_BY_BOILERPIPE,
    IGNORED_BY_JUSTEXT,
    LIST_ITEM,
    TOP_HEADING,
    Run,
)
from newscrawl.page.runs import RunBuilder

TREE_TRUNCATED: Final = "tree truncated"
"""The parser gave up inside the page (nesting deeper than libxml2's limit of 2048, or a limit on one text): what
follows is missing."""

_FATAL_ERRORS: Final = frozenset({"ERR_RESOURCE_LIMIT", "ERR_INTERNAL_ERROR", "ERR_USER_STOP", "ERR_NAME_TOO_LONG"})
_HEAD_TAGS: Final = frozenset({"title", "meta", "link", "base", "script"})
_NO_ATTRIBUTES: Final[dict[str, str]] = {}


def _inherited_flags() -> dict[str, int]:
    flags = dict.fromkeys(tags.HEADINGS, HEADING)
    for tag in tags.TOP_HEADINGS:
        flags[tag] |= TOP_HEADING
    flags["li"] = LIST_ITEM
    for tag in tags.BOILERPIPE_IGNORED:
        flags[tag] = flags.get(tag, 0) | IGNORED_BY_BOILERPIPE
    for tag in tags.JUSTEXT_IGNORED:
        flags[tag] = flags.get(tag, 0) | IGNORED_BY_JUSTEXT
    return flags


_INHERITED: Final = _inherited_flags()


@dataclass(frozen=True, slots=True)
class Segments:
    """All that is kept of a page's HTML."""

    runs: tuple[Run, ...]
    elements: Elements
    head: Head
    links: tuple[Link, ...]
    hints: Hints
    problems: tuple[str, ...]


def segment(html: bytes) -> Segments:
    """Parse UTF-8 HTML once and walk its tree once; never raises, time linear in the page's size."""
    parser = etree.HTMLParser(
        encoding="utf-8", collect_ids=False, remove_comments=True, remove_pis=True, huge_tree=True, no_network=True
    )
    try:
        root = etree.fromstring(html, parser)
    except (etree.XMLSyntaxError, etree.ParserError):
        root = None
    problems = _problems(parser)
    elements, builder, hints = Elements(), RunBuilder(), HintCollector()
    if root is not None:
        _walk(root, elements, builder, hints)
    return Segments(builder.finish(), elements, hints.head(), hints.links(), hints.hints(), problems)


def _problems(parser: etree.HTMLParser) -> tuple[str, ...]:
    log = parser.error_log
    truncated = any(entry.type_name in _FATAL_ERRORS or "Excessive depth" in entry.message for entry in log)
    return (TREE_TRUNCATED,) if truncated else ()


def _walk(root: Any, elements: Elements, builder: RunBuilder, hints: HintCollector) -> None:
    """Visit every node once, in document order, without recursion (pages nest deeper than Python's stack allows).

    A context is (element index, index of the nearest element that is not inline, tag level, inherited flags, inside <a>).
    """
    parents, numbers, attributes_of = elements.parent, elements.tag, elements.attributes
    frames: list[tuple[Any, Any, str, tuple[int, int, int, int, bool]]] = []
    outer = (NO_PARENT, NO_PARENT, 0, 0, False)
    siblings = iter((root,))
    while True:
        for node in siblings:
            tag = node.tag
            if tag in _HEAD_TAGS:
                hints.head_element(tag, node)
            if tag in tags.SKIPPED or tag == "title":
                builder.skipped(tag)
                if tag == "head":
                    for child in node:
                        hints.head_element(child.tag, child)
                if node.tail:
                    builder.text(node.tail, outer)
                continue
            items = node.items()
            attributes = dict(items) if items else _NO_ATTRIBUTES
            index = len(parents)
            parents.append(outer[0])
            numbers.append(tags.TAG_NUMBERS.get(tag, 0))
            attributes_of.append(attributes)
            if items or tag == "h1":
                hints.body_element(tag, node, attributes, index)
            context = _enter(tag, attributes, index, outer)
            builder.start(tag, attributes)
            if node.text:
                builder.text(node.text, context)
            if len(node):
                frames.append((siblings, node, tag, outer))
                siblings, outer = iter(node), context
                break
            builder.end(tag)
            if node.tail:
                builder.text(node.tail, outer)
        else:
            if not frames:
                return
            siblings, node, tag, outer = frames.pop()
            builder.end(tag)
            if node.tail:
                builder.text(node.tail, outer)


def _enter(
    tag: str, attributes: dict[str, str], index: int, outer: tuple[int, int, int, int, bool]
) -> tuple[int, int, int, int, bool]:
    _, block, level, flags, linked = outer
    if tag not in tags.BOILERPIPE_INLINE:
        block = index
    if tag not in tags.BOILERPIPE_NO_LEVEL:
        level += 1
    flags |= _INHERITED.get(tag, 0)
    if attributes and ("hidden" in attributes or _is_undisplayed(attributes.get("style"))):
        flags |= HIDDEN
    return index, block, level, flags, linked or tag == "a"


def _is_undisplayed(style: str | None) -> bool:
    return style is not None and "none" in style and "display:none" in style.replace(" ", "").lower()
