"""Finds the standfirst: a lead paragraph apart from the article, between headline and text.

Viveros-Jiménez et al. 2018 name it among the losses of their tree filter, because it is in another branch. A run there
is restored if the page's description says the same. That keeps out datelines, notes and lists of topics in the same
place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from newscrawl.extraction.cleanup.boxes import in_box
from newscrawl.extraction.cleanup.cues import fold
from newscrawl.extraction.cleanup.leave_out import TITLE_LENGTH, titles
from newscrawl.extraction.cleanup.within import MAX_LINK_DENSITY
from newscrawl.page import Page
from newscrawl.page.tags import TAG_NAMES

_H1: Final = TAG_NAMES.index("h1")

MIN_WORDS: Final = 6
MIN_CHARACTERS: Final = 20
"""A shorter text is a label."""
SAME_CHARACTERS: Final = 60
"""Descriptions are truncated and standfirsts are longer: they are the same if their beginnings agree up to here."""
MAX_RUNS: Final = 40
"""Runs between headline and article that are read."""


def standfirst(page: Page, group: Sequence[int]) -> tuple[int, ...]:
    """Returns the standfirst above `group`, if there is one, as a tuple of at most one run."""
    description = fold(page.head.first("og:description", "description", "twitter:description") or "")
    if not group or len(description) < MIN_CHARACTERS:
        return ()
    headline = _headline(page, group[0])
    boxed = in_box(page.elements)
    for index in range(headline + 1, group[0]) if headline is not None else ():
        run = page.runs[index]
        if run.words < MIN_WORDS or run.link_density > MAX_LINK_DENSITY or run.hidden:
            continue
        if _says_the_same(fold(run.text), description) and not boxed(run.element):
            return (index,)
    return ()


def _headline(page: Page, before: int) -> int | None:
    """Returns the last run before the article that is the headline or in an h1."""
    wanted = titles(page)
    longest = TITLE_LENGTH * max(map(len, wanted), default=0)
    elements = page.elements
    for index in range(before - 1, max(-1, before - MAX_RUNS), -1):
        run = page.runs[index]
        if elements.tag[run.element] == _H1 or (len(run.text) <= longest and fold(run.text) in wanted):
            return index
    return None


def _says_the_same(text: str, description: str) -> bool:
    if len(text) < MIN_CHARACTERS:
        return False
    return text.startswith(description[:SAME_CHARACTERS].strip()) or description.startswith(text[:SAME_CHARACTERS])
