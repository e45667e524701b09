"""The extractor `learned`: the runs that the model believes to be the text, none where it is not sure of the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from newscrawl.extraction.climb import standing_in
from newscrawl.extraction.learned.character_stats import Column
from newscrawl.extraction.learned.model import ModelOutput, load
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
cross-validation on pages that teach (docs/measurements/notes/learned.md)."""
SURE: Final = 0.6
"""Where the chosen runs' mean probability, weighted by characters, is below this, the page is one the model does not
understand, and the next extractor of the chain has its turn."""

MIN_EXPECTED: Final = 1 / 3
"""Part of the text expected on the page (each run's characters by its probability) that the choice must hold: the same
third that the chains ask of the page's prose, where long runs stand for the text expected. Wrong choices mostly
held less than a quarter, right ones half and more (docs/measurements/notes/learned.md). Of scripts known little they
say too little."""
SURE_UNSCRIPTED: Final = 0.8
"""Mean probability from which the text for browsers without scripts is the page's own."""

_IFRAME: Final = TAG_NAMES.index("iframe")
_NOSCRIPT: Final = frozenset({TAG_NAMES.index("noscript")})


def select(page: Page) -> tuple[int, ...]:
    """Indices of the runs of the article's text, in document order; empty on doubt. Linear time, never raises."""
    return choose(page, load().judge(page))


def choose(page: Page, judgement: ModelOutput) -> tuple[int, ...]:
    """The runs of `page` to keep where the model says this of them."""
    lengths = np.array([len(run.text) for run in page.runs], dtype=np.float64)
    expected = judgement.scores * lengths
    chosen = np.flatnonzero(judgement.scores > needed(judgement)).tolist()
    fallback = [i for i in chosen if _is_fallback(page, i)]
    kept = sorted({*chosen}.difference(fallback))
    held = float(expected[kept].sum())
    if fallback:
        unscripted = _unscripted(page, fallback)
        there = float(expected[unscripted].sum())
        if there > held and there >= SURE_UNSCRIPTED * float(lengths[unscripted].sum()):
            return tuple(unscripted)
    if not kept or held < SURE * float(lengths[kept].sum()):
        return ()
    shown = float(expected.sum()) - float(expected[fallback].sum())
    if judgement.known_script and held < MIN_EXPECTED * shown:
        return ()
    return tuple(kept)


def needed(judgement: ModelOutput) -> Column:
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


def _unscripted(page: Page, runs: Sequence[int]) -> list[int]:
    """Those of `runs` that a page shows where no script is run: some sites put all of their text there."""
    tag = page.elements.tag
    inside = standing_in(page.elements, lambda element: tag[element] in _NOSCRIPT)
    return [i for i in runs if inside(page.runs[i].element)]
