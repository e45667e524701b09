"""The extractors `learned` and `dragnet`: which runs the model's scores make the text.

`learned` returns none if the model is not sure of the page. `dragnet` is Peters, Lecocq, "Content extraction using
diverse feature sets", WWW 2013, and its description on the Moz devblog. A block here is a run. The names count by two
sums, as in the description's figure: of words that indicate text, and of those that indicate boilerplate. The
classifier is a logistic regression, trained by benchmarks/train.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from newscrawl.extraction.element_predicates import at_or_inside
from newscrawl.extraction.learned.features import Matrix, shift
from newscrawl.extraction.learned.model import Model, ModelOutput, load
from newscrawl.extraction.learned.text import Column
from newscrawl.extraction.learned.tree import words_of
from newscrawl.extraction.literature import lines_of, outside_origin, per_run, tag_ratios
from newscrawl.model import Selection
from newscrawl.page import Page
from newscrawl.page.run import IGNORED_BY_BOILERPIPE
from newscrawl.page.tags import TAG_NAMES


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The least probabilities with which a run is text."""

    with_classic: float
    """For a run that the first step of `classic` also chose."""
    inside: float
    """For one between that step's first and last choice."""
    outside: float
    """For one above or below them, where notes, comments and other articles are."""


KNOWN: Final = Thresholds(0.45, 0.5, 0.6)
LITTLE_KNOWN: Final = Thresholds(0.3, 0.5, 0.8)
"""For scripts with fewer than `ENOUGH_PAGES` training pages: nearer to the choice of `classic`. Both were chosen by
cross-validation on training pages (docs/design.md, "best")."""
SURE: Final = 0.6
"""If the mean probability of the chosen runs, weighted by characters, is lower, the model does not fit the page, and
the next extractor of the chain is tried."""

MIN_EXPECTED: Final = 1 / 3
"""Share of the expected text of the page (each run's characters times its probability) that the choice must contain. It
is the same third that chains ask of the page's prose, where long runs are the expected text. Wrong choices mostly had
less than a quarter, right ones half and more (docs/design.md, "best"). For scripts with little training it
is not checked."""
SURE_UNSCRIPTED: Final = 0.8
"""The least mean probability with which the text for browsers without scripts is the page's own."""

_IFRAME: Final = TAG_NAMES.index("iframe")
_NOSCRIPT: Final = frozenset({TAG_NAMES.index("noscript")})


def select(page: Page) -> Selection:
    """Returns the indices of the runs of the article's text, in document order; empty if in doubt. Linear time, never
    raises."""
    return selection_of(page, load().judge(page))


def selection_of(page: Page, output: ModelOutput) -> Selection:
    """Returns the choice with its mean probability and its share of the expected text."""
    lengths = _lengths(page)
    runs = choose(page, output, lengths)
    expected = output.scores * lengths
    chosen, kept = list(runs), float(expected[list(runs)].sum())
    probability = kept / max(1.0, float(lengths[chosen].sum()))
    return Selection(runs, output.article, output.group, probability, kept / max(1.0, float(expected.sum())))


def choose(page: Page, judgement: ModelOutput, lengths: Column | None = None) -> tuple[int, ...]:
    """Returns the runs of `page` to keep, given the model's output, and the lengths of their texts if known."""
    lengths = _lengths(page) if lengths is None else lengths
    expected = judgement.scores * lengths
    chosen = np.flatnonzero(judgement.scores > needed(judgement)).tolist()
    fallback = [i for i in chosen if _is_fallback(page, i)]
    kept = sorted({*chosen}.difference(fallback))
    kept_expected = float(expected[kept].sum())
    if fallback:
        unscripted = _unscripted(page, fallback)
        there = float(expected[unscripted].sum())
        if there > kept_expected and there >= SURE_UNSCRIPTED * float(lengths[unscripted].sum()):
            return tuple(unscripted)
    if not kept or kept_expected < SURE * float(lengths[kept].sum()):
        return ()
    shown = float(expected.sum()) - float(expected[fallback].sum())
    if judgement.known_script and kept_expected < MIN_EXPECTED * shown:
        return ()
    return tuple(kept)


def _lengths(page: Page) -> Column:
    return np.fromiter([len(run.text) for run in page.runs], np.float64, len(page.runs))


def needed(judgement: ModelOutput) -> Column:
    """Returns the probability above which each run is text."""
    thresholds, group = KNOWN if judgement.known_script else LITTLE_KNOWN, judgement.group
    least = np.full(len(judgement.scores), thresholds.outside)
    if group:
        least[group[0] : group[-1]] = thresholds.inside
        least[list(group)] = thresholds.with_classic
    return least


def _is_fallback(page: Page, run: int) -> bool:
    """Returns whether a run is text for browsers without frames, scripts or objects."""
    flags, element = page.runs[run].flags, page.runs[run].element
    return bool(flags & IGNORED_BY_BOILERPIPE) or page.elements.tag[element] == _IFRAME


def _unscripted(page: Page, runs: Sequence[int]) -> list[int]:
    """Returns those of `runs` that a page shows when no script runs. Some sites put all of their text there."""
    tag = page.elements.tag
    inside = at_or_inside(page.elements, lambda element: tag[element] in _NOSCRIPT)
    return [i for i in runs if inside(page.runs[i].element)]


DRAGNET_LIKELY: Final = 0.5
"""The threshold of the description."""
LINE_COLUMNS: Final = 80


def select_dragnet(page: Page) -> tuple[int, ...]:
    """Returns the indices of the runs that Dragnet takes for content, in document order; linear time."""
    return choose_dragnet(page, load())


def choose_dragnet(page: Page, model: Model) -> tuple[int, ...]:
    """Returns the runs that this model's regression takes for content."""
    if not page.runs:
        return ()
    likely = model.dragnet.probabilities(dragnet_features(page, model.names)) > DRAGNET_LIKELY
    return tuple(np.flatnonzero(likely).tolist())


def dragnet_features(page: Page, names: Mapping[str, float]) -> Matrix:
    """Returns a row for each run: text density, logarithm of its words, link density, what its names say for and
    against it, the three measures of CETR for its line, and the first three measures of the runs before and after."""
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
