"""Parses bytes to a Page: runs all steps."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import Final

from newscrawl.page.decode import EncodingSource, binary_kind, decode
from newscrawl.page.elements import NO_TEXTS, NO_TREE, Elements, ElementTexts, ParsedTree
from newscrawl.page.head import Head, Hints, Link
from newscrawl.page.run import TextRun
from newscrawl.page.segment import segment

PROSE_WORDS: Final = 15
"""Runs with at least this many words and no link are prose. Navigation and teasers are shorter or linked."""
NOT_TEXT = "not a text page"
"""The bytes are an image, a PDF, an archive ..., whatever the server calls them."""

_ELEMENT_OF: Final = attrgetter("element")


@dataclass(frozen=True)
class Page:
    """A parsed page: all data that later steps read. A copy made by pickle is without the parser's tree."""

    url: str | None
    encoding: str
    encoding_source: EncodingSource
    runs: tuple[TextRun, ...]
    elements: Elements
    head: Head
    links: Sequence[Link]
    hints: Hints
    problems: tuple[str, ...] = ()
    spacers: tuple[tuple[int, int], ...] = ()
    """Blocks of only no-break spaces: the index of the run after them, and their tag level."""
    text_of: ElementTexts = field(default=NO_TEXTS, repr=False, compare=False)
    """Returns the text inside an element, which the runs do not tell for inline ones."""
    unseen: int = 0
    """Words that nobody sees, by the style of an element. They are in no run."""
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
    """Decodes, parses and walks a page; never raises, whatever the bytes.

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
    segments = segment(decoded.data)
    problems.extend(segments.problems)
    return Page(
        url,
        decoded.encoding,
        decoded.source,
        segments.runs,
        segments.elements,
        segments.head,
        segments.links,
        segments.hints,
        tuple(problems),
        segments.spacers,
        segments.text_of,
        segments.unseen,
        segments.tree,
    )
