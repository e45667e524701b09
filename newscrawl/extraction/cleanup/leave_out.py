"""Removes from an article's group of paragraphs what is not its text: headline, captions, asides.

Headline and captions are not part of the text by decision (docs/design.md). By the HTML standard, an aside is only
indirectly related to the text, and small is side comments such as small print. The text of an iframe is for browsers
without it. Precision rises on every news corpus, recall stays.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final

from newscrawl.extraction.cleanup.cues import fold
from newscrawl.extraction.element_predicates import Predicate, at_or_inside, numbers_of
from newscrawl.page import Page

LEFT_OUT_TAGS: Final = numbers_of("figcaption aside small nav address time iframe noembed noframes".split())

SOURCE_TAGS: Final = numbers_of("iframe textarea noembed noframes".split())
"""Elements whose content a browser does not read as HTML."""
FALLBACK_TAGS: Final = numbers_of("textarea svg canvas video audio meter progress select datalist annotation".split())
"""Elements whose text is a value, or for browsers without them, or a part of a picture: no reader sees it as text."""
_FALLBACK: Final = "inside a fallback"

MIN_SHARE_LEFT: Final = 0.5
"""If less than this share of the characters would be left, the page uses these tags for something else."""

TITLE_LENGTH: Final = 2
"""A run longer than this multiple of the longest title is no title, whatever signs it contains."""

COUNTER_WORDS: Final = 3
MIN_COUNTERS: Final = 3
"""The least counters with one total that are those of pictures. Fewer are results."""

_COUNTER: Final = re.compile(r"\d{1,3}\s?(?:[/／|]|[^\W\d_]{1,4})\s?(\d{1,3})")
_TITLE_SEPARATORS: Final = re.compile(r"(?<!\s)\s++[|»·–—:-]\s+")


def without_source(page: Page, runs: Sequence[int]) -> Sequence[int]:
    """Returns `runs` without those that are the source of HTML: an advert in an iframe, or a template that a script
    reads from a text field, and the text of elements that show something else. They are never text, also where nothing
    else is left."""
    page_runs, tag = page.runs, page.elements.tag
    inside = in_fallback(page)
    source = {
        i
        for i in runs
        if (page_runs[i].text[:1] == "<" and tag[page_runs[i].element] in SOURCE_TAGS) or inside(page_runs[i].element)
    }
    return [i for i in runs if i not in source] if source else runs


def in_fallback(page: Page) -> Predicate:
    """Returns the test "is inside one of `FALLBACK_TAGS`". A page has one for all calls."""
    elements = page.elements
    found = elements.predicates.get(_FALLBACK)
    if found is None:
        tag = elements.tag
        found = at_or_inside(elements, lambda element: tag[element] in FALLBACK_TAGS)
        elements.predicates[_FALLBACK] = found
    return found


def leave_out(page: Page, runs: Sequence[int]) -> tuple[int, ...]:
    """Returns those of `runs` that are neither the headline, wherever it is repeated, nor in a caption or an aside.
    Captions and asides stay if they are most of the text, as on a page of pictures, and the headline if nothing else
    is left."""
    wanted = titles(page)
    longest = TITLE_LENGTH * max(map(len, wanted), default=0)
    elements, page_runs = page.elements, page.runs
    tag = elements.tag
    aside = at_or_inside(elements, lambda element: tag[element] in LEFT_OUT_TAGS)
    below = [i for i in runs if len(page_runs[i].text) > longest or fold(page_runs[i].text) not in wanted] or runs
    return unless_too_little(page, below, [i for i in below if not aside(page_runs[i].element)])


def drop_counters(page: Page, runs: Sequence[int]) -> Sequence[int]:
    """Returns `runs` without the numbers of pictures ("3 / 12", "3 of 12"): several with the same total."""
    totals: dict[str, list[int]] = {}
    for i in runs:
        run = page.runs[i]
        if run.words <= COUNTER_WORDS and run.text[0].isdigit() and (match := _COUNTER.fullmatch(run.text)):
            totals.setdefault(match[1], []).append(i)
    counters = {i for found in totals.values() if len(found) >= MIN_COUNTERS for i in found}
    return [i for i in runs if i not in counters] if counters else runs


def outside(page: Page, runs: Sequence[int], boxes: Collection[tuple[int, int]]) -> list[int]:
    """Returns `runs` that are in none of the elements `boxes`, each given as its number and the first element after
    it."""
    kept = list(runs)
    for first, after in boxes:
        kept = [i for i in kept if not first <= page.runs[i].element < after]
    return kept


def unless_too_little(page: Page, before: Sequence[int], after: Sequence[int]) -> tuple[int, ...]:
    """Returns `after`, or `before` if less than half of its characters would be left, because then the page is built in
    another way."""
    if len(after) < len(before):
        page_runs = page.runs
        whole, left = (sum([len(page_runs[i].text) for i in indices]) for indices in (before, after))
        if left < MIN_SHARE_LEFT * whole:
            return tuple(before)
    return tuple(after)


def titles(page: Page) -> frozenset[str]:
    """Returns the folded forms of the page's headline: the h1, og:title, and <title> with and without the site's
    name."""
    return _titles(page.hints.headline, page.head.first("og:title", "twitter:title"), page.head.title)


@lru_cache(maxsize=1)  # several steps ask for those of one page
def _titles(headline: str | None, declared: str | None, title: str | None) -> frozenset[str]:
    folded = {fold(text) for text in (headline, declared, title) if text} - {""}
    if title:
        parts = _TITLE_SEPARATORS.split(title)
        folded.update(fold(" ".join(parts[:end])) for end in range(1, len(parts)))
    return frozenset(folded)
