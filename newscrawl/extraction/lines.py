"""Lines: joins a page's runs as a browser puts them on lines, for algorithms made for lines of HTML source.

Such algorithms (DANAg, CETR) read source files whose authors broke lines at blocks. Today a whole page may be on one
line. The normalised source here starts a new line at every edge of a block element and at every <br>.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, TypeVar

from newscrawl.page import TextRun
from newscrawl.page.run import BLOCK_BEFORE, IGNORED_BY_BOILERPIPE, IGNORED_BY_JUSTEXT
from newscrawl.page.words import BLANKLESS, BLANKLESS_WEIGHT

T = TypeVar("T")

CONTROL: Final = IGNORED_BY_BOILERPIPE | IGNORED_BY_JUSTEXT
"""Runs in form controls and embedded objects are no text of the page. Their tags count as code."""


class TextLine(NamedTuple):
    """The runs between two line breaks, with the counts that the algorithms use."""

    runs: tuple[int, ...]
    """Indices of the page's runs; never empty."""
    length: int
    """Characters of text, those of scripts without blanks by their weight (`text_length`)."""
    words: int
    linked_words: int
    """The number of words inside <a>."""
    tags: int
    """Start and end tags since the line before."""
    code: int
    """Characters of those tags (`TextRun.code`)."""


def lines_of(runs: Sequence[TextRun]) -> list[TextLine]:
    """Returns the lines of a page, in document order; linear time."""
    lines: list[TextLine] = []
    members: list[int] = []
    tags = code = 0
    breaks = False
    for index, run in enumerate(runs):
        breaks = breaks or bool(run.flags & BLOCK_BEFORE)
        if breaks and members:
            lines.append(_line(runs, members, tags, code))
            members, tags, code = [], 0, 0
        tags += run.tags
        code += run.code
        if not run.flags & CONTROL:
            members.append(index)
            breaks = False
    if members:
        lines.append(_line(runs, members, tags, code))
    return lines


def text_length(text: str) -> int:
    """Returns the characters of `text`; one of a script without blanks counts for three Latin letters
    (docs/explanation/justext.md)."""
    if text.isascii():
        return len(text)
    return len(text) + (BLANKLESS_WEIGHT - 1) * len(BLANKLESS.findall(text))


def per_run(lines: Iterable[TextLine], values: Iterable[T], count: int, missing: T) -> list[T]:
    """Returns one value for each of the `count` runs of a page, from one a line; `missing` for runs in no line."""
    spread = [missing] * count
    for line, value in zip(lines, values, strict=True):
        for index in line.runs:
            spread[index] = value
    return spread


def runs_of(lines: Iterable[TextLine], kept: Iterable[object]) -> tuple[int, ...]:
    """Returns the indices of the runs of those lines whose value in `kept` is true."""
    return tuple(index for line, keep in zip(lines, kept, strict=True) if keep for index in line.runs)


def _line(runs: Sequence[TextRun], members: Sequence[int], tags: int, code: int) -> TextLine:
    return TextLine(
        tuple(members),
        sum(text_length(runs[i].text) for i in members),
        sum(runs[i].words for i in members),
        sum(runs[i].linked_words for i in members),
        tags,
        code,
    )
