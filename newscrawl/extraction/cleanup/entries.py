"""Finds the entries of a live report: elements or lines beside each other that each begin with a time of day.

Most entries are one sentence, and extractors that judge blocks by their words reject many of them. Their shape tells
them: no other part of a page repeats a time and a text without a link.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice, pairwise
from typing import Final

from newscrawl.extraction.cleanup.boxes import SURE_NAMES, in_box, is_pointer
from newscrawl.extraction.cleanup.within import MAX_LINK_DENSITY
from newscrawl.page import Page, TextRun
from newscrawl.page.elements import NO_PARENT
from newscrawl.times import TIME_STARTS, leading_time

MIN_ENTRIES: Final = 4
"""The least entries of a report. Fewer times are those of an event's programme or of the page."""
MAX_PROSE: Final = 8
"""The most paragraphs without a link on a page whose entries are searched. Longer entries are chosen without that."""
MAX_LEVELS: Final = 6
"""The most elements between a time and the element of its entry."""
MAX_BELOW: Final = 40
"""The most runs of the last entry, where entries have no elements of their own."""
TIME_WORDS: Final = 3
"""The most words of a time with its units. It may be a link to its entry."""
LABEL_WORDS: Final = 8
"""Words below which a run beside a headline of another page is a label: its section or its date."""
MIN_WITH_TEXT: Final = 0.7
"""The least share of entries with text. In lists of other pages the times are followed by links."""


def entry_runs(page: Page) -> list[int]:
    """Returns the runs of the text of entries, without their times; none on a page without entries. Linear time."""
    if len(page.prose) > MAX_PROSE:
        return []
    runs = page.runs
    maybe = [i for i, run in enumerate(runs) if run[0][0] in TIME_STARTS]
    if len(maybe) < MIN_ENTRIES:
        return []
    times = [
        i for i in maybe if (runs[i].words <= TIME_WORDS or not runs[i].linked_words) and leading_time(runs[i].text)
    ]
    if len(times) < MIN_ENTRIES:
        return []
    found = [_text(page, first, last) for first, last in _spans(page, times)]
    with_text = [runs for runs in found if runs]
    if len(with_text) < max(MIN_ENTRIES, MIN_WITH_TEXT * len(found)):
        return []
    return [i for runs in with_text for i in runs]


def _spans(page: Page, times: Sequence[int]) -> list[tuple[int, int]]:
    """Returns the entries, each as its first run and the run after it: from a time to the next one that has a place
    like it."""
    places = _places(page, times)
    if not places:
        return []
    common, count = Counter(places.values()).most_common(1)[0]
    if count < MIN_ENTRIES:
        return []
    own = [i for i in times if places.get(i) == common]
    after = page.elements.end_of(common)
    end = min(page.first_run(after), own[-1] + MAX_BELOW)
    return list(pairwise([*own, end]))


def _places(page: Page, times: Sequence[int]) -> dict[int, int]:
    """Returns the element that contains each time and others: for every time the lowest with at least
    `MIN_ENTRIES`."""
    holders: dict[int, list[int]] = {}
    counts: Counter[int] = Counter()
    for i in times:
        own = page.runs[i].element
        path = holders[i] = [own, *islice(page.elements.ancestors(own), MAX_LEVELS - 1)]
        counts.update(path)
    lowest = {i: next((e for e in path if counts[e] >= MIN_ENTRIES), NO_PARENT) for i, path in holders.items()}
    return {i: element for i, element in lowest.items() if element != NO_PARENT}


def _text(page: Page, first: int, last: int) -> list[int]:
    """Returns the runs of an entry that are text; none of a label beside the headline of another page."""
    boxed = in_box(page.elements, (), SURE_NAMES)
    runs = [first] if _has_text(page.runs[first]) else []
    for i in range(first + 1, last):
        run = page.runs[i]
        if run.link_density <= MAX_LINK_DENSITY and not run.hidden and not boxed(run.element):
            runs.append(i)
    points = any(map(is_pointer, page.runs[first:last]))
    return [] if points and all(page.runs[i].words < LABEL_WORDS for i in runs) else runs


def _has_text(run: TextRun) -> bool:
    """Returns whether there is more than a time in a run."""
    found = leading_time(run.text)
    return found is not None and bool(found.rest)
