"""Finds what stands in a text beside the article: a second copy of it, other articles of the page, readers' comments
below it, and what an advert's label heads.

The structure of the page alone decides. No filter finds anything where the page is built in another way.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence
from itertools import islice, takewhile
from typing import Final

from newscrawl.extraction.cleanup.cues import fold, is_label
from newscrawl.extraction.cleanup.draft import (
    Draft,
    characters_of,
    headline_of,
    holders_of,
    once_a_page,
    titles,
)
from newscrawl.extraction.element_predicates import NamePattern, at_or_inside, named, numbers_of
from newscrawl.page import Page
from newscrawl.page.elements import NO_PARENT
from newscrawl.page.run import TOP_HEADING
from newscrawl.page.tags import TAG_NAMES

MIN_WORDS: Final = 8
"""Words of a run that is no repetition by chance. Shorter ones are sub-heads and labels."""
MIN_REPEATED: Final = 3
"""The least repeated runs of a second copy. One or two are pull quotes and refrains."""
BEGINNING: Final = 24
"""Characters that are compared first, because hashing whole texts takes longer."""
MIN_COPIED: Final = 0.4
"""The least length of a second copy, as a share of the text without it."""
WHOLE_SHARE: Final = 0.4
"""The least length of a run that contains the article, as a share of all other text."""

FIRST_ARTICLE_CHARACTERS: Final = 600
"""Characters of text after which another h1 heads another article. Before that it heads a part of this one."""
MIN_ARTICLE: Final = 600
"""Characters above the headline of another article. Above less there is only the beginning of this one."""
ADVERT_SHARE: Final = 0.2
"""The greatest share of the text in the element of an advert's label. With more, the label is among the article."""

MAX_AROUND: Final = 5
"""Elements around a paragraph that are compared with those of another article."""
MAX_ABOVE: Final = 8
"""The most runs between a headline and the first paragraph below it."""

LABEL_WORDS: Final = 2
MAX_PLACES: Final = 20
"""Headlines, and labels of adverts, that are looked at. Each costs a pass over the text, and articles have few."""

_COMMENTS: Final = NamePattern(
    re.compile(
        r"(?:(?:u(?<![^ ]u)ser|r(?<![^ ]r)eader|p(?<![^ ]p)ost|a(?<![^ ]a)rticle)[-_]?comments?|c(?<![^ ]c)omments?)"
        r"(?:[-_]*(?:list|section|area|threads?|wrap(?:per)?|container|body|content|text|items?|box|block|holder|inner|"
        r"module|panel|widget|feed|stream|group|view|root|app|main|page))*(?![^ ])|"
        r"(?:d(?<![^ ]d)isqus_thread|l(?<![^ ]l)eserkommentare|k(?<![^ ]k)ommentare)(?![^ ])"
    ),
    ("comment", "disqus_thread", "kommentare"),
)
"""Names of elements with comments, whole words of id and class. Each begins with a letter, as in `within._word`."""
_BODY: Final = TAG_NAMES.index("body")
_H1: Final = TAG_NAMES.index("h1")
_ARTICLE: Final = TAG_NAMES.index("article")
_DIGITS: Final = re.compile(r"\d+")
_NO_COMMENTS: Final = numbers_of("html body main article".split())


def second_copy(text: Draft) -> Collection[int]:
    """Finds a second copy of the article, in hidden microdata or a template: the hidden one of two, else the second."""
    page, runs = text.page, text.runs
    copies = _repeated(page, runs) or _containing(page, runs)
    if not copies:
        return ()
    top = holders_of(page, copies)[0]
    end = page.elements.end_of(top)
    around = {i for i in runs if i not in copies and top <= page.runs[i].element < end}
    hidden = {i for i in runs if page.runs[i].hidden} if any(page.runs[i].hidden for i in copies) else ()
    return copies.union(hidden, () if any(page.runs[i].words >= MIN_WORDS for i in around) else around)


def _repeated(page: Page, runs: Sequence[int]) -> set[int]:
    """Returns the runs of a second copy: paragraphs that are all repeated, one after the other, and at least
    `MIN_COPIED` of the text. It is hidden, or in an element with another place and a name."""
    first: dict[str, int] = {}
    pairs: list[tuple[int, int]] = []
    prose = [i for i in runs if page.runs[i].words >= MIN_WORDS]
    if len(prose) - len({page.runs[i].text[:BEGINNING] for i in prose}) < MIN_REPEATED:  # most pages
        return set()
    for i in prose:
        other = first.setdefault(page.runs[i].text, i)
        if other != i:
            pairs.append((other, i))
    if len({other for other, _ in pairs}) < MIN_REPEATED:
        return set()
    ones, twos = [one for one, _ in pairs], [two for _, two in pairs]
    copies, originals = (ones, twos) if all(page.runs[i].hidden for i in ones) else (twos, ones)
    between = [i for i in prose if min(copies) <= i <= max(copies)]
    copied, whole = (sum(len(page.runs[i].text) for i in indices) for indices in (copies, prose))
    if len(between) != len(set(copies)) or copied < MIN_COPIED * (whole - copied):
        return set()
    is_template = all(page.runs[i].hidden for i in copies) or _are_parted(page, copies, originals)
    return set(copies) if is_template else set()


