"""Parses HTML to runs, elements, head, links and hints. Only this module uses the HTML parser."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

from lxml import etree

from newscrawl.page.compiled import CORE, CompiledTree, attributes_of
from newscrawl.page.cuts import without_scripts
from newscrawl.page.elements import NO_TREE, Attributes, Deferred, Elements, ElementTexts, ParsedTree
from newscrawl.page.ends import TEXT_LOST, are_missing, without_early_end
from newscrawl.page.head import Head, Hints, Link
from newscrawl.page.hints import (
    language_of,
    marked_text,
    numbers_of,
    read_head,
    read_headline,
    read_language,
    read_links,
    read_marked,
    read_scripts,
)
from newscrawl.page.run import TextRun
from newscrawl.page.runs import make_runs
from newscrawl.page.walk import Walked, walk

TREE_TRUNCATED: Final = "tree truncated"
"""Problem: the parser stopped inside the page (nesting deeper than libxml2's limit of 2048, or a text over its limit),
so the rest of the page is missing."""
TITLE_NOT_CLOSED: Final = "title not closed"
"""Problem: the title has no end tag. It is read as ending before the next tag."""

_OPEN_TITLE: Final = re.compile(rb"<title\b[^<>]*+>[^<]*+", re.IGNORECASE)
_FATAL_ERRORS: Final = frozenset({"ERR_RESOURCE_LIMIT", "ERR_INTERNAL_ERROR", "ERR_USER_STOP", "ERR_NAME_TOO_LONG"})


@dataclass(frozen=True, slots=True)
class Segments:
    """The parts of a page's HTML that are kept."""

    runs: tuple[TextRun, ...]
    elements: Elements
    head: Head
    links: Sequence[Link]
    hints: Hints
    problems: tuple[str, ...]
    spacers: tuple[tuple[int, int], ...]
    text_of: ElementTexts = field(compare=False)
    unseen: int = 0
    """Words that nobody sees, by the style of an element. They are in no run."""
    tree: ParsedTree = field(default=NO_TREE, compare=False)


def segment(html: bytes) -> Segments:
    """Parses UTF-8 HTML and walks its tree; never raises, time linear in the page's size.

    The page is parsed once. Only if a title without an end contains the whole
    page, the end tag is added and the page is parsed again.
    """
    html, behind = without_early_end(without_scripts(html))
    segments = _read(html)
    head, problems = segments.head.bounded(), segments.problems
    if behind and are_missing(behind, (run.text for run in segments.runs)):
        problems = (*problems, TEXT_LOST)
    if head is segments.head and problems is segments.problems:
        return segments
    return replace(segments, head=head, problems=problems)


def _read(html: bytes) -> Segments:
    segments = _segment(html)
    if not segments.runs and "<" in (segments.head.title or ""):
        closed = _segment(_OPEN_TITLE.sub(rb"\g<0></title>", html, count=1))
        if closed.runs:
            return replace(closed, problems=(*closed.problems, TITLE_NOT_CLOSED))
    return segments


def _segment(html: bytes) -> Segments:
    root, problems = parse_tree(html)
    segments = walk_tree(root) if root is not None else reference(Walked())
    return replace(segments, problems=problems) if problems else segments


def walk_tree(root: Any) -> Segments:
    """Returns the segments of lxml's tree of a page."""
    if CORE.module is not None:
        try:
            return _compiled(CORE.module.Tree(root), root)
        except (CORE.module.Unusual, UnicodeDecodeError):
            pass  # a tree that no parser of HTML should give: the reference takes it
    return reference(walk(root), root)


def parse_tree(html: bytes) -> tuple[Any, tuple[str, ...]]:
    """Returns lxml's tree of a page (None if there is none), and what was wrong with the page."""
    parser = _parser()
    try:
        root = etree.fromstring(html, parser)
    except (etree.XMLSyntaxError, etree.ParserError):
        root = None
    return root, _problems(parser)


def reference(walked: Walked, root: Any = None) -> Segments:
    """Returns the segments as pure Python computes them. The compiled core gives the same."""
    elements = Elements(walked.parents, walked.tags, Attributes(walked.nodes, attributes_of))
    head = read_head(walked)
    return Segments(
        make_runs(walked.gathered, elements),
        elements,
        head,
        Deferred(partial(read_links, walked)),
        Hints(
            language_of(read_language(walked), head),
            read_headline(walked),
            Deferred(partial(read_marked, walked)),
            Deferred(partial(read_scripts, walked)),
        ),
        (),
        tuple(walked.spacers),
        ElementTexts(lambda element: marked_text(walked.nodes[element])),
        walked.unseen,
        ParsedTree(root, partial(numbers_of, walked)),
    )


def _compiled(tree: CompiledTree, root: Any) -> Segments:
    elements = Elements()
    runs, spacers = tree.walk(elements)
    elements.attributes = Attributes(range(len(tree)), tree.attributes, tree.values)
    head = tree.head()
    language = language_of(tree.language(), head)
    hints = Hints(language, tree.headline(), Deferred(tree.marked), Deferred(tree.scripts))
    return Segments(
        runs,
        elements,
        head,
        Deferred(tree.links),
        hints,
        (),
        spacers,
        ElementTexts(tree.marked_text),
        tree.unseen,
        ParsedTree(root, tree.numbers),
    )


class _Parsers(threading.local):
    """A parser for each thread. Creating a parser takes 2 % of the time of a page, and with a shared parser two threads
    are slower than one."""

    def __init__(self) -> None:
        self.parser = etree.HTMLParser(
            encoding="utf-8", collect_ids=False, remove_comments=True, remove_pis=True, huge_tree=True, no_network=True
        )


_PARSERS: Final = _Parsers()


def _parser() -> etree.HTMLParser:
    return _PARSERS.parser


def _problems(parser: etree.HTMLParser) -> tuple[str, ...]:
    log = parser.error_log
    truncated = any(entry.type_name in _FATAL_ERRORS or "Excessive depth" in entry.message for entry in log)
    return (TREE_TRUNCATED,) if truncated else ()
