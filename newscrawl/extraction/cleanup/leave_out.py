"""What stands inside an article's group of paragraphs and is none of its text: headline, captions, asides.

Headline and captions are no text of the article by decision (docs/design.md); an aside is beside the point,
and small are side comments such as small print, by the HTML standard's definition; what stands in an iframe is for
browsers without it. Measured in docs/measurements/quality.md: precision rises on every news corpus, recall stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from newscrawl.extraction.cleanup.cues import fold
from newscrawl.extraction.climb import numbers_of, standing_in
from newscrawl.page import Page

LEFT_OUT_TAGS: Final = numbers_of("figcaption aside small nav address time iframe noembed noframes".split())

MIN_SHARE_LEFT: Final = 0.5
"""Where less than this part of the characters would be left, the page uses these tags for something else."""

TITLE_LENGTH: Final = 2
"""A run longer than so many times the longest title is none of them, whatever signs stand in it."""

_TITLE_SEPARATORS: Final = re.compile(r"(?<!\s)\s++[|»·–—:-]\s+")


def leave_out(page: Page, runs: Sequence[int]) -> tuple[int, ...]:
    """Those of `runs` that are neither the headline, wherever it is repeated, nor in a caption or an aside."""
    wanted = set(titles(page))
    longest = TITLE_LENGTH * max(map(len, wanted), default=0)
    elements, page_runs = page.elements, page.runs
    tag = elements.tag
    aside = standing_in(elements, lambda element: tag[element] in LEFT_OUT_TAGS)
    kept = []
    for i in runs:
        run = page_runs[i]
        if aside(run.element) or (len(run.text) <= longest and fold(run.text) in wanted):
            continue
        kept.append(i)
    return unless_too_little(page, runs, kept)


def unless_too_little(page: Page, before: Sequence[int], after: Sequence[int]) -> tuple[int, ...]:
    """`after`, or `before` where less than half of its characters would be left: there the page is made otherwise."""
    if len(after) < len(before):
        page_runs = page.runs
        whole, left = (sum([len(page_runs[i].text) for i in indices]) for indices in (before, after))
        if left < MIN_SHARE_LEFT * whole:
            return tuple(before)
    return tuple(after)


def titles(page: Page) -> Iterator[str]:
    """The ways the page writes its headline, folded: the h1, og:title, and <title> with and without the site's name."""
    for title in (page.hints.headline, page.head.first("og:title", "twitter:title"), page.head.title):
        if title and (folded := fold(title)):
            yield folded
    if page.head.title:
        parts = _TITLE_SEPARATORS.split(page.head.title)
        for end in range(1, len(parts)):
            yield fold(" ".join(parts[:end]))
