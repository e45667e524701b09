"""Turns bytes into a Page: decodes, shortens and parses them, and walks the tree. Only this module uses the HTML
parser."""

from __future__ import annotations

import re
import threading
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from operator import attrgetter
from typing import Any, Final

from lxml import etree

from newscrawl.page.compiled import CORE, CompiledTree, attributes_of
from newscrawl.page.cuts import TEXT_LOST, are_missing, without_early_end, without_scripts
from newscrawl.page.decode import EncodingSource, binary_kind, decode
from newscrawl.page.elements import NO_TEXTS, NO_TREE, Attributes, Deferred, Elements, ElementTexts, ParsedTree
from newscrawl.page.head import (
    Head,
    Hints,
    Link,
    language_of,
    marked_text,
    numbers_of,
    read_head,
    read_headline,
    read_language,
    read_links,
    read_marked,
    read_scripts,
    text_before,
)
from newscrawl.page.run import TextRun
from newscrawl.page.runs import make_runs
from newscrawl.page.walk import Walked, walk

PROSE_WORDS: Final = 15
"""Runs with at least this many words and no link are prose. Navigation and teasers are shorter or linked."""
NOT_TEXT: Final = "not a text page"
"""Problem: the bytes are an image, a PDF, an archive ..., whatever the server calls them."""
TREE_TRUNCATED: Final = "tree truncated"
"""Problem: the parser stopped inside the page (nesting deeper than libxml2's limit of 2048, or a text over its limit),
so the rest of the page is missing."""
TITLE_NOT_CLOSED: Final = "title not closed"
"""Problem: the title has no end tag. It is read as ending before the next tag."""

_ELEMENT_OF: Final = attrgetter("element")
_OPEN_TITLE: Final = re.compile(rb"<title\b[^<>]*+>[^<]*+", re.IGNORECASE)
_FATAL_ERRORS: Final = frozenset({"ERR_RESOURCE_LIMIT", "ERR_INTERNAL_ERROR", "ERR_USER_STOP", "ERR_NAME_TOO_LONG"})


@dataclass(frozen=True)
class Page:
    """A parsed page: all data that later steps read. A copy made by pickle is without the parser's tree."""

    runs: tuple[TextRun, ...]
    elements: Elements
    head: Head
    links: Sequence[Link]
    hints: Hints
    spacers: tuple[tuple[int, int], ...] = ()
    """Blocks of only no-break spaces: the index of the run after them, and their tag level."""
    text_of: ElementTexts = field(default=NO_TEXTS, repr=False, compare=False)
    """Returns the text inside an element, which the runs do not tell for inline ones."""
    unseen: int = 0
    """Words that nobody sees, by the style of an element. They are in no run."""
    problems: tuple[str, ...] = ()
    url: str | None = None
    encoding: str = "utf-8"
    encoding_source: EncodingSource = "text"
    tree: ParsedTree = field(default=NO_TREE, repr=False, compare=False)
    """For the paths of site hints."""

    @cached_property
    def prose(self) -> tuple[int, ...]:
        """The indices of the runs with at least `PROSE_WORDS` words and no link."""
        return tuple([i for i, run in enumerate(self.runs) if run.words >= PROSE_WORDS and not run.linked_words])

    def first_run(self, element: int) -> int:
        """Returns the number of runs before an element: the index of its first run, if it has any."""
        return bisect_left(self.runs, element, key=_ELEMENT_OF)


def parse(
    html: bytes | str, *, url: str | None = None, content_type: str | None = None, encoding: str | None = None
) -> Page:
    """Decodes, parses and walks a page; never raises, whatever the bytes. Time is linear in their number.

    `url` is the page's final URL, `content_type` the HTTP header's value, `encoding` overrides page and header.
    `Page.problems` says what was wrong with the input.
    """
    problems: list[str] = []
    if isinstance(html, bytes) and (kind := binary_kind(html)) is not None:
        html = b""
        problems += [NOT_TEXT, f"the bytes are {kind}"]
    decoded = decode(html, content_type=content_type, encoding=encoding)
    if decoded.replaced:
        problems.append(f"{decoded.replaced} byte sequences are not {decoded.encoding}")
    whole, behind = without_early_end(without_scripts(decoded.data))
    page = _read(whole)
    problems += page.problems
    if are_missing(behind, (run.text for run in page.runs)):
        problems.append(TEXT_LOST)
    return replace(
        page,
        head=page.head.bounded(),
        problems=tuple(problems),
        url=url,
        encoding=decoded.encoding,
        encoding_source=decoded.source,
    )


def _read(html: bytes) -> Page:
    """Parses UTF-8 HTML once. Only if a title without an end contains the whole page, the end tag is added and the page
    is parsed again."""
    page = _parsed(html)
    if not page.runs and "<" in (page.head.title or ""):
        closed = _parsed(_OPEN_TITLE.sub(rb"\g<0></title>", html, count=1))
        if closed.runs:
            return replace(closed, problems=(*closed.problems, TITLE_NOT_CLOSED))
    return page


def _parsed(html: bytes) -> Page:
    root, problems = parse_tree(html)
    page = walk_tree(root) if root is not None else reference(Walked())
    return replace(page, problems=problems) if problems else page


def parse_tree(html: bytes) -> tuple[Any, tuple[str, ...]]:
    """Returns lxml's tree of a page in UTF-8 (None if there is none), and what was wrong with the page."""
    parser = _PARSERS.parser
    try:
        root = etree.fromstring(html, parser)
    except (etree.XMLSyntaxError, etree.ParserError):
        root = None
    log = parser.error_log
    truncated = any(entry.type_name in _FATAL_ERRORS or "Excessive depth" in entry.message for entry in log)
    return root, (TREE_TRUNCATED,) if truncated else ()


def walk_tree(root: Any) -> Page:
    """Returns what lxml's tree of a page has."""
    if CORE.module is not None:
        try:
            return _compiled(CORE.module.Tree(root), root)
        except (CORE.module.Unusual, UnicodeDecodeError):
            pass  # a tree that no parser of HTML should give: the reference takes it
    return reference(walk(root), root)


def reference(walked: Walked, root: Any = None) -> Page:
    """Returns a page as pure Python computes it. The compiled core gives the same."""
    elements = Elements(walked.parents, walked.tags, Attributes(walked.nodes, attributes_of))
    head = read_head(walked)
    return Page(
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
        tuple(walked.spacers),
        ElementTexts(lambda element: marked_text(walked.nodes[element])),
        walked.unseen,
        tree=ParsedTree(root, partial(numbers_of, walked), lambda element: text_before(walked.nodes[element])),
    )


def _compiled(tree: CompiledTree, root: Any) -> Page:
    elements = Elements()
    runs, spacers = tree.walk(elements)
    elements.attributes = Attributes(range(len(tree)), tree.attributes, tree.values)
    head = tree.head()
    language = language_of(tree.language(), head)
    hints = Hints(language, tree.headline(), Deferred(tree.marked), Deferred(tree.scripts))
    numbered = ParsedTree(root, tree.numbers, tree.text_before)
    texts = ElementTexts(tree.marked_text)
    return Page(runs, elements, head, Deferred(tree.links), hints, spacers, texts, tree.unseen, tree=numbered)


class _Parsers(threading.local):
    """A parser for each thread. Creating a parser takes 2 % of the time of a page, and with a shared parser two threads
    are slower than one."""

    def __init__(self) -> None:
        self.parser = etree.HTMLParser(
            encoding="utf-8", collect_ids=False, remove_comments=True, remove_pis=True, huge_tree=True, no_network=True
        )


_PARSERS: Final = _Parsers()
