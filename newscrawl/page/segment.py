"""HTML to runs, elements, head, links and hints: the only place that knows the HTML parser."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from lxml import etree

from newscrawl.page.elements import Attributes, Elements
from newscrawl.page.head import Head, Hints, Link
from newscrawl.page.hints import read_head, read_hints, read_links
from newscrawl.page.run import Run
from newscrawl.page.runs import make_runs
from newscrawl.page.walk import Walked, walk

TREE_TRUNCATED: Final = "tree truncated"
"""The parser gave up inside the page (nesting deeper than libxml2's limit of 2048, or a limit on one text): what
follows is missing."""
TITLE_NOT_CLOSED: Final = "title not closed"
"""Taken to end before the next tag."""

_OPEN_TITLE: Final = re.compile(rb"<title\b[^>]*>[^<]*", re.IGNORECASE)
_FATAL_ERRORS: Final = frozenset({"ERR_RESOURCE_LIMIT", "ERR_INTERNAL_ERROR", "ERR_USER_STOP", "ERR_NAME_TOO_LONG"})


@dataclass(frozen=True, slots=True)
class Segments:
    """All that is kept of a page's HTML."""

    runs: tuple[Run, ...]
    elements: Elements
    head: Head
    links: Sequence[Link]
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
    parser = _parser()
    try:
        root = etree.fromstring(html, parser)
    except (etree.XMLSyntaxError, etree.ParserError):
        root = None
    problems = _problems(parser)
    walked = walk(root) if root is not None else Walked()
    elements = Elements(walked.parents, walked.tags, Attributes(walked.nodes, _attributes))
    head = read_head(walked)
    return Segments(
        make_runs(walked.gathered, elements),
        elements,
        head,
        read_links(walked),
        read_hints(walked, head),
        problems,
        tuple(walked.spacers),
    )


class _Parsers(threading.local):
    """A parser for each thread: to make one takes 2 % of a page, and a shared one makes two threads slower than one."""

    def __init__(self) -> None:
        self.parser = etree.HTMLParser(
            encoding="utf-8", collect_ids=False, remove_comments=True, remove_pis=True, huge_tree=True, no_network=True
        )


_PARSERS: Final = _Parsers()


def _parser() -> etree.HTMLParser:
    return _PARSERS.parser


def _attributes(node: Any) -> dict[str, str]:
    return dict(node.items())


def _problems(parser: etree.HTMLParser) -> tuple[str, ...]:
    log = parser.error_log
    truncated = any(entry.type_name in _FATAL_ERRORS or "Excessive depth" in entry.message for entry in log)
    return (TREE_TRUNCATED,) if truncated else ()
