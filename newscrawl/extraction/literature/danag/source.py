"""DANAg's first phase: measures text and code of every line of a normalised source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from newscrawl.extraction.lines import TextLine

TAGS_OF_AN_ELEMENT: Final = 2
"""The start and end tag."""
MAX_BARE_LINES: Final = 40
"""Lines without text before a line with text are counted up to this: twice the gap, so that no gap that matters is lost
and a page of a million empty elements takes little time."""


class SourceLine(NamedTuple):
    """A line of the source as DANAg counts it."""

    length: int
    """The characters of text (the paper's T1)."""
    code: int
    """The characters of tags (T2)."""
    line: int | None
    """The index of the page's line; None for a line of only tags."""


def normalised_source(lines: Sequence[TextLine]) -> list[SourceLine]:
    """Returns the source with every element on its own line. Before a line with text there are as many bare lines as
    elements start since the text before, minus the one of the text. Its code is distributed over them evenly."""
    source: list[SourceLine] = []
    for index, line in enumerate(lines):
        bare = max(0, line.tags // TAGS_OF_AN_ELEMENT - 1)
        share = line.code // (bare + 1)
        source.extend([SourceLine(0, share, None)] * min(bare, MAX_BARE_LINES))
        source.append(SourceLine(line.length, line.code - bare * share, index))
    return source
