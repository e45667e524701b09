"""The extractor `learned`: the runs that the model believes to be the text, none where it is not sure of the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from newscrawl.extraction.learned.model import Judgement, load
from newscrawl.extraction.learned.signs import Column
from newscrawl.page import Page
from newscrawl.page.run import IGNORED_BY_BOILERPIPE
from newscrawl.page.tags import TAG_NAMES


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Probabilities from which a run is text."""

    with_classic: float
    """Of a run that `classic`'s first step chose too."""
    inside: float
    """Of one between that step's first and last choice."""
    outside: float
    """Of one above or below them, where notes, comments and other articles stand."""


KNOWN: Final = Thresholds(0.45, 0.5, 0.6)
LITTLE_KNOWN: Final = Thresholds(0.3, 0.5, 0.8)
"""For scripts in which fewer than `ENOUGH_PAGES` pages taught: nearer to what `classic` chose. Both were chosen by
cross-validation on pages that teach (docs/learned.md)."""
SURE: Final = 0.6
"""Where the chosen runs' mean probability, weighted by characters, is below this, the page is one the model does not
understand, and the next extractor of the chain has its turn."""

_IFRAME: Final = TAG_NAMES.index("iframe")


def select(page: Page) -> tuple[int, ...]:
    """Indices of the runs of the article's text, in document order; empty on doubt. Linear time, never raises."""
    return choose(page, load().judge(page))


def choose(page: Page, judgement: Judgement) -> tuple[int, ...]:
    """The runs of `page` to keep where the model says this of them."""
    scores = judgement.scores
    kept = [i for i in np.flatnonzero(scores > needed(judgement)).tolist() if not _is_fallback(page, i)]
    lengths = np.array([len(page.runs[i].text) for i in kept])
    if not kept or float(scores[kept] @ lengths) < SURE * float(lengths.sum()):
        return ()
    return tuple(kept)


def needed(judgement: Judgement) -> Column:
    """The probability above which each run is text."""
    thresholds, group = KNOWN if judgement.known_script else LITTLE_KNOWN, judgement.group
    least = np.full(len(judgement.scores), thresholds.outside)
    if group:
        least[group[0] : group[-1]] = thresholds.inside
        least[list(group)] = thresholds.with_classic
    return least


def _is_fallback(page: Page, run: int) -> bool:
    """Text for browsers that show no frames, scripts or objects."""
    flags, element = page.runs[run].flags, page.runs[run].element
    return bool(flags & IGNORED_BY_BOILERPIPE) or page.elements.tag[element] == _IFRAME
