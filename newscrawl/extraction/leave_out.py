"""What stands inside an article's group of paragraphs and is none of its text: headline, captions, asides.

Headline and captions are no text of the article by decision (docs/design.md); an aside is beside the point, and small
are side comments such as small print, by the HTML standard's definition; what stands in an iframe is for browsers
without it. Measured in docs/quality.md: precision rises on every news corpus, recall stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from newscrawl.extraction.cues import fold
from newscrawl.page import Page
from newscrawl.page.elements import NO_PARENT, Elements

LEFT_OUT_TAGS: Final = frozenset("figcaption aside small nav address time iframe noembed noframes".split())

MIN_SHARE_LEFT: Final = 0.5
"""Where less than this part of the characters would be left, the page uses these tags for something else."""

_TITLE_SEPARATORS: Final = re.compile(r"\s+[|»·–—:-]\s+")


def leave_out(page: Page, runs: Sequence[int]) -> tuple[int, ...]:
    """Those of `runs` that are neither the headline, wherever it is repeated, nor in a caption or an aside."""
    wanted = set(titles(page))
    outside = _Outside(page.elements)
    kept = tuple(i for i in runs if fold(page.runs[i].text) not in wanted and outside.holds(page.runs[i].element))
    before, after = (sum(len(page.runs[i].text) for i in indices) for indices in (runs, kept))
    return kept if after >= before * MIN_SHARE_LEFT else tuple(runs)


def titles(page: Page) -> Iterator[str]:
    """The ways the page writes its headline, folded: the h1, og:title, and <title> with and without the site's name."""
    for title in (page.hints.headline, page.head.first("og:title", "twitter:title"), page.head.title):
        if title and (folded := fold(title)):
            yield folded
    if page.head.title:
        parts = _TITLE_SEPARATORS.split(page.head.title)
        for end in range(1, len(parts)):
            yield fold(" ".join(parts[:end]))


class _Outside:
    """Which elements stand outside of captions and asides; every element is climbed over once."""

    def __init__(self, elements: Elements) -> None:
        self._elements = elements
        self._known: dict[int, bool] = {NO_PARENT: True}

    def holds(self, element: int) -> bool:
        known, elements = self._known, self._elements
        climbed: list[int] = []
        while element not in known:
            climbed.append(element)
            if elements.name(element) in LEFT_OUT_TAGS:
                known[element] = False
            else:
                element = elements.parent[element]
        for below in climbed:
            known[below] = known[element]
        return known[element]
