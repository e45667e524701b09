"""Link quota filter: removes lines, lists and table cells whose words are mostly links.

Kaiser, Gupta, Stolfo, "Extracting Context to Improve Accuracy for HTML Content Extraction", WWW 2005 (the framework
Crunch removes link lists and cells by their ratio of links to text), named LQF in the tables of the DANAg paper.
"""

from __future__ import annotations

from typing import Final

from newscrawl.extraction.lines import lines_of
from newscrawl.page import Page
from newscrawl.page.elements import NO_PARENT
from newscrawl.page.tags import TAG_NAMES

QUOTA: Final = 0.5
"""A greater share of words inside <a> makes a link list: more links than text. From .25 to .5 the mean F1 over six
corpora changes by less than .02 (docs/explanation/algorithms.md)."""
FILTERED: Final = frozenset("ul ol dl menu nav td th".split())
"""Elements that are judged as a whole, besides lines."""

_FILTERED_NUMBERS: Final = frozenset(TAG_NAMES.index(name) for name in FILTERED)


def select(page: Page, quota: float = QUOTA) -> tuple[int, ...]:
    """Returns the indices in `page.runs` of the runs on lines, and in lists and cells, that are not mostly links;
    linear time."""
    removed = in_link_lists(page, quota)
    return tuple(
        index
        for line in lines_of(page.runs)
        if line.linked_words <= quota * line.words
        for index in line.runs
        if not removed[page.runs[index].element]
    )


def in_link_lists(page: Page, quota: float = QUOTA) -> list[bool]:
    """Returns, for every element, whether it is, or is inside, a list or cell that is mostly links."""
    parent, tag = page.elements.parent, page.elements.tag
    words, linked = [0] * len(parent), [0] * len(parent)
    for run in page.runs:
        words[run.element] += run.words
        linked[run.element] += run.linked_words
    for element in range(len(parent) - 1, 0, -1):
        if parent[element] != NO_PARENT:
            words[parent[element]] += words[element]
            linked[parent[element]] += linked[element]
    removed: list[bool] = []
    for element, above in enumerate(parent):
        links = tag[element] in _FILTERED_NUMBERS and linked[element] > quota * words[element]
        removed.append(links or (above != NO_PARENT and removed[above]))
    return removed
