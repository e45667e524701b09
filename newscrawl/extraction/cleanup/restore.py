"""Finds parts of an article that extractors miss because they have few words: quotations and posts, tables of results,
items of lists, sub-heads, short paragraphs, such as the turns of an interview, and what stands inside a sentence.

Extractors judge blocks by their words. Where such an element stands beside paragraphs that were chosen, it belongs to
the article by its place. They judge runs, and a run ends at every tag that Boilerpipe does not take for inline: small,
time, button, cite, mark ... Where such an element is a part of a sentence, its words belong to the sentence, whatever
it is called.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Final, TypeAlias

from newscrawl.extraction.cleanup.cues import fold, is_end, is_note
from newscrawl.extraction.cleanup.draft import Draft, characters_of, common_ancestors, holders_of
from newscrawl.extraction.cleanup.within import (
    ANY_NAMES,
    BOX_TAGS,
    MAX_LINK_DENSITY,
    PAGE_TAGS,
    SURE_NAMES,
    in_box,
    in_fallback,
)
from newscrawl.extraction.element_predicates import Predicate, at_or_inside, named, numbers_of
from newscrawl.page import Page, TextRun
from newscrawl.page.elements import NO_PARENT, Elements
from newscrawl.page.parse import PROSE_WORDS
from newscrawl.page.run import BLOCK_BEFORE, HEADING, IGNORED_BY_BOILERPIPE, IGNORED_BY_JUSTEXT
from newscrawl.page.tags import TAG_NAMES

MIN_BESIDE: Final = 2
"""The least chosen paragraphs in an element for its other children to belong to the article."""
QUOTED_WORDS: Final = 5
"""The least words of a quotation. Shorter lines are buttons of a post."""
MIN_ROWS, MIN_CELLS = 3, 2
"""The least rows, and cells with text of a row, of a table of results."""
CELL_WORDS: Final = 12
"""The most words of an average cell. Tables with more are layouts of a page."""
DATE_WORDS: Final = 10
"""The most words of a line with a date. References to books and reports have more."""
MIN_KEPT: Final = 0.5
"""Share of a list's text that must be chosen for the rest to belong to it."""
MIN_ALIKE: Final = 3
"""The least elements of a list without a list's tags."""
MIN_NUMBERED: Final = 2
"""The least of them if each begins with a number, as the steps of an instruction do."""
HEAD_WORDS: Final = 20
"""The most words of a sub-head."""
MAX_DEPTH: Final = 50
"""The most elements between a run and the element that contains its part."""
MAX_HOLDERS: Final = 3
"""Elements with paragraphs that are looked at, those with the most paragraphs first."""

MAX_BETWEEN: Final = 3
"""The most runs of blocks inside one sentence."""
MAX_PIECES: Final = 400
"""The most runs of one line that are looked at."""
MAX_CAPITAL: Final = 4
"""The most characters of a letter with the signs that open a quotation before it."""
CAPITAL_WORDS: Final = 6
"""The least words of a paragraph whose first letter is in a block of its own."""

_SENTENCE_END: Final = re.compile(r"[.?!…:;。？！：।؟۔։][\"'”“»«’)\]」』]*$")
_DOUBTFUL: Final = re.compile(
    r"shar(?:e|ing)|social|comment|promo|related|recommend|teaser|popular|trending|sidebar|widget|card|banner|legend"
)
"""Names of boxes that paragraphs of a text have, too: "share-quote", "related-fact"."""
_BRACKETS: Final = "[(（［【"
_NUMBERED: Final = re.compile(r"(?:\(?\d{1,2}[.):、．]|\(?[a-z][.)]|[①-⑳])\s?(?=\S)")
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_POST: Final = re.compile(r"tweet|embed|-media|-post")
"""Names of quoted posts. They are text even in the box that asks for consent to load them."""
_PARAGRAPH: Final = TAG_NAMES.index("p")
_DIVISION: Final = TAG_NAMES.index("div")
_QUOTATION: Final = TAG_NAMES.index("blockquote")
_TABLE: Final = TAG_NAMES.index("table")
_ROW: Final = TAG_NAMES.index("tr")
_CELLS: Final = numbers_of(["td", "th"])
_LISTS: Final = numbers_of(["ul", "ol", "dl"])
_FIGURE: Final = TAG_NAMES.index("figure")
_WHOLE: Final = numbers_of(["html", "body"])
_BYLINE: Final = re.compile(r"[^\W\d_]{1,6}\s?[:：]")
"""The label of a byline or a date."""
_SENTENCE_ENDS: Final = frozenset(".!?…。！？؟۔።։")
_CLOSING: Final = "\"'”’“»«)]）」』› "
_CONTINUES: Final = frozenset(",.;!?)]”’»…%、。，；！？）」』،؛۔")
"""Signs at the beginning of a run that are no beginning of a sentence."""
_OPENING: Final = "\"'“„‘«»¿¡("
_BUTTON: Final = numbers_of(["button"])
_DATES: Final = numbers_of(["time", "button", "address", "nav"])
"""Tags of what stands before a sentence rather than at its beginning."""
_Rule: TypeAlias = Callable[["_Part"], Iterable[int]]


