"""Text blocks: what Boilerpipe's filters read and mark, and what they fuse."""

from __future__ import annotations

from collections import deque
from functools import reduce
from typing import Final

from newscrawl.extraction.boilerpipe.labels import HEADING, LIST_ITEM
from newscrawl.extraction.boilerpipe.tokens import LINE_COLUMNS, all_words, wrap
from newscrawl.page import Page
from newscrawl.page.run import IGNORED_BY_BOILERPIPE, TOP_HEADING
from newscrawl.page.run import LIST_ITEM as IN_LIST_ITEM

SPACER: Final = -1
"""Stands for the run of a block of nothing but no-break spaces (`Page.spacers`): no text, but classifiers see the gap
that authors made between two paragraphs."""


_LABELLED: Final = TOP_HEADING | IN_LIST_ITEM
_LABELS: Final = {0: 0, TOP_HEADING: HEADING, IN_LIST_ITEM: LIST_ITEM, _LABELLED: HEADING | LIST_ITEM}
"""Labels by the flags of the run."""


class TextBlock:
    """One run of a page, or several fused ones, with shallow text features (WSDM 2010 paper, section 3).

    Mutable, with slots: a page has hundreds of blocks, and most filters change one mark on some of them.
    """

    __slots__ = (
        "_wrapped",
        "content",
        "end",
        "labels",
        "level",
        "link_density",
        "linked_words",
        "runs",
        "start",
        "texts",
        "words",
    )

    def __init__(
        self,
        text: str,
        words: int,
        linked_words: int,
        run: int,
        position: int,
        level: int,
        labels: int,
        wrapped: tuple[int, int] | None = None,
    ) -> None:
        self.texts = [text]
        """Texts of its runs."""
        self.runs = [run]
        """Indices of its runs in `Page.runs`, SPACER among them."""
        self.words = words
        self.linked_words = linked_words
        """Those of `words` inside <a>."""
        self.link_density = linked_words / words if words else 0.0
        """Share of words inside <a>; 0 where there is no word."""
        self.start = position
        """Place of its first run among all blocks of the page, before any was fused or removed."""
        self.end = position
        """Place of its last run."""
        self.level = level
        """Open elements around it that count (`Run.level`); of fused blocks the least."""
        self.labels = labels
        """Bits of `boilerpipe.labels`."""
        self.content = False
        """What the filters so far decided."""
        self._wrapped = wrapped

    @property
    def text(self) -> str:
        """The text, its runs on lines of their own."""
        return self.texts[0] if len(self.texts) == 1 else "\n".join(self.texts)

    @property
    def wrapped(self) -> tuple[int, int]:
        """Words in full lines, and number of those lines, at 80 columns; worked out when first asked for."""
        if self._wrapped is None:
            if len(self.texts) == 1 and len(self.texts[0]) <= LINE_COLUMNS:
                self._wrapped = self.words, 1
            else:
                self._wrapped = reduce(_joined, map(wrap, self.texts))
        return self._wrapped

    @property
    def text_density(self) -> float:
        """Words a full line."""
        words, lines = self.wrapped
        return words / lines

    def fuse(self, following: TextBlock) -> None:
        """Take in a block that stands further down; content if one of the two is, with the labels of both."""
        if self._wrapped is not None or following._wrapped is not None:
            self._wrapped = _joined(self.wrapped, following.wrapped)
        self.texts += following.texts
        self.runs += following.runs
        self.words += following.words
        self.linked_words += following.linked_words
        self.link_density = self.linked_words / self.words if self.words else 0.0
        self.start = min(self.start, following.start)
        self.end = max(self.end, following.end)
        self.level = min(self.level, following.level)
        self.labels |= following.labels
        self.content |= following.content


class TextDocument:
    """A page as filters see it: its title, and blocks in document order which they mark, fuse and remove."""

    __slots__ = ("blocks", "title")

    def __init__(self, title: str | None, blocks: list[TextBlock]) -> None:
        self.title = title
        self.blocks = blocks


def document_of(page: Page) -> TextDocument:
    """One block a run, of the runs Boilerpipe does not ignore, and an empty one for each spacer between them."""
    blocks: list[TextBlock] = []
    spacers = deque(page.spacers)
    words_of = all_words([run.text for run in page.runs], [run.words for run in page.runs])
    next_spacer = spacers[0][0] if spacers else len(page.runs)
    for index, (run, words) in enumerate(zip(page.runs, words_of, strict=True)):
        while next_spacer <= index:
            blocks.append(TextBlock("", 0, 0, SPACER, len(blocks), spacers.popleft()[1], 0))
            next_spacer = spacers[0][0] if spacers else len(page.runs)
        flags = run.flags
        if flags & IGNORED_BY_BOILERPIPE:
            continue
        linked_words = run.linked_words
        if linked_words:
            linked_words = words if linked_words == run.words else min(linked_words, words)
        blocks.append(TextBlock(run.text, words, linked_words, index, len(blocks), run.level, labels_of(flags)))
    return TextDocument(page.head.title, blocks)


def labels_of(flags: int) -> int:
    """Labels of a block by the flags of its run, or of all its runs."""
    return _LABELS[flags & _LABELLED]


def _joined(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """Wrapped words and lines of two blocks, each with its own line breaks; no words take no line."""
    words = one[0] + other[0]
    return (words, one[1] + other[1]) if words else (0, 1)
