"""Finds what surrounds an article where neither tags nor names tell: links, readers' comments, captions, lines with
author and date above the text, and labels of lists of links below it.

Old pages consist of tables without names, and new ones have names without meaning. What their parts are is told by
their shape: comments are like elements that each begin with a name, a caption shares a small element with its picture.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Sequence
from itertools import takewhile
from typing import Final

from newscrawl.extraction.boilerpipe.filters import holding_any
from newscrawl.extraction.cleanup.cues import is_end_label
from newscrawl.extraction.cleanup.draft import ENOUGH_OR_QUARTER, Draft, characters_of, common_ancestors, headline_of
from newscrawl.extraction.cleanup.within import is_pointer
from newscrawl.model.written_dates.parse_date import read_date
from newscrawl.page import Page, TextRun
from newscrawl.page.elements import NO_PARENT, Elements
from newscrawl.page.parse import PROSE_WORDS
from newscrawl.page.run import HEADING
from newscrawl.page.tags import TAG_NAMES

MIN_POINTERS: Final = 2
"""The least links above or below a text that are no part of it. One alone may be a sentence of the text."""
NAME_WORDS: Final = 4
"""The most words of the name above a comment."""
MIN_REMARKS: Final = 2
"""The least comments. One element of this shape is an editor's note."""
MAX_REMARK_RUNS: Final = 12
"""The most runs of one comment."""
MAX_LEVELS: Final = 6
"""The most elements between a paragraph and the element of its comment."""
LINE_WORDS: Final = 14
"""The most words of a line with author and date."""
DATE_WORDS: Final = 4
"""The most words of a line with only a date that ends with a full stop."""
LABEL_WORDS: Final = 8
"""The most words of a label or heading at the end of a text."""
LINKS_BELOW: Final = 2
"""The least pointers right below a label that heads them."""
CAPTION_WORDS: Final = 40
"""The most words of a caption."""
MAX_CAPTIONS: Final = 60
"""Captions that are looked at. Each costs a pass over the elements around it."""

_IMG: Final = TAG_NAMES.index("img")
_ENDS: Final = re.compile(r"[.!?…。！？।؟۔։][\"'”’»›)\]」』]*$")
_TIME: Final = re.compile(r"(?<!\d)[012]?\d[:.h][0-5]\d(?!\d)")
"""A time of day."""
_BY: Final = re.compile(
    r"(?:by|von|por|par|di|da|af|av|door|przez|od|от|автор|作者|記者|记者)[\s:：]+[^\W\d_]", re.IGNORECASE
)
"""The beginning of a line that names the author."""
_CREDIT: Final = re.compile(
    r"(?:p(?<!\wp)(?:hotos?|icture|hotograph|hotographie)|f(?<!\wf)(?:otos?|otograf[iíoa]\w*)|b(?<!\wb)ild(?:er)?|"
    r"i(?<!\wi)magen?|c(?<!\wc)r[eé]dit|z(?<!\wz)dj|ф(?<!\wф)ото)(?!\w)\s?(?:by|von|de|par|:|/|\()|©|写真|图片|圖",
    re.IGNORECASE,
)
"""What a caption says about its picture. Each word begins with a letter, so that the search passes over most others."""
_CREDIT_PARTS: Final = ("oto", "OTO", "ild", "mage", "icture", "edit", "édit", "zdj", "ото", "©", "写真", "图片", "圖")
"""Parts of these words, which are found faster. Without one of them, `_CREDIT` is in no text."""
_CREDIT_FOLDED: Final = tuple(dict.fromkeys(map(str.lower, _CREDIT_PARTS)))


def pointers(text: Draft) -> Collection[int]:
    """Finds the first and last runs that are only links: to other articles, to parts of the site or to ways of
    sharing."""
    page, runs = text.page, text.runs
    if len(runs) < MIN_POINTERS:
        return ()
    top, second, last_but_one, last = (page.runs[i].linked_words for i in (runs[0], runs[1], runs[-2], runs[-1]))
    if not (top or second or last_but_one or last):  # most texts
        return ()
    return [*runs[: _pointers(page, runs)], *runs[len(runs) - _pointers(page, runs[::-1]) :]]


