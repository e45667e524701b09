"""The extractor `learned`: the runs that the model believes to be the text, none where it is not sure of the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from newscrawl.extraction.learned.model import load
from newscrawl.extraction.learned.signs import Column
from newscrawl.page import Page
from newscrawl.page.run import IGNORED_BY_BOILERPIPE
from newscrawl.page.tags import TAG_NAMES

LIKELY_WITH_CLASSIC: Final = 0.45
LIKELY_INSIDE: Final = 0.5
LIKELY_OUTSIDE: Final = 0.6
"""From these probabilities a run is text: one that `classic`'s first step chose too, one between its first and last
choice, and one above or below them, where notes, comments and other articles stand (docs/learned.md has the sweep)."""
SURE: Final = 0.6
"""Where the chosen runs' mean probability, weighted by characters, is below this, the page is one the model does not
understand, and the next extractor of the chain has its turn."""

_IFRAME: Final = TAG_NAMES.index("iframe")


def select(page: Page) -> tuple[int, ...]:
    """Indices of the runs of the article's text, in document order; empty on doubt. Linear time, never raises."""
    judgement = load().judge(page)
    return choose(page, judgement.scores, judgement.group)


def choose(page: Page, scores: Column, group: Sequence[int]) -> tuple[int, ...]:
    """The runs of `page` to keep for these probabilities, given the `group` that `classic`'s first step chose."""
    if not len(scores):
        return ()
    least = np.full(len(scores), LIKELY_OUTSIDE)
    if group:
        least[group[0] : group[-1]] = LIKELY_INSIDE
        least[list(group)] = LIKELY_WITH_CLASSIC
    kept = [i for i in np.flatnonzero(scores > least).tolist() if not _is_fallback(page, i)]
    lengths = np.array([len(page.runs[i].text) for i in kept])
    if not kept or float(scores[kept] @ lengths) < SURE * float(lengths.sum()):
        return ()
    return tuple(kept)


def _is_fallback(page: Page, run: int) -> bool:
    """Text for browsers that show no frames, scripts or objects."""
    flags, element = page.runs[run].flags, page.runs[run].element
    return bool(flags & IGNORED_BY_BOILERPIPE) or page.elements.tag[element] == _IFRAME