def missing_parts(text: Draft) -> Collection[int]:
    """Finds parts with few words in the elements that hold most of the paragraphs: quotations, tables of results, items
    of lists, sub-heads, short paragraphs."""
    page, runs = text.page, text.runs
    gaps = [i for before, after in pairwise(runs) if after - before > 1 for i in range(before + 1, after)]
    added = _sentences(text, gaps)
    missing = left = _missing(text, gaps)
    if not missing:
        return added
    kept = {*runs}
    for holder, inside in _holders(text).items():
        if left:
            parts, left = _parts_of(page, left, holder, inside[0])
            if parts:
                added.update(_missing_parts(page, kept, parts, holder, inside[1]))
    kept |= added
    return added.union(_sub_heads(page, runs, [i for i in missing if i not in kept and i + 1 in kept]))


def _sub_heads(page: Page, runs: Sequence[int], above: Sequence[int]) -> list[int]:
    """Returns the headings among the runs right above chosen ones."""
    heads: list[int] = []
    elements, boxed = page.elements, None
    for index in above:
        run = page.runs[index]
        if not run.flags & HEADING or run.linked_words or run.hidden:
            continue
        folded = fold(run.text)
        if run.words <= HEAD_WORDS and not is_end(folded) and not is_note(folded):
            boxed = boxed or _boxed(elements, holders_of(page, (runs[0], runs[-1]))[0])
            if not boxed(run.element) and elements.name(run.element) != "h1":
                heads.append(index)
    return heads


