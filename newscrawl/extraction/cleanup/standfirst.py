"""Finds the standfirst: a lead paragraph apart from the article, between headline and text.

Viveros-Jiménez et al. 2018 name it among the losses of their tree filter, because it is in another branch. A run there
is restored if the page's description says the same. That keeps out datelines, notes and lists of topics in the same
place.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import islice
from typing import Final

from newscrawl.extraction.cleanup.boxes import in_box
from newscrawl.extraction.cleanup.cues import first_word, fold
from newscrawl.extraction.cleanup.leave_out import TITLE_LENGTH, titles
from newscrawl.extraction.cleanup.within import MAX_LINK_DENSITY, common_ancestors
from newscrawl.page import Page
from newscrawl.page.tags import TAG_NAMES

_LABEL: Final = re.compile(r"\w{2,4}：")
_H1: Final = TAG_NAMES.index("h1")

MIN_WORDS: Final = 6
MIN_CHARACTERS: Final = 20
"""A shorter text is a label."""
START_CHARACTERS: Final = 8
"""Characters of the first word that are compared before all others."""
SAME_CHARACTERS: Final = 60
"""Descriptions are truncated and standfirsts are longer: they are the same if their beginnings agree up to here."""
LEAD_WORDS: Final = 15
"""The least words of an opening paragraph that no description repeats."""
WRAPPERS: Final = 2
"""The elements around an opening paragraph of which one contains the whole group, too."""
MAX_ABOVE: Final = 10
"""Runs above the group among which opening paragraphs are."""
MAX_OPENING: Final = 0.5
"""The most characters of opening paragraphs, as a share of the group's."""
REPEATED_CHARACTERS: Final = 30
"""The beginning of a summary is searched in the text up to here."""
MAX_RUNS: Final = 40
"""Runs between headline and article that are read."""


def standfirst(page: Page, group: Sequence[int]) -> tuple[int, ...]:
    """Returns the standfirst above `group`, if there is one, as a tuple of at most one run."""
    description = _description(page)
    headline = _headline(page, group[0]) if group and description else None
    return () if headline is None else _standfirst(page, group, description, headline)


def openings(page: Page, group: Sequence[int], article: Sequence[int]) -> tuple[int, ...]:
    """Returns the standfirst above `group`, and the paragraphs between the headline and `group` that are beside an
    element with all of it: the opening of a text whose rest is in entries, items or sections of its own.

    `article` are the runs that the article recipe keeps.
    """
    description, above = _description(page), _opening_paragraphs(page, group, article)
    headline = _headline(page, group[0]) if group and (description or above) else None
    if headline is None:
        return ()
    first = _standfirst(page, group, description, headline) if description else ()
    found = {i for i in above if i > headline}
    return tuple(sorted(found.union(first))) if found else first


def _description(page: Page) -> str:
    """Returns the page's description, folded; "" for a label."""
    description = fold(page.head.first("og:description", "description", "twitter:description") or "")
    return description if len(description) >= MIN_CHARACTERS else ""


def _standfirst(page: Page, group: Sequence[int], description: str, headline: int) -> tuple[int, ...]:
    start = description.partition(" ")[0][:START_CHARACTERS]
    for index in range(headline + 1, group[0]):
        run = page.runs[index]
        if run.words < MIN_WORDS or first_word(run.text, SAME_CHARACTERS)[:START_CHARACTERS] != start:
            continue
        if run.link_density > MAX_LINK_DENSITY or run.hidden:
            continue
        if _says_the_same(fold(run.text), description) and not in_box(page.elements)(run.element):
            return (index,)
    return ()


def _opening_paragraphs(page: Page, group: Sequence[int], article: Sequence[int]) -> list[int]:
    """Returns the paragraphs close above `group` that are beside an element with all of it, if they are shorter than
    the group: with less the text is somewhere else."""
    runs, place = page.runs, bisect_left(article, group[0]) if group else 0
    above = [
        i
        for i in article[max(0, place - MAX_ABOVE) : place]
        if (run := runs[i]).words >= LEAD_WORDS and run.link_density <= MAX_LINK_DENSITY and not run.hidden
    ]
    if not above:
        return []
    elements = page.elements
    holders = {*common_ancestors(elements, (runs[group[0]].element, runs[group[-1]].element))}
    boxed = in_box(elements)
    text = "\n".join([runs[i].text for i in group])
    found = [
        i
        for i in above
        if not holders.isdisjoint(islice(elements.ancestors(runs[i].element), WRAPPERS))
        and not _repeats(runs[i].text, text)
        and not boxed(runs[i].element)
    ]
    added, whole = (sum([len(runs[i].text) for i in indices]) for indices in (found, group))
    return found if added <= MAX_OPENING * whole else []


def _repeats(summary: str, text: str) -> bool:
    """Returns whether a summary has a label, or begins with words that the text repeats."""
    return _LABEL.match(summary) is not None or summary[:REPEATED_CHARACTERS] in text


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
