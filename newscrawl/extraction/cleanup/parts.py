"""Restores parts of an article that extractors miss because they have few words: quotations and posts, tables of
results, items of lists, and short paragraphs, such as the turns of an interview.

Extractors judge blocks by their words. Where such an element stands beside paragraphs that were chosen, it belongs to
the article by its place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from newscrawl.extraction.cleanup.boxes import in_box
from newscrawl.extraction.cleanup.within import MAX_LINK_DENSITY, common_ancestors
from newscrawl.extraction.element_predicates import Predicate, numbers_of
from newscrawl.page import Page, TextRun
from newscrawl.page.elements import NO_PARENT
from newscrawl.page.tags import TAG_NAMES

PROSE_WORDS: Final = 15
"""Words from which a run is a paragraph."""
MIN_BESIDE: Final = 2
"""The least chosen paragraphs in an element for its other children to belong to the article."""
QUOTED_WORDS: Final = 5
"""The least words of a quotation. Shorter lines are buttons of a post."""
MIN_ROWS: Final = 3
MIN_CELLS: Final = 2
"""The least rows, and cells with text of a row, of a table of results."""
CELL_WORDS: Final = 12
"""The most words of an average cell. Tables with more are layouts of a page."""
DATE_WORDS: Final = 10
"""The most words of a line with a date. References to books and reports have more."""
MIN_KEPT: Final = 0.5
"""Share of a list's text that must be chosen for the rest to belong to it."""
MAX_HOLDERS: Final = 3
"""Elements with paragraphs that are looked at, those with the most paragraphs first."""
MAX_BELOW: Final = 1
"""Elements right below the last paragraph that may be the article's: results often close a report."""

_SENTENCE_END: Final = re.compile(r"[.?!…:;。？！：।؟۔։][\"'”“»«’)\]」』]*$")
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_PARAGRAPH: Final = TAG_NAMES.index("p")
_QUOTATION: Final = TAG_NAMES.index("blockquote")
_TABLE: Final = TAG_NAMES.index("table")
_ROW: Final = TAG_NAMES.index("tr")
_CELLS: Final = numbers_of(["td", "th"])
_LISTS: Final = numbers_of(["ul", "ol", "dl"])


def restore_parts(page: Page, runs: Sequence[int]) -> tuple[int, ...]:
    """Returns `runs` with such parts of the elements that hold most of their paragraphs. Linear time."""
    parent = page.elements.parent
    holders: dict[int, list[int]] = {}
    for i in runs:
        if page.runs[i].words >= PROSE_WORDS:
            holders.setdefault(parent[page.runs[i].element], []).append(i)
    added: set[int] = set()
    for holder, beside in sorted(holders.items(), key=lambda one: -len(one[1]))[:MAX_HOLDERS]:
        if len(beside) >= MIN_BESIDE and holder != NO_PARENT:
            added |= set(_missing_parts(page, runs, holder, beside))
    return tuple(sorted(added.union(runs))) if added else tuple(runs)


@dataclass(frozen=True, slots=True)
class _Part:
    """A child of a holder: its runs, those that were not chosen, and whether it stands between chosen paragraphs of the
    holder."""

    page: Page
    inside: Sequence[int]
    missing: Sequence[int]
    is_between: bool
    boxed: Predicate


def _missing_parts(page: Page, runs: Sequence[int], holder: int, beside: Sequence[int]) -> Iterator[int]:
    """Yields the missing runs of the children of `holder`, from that of its first chosen paragraph to the one below the
    last run. `beside` are its chosen paragraphs."""
    elements, parent, kept = page.elements, page.elements.parent, set(runs)
    boxed: Predicate | None = None
    last, below = page.runs[beside[0]].element - 1, 0  # the child that was looked at before
    for index in range(beside[0] + 1, len(page.runs)):
        element = page.runs[index].element
        if index in kept or element <= last:
            continue
        while element > holder and parent[element] != holder:
            element = parent[element]
        if element <= holder:
            return
        if element == last:
            continue
        last = element
        below += index > runs[-1]
        missing_of = _RULES.get(elements.tag[element])
        if missing_of is not None:
            boxed = boxed or in_box(elements, common_ancestors(elements, [holder]))
            if not boxed(element):
                inside = _runs_around(page, index, element, elements.end_of(element))
                missing = [i for i in inside if i not in kept]
                yield from missing_of(_Part(page, inside, missing, index < beside[-1], boxed))
        if below >= MAX_BELOW:
            return


def _runs_around(page: Page, index: int, element: int, end: int) -> range:
    """Returns the runs inside `element`, of which `index` is one. `end` is the first element after it. Runs are in the
    order of the text and not of their elements: a text below a table is of the element around the table."""
    first, after = index, index + 1
    while first > 0 and element <= page.runs[first - 1].element < end:
        first -= 1
    while after < len(page.runs) and element <= page.runs[after].element < end:
        after += 1
    return range(first, after)


def _quoted(part: _Part) -> Iterator[int]:
    """Yields what is quoted, without the furniture of a post."""
    for i in part.missing:
        run = part.page.runs[i]
        if run.words >= QUOTED_WORDS and _is_shown_text(run) and not part.boxed(run.element):
            yield i


def _results(part: _Part) -> Collection[int]:
    """Returns the rows of a table with results: short cells side by side."""
    page, elements = part.page, part.page.elements
    words, rows = 0, Counter[int]()
    for i in part.inside:
        element = page.runs[i].element
        while elements.tag[element] not in _CELLS and elements.tag[element] != _TABLE:
            element = elements.parent[element]
        if elements.tag[element] == _TABLE or not _is_shown_text(page.runs[i]):
            return ()
        rows[elements.parent[element]] += 1
        words += page.runs[i].words
    full = [row for row, cells in rows.items() if cells >= MIN_CELLS and elements.tag[row] == _ROW]
    is_data = len(full) >= MIN_ROWS and words <= CELL_WORDS * len(part.inside)
    return part.missing if is_data else ()


def _items(part: _Part) -> Collection[int]:
    """Returns the missing items of a list that stands between chosen paragraphs, or of which most is chosen."""
    runs = part.page.runs
    whole = sum(len(runs[i].text) for i in part.inside)
    missing = sum(len(runs[i].text) for i in part.missing)
    is_own = part.is_between or missing <= (1 - MIN_KEPT) * whole
    return part.missing if is_own and all(_is_shown_text(runs[i]) for i in part.missing) else ()


def _short_paragraph(part: _Part) -> Collection[int]:
    """Returns a paragraph without links between chosen ones, such as a turn of an interview; not one with a date that
    is no sentence ("Updated: 16 January 2012")."""
    if not part.is_between:
        return ()
    runs = part.page.runs
    is_text = all(not runs[i].linked_words and not runs[i].hidden for i in part.inside)
    return part.missing if is_text and not _is_date_line(runs[part.inside[-1]]) else ()


def _is_date_line(run: TextRun) -> bool:
    return run.words <= DATE_WORDS and _YEAR.search(run.text) is not None and _SENTENCE_END.search(run.text) is None


_RULES: Final[Mapping[int, Callable[[_Part], Iterable[int]]]] = MappingProxyType(
    {_QUOTATION: _quoted, _TABLE: _results, _PARAGRAPH: _short_paragraph, **dict.fromkeys(_LISTS, _items)}
)
"""The rule that returns the missing runs of an element, by its tag."""


def _is_shown_text(run: TextRun) -> bool:
    return run.link_density <= MAX_LINK_DENSITY and not run.hidden