def _holders(text: Draft) -> dict[int, tuple[int, int]]:
    """Returns the elements with most of the paragraphs, each with its first and last run: their parents, the elements
    with several lines as paragraphs, and the lowest element with all of the text, where paragraphs have wrappers of
    their own."""
    page, runs = text.page, text.runs
    page_runs, parent = page.runs, page.elements.parent
    beside: dict[int, list[int]] = {}
    last, before = NO_PARENT, -1
    for i in text.paragraphs:
        element = page_runs[i].element
        if element == last:
            beside.setdefault(element, [before]).append(i)
        else:
            beside.setdefault(parent[element], []).append(i)
        last, before = element, i
    most = sorted(beside.items(), key=lambda one: -len(one[1]))[:MAX_HOLDERS]
    found = {holder: (one[0], one[-1]) for holder, one in most if len(one) >= MIN_BESIDE and holder != NO_PARENT}
    if len(beside) > 1 or len(found) < len(beside):
        top = holders_of(page, (runs[0], runs[-1]))[0]
        if page.elements.tag[top] not in _WHOLE:
            found[top] = runs[0], runs[-1]
    return found


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a holder: its runs, those not chosen, and whether it stands between chosen paragraphs of the holder."""

    page: Page
    inside: Sequence[int]
    missing: Sequence[int]
    is_between: bool
    boxed: Predicate


def _missing(text: Draft, gaps: Sequence[int]) -> list[int]:
    """Returns the runs that are missing between the first and the last run, and the one below, without links and
    boxes."""
    page_runs, tag = text.page.runs, text.page.elements.tag
    below = text.runs[-1] + 1 if text.runs else len(page_runs)
    some = [*gaps, below] if below < len(page_runs) else gaps
    return [i for i in some if (run := page_runs[i]).linked_words < run.words and tag[run.element] not in BOX_TAGS]


def _sentences(text: Draft, gaps: Sequence[int]) -> set[int]:
    """Returns the missing paragraphs between chosen ones in elements like theirs that are sentences: those that are
    mostly a link, which leads to a longer report, unlike headlines; and those whose own name is one of `_DOUBTFUL`.

    Others with links were judged by their words. A paragraph in brackets is a note to readers, not a report.
    """
    page, page_runs = text.page, text.page.runs
    sentences = [i for i in gaps if (run := page_runs[i]).words >= PROSE_WORDS and ends_sentence(run.text)]
    if not sentences:
        return set()
    parent, tag = page.elements.parent, page.elements.tag
    paragraphs = [page_runs[i].element for i in text.paragraphs]
    holders = Counter(parent[element] for element in paragraphs)
    boxed = in_box(page.elements)
    kinds = {tag[element] for element in paragraphs}
    found: set[int] = set()
    for i in sentences:
        run, element = page_runs[i], page_runs[i].element
        is_alike = tag[element] in kinds or tag[element] == _DIVISION
        above = parent[element]
        if run.linked_words and holders[above] < MIN_BESIDE and above != NO_PARENT and _is_all(page, i, above):
            above = parent[above]  # in a wrapper of its own
        if holders[above] < MIN_BESIDE or run.hidden or not is_alike:
            continue
        if boxed(element) and not boxed(above):
            if not run.linked_words and tag[element] == _PARAGRAPH and _is_doubtful(page.elements.names_of(element)):
                found.add(i)
        elif run.link_density > MAX_LINK_DENSITY and run.text[0] not in _BRACKETS:
            found.add(i)
    return found


def _is_all(page: Page, index: int, element: int) -> bool:
    """Returns whether a run is all the text of an element."""
    return page.first_run(element) == index and page.first_run(page.elements.end_of(element)) == index + 1


def _is_doubtful(names: str) -> bool:
    """Returns whether names of boxes are left over without those that paragraphs of a text have, too."""
    return ANY_NAMES.search(_DOUBTFUL.sub("", names)) is None


def _parts_of(
    page: Page, missing: Sequence[int], holder: int, first: int
) -> tuple[list[tuple[int, list[int]]], list[int]]:
    """Returns those of `missing` below the run `first` that are inside `holder`, each with the elements from its own up
    to the child of the holder, and the others."""
    parent = page.elements.parent
    inside: list[tuple[int, list[int]]] = []
    others: list[int] = []
    for index in missing:
        element = page.runs[index].element
        path: list[int] = []
        while element > holder and len(path) < MAX_DEPTH:
            path.append(element)
            element = parent[element]
        if path and element == holder and index > first:
            inside.append((index, path))
        else:
            others.append(index)
    return inside, others


def _missing_parts(
    page: Page, kept: Collection[int], within: Sequence[tuple[int, list[int]]], holder: int, end: int
) -> Iterator[int]:
    """Yields the missing runs of the parts of `holder`. `within` are the runs among which parts begin, with their
    elements; `end` is the last chosen paragraph of the holder."""
    elements = page.elements
    boxed: Predicate | None = None
    last = -1  # the last run of the part that was looked at before
    judged: set[int] = set()
    for index, path in within:
        run = page.runs[index]
        if index <= last:
            continue
        part, missing_of = _part_of(elements, path)
        if part in judged or missing_of is None or (missing_of is _items_alike and not _is_item(run)):
            continue
        judged.add(part)
        around = _runs_around(page, index, part, elements.end_of(part))
        last = around[-1] if elements.tag[part] in _STRUCTURE else index
        boxed = boxed or _boxed(elements, holder)
        is_post = elements.tag[part] == _QUOTATION and _POST.search(elements.names_of(part))
        if is_post or not boxed(part):
            lacking = [i for i in around if i not in kept]
            yield from missing_of(_Part(page, around, lacking, index < end, boxed))


def _part_of(elements: Elements, path: Sequence[int]) -> tuple[int, _Rule | None]:
    """Returns the outermost table, list or quotation of a path, else the child of the holder, at its end, with the rule
    for it."""
    part = next((element for element in reversed(path) if elements.tag[element] in _STRUCTURE), path[-1])
    rule = _RULES.get(elements.tag[part])
    return part, _items_alike if rule is None and len(path) > 1 else rule


def _boxed(elements: Elements, holder: int) -> Predicate:
    """Returns a test for "is in a box"; a figure is none by itself, because tables and posts are in figures, too."""
    marked, tag = named(elements, ANY_NAMES, BOX_TAGS, PAGE_TAGS), elements.tag

    def is_box(element: int) -> bool:
        if tag[element] == _FIGURE:
            return ANY_NAMES.search(elements.names_of(element)) is not None
        return marked(element)

    return at_or_inside(elements, is_box, common_ancestors(elements, [holder]))


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
    elements, runs = part.page.elements, part.page.runs
    inner = runs[part.inside[0]].element
    quotation = next(e for e in (inner, *elements.ancestors(inner)) if elements.tag[e] == _QUOTATION)
    boxed = _boxed(elements, quotation)
    for i in part.missing:
        is_text = runs[i].words >= QUOTED_WORDS and runs[i].text[0] != "<" and _is_shown_text(runs[i])
        if is_text and not boxed(runs[i].element):
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
    whole, missing = (characters_of(part.page, some) for some in (part.inside, part.missing))
    is_own = part.is_between or missing <= (1 - MIN_KEPT) * whole
    return part.missing if is_own and all(_is_shown_text(runs[i]) for i in part.missing) else ()


def _items_alike(part: _Part) -> Collection[int]:
    """Returns the missing items of a list that is made of other elements: short lines with few links in elements that
    are alike."""
    elements, runs = part.page.elements, part.page.runs
    if not part.is_between or not all(_is_item(runs[i]) for i in part.inside):
        return ()
    values, tag = elements.values, elements.tag
    shapes = {i: (tag[runs[i].element], (values(runs[i].element, ("class",)) or ("",))[0]) for i in part.inside}
    common, count = Counter(shapes.values()).most_common(1)[0]
    least = MIN_ALIKE if any(_NUMBERED.match(runs[i].text) is None for i in part.inside) else MIN_NUMBERED
    is_list = count >= least and 2 * count > len(part.inside)
    return [i for i in part.missing if shapes[i] == common and not part.boxed(runs[i].element)] if is_list else ()


def _is_item(run: TextRun) -> bool:
    is_linked = run.linked_words and (run.link_density > MAX_LINK_DENSITY or _NUMBERED.match(run.text) is None)
    return run.words < PROSE_WORDS and not (is_linked or run.hidden or run.flags & IGNORED_BY_BOILERPIPE)


def _short_paragraph(part: _Part) -> Collection[int]:
    """Returns a paragraph without links between chosen ones, such as a turn of an interview; not one with a date that
    is no sentence ("Updated: 16 January 2012")."""
    if not part.is_between:
        return ()
    runs = part.page.runs
    is_text = not any(runs[i].linked_words or runs[i].hidden for i in part.inside)
    return part.missing if is_text and not _is_date_line(runs[part.inside[-1]]) else ()


def _is_date_line(run: TextRun) -> bool:
    return run.words <= DATE_WORDS and _YEAR.search(run.text) is not None and _SENTENCE_END.search(run.text) is None


_STRUCTURE: Final = frozenset({_QUOTATION, _TABLE, *_LISTS})
_RULES: Final[Mapping[int, _Rule]] = MappingProxyType(
    {_QUOTATION: _quoted, _TABLE: _results, _PARAGRAPH: _short_paragraph, **dict.fromkeys(_LISTS, _items)}
)
"""The rule that returns the missing runs of an element, by its tag."""


def _is_shown_text(run: TextRun) -> bool:
    return run.link_density <= MAX_LINK_DENSITY and not run.hidden


def parts_of_sentences(text: Draft) -> Collection[int]:
    """Finds what stands inside the sentences of the text, and initials above their word."""
    page, runs = text.page, text.runs
    return {*_on_lines(page, runs), *_blocks_between(page, runs), *_capitals(page, runs)}


def is_capital(runs: Sequence[TextRun], index: int) -> bool:
    """Returns whether a run is one letter in a block of its own, the first of the word in the run below it."""
    run = runs[index]
    if len(run.text) > MAX_CAPITAL or index + 1 >= len(runs):
        return False
    below = runs[index + 1]
    letter = run.text.lstrip(_OPENING)
    return (
        len(letter) == 1
        and letter.isupper()
        and below.text[0].islower()
        and below.words >= CAPITAL_WORDS
        and not (run.flags | below.flags) & HEADING
    )


def _capitals(page: Page, runs: Sequence[int]) -> Iterator[int]:
    """Yields the initials above chosen runs."""
    for index in runs:
        if index and page.runs[index].text[0].islower() and is_capital(page.runs, index - 1):
            yield index - 1


def _on_lines(page: Page, runs: Sequence[int]) -> Iterator[int]:
    """Yields the missing runs on the lines of chosen ones that are inside a sentence."""
    kept = {*runs}
    for index in runs:
        if index - 1 not in kept and not _starts_line(page, index):
            first = index - 1
            while first not in kept and not _starts_line(page, first) and index - first < MAX_PIECES:
                first -= 1
            if first not in kept:  # otherwise the chosen run before has looked at them
                yield from _inside(page, None, range(first, index), index)
        after = end = index + 1
        while end < len(page.runs) and end not in kept and not _starts_line(page, end) and end - index < MAX_PIECES:
            end += 1
        if end > after:
            following = end if end in kept and not _starts_line(page, end) else None
            yield from _inside(page, index, range(after, end), following)


def _starts_line(page: Page, index: int) -> bool:
    return index <= 0 or bool(page.runs[index].flags & BLOCK_BEFORE)


def _inside(page: Page, before: int | None, missing: Sequence[int], after: int | None) -> Iterable[int]:
    """Returns the missing runs between two chosen ones of a line if they are a part of their sentence."""
    runs = page.runs
    is_open = before is not None and _is_open(runs[before].text)
    goes_on = after is not None and _goes_on(page, missing[0], runs[after].text, is_first=before is None)
    if not (is_open or goes_on) or not all(_is_text(page, i) for i in missing):
        return ()
    if any(map(in_fallback(page.elements), [runs[i].element for i in missing])):
        return ()
    is_boxed = named(page.elements, SURE_NAMES, keys=("class",))
    if not (is_open and goes_on) and any(is_boxed(runs[i].element) for i in missing):
        return ()
    folded = fold(" ".join([runs[i].text for i in missing]))
    return () if is_end(folded) or is_note(folded) else missing


def _is_open(text: str) -> bool:
    """Returns whether a text with a letter, unlike the number of a picture, does not end a sentence."""
    return not ends_sentence(text) and any(map(str.isalpha, text))


def _goes_on(page: Page, first: int, text: str, *, is_first: bool) -> bool:
    """Returns whether a text continues the sentence of the missing run `first`, with which the line may begin."""
    sign = text[0]
    if sign.islower() or sign in _CONTINUES:
        return True
    if not sign.isalpha() or sign.isupper():
        return False
    run = page.runs[first]  # a script without capitals: a byline may stand on the line
    return not (is_first and (page.elements.tag[run.element] in _DATES or _BYLINE.match(run.text)))


def ends_sentence(text: str) -> bool:
    """Returns whether a text ends like a sentence, whatever closes behind it."""
    return text.rstrip(_CLOSING)[-1:] in _SENTENCE_ENDS


def _is_text(page: Page, index: int) -> bool:
    """Returns whether a run is shown as text: not hidden, no field of a form, not for browsers without something."""
    run = page.runs[index]
    if run.flags & IGNORED_BY_BOILERPIPE or run.hidden:
        return False
    return not run.flags & IGNORED_BY_JUSTEXT or page.elements.tag[run.element] in _BUTTON


def _is_beside(page: Page, before: int, after: int) -> bool:
    """Returns whether a run is a sibling of the chosen run above it, or in the element around it, and is no link."""
    one, other, parent = page.runs[before].element, page.runs[after], page.elements.parent
    around = {one, parent[one]}
    return other.linked_words < other.words and (other.element in around or parent[other.element] in around)


def _blocks_between(page: Page, runs: Sequence[int]) -> Iterator[int]:
    """Yields the missing runs in blocks below a chosen one whose sentence goes on after them: an address, or a caption
    that is none; and what goes on, if it was chosen or is beside it. The tags of an article are often in small letters,
    too: what goes on elsewhere, or is a link, was left out with reason."""
    page_runs, kept = page.runs, {*runs}
    for before in runs:
        one = page_runs[before]
        if before + 1 in kept or ends_sentence(one.text):
            continue
        for after in range(before + 2, min(before + MAX_BETWEEN + 2, len(page_runs))):
            other = page_runs[after]
            sign = other.text[0]
            is_after = other.element == one.element and (sign in _CONTINUES or (sign.isalnum() and not sign.isupper()))
            goes_on = sign.islower() or is_after
            if goes_on and after not in kept and not _is_beside(page, before, after):
                break
            if goes_on and not ends_sentence(page_runs[after - 1].text):
                missing = [i for i in range(before + 1, after + 1) if i not in kept]
                yield from _inside(page, before, missing, after if after in kept else None)
            if goes_on or after in kept:
                break
