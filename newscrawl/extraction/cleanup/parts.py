"""Restores parts of an article that are no paragraphs: quotations and posts, tables of results, items of lists.

Extractors judge blocks by their words, and a post between links or a row of a table has few. Where such an element
stands beside paragraphs that were chosen, it belongs to the article by its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
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
MIN_KEPT: Final = 0.5
"""Share of a list's text that must be chosen for the rest to belong to it."""
MAX_HOLDERS: Final = 3
"""Elements with paragraphs that are looked at, those with the most paragraphs first."""
MAX_BELOW: Final = 1
"""Elements right below the last paragraph that may be the article's: results often close a report."""

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
            added |= set(_missing_parts(page, runs, holder, beside[0]))
    return tuple(sorted(added.union(runs))) if added else tuple(runs)


def _missing_parts(page: Page, runs: Sequence[int], holder: int, first: int) -> Iterator[int]:
    """Yields the missing runs of the children of `holder`, from that of run `first` to the one below the last run."""
    elements, parent, kept = page.elements, page.elements.parent, set(runs)
    boxed: Predicate | None = None
    last, below = page.runs[first].element - 1, 0  # the child that was looked at before
    for index in range(first + 1, len(page.runs)):
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
        belongs = _rule(elements.tag[element])
        if belongs is not None:
            boxed = boxed or in_box(elements, common_ancestors(elements, [holder]))
            inside = () if boxed(element) else _runs_around(page, index, element, elements.end_of(element))
            yield from belongs(page, inside, [i for i in inside if i not in kept], kept, boxed)
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


_Rule = Callable[[Page, Sequence[int], Sequence[int], set[int], Predicate], Iterable[int]]


def _rule(tag: int) -> _Rule | None:
    if tag == _QUOTATION:
        return _quoted
    if tag == _TABLE:
        return _results
    return _items if tag in _LISTS else None


def _quoted(
    page: Page, _inside: Sequence[int], missing: Sequence[int], _kept: set[int], boxed: Predicate
) -> Iterator[int]:
    """Yields what is quoted, without the furniture of a post."""
    for i in missing:
        run = page.runs[i]
        if run.words >= QUOTED_WORDS and _is_shown_text(run) and not boxed(run.element):
            yield i


def _results(
    page: Page, inside: Sequence[int], missing: Sequence[int], _kept: set[int], _boxed: Predicate
) -> Sequence[int]:
    """Returns the rows of a table with results: short cells side by side."""
    elements = page.elements
    words, rows = 0, Counter[int]()
    for i in inside:
        element = page.runs[i].element
        while elements.tag[element] not in _CELLS and elements.tag[element] != _TABLE:
            element = elements.parent[element]
        if elements.tag[element] == _TABLE or not _is_shown_text(page.runs[i]):
            return ()
        rows[elements.parent[element]] += 1
        words += page.runs[i].words
    full = [row for row, cells in rows.items() if cells >= MIN_CELLS and elements.tag[row] == _ROW]
    is_data = len(full) >= MIN_ROWS and words <= CELL_WORDS * len(inside)
    return missing if is_data else ()


def _items(
    page: Page, inside: Sequence[int], missing: Sequence[int], kept: set[int], _boxed: Predicate
) -> Sequence[int]:
    """Returns the other items of a list of which most is chosen."""
    whole = sum(len(page.runs[i].text) for i in inside)
    chosen = sum(len(page.runs[i].text) for i in inside if i in kept)
    is_own = chosen >= MIN_KEPT * whole and all(_is_shown_text(page.runs[i]) for i in missing)
    return missing if is_own else ()


def _is_shown_text(run: TextRun) -> bool:
    return run.link_density <= MAX_LINK_DENSITY and not run.hidden
