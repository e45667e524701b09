"""A draft of an article's text, and the filters that are run over it one after the other.

An extractor chooses runs of a page. A filter finds those that are not the article's text, or others that are missing,
and says how much of the text must be left; with less, the page is built in another way and the filter changes nothing.
Tuples of filters are read from top to bottom, like Boilerpipe's recipes (`finish`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, wraps
from math import inf
from typing import Final, TypeAlias, TypeVar

from newscrawl.extraction.cleanup.cues import fold
from newscrawl.page import Page, TextRun
from newscrawl.page.elements import Elements
from newscrawl.page.parse import PROSE_WORDS

T = TypeVar("T")

ENOUGH_CHARACTERS: Final = 300
"""The least characters beside a consent notice, or beside hidden text or comments, that may be the article."""
TITLE_LENGTH: Final = 2
"""A run longer than this multiple of the longest title is no title, whatever signs it contains."""

_TITLE_SEPARATORS: Final = re.compile(r"(?<!\s)\s++[|»·–—:-]\s+")

Least: TypeAlias = Callable[[int], float]
"""The least characters that must be left of so many."""


def share(least: float, enough: float = inf) -> Least:
    """Returns the rule that at least this share of the text must be left, or `enough` characters."""
    return lambda whole: min(enough, least * whole)


ANY: Final = share(0)
"""Nothing need be left."""
SOMETHING: Final = share(1, 1)
HALF: Final = share(0.5)
ENOUGH_OR_HALF: Final = share(0.5, ENOUGH_CHARACTERS)
ENOUGH_OR_QUARTER: Final = share(0.25, ENOUGH_CHARACTERS)


@dataclass(frozen=True)
class Draft:
    """The runs of a page that are taken for its article: indices in `page.runs`, ascending."""

    page: Page
    runs: Sequence[int]

    @cached_property
    def characters(self) -> int:
        """The length of their texts."""
        return characters_of(self.page, self.runs)

    @cached_property
    def paragraphs(self) -> list[int]:
        """Those of them that are paragraphs by their words."""
        page_runs = self.page.runs
        return [i for i in self.runs if page_runs[i].words >= PROSE_WORDS]

    def without(self, dropped: Collection[int], least: Least = ANY) -> Draft:
        """Returns the draft without these runs, this one if less than `least` would be left."""
        if not dropped:
            return self
        gone = {*dropped}
        left = Draft(self.page, [i for i in self.runs if i not in gone])
        if len(left.runs) == len(self.runs) or (least is not ANY and left.characters < least(self.characters)):
            return self
        return left

    def with_runs(self, added: Collection[int]) -> Draft:
        """Returns the draft with these runs, this one if it has them all."""
        if not added:
            return self
        runs = {*self.runs, *added}
        return Draft(self.page, sorted(runs)) if len(runs) > len(self.runs) else self


@dataclass(frozen=True, slots=True)
class Filter:
    """Leaves out, or adds, what a function finds. The function's name and the first line of its docstring say what that
    is; `newscrawl explain` shows them."""

    find: Callable[[Draft], Collection[int]]
    least: Least = ANY
    adds: bool = False
    then: tuple[Filter, ...] = ()
    """The filters that are run again if this one has added runs."""

    @property
    def name(self) -> str:
        """The name that people read."""
        return self.find.__name__.replace("_", " ")

    @property
    def meaning(self) -> str:
        """A sentence on what it leaves out or adds."""
        what = (self.find.__doc__ or "").partition("\n\n")[0].replace("\n    ", " ").removeprefix("Finds ")
        return f"Adds {what}" if self.adds else f"Leaves out {what}"

    def apply(self, text: Draft) -> Draft:
        """Returns the draft after this filter alone."""
        found = self.find(text)
        return text.with_runs(found) if self.adds else text.without(found, self.least)


def steps_of(text: Draft, filters: Iterable[Filter]) -> Iterator[tuple[Filter, Draft]]:
    """Yields each filter that is run, with the draft after it."""
    for one in filters:
        before = text
        text = one.apply(text)
        yield one, text
        if one.then and text is not before:
            for again, after in steps_of(text, one.then):
                text = after
                yield again, text


def run_filters(page: Page, runs: Sequence[int], filters: Iterable[Filter]) -> tuple[int, ...]:
    """Returns what the filters leave of `runs`."""
    text = Draft(page, tuple(runs))
    for _, after in steps_of(text, filters):
        text = after
    return tuple(text.runs)


def once_a_page(compute: Callable[[Page], T]) -> Callable[[Page], T]:
    """Returns the function with its result kept by the page, as `functools.cached_property` does, because several
    filters and steps ask for it. The result holds neither the page nor a function."""
    key = f"{compute.__module__}.{compute.__qualname__}"

    @wraps(compute)
    def known(page: Page) -> T:
        kept = vars(page)
        if key not in kept:
            kept[key] = compute(page)
        value: T = kept[key]
        return value

    return known


@once_a_page
def titles(page: Page) -> frozenset[str]:
    """Returns the folded forms of the page's headline: the h1, og:title, and <title> with and without the site's
    name."""
    title = page.head.title
    stated = (page.hints.headline, page.head.first("og:title", "twitter:title"), title)
    folded = {fold(text) for text in stated if text} - {""}
    if title:
        parts = _TITLE_SEPARATORS.split(title)
        folded.update(fold(" ".join(parts[:end])) for end in range(1, len(parts)))
    return frozenset(folded)


@once_a_page
def longest_title(page: Page) -> int:
    """Returns the most characters of a run that may be a title of the page."""
    return TITLE_LENGTH * max(map(len, titles(page)), default=0)


def is_title(page: Page, run: TextRun) -> bool:
    """Returns whether a run is a title of the page."""
    return len(run.text) <= longest_title(page) and fold(run.text) in titles(page)


@once_a_page
def headline_of(page: Page) -> int | None:
    """Returns the first run that is a title of the page; None if no run is."""
    wanted, longest = titles(page), longest_title(page)
    return next((i for i, run in enumerate(page.runs) if len(run.text) <= longest and fold(run.text) in wanted), None)


def characters_of(page: Page, runs: Iterable[int]) -> int:
    """Returns the length of the texts of `runs`."""
    page_runs = page.runs
    return sum([len(page_runs[i].text) for i in runs])


def inside_of(page: Page, runs: Sequence[int], boxes: Iterable[tuple[int, int]]) -> set[int]:
    """Returns those of `runs` that are in one of the elements `boxes`, each given as its number and the first element
    after it."""
    return {i for first, after in boxes for i in runs if first <= page.runs[i].element < after}


def holders_of(page: Page, runs: Iterable[int]) -> tuple[int, ...]:
    """Returns the lowest element that contains all of `runs`, at least one, and its ancestors, nearest first."""
    return common_ancestors(page.elements, [page.runs[i].element for i in runs])


def common_ancestors(elements: Elements, chosen: Collection[int]) -> tuple[int, ...]:
    """Returns the lowest element that contains all of `chosen` (never empty), and its ancestors, nearest first.

    Elements are numbered in document order, so an element that contains the first and the last contains all. The
    element of a run contains itself. A parent has a smaller number than its children.
    """
    parent, first, last = elements.parent, min(chosen), max(chosen)
    while first != last:
        if last > first:
            last = parent[last]
        else:
            first = parent[first]
    return first, *elements.ancestors(first)