def _are_parted(page: Page, copies: Sequence[int], originals: Sequence[int]) -> bool:
    """Returns whether both are in elements with names, of which neither contains the other."""
    tops = [holders_of(page, runs)[0] for runs in (copies, originals)]
    named_ones = all(page.elements.names_of(top) for top in tops)
    return named_ones and not any(tops[n] <= tops[1 - n] < page.elements.end_of(tops[n]) for n in (0, 1))


def _containing(page: Page, runs: Sequence[int]) -> set[int]:
    """Returns the run that contains the others' text, as `articleBody` does."""
    if len(runs) <= MIN_REPEATED:
        return set()
    lengths = [len(page.runs[i].text) for i in runs]
    most = max(lengths)
    if most < WHOLE_SHARE * (sum(lengths) - most):
        return set()
    texts = {i: page.runs[i].text for i in runs}
    longest = runs[lengths.index(most)]
    whole = texts[longest]
    others = sorted((i for i in runs if i != longest), key=lambda i: -len(texts[i]))[:MIN_REPEATED]
    return {longest} if all(page.runs[i].words >= MIN_WORDS and texts[i] in whole for i in others) else set()


def next_article(text: Draft) -> Collection[int]:
    """Finds the next article of an endless page, and all below it."""
    following = start_of_next(text.page)
    return [i for i in text.runs if i >= following] if text.runs and text.runs[-1] >= following else ()


@once_a_page
def start_of_next(page: Page) -> int:
    """Returns the run that is the headline of the next article, below the <article> with the headline and much text;
    the number of runs without one. Its text is in an element like one of those around the text of this article."""
    elements, runs, nowhere = page.elements, page.runs, len(page.runs)
    own = _article_of(page)
    below = _prose_below(page, own) if own is not None else []
    if own is None or not below:
        return nowhere
    prose = page.prose
    inside = prose[bisect_left(prose, page.first_run(own)) : bisect_left(prose, below[0])]
    if characters_of(page, inside) < MIN_ARTICLE:
        return nowhere
    around = {_shape(page, e) for e in (*islice(elements.ancestors(runs[inside[0]].element), MAX_AROUND), own)}
    wanted = titles(page)
    seen: set[int] = set()
    for i in below[:MAX_PLACES]:
        holders = [e for e in islice(elements.ancestors(runs[i].element), MAX_AROUND) if e not in seen]
        seen.update(holders)
        if any((shape := _shape(page, e)) and shape in around for e in holders):
            above = range(i - 1, max(inside[-1], i - MAX_ABOVE), -1)
            heading = next((n for n in above if runs[n].flags & TOP_HEADING), None)
            if heading is not None and fold(runs[heading].text) not in wanted:
                return heading
    return nowhere


def _prose_below(page: Page, own: int) -> list[int]:
    """Returns the paragraphs below an element."""
    inside = at_or_inside(page.elements, own.__eq__)
    below = list(takewhile(lambda i: not inside(page.runs[i].element), reversed(page.prose)))
    return below[::-1]


def _article_of(page: Page) -> int | None:
    """Returns the <article> around the headline; None without one."""
    elements = page.elements
    if elements.first_of(_ARTICLE) < 0:
        return None
    title = elements.first_of(_H1)
    if title < 0:
        headline = headline_of(page)
        title = -1 if headline is None else page.runs[headline].element
    return next((e for e in elements.ancestors(title) if elements.tag[e] == _ARTICLE), None) if title >= 0 else None


def _shape(page: Page, element: int) -> tuple[int, str] | None:
    """Returns tag and class of an element, digits left out; None for one without class that is no <article>."""
    elements = page.elements
    name = _DIGITS.sub("", (elements.values(element, ("class",)) or ("",))[0] or "")
    return (elements.tag[element], name) if name or elements.tag[element] == _ARTICLE else None