def _pointers(page: Page, runs: Sequence[int]) -> int:
    """Returns the number of runs that are pointers, with labels between them; 0 with fewer than `MIN_POINTERS`."""
    found = list(takewhile(lambda run: is_pointer(run) or is_end_label(run.text), (page.runs[i] for i in runs)))
    return len(found) if sum(map(is_pointer, found)) >= MIN_POINTERS else 0


def remarks(text: Draft) -> Collection[int]:
    """Finds readers' comments at the end by their shape: like elements beside each other that each begin with a short
    name, in an element of their own that is outside of what contains headline and text."""
    page, paragraphs = text.page, text.paragraphs
    if len(paragraphs) < MIN_REMARKS:
        return ()
    child, parent = page.runs[paragraphs[-1]].element, page.elements.parent
    around_text = {*page.elements.ancestors(page.runs[paragraphs[0]].element)}  # no comment is there
    for _ in range(MAX_LEVELS):
        above = parent[child]
        if above == NO_PARENT or above in around_text:
            return ()
        items = _without_label(page, _like(page, child, above)) if _may_be_remark(page, child) else []
        if len(items) >= MIN_REMARKS and _are_remarks(page, items):
            kept = [i for i in text.runs if page.runs[i].element < items[0][0]]
            is_enough = characters_of(page, kept) >= ENOUGH_OR_QUARTER(text.characters)
            if len(kept) < len(text.runs) and is_enough and not _is_inside(page, above, kept):
                return {*text.runs}.difference(kept)
        child = above
    return ()


def _may_be_remark(page: Page, element: int) -> bool:
    """Returns whether an element may be a comment: a name and a text, no single paragraph and no long text."""
    runs, ancestors, first = page.runs, page.elements.ancestors, page.first_run(element)
    if first + 1 >= len(runs) or not (_is_name(runs[first]) or runs[first].flags & HEADING):
        return False
    below, further = runs[first + 1].element, runs[first + MAX_REMARK_RUNS : first + MAX_REMARK_RUNS + 1]
    has_two = below <= element or element in ancestors(below)
    return has_two and not any(element in ancestors(run.element) for run in further)


def _like(page: Page, child: int, above: int) -> list[tuple[int, int]]:
    """Returns the children of `above` with text, tag and class like those of `child`, each with its end."""
    tag, values = page.elements.tag, page.elements.values
    wanted = values(child, ("class",))
    found: list[tuple[int, int]] = []
    edges, end = _edges(page.elements, above), above
    for run in page.runs[page.first_run(above) :]:
        if run.element >= edges[-1]:
            break
        if run.element < end or run.element == above:
            continue
        place = bisect_right(edges, run.element)
        element, end = edges[place - 1 : place + 1]
        if tag[element] == tag[child] and values(element, ("class",)) == wanted:
            found.append((element, end))
    return found


def _edges(elements: Elements, above: int) -> list[int]:
    """Returns the children of an element, and its end."""
    parent, end = elements.parent, above + 1
    children: list[int] = []
    while end < len(parent) and (holder := parent[end]) >= above:
        if holder == above:
            children.append(end)
        end += 1
    return [*children, end]


