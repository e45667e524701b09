"""HTML to runs, elements, head, links and hints: the only place that knows the HTML parser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from lxml import etree

from newscrawl.page.elements import NO_PARENT, Elements
from newscrawl.page.head import Head, Hints, Link
from newscrawl.page.hints import HintCollector
from newscrawl.page.run import HIDDEN, Run
from newscrawl.page.runs import ELEMENT, Place, RunBuilder
from newscrawl.page.tags import ANCHOR, HEADLINE, SKIPS, TAGS, UNKNOWN, Tag

TREE_TRUNCATED: Final = "tree truncated"
"""The parser gave up inside the page (nesting deeper than libxml2's limit of 2048, or a limit on one text): what
follows is missing."""
TITLE_NOT_CLOSED: Final = "title not closed"
"""Taken to end before the next tag."""

_OPEN_TITLE: Final = re.compile(rb"<title\b[^>]*>[^<]*", re.IGNORECASE)
_FATAL_ERRORS: Final = frozenset({"ERR_RESOURCE_LIMIT", "ERR_INTERNAL_ERROR", "ERR_USER_STOP", "ERR_NAME_TOO_LONG"})
_OUTSIDE: Final[Place] = (NO_PARENT, NO_PARENT, 0, 0, False)


@dataclass(frozen=True, slots=True)
class Segments:
    """All that is kept of a page's HTML."""

    runs: tuple[Run, ...]
    elements: Elements
    head: Head
    links: tuple[Link, ...]
    hints: Hints
    problems: tuple[str, ...]
    spacers: tuple[tuple[int, int], ...]


def segment(html: bytes) -> Segments:
    """Parse UTF-8 HTML and walk its tree; never raises, time linear in the page's size.

    Once, unless a title without end has swallowed the whole page: then its end is put in and the page parsed again.
    """
    segments = _segment(html)
    if not segments.runs and "<" in (segments.head.title or ""):
        closed = _segment(_OPEN_TITLE.sub(rb"\g<0></title>", html, count=1))
        if closed.runs:
            return replace(closed, problems=(*closed.problems, TITLE_NOT_CLOSED))
    return segments


def _segment(html: bytes) -> Segments:
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
    return Segments(
        builder.finish(), elements, hints.head(), hints.links(), hints.hints(), problems, tuple(builder.spacers)
    )


def _problems(parser: etree.HTMLParser) -> tuple[str, ...]:
    log = parser.error_log
    truncated = any(entry.type_name in _FATAL_ERRORS or "Excessive depth" in entry.message for entry in log)
    return (TREE_TRUNCATED,) if truncated else ()


def _walk(root: Any, elements: Elements, builder: RunBuilder, hints: HintCollector) -> None:
    """Visit every node once, in document order, without recursion (pages nest deeper than Python's stack allows).

    One loop with everything in local names: it runs for every node of every page, and a call costs as much as its work.
    """
    add_parent, add_number, add_attributes = elements.parent.append, elements.tag.append, elements.attributes.append
    look_up, text, split = TAGS.get, builder.text, builder.split
    open_elements: list[tuple[Iterator[Any], Any, Tag, Place]] = []
    siblings, outer = iter((root,)), _OUTSIDE
    count = 0
    while True:
        for node in siblings:
            name = node.tag
            tag = look_up(name, UNKNOWN)
            _, splits, boundary, _, _, kind, _ = tag
            if splits:
                split()
                builder.boundary |= boundary
            builder.see(tag)
            if kind == SKIPS:
                hints.skipped_element(name, node)
                if name == "head" and (misplaced := hints.read_head(node)):
                    open_elements.append((siblings, node, tag, outer))
                    siblings = iter(misplaced)
                    break
            else:
                attributes = dict(node.items())
                add_parent(outer[ELEMENT])
                add_number(tag.number)
                add_attributes(attributes)
                if attributes or kind >= HEADLINE:
                    builder.code += hints.element(name, kind, node, attributes, count)
                place = _enter(tag, attributes, count, outer)
                count += 1
                if node.text:
                    text(node.text, place)
                if len(node):
                    open_elements.append((siblings, node, tag, outer))
                    siblings, outer = iter(node), place
                    break
                if splits:
                    split()
                    builder.boundary |= boundary
            if node.tail:
                text(node.tail, outer)
        else:
            if not open_elements:
                return
            siblings, node, tag, outer = open_elements.pop()
            if tag.splits:
                split()
                builder.boundary |= tag.boundary
            if node.tail:
                text(node.tail, outer)


def _enter(tag: Tag, attributes: dict[str, str], element: int, outer: Place) -> Place:
    _, container, level, flags, linked = outer
    _, splits, _, adds_level, inherited, kind, _ = tag
    if attributes and ("hidden" in attributes or ("style" in attributes and _is_undisplayed(attributes["style"]))):
        flags |= HIDDEN
    return (element, element if splits else container, level + adds_level, flags | inherited, linked or kind == ANCHOR)


def _is_undisplayed(style: str) -> bool:
    return "none" in style and "display:none" in style.replace(" ", "").lower()
