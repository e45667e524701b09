"""Dragnet: shallow text, names of elements and content-tag ratios of each block, in one classifier.

Peters, Lecocq, "Content extraction using diverse feature sets", WWW 2013, and its description on the Moz devblog. A
block here is a run. The names count by two sums, as in the description's figure: of words that indicate text, and of
those that indicate boilerplate. The classifier is a logistic regression, trained by benchmarks/train.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from newscrawl.extraction.learned.features import Matrix, shift
from newscrawl.extraction.learned.model import Model, load
from newscrawl.extraction.learned.names import words_of
from newscrawl.extraction.lines import lines_of, per_run
from newscrawl.extraction.literature.ratios import outside_origin, tag_ratios
from newscrawl.page import Page

LIKELY: Final = 0.5
"""The threshold of the description."""
LINE_COLUMNS: Final = 80
DRAGNET_FEATURES: Final = (
    "text_density",
    "log_words",
    "link_density",
    "speaks_for",
    "speaks_against",
    "ratio",
    "change",
    "outside",
    *(f"{name}{step:+d}" for step in (-1, 1) for name in ("text_density", "log_words", "link_density")),
)


def select(page: Page) -> tuple[int, ...]:
    """Returns the indices of the runs that Dragnet takes for content, in document order; linear time."""
    return choose(page, load())


def choose(page: Page, model: Model) -> tuple[int, ...]:
    """Returns the runs that this model's regression takes for content."""
    if not page.runs:
        return ()
    likely = model.dragnet.probabilities(dragnet_features(page, model.names)) > LIKELY
    return tuple(np.flatnonzero(likely).tolist())


def dragnet_features(page: Page, names: Mapping[str, float]) -> Matrix:
    """Returns the columns of `DRAGNET_FEATURES`, with a row for each run."""
    lines = lines_of(page.runs)
    ratio, change = tag_ratios(lines)
    outside = outside_origin(ratio, change)
    rows = np.zeros((len(page.runs), 8), dtype=np.float32)
    known: dict[int, tuple[float, float]] = {}
    for i, run in enumerate(page.runs):
        if run.element not in known:
            known[run.element] = _names(page, run.element, names)
        filled_lines = max(1.0, len(run.text) / LINE_COLUMNS)
        rows[i, :5] = (run.words / filled_lines, np.log1p(run.words), run.link_density, *known[run.element])
    for column, values in enumerate((np.log1p(ratio), np.log1p(change), outside), start=5):
        rows[:, column] = per_run(lines, values.tolist(), len(page.runs), 0.0)
    around = shift(rows[:, :3].T, (-1, 1), 0.0).transpose(2, 1, 0).reshape(len(rows), -1)
    return np.concatenate([rows, around], axis=1)


def _names(page: Page, element: int, names: Mapping[str, float]) -> tuple[float, float]:
    """Returns the sums of the weights for and against text, over the element and its parent."""
    parent = page.elements.parent[element]
    words = {*words_of(page.elements, element), *(words_of(page.elements, parent) if parent >= 0 else ())}
    weights = [names[word] for word in sorted(words) if word in names]
    return sum(w for w in weights if w > 0), sum(-w for w in weights if w < 0)