def article_beside(text: Draft) -> Collection[int]:
    """Finds an article with an h1 of its own in an element beside that of this one, with the same tag and class, and
    all below it."""
    page, elements = text.page, text.page.elements
    if elements.first_of(_H1, elements.first_of(_H1) + 1) < 0:  # there is no second one
        return ()
    headings = [run for run in page.runs if run.flags & TOP_HEADING and elements.tag[run.element] == _H1]
    wanted = titles(page)
    own = next((run for run in headings if fold(run.text) in wanted), None)
    if own is None:
        return ()
    following = [run for run in headings if run.element > own.element and fold(run.text) not in wanted]
    for heading in following[:MAX_PLACES]:
        branch = _branch(page, own.element, heading.element)
        if branch is not None:
            return [i for i in text.runs if page.runs[i].element >= branch]
    return ()


def _branch(page: Page, own: int, other: int) -> int | None:
    """Returns the element with the second heading that is beside the one with the first and is like it."""
    elements = page.elements
    path = [own, *elements.ancestors(own)]
    holders = set(path)
    below = element = other
    while element not in holders:
        below, element = element, elements.parent[element]
        if element == NO_PARENT:
            return None
    beside = path[path.index(element) - 1] if element in path[1:] else None
    if beside is None or elements.tag[beside] != elements.tag[below] or elements.name(beside) == "h1":
        return None
    classes = [(elements.values(e, ("class",)) or ("",))[0] for e in (beside, below)]
    return below if classes[0] == classes[1] else None


def above_headline(text: Draft) -> Collection[int]:
    """Finds what stands above the headline: the h1 that is a title of the page, on a page without h1 the first run that
    is one."""
    headings, own = _h1_runs(text.page)
    first = own[0] if own else None if headings else headline_of(text.page)
    return () if first is None else [i for i in text.runs if i <= first]


def below_other_h1(text: Draft) -> Collection[int]:
    """Finds what stands below the h1 of another article."""
    return _below_other_h1(text, parts=False)


def below_other_h1_of_no_part(text: Draft) -> Collection[int]:
    """Finds what stands below the h1 of another article; an h1 that the extractor chose, or between two runs that have
    the same parent element, heads a part of this one, because some sites write all sub-heads as h1."""
    return _below_other_h1(text, parts=True)


def _below_other_h1(text: Draft, *, parts: bool) -> Sequence[int]:
    page, runs = text.page, text.runs
    headings, own = _h1_runs(page)
    others = iter(sorted({*headings}.difference(own, runs if parts else ())) if own else ())
    heading = next(others, None)
    characters = 0
    for place, index in enumerate(runs):
        while heading is not None and heading <= index:
            in_one = parts and place > 0 and _in_one(page, runs[place - 1], index)
            if heading > own[0] and characters > FIRST_ARTICLE_CHARACTERS and not in_one:
                return runs[place:]
            heading = next(others, None)
        characters += len(page.runs[index].text)
    return ()


@once_a_page
def _h1_runs(page: Page) -> tuple[list[int], list[int]]:
    """Returns the runs in an h1, and those of them that are titles of the page."""
    tag, parent, wanted = page.elements.tag, page.elements.parent, titles(page)
    headings = [i for i, run in enumerate(page.runs) if run.flags & TOP_HEADING]
    found = [i for i in headings if _H1 in (tag[e := page.runs[i].element], tag[parent[e]] if parent[e] >= 0 else None)]
    return found, [i for i in found if fold(page.runs[i].text) in wanted]


def _in_one(page: Page, first: int, second: int) -> bool:
    """Returns whether two runs are children of one element that is a part of the page."""
    above, parent = (page.elements.parent[page.runs[run].element] for run in (first, second))
    return above == parent != NO_PARENT and page.elements.tag[parent] != _BODY


def comments(text: Draft) -> Collection[int]:
    """Finds readers' comments at the end, by the names of their elements."""
    page, runs = text.page, text.runs
    inside = at_or_inside(page.elements, named(page.elements, _COMMENTS, never=_NO_COMMENTS, keys=("id", "class")))
    end = len(runs)
    while end and inside(page.runs[runs[end - 1]].element):
        end -= 1
    return runs[end:]


def labelled_adverts(text: Draft) -> Collection[int]:
    """Finds what is in the element that the word for "advertisement" heads."""
    page, left = text.page, text.runs
    between = page.runs[max(0, left[0] - 1) : left[-1]] if left else ()
    heads = [run.element for run in between if run.words <= LABEL_WORDS and is_label(fold(run.text))]
    found: set[int] = set()
    for head in heads[:MAX_PLACES]:
        end = page.elements.end_of(head)
        top = head if any(head < page.runs[i].element < end for i in left) else page.elements.parent[head]
        if top == NO_PARENT:
            continue
        end = page.elements.end_of(top)
        inside = [i for i in left if top <= page.runs[i].element < end]
        is_small = characters_of(page, inside) <= ADVERT_SHARE * text.characters
        if is_small and all(page.runs[i].element >= head for i in inside):
            found.update(inside)
            left = [i for i in left if i not in found]
    return found
