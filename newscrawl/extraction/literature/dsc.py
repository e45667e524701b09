"""Document slope curve: keeps the stretches of a page's tokens that contain few tags.

Pinto, Branstein, Coleman, Croft, King, "QuASM: A System for Question Answering Using Semi-Structured Data", JCDL 2002,
after Finn, Kushmerick, Smyth, "Fact or Fiction" (DELOS 2001), who search for one such stretch. The curve counts tags
over tokens (words and tags), and stretches of low slope are content.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from newscrawl.extraction.lines import TextLine, lines_of, runs_of
from newscrawl.page import Page

WINDOW: Final = 50
"""Tokens around a line's middle over which the slope is computed; the best of 20, 50, 100 and 200
(docs/explanation/algorithms.md)."""
LOW: Final = 0.5
"""A slope is low if it is below this share of the whole page's. It is the method's usual value and the best of .3, .5,
.7."""


def select(page: Page) -> tuple[int, ...]:
    """Returns the indices in `page.runs` of the runs on lines where the slope is low, in document order; linear
    time."""
    lines = lines_of(page.runs)
    slopes, mean = slope_curve(lines)
    return runs_of(lines, [slope < LOW * mean for slope in slopes])


def slope_curve(lines: Sequence[TextLine], window: int = WINDOW) -> tuple[list[float], float]:
    """Returns the curve's slope around the middle of every line's text, and that of the whole page: tags over
    tokens."""
    import numpy as np

    if not lines:
        return [], 0.0
    counts = np.array([(line.tags, line.words) for line in lines], dtype=np.float64)
    tokens = np.concatenate(([0.0], np.cumsum(counts)))
    tags = np.concatenate(([0.0], np.cumsum(counts * (1.0, 0.0))))
    middles = tokens[1::2] + counts[:, 1] / 2
    first = np.clip(middles - window / 2, 0, tokens[-1])
    last = np.clip(middles + window / 2, 0, tokens[-1])
    rise = np.interp(last, tokens, tags) - np.interp(first, tokens, tags)
    slopes: list[float] = (rise / np.maximum(last - first, 1.0)).tolist()
    return slopes, float(tags[-1] / max(tokens[-1], 1.0))
