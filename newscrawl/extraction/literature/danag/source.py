"""DANAg's first phase: the lengths of text and code of every line of a normalised source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from newscrawl.extraction.lines import TextLine

TAGS_OF_AN_ELEMENT: Final = 2
"""Its start and its end."""
MOST_BARE_LINES: Final = 40
"""Lines without text before a line with text are counted up to here: twice the gap, so no gap that matters is lost and
a page of a million empty elements stays cheap."""


class SourceLine(NamedTuple):
    """A line of the source as DANAg counts it."""

    length: int
    """Characters of text (the paper's T1)."""
    code: int
    """Characters of tags (T2)."""
    line: int | None
    """Which of the page's lines it shows; None for a line of nothing but tags."""


def normalised_source(lines: Sequence[TextLine]) -> list[SourceLine]:
    """The source with every element on a line of its own: before a line with text as many bare lines as elements start
    since the text before, less the one that holds the text. Its code is spread over them evenly.
    """
    source: list[SourceLine] = []
    for index, line in enumerate(lines):
        bare = max(0, line.tags // TAGS_OF_AN_ELEMENT - 1)
        share = line.code // (bare + 1)
        source.extend([SourceLine(0, share, None)] * min(bare, MOST_BARE_LINES))
        source.append(SourceLine(line.length, line.code - bare * share, index))
    return source