def _without_label(page: Page, items: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Returns the elements without the first if it is only a label of the others, as the first row of a table."""
    if not items:
        return items
    inside = page.runs[page.first_run(items[0][0]) : page.first_run(items[0][1])]
    return items[1:] if len(inside) == 1 and inside[0].words <= LABEL_WORDS else items


def _are_remarks(page: Page, items: list[tuple[int, int]]) -> bool:
    """Returns whether each element begins with a short name and has a text below it. A name may be a heading if all end
    with the same link, as the one to reply."""
    inside = [page.runs[page.first_run(element) : page.first_run(end)] for element, end in items]
    if not all(
        2 <= len(runs) <= MAX_REMARK_RUNS and any(run.text != runs[0].text for run in runs[1:]) for runs in inside
    ):
        return False
    replies = {runs[-1].text if runs[-1].linked_words == runs[-1].words else "" for runs in inside}
    may_be_heading = len(replies) == 1 and "" not in replies
    return all(_is_name(runs[0], may_be_heading=may_be_heading) for runs in inside)


def _is_name(run: TextRun, *, may_be_heading: bool = False) -> bool:
    """Returns whether a run is a short name, or one with the time of a remark."""
    if run.words > LINE_WORDS or (run.flags & HEADING and not may_be_heading) or _ENDS.search(run.text):
        return False
    is_short = 0 < run.words <= NAME_WORDS or _TIME.search(run.text) is not None
    return is_short and not run.text[0].isdigit()


def _is_inside(page: Page, element: int, kept: Sequence[int]) -> bool:
    """Returns whether `element` is inside the lowest element that contains the headline and the text above."""
    chosen = [page.runs[i].element for i in kept if page.runs[i].words >= PROSE_WORDS]
    headline = headline_of(page)
    if headline is not None and chosen and page.runs[headline].element < chosen[0]:
        chosen.append(page.runs[headline].element)
    if len(chosen) < MIN_REMARKS:
        return True
    top = common_ancestors(page.elements, chosen)[0]
    return top < element < page.elements.end_of(top)


def opening_lines(text: Draft) -> Collection[int]:
    """Finds lines with author and date above the first paragraph."""
    page_runs, first = text.page.runs, text.paragraphs[0] if text.paragraphs else 0
    return [i for i in takewhile(first.__gt__, text.runs) if _is_byline(page_runs[i])]


def _is_byline(run: TextRun) -> bool:
    if run.words > LINE_WORDS or run.flags & HEADING:
        return False
    if _ENDS.search(run.text):  # few words with a date are no sentence, whatever stands behind them
        return run.words <= DATE_WORDS and _has_day(run.text)
    return _has_day(run.text) or _BY.match(run.text) is not None


def _has_day(line: str) -> bool:
    """Returns whether a line has a day with its year, in a script and order that dates of pages are read in."""
    found = read_date(line)
    return found is not None and found.precision not in {"month", "year"}


def captions(text: Draft) -> Collection[int]:
    """Finds captions: short runs that say whose picture it is and share an element with only it."""
    page = text.page
    maybe = _with_credit_parts(page, [i for i in text.runs if page.runs[i].words <= CAPTION_WORDS])
    known: dict[int, bool | None] = {}
    found = {i for i in maybe[:MAX_CAPTIONS] if _is_caption(page, i, known) and _CREDIT.search(page.runs[i].text)}
    return () if found.issuperset(text.paragraphs) else found


def _with_credit_parts(page: Page, runs: Sequence[int]) -> list[int]:
    """Returns the runs with one of `_CREDIT_PARTS`. Most have none in letters of any case, which is searched first."""
    texts = [page.runs[i].text for i in runs]
    found = holding_any(texts, [0] * len(texts), 1, _CREDIT_FOLDED)
    return [runs[place] for place in found if any(map(texts[place].__contains__, _CREDIT_PARTS))]


def _is_caption(page: Page, index: int, known: dict[int, bool | None]) -> bool:
    """Returns whether a run shares an element with a picture and with little other text. `known` has the answers for
    elements so far, and gets new ones."""
    holder = page.runs[index].element
    for element in (holder, page.elements.parent[holder]):
        if element == NO_PARENT:
            break
        if element not in known:
            known[element] = _has_little_text(page, element) if _holds_picture(page.elements, element) else None
        answer = known[element]
        if answer is not None:
            return answer
    return False


def _holds_picture(elements: Elements, holder: int) -> bool:
    element = elements.first_of(_IMG, holder)
    while element > holder:
        element = elements.parent[element]
    return element == holder


def _has_little_text(page: Page, element: int) -> bool:
    first, last = page.first_run(element), page.first_run(page.elements.end_of(element))
    return sum(one.words for one in page.runs[first:last]) <= CAPTION_WORDS


def closing_labels(text: Draft) -> Collection[int]:
    """Finds headings and labels at the end, of which what they head is not in the text."""
    runs = text.runs
    end = len(runs)
    while end > 1 and _is_closing_label(text.page, runs[end - 1], above=runs[end - 2]):
        end -= 1
    return runs[end:]


def _is_closing_label(page: Page, index: int, above: int) -> bool:
    """Returns whether a run heads what is not in the text. A label shares an element with links, and not with the run
    above it, so that an advert below a text never makes its last line a label."""
    run = page.runs[index]
    if run.words > LABEL_WORDS or _ENDS.search(run.text):
        return False
    if run.flags & HEADING:
        return True
    below = page.runs[index + 1 : index + 1 + LINKS_BELOW]
    if len(below) < LINKS_BELOW or not all(map(is_pointer, below)):
        return False
    common = common_ancestors(page.elements, [run.element, below[0].element])[0]
    return page.runs[above].element < common and page.elements.name(common) != "body"
