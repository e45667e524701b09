"""Text blocks: the input of Boilerpipe's filters, which label, mark and fuse them.

Words and wrapped lines are counted as in the original.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from functools import reduce
from typing import Final

from newscrawl.compiled import KERNELS, choose
from newscrawl.page import Page
from newscrawl.page.run import IGNORED_BY_BOILERPIPE, TOP_HEADING
from newscrawl.page.run import LIST_ITEM as IN_LIST_ITEM
from newscrawl.page.words import SEPARATORS, count_words, split_words

TITLE: Final = 1 << 0
"""The block's text is the page's title or a significant part of it."""
END_OF_TEXT: Final = 1 << 1
"""The block is where articles end: comments, sharing, ratings."""
VERY_LIKELY_CONTENT: Final = 1 << 2
"""The block that the keep-largest step chose."""
MIGHT_BE_CONTENT: Final = 1 << 3
"""A block that the keep-largest step rejected. Later steps may restore it."""
LIST_ITEM: Final = 1 << 4
"""Inside li."""
HEADING: Final = 1 << 5
"""Inside h1, h2 or h3."""

_NAMES: Final = {
    TITLE: "title",
    END_OF_TEXT: "end of text",
    VERY_LIKELY_CONTENT: "very likely content",
    MIGHT_BE_CONTENT: "might be content",
    LIST_ITEM: "list item",
    HEADING: "heading",
}


def label_names(labels: int) -> tuple[str, ...]:
    """Returns the names of the labels in `labels`."""
    return tuple(name for bit, name in _NAMES.items() if labels & bit)


LINE_COLUMNS: Final = 80
"""Width of the assumed page in characters (WSDM 2010 paper, on text density)."""

NOT_IN_TEXT: Final = "\0"
"""A separator of texts that are searched together. The page's decoder removes it from texts."""

_SEPARATOR: Final = re.compile(f"[{''.join(f'{re.escape(first)}-{re.escape(last)}' for first, last in SEPARATORS)}]")

_ASCII_SEPARATORS: Final = str.maketrans({c: " " for c in map(chr, range(128)) if _SEPARATOR.match(c)})


def boilerpipe_words(text: str, words: int) -> int:
    """Returns the number of words in `text`, of which `words` is the number by blanks alone (`page.words.count_words`).

    In scripts without blanks two characters count as a word. The original counts everything between two signs as one;
    its thresholds, learned on English, would classify such articles as boilerplate.
    """
    return words if _SEPARATOR.search(text) is None else count_words(_SEPARATOR.sub(" ", text))


def _all_words(texts: Sequence[str], words: Sequence[int]) -> list[int]:
    """Returns `boilerpipe_words` of many texts without line feeds. One search over all finds those to count."""
    whole = "\n".join(texts)
    plain = whole.translate(_ASCII_SEPARATORS) if whole.isascii() else _SEPARATOR.sub(" ", whole)
    if plain == whole:
        return list(words)
    counted = list(words)
    for index, (line, text) in enumerate(zip(plain.split("\n"), texts, strict=True)):
        if line != text:
            counted[index] = count_words(line)
    return counted


all_words: Final = choose(KERNELS, "all_words", _all_words)


def wrap(text: str) -> tuple[int, int]:
    """Returns the words in full lines, and the number of full lines, of `text` wrapped at 80 columns.

    Only words and one blank between two of them take room; lone signs do not. The last line is left out unless it is
    the only one, because it says little about density. A line before a word that is longer than a line may be empty.
    """
    words = split_words(_SEPARATOR.sub(" ", text))
    line = " ".join(words)
    start, lines = 0, 0
    if words and len(words[0]) > LINE_COLUMNS:
        lines = 1
    while len(line) - start > LINE_COLUMNS:
        end = line.rfind(" ", start, start + LINE_COLUMNS + 1)
        if end < 0:
            end = line.find(" ", start + LINE_COLUMNS)
        if end < 0:
            break
        start = end + 1
        lines += 1
    in_full_lines = line.count(" ", 0, start)
    return (in_full_lines, lines) if in_full_lines else (len(words), 1)


def text_density(text: str, words: int) -> float:
    """Returns the words for each full line of one run. `words` is the number of all its words."""
    if len(text) <= LINE_COLUMNS:
        return float(words)
    in_full_lines, lines = wrap(text)
    return in_full_lines / lines


SPACER: Final = -1
"""The run number of a block of only no-break spaces (`Page.spacers`). It has no text, but classifiers see the gap that
authors made between two paragraphs."""


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
        """The texts of its runs."""
        self.runs = [run]
        """The indices of its runs in `Page.runs`; SPACER for a spacer."""
        self.words = words
        self.linked_words = linked_words
        """The number of words inside <a>."""
        self.link_density = linked_words / words if words else 0.0
        """The share of words inside <a>, 0 without words."""
        self.start = position
        """The position of its first run among all blocks of the page, before any was fused or removed."""
        self.end = position
        """The position of its last run."""
        self.level = level
        """The number of open elements around it that count (`TextRun.level`); for fused blocks the smallest number."""
        self.labels = labels
        """Bits of `boilerpipe.labels`."""
        self.content = False
        """The decision of the filters so far."""
        self._wrapped = wrapped

    @property
    def text(self) -> str:
        """The text, with each run on its own line."""
        return self.texts[0] if len(self.texts) == 1 else "\n".join(self.texts)

    @property
    def wrapped(self) -> tuple[int, int]:
        """The words in full lines, and the number of those lines, at 80 columns. Computed when first needed."""
        if self._wrapped is None:
            if len(self.texts) == 1 and len(self.texts[0]) <= LINE_COLUMNS:
                self._wrapped = self.words, 1
            else:
                self._wrapped = reduce(_joined, map(wrap, self.texts))
        return self._wrapped

    @property
    def text_density(self) -> float:
        """Words for each full line."""
        words, lines = self.wrapped
        return words / lines

    def fuse(self, following: TextBlock) -> None:
        """Adds a later block. The result is content if one of the two is, with the labels of both."""
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
    """A page as input of filters: its title, and its blocks in document order, which filters mark, fuse and remove."""

    __slots__ = ("blocks", "title")

    def __init__(self, title: str | None, blocks: list[TextBlock]) -> None:
        self.title = title
        self.blocks = blocks


def document_of(page: Page) -> TextDocument:
    """Returns one block for each run that Boilerpipe does not ignore, and an empty one for each spacer between them."""
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
    """Returns the labels of a block by the flags of its run, or of all its runs."""
    return _LABELS[flags & _LABELLED]


def _joined(first: tuple[int, int], second: tuple[int, int]) -> tuple[int, int]:
    """Returns wrapped words and lines of two blocks that are wrapped separately. A block without words has no line."""
    words = first[0] + second[0]
    return (words, first[1] + second[1]) if words else (0, 1)
