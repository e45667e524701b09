"""The extractors `learned` and `dragnet`: which runs the model's scores make the text.

`learned` returns none if the model is not sure of the page. `dragnet` is Peters, Lecocq, "Content extraction using
diverse feature sets", WWW 2013, and its description on the Moz devblog. A block here is a run. The names count by two
sums, as in the description's figure: of words that indicate text, and of those that indicate boilerplate. The
classifier is a logistic regression, trained by benchmarks/train.

The model has two stages of trees, of which the second also sees the first scores around a run.

Its weights are one file in the package, read once a process when first needed. What was learned in one script says
little about another, so a page's script is found.

The trees are plain arrays, evaluated for many runs and all trees at once. Lucchese et al., "QuickScorer: a fast
algorithm to rank documents with additive ensembles of regression trees", SIGIR 2015: no tree is walked. A leaf is
struck if a test fails that has it on its left, and the first leaf left is the one in which a walk would have ended.
Here a bit is a run, so that one operation strikes a leaf for eight runs, and each different test is made once for all
trees.
"""

from __future__ import annotations

import io
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from itertools import pairwise
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from newscrawl.extraction.element_predicates import at_or_inside
from newscrawl.extraction.language import sample_text
from newscrawl.extraction.learned.features import Matrix, PageFeatures, look_at, page_features, shift, smoothed
from newscrawl.extraction.learned.text import Column
from newscrawl.extraction.learned.tree import Weigher, group_means, weigher, words_of
from newscrawl.extraction.literature import lines_of, outside_origin, per_run, tag_ratios
from newscrawl.model import Selection
from newscrawl.page import Page
from newscrawl.page.run import IGNORED_BY_BOILERPIPE
from newscrawl.page.tags import TAG_NAMES

CHUNK: Final = 256
"""Rows that are evaluated together. Their tables fit into a processor's second cache, however many runs a page has."""
MAX_LEAVES: Final = 32
"""The most leaves of a tree."""


@dataclass(frozen=True)
class Trees:
    """An ensemble: the nodes of all trees in one table. A leaf points to itself on both sides."""

    roots: NDArray[np.int32]
    """The node number of each tree's root."""
    feature: NDArray[np.int32]
    """The column that a node tests."""
    threshold: NDArray[np.float32]
    """A run goes left up to and including this value."""
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    value: NDArray[np.float32]
    """The value that a leaf adds to the log-odds."""
    base: float
    """The log-odds before any tree."""

    def probabilities(self, rows: Matrix) -> Column:
        """Returns the probability of every row."""
        leaves, columns = self._leaves, np.ascontiguousarray(rows.T, dtype=np.float32)
        sums = [leaves.sums(columns[:, i : i + CHUNK]) for i in range(0, columns.shape[1], CHUNK)]
        raw = self.base + (np.concatenate(sums) if sums else np.zeros(0))
        probabilities: Column = (1.0 / (1.0 + np.exp(-raw))).astype(np.float32)
        return probabilities

    @cached_property
    def _leaves(self) -> _Leaves:
        numbers = {(0, float("inf")): 0}  # of tests; the first never fails
        trees = [self._enter(int(root), numbers) for root in self.roots]
        width = max([len(leaves) for leaves in trees], default=1)
        values = np.zeros((len(trees), width))
        striking = [[[0] for _ in trees] for _ in range(max(1, width - 1))]  # no test strikes a tree's last leaf
        for tree, leaves in enumerate(trees):
            for place, (value, tests) in enumerate(leaves):
                values[tree, place] = value
                if tests:
                    striking[place][tree] = tests
        cells = [tests for row in striking for tests in row]
        order = sorted(range(len(cells)), key=lambda cell: -len(cells[cell]))
        most = max(map(len, cells), default=0)
        rounds = [np.array([cells[cell][i] for cell in order if len(cells[cell]) > i]) for i in range(most)]
        feature, threshold = zip(*numbers, strict=True)
        column = np.array(threshold, dtype=np.float32).reshape(-1, 1)
        return _Leaves(np.array(feature), column, rounds, np.argsort(order), values)

    def _enter(self, root: int, numbers: dict[tuple[int, float], int]) -> list[tuple[float, list[int]]]:
        """Returns the value of each leaf of a tree, from left to right, and the numbers of the tests that strike it."""
        leaves: list[tuple[float, list[int]]] = []

        def walk(node: int, tests: list[int]) -> None:
            if self.left[node] == node:
                leaves.append((float(self.value[node]), tests))
                return
            test = int(self.feature[node]), float(self.threshold[node])
            walk(int(self.left[node]), [*tests, numbers.setdefault(test, len(numbers))])
            walk(int(self.right[node]), tests)

        walk(root, [])
        if len(leaves) > MAX_LEAVES:
            raise ValueError(f"a tree of {len(leaves)} leaves: train trees of at most {MAX_LEAVES}")
        return leaves


@dataclass(frozen=True, slots=True)
class _Leaves:
    """The same trees, by the tests that strike each leaf."""

    feature: NDArray[np.int64]
    threshold: NDArray[np.float32]
    """The column of each different test, and the value above which a run fails it."""
    rounds: Sequence[NDArray[np.int64]]
    """The first test that strikes each leaf, the second of those that have one, and so on: most tests first."""
    cell: NDArray[np.int64]
    """Where each leaf stands there: the first leaves of all trees, the second ones ..."""
    values: NDArray[np.float64]
    """A row a tree."""

    def sums(self, columns: NDArray[np.float32]) -> NDArray[np.float64]:
        """Returns, for every run (a column of `columns`), the sum of the leaves it ends in."""
        trees, width = self.values.shape
        fails = np.packbits(columns.take(self.feature, axis=0) > self.threshold, axis=1)
        struck = fails.take(self.rounds[0], axis=0)
        for tests in self.rounds[1:]:
            struck[: len(tests)] |= fails.take(tests, axis=0)
        passed = struck.take(self.cell, axis=0).reshape(-1, trees, struck.shape[1])
        for left, leaf in pairwise(passed):
            leaf &= left
        place = np.add.reduce(np.unpackbits(passed, axis=-1), axis=0, dtype=np.uint8)
        values = self.values.take(place + np.arange(0, trees * width, width).reshape(-1, 1))
        # Columns of whole bytes are never a single one, so each is added in the order of the trees.
        sums: NDArray[np.float64] = np.add.reduce(values, axis=0)[: columns.shape[1]]
        return sums


NO_SCRIPT: Final = ""
"""The script of a page without letters."""
SAMPLE_CHARACTERS: Final = 600
"""Characters of text that are read. A page's paragraphs are in one script."""

_EAST_ASIAN: Final[Mapping[str, str]] = MappingProxyType({"HIRAGANA": "CJK", "KATAKANA": "CJK"})
"""Japanese mixes all three on every line."""


def script_of(page: Page) -> str:
    """Returns the script of most letters in the page's paragraphs, by its Unicode name (LATIN, CYRILLIC, CJK ...)."""
    text = sample_text(page) or "\n".join([run.text for run in page.runs[:SAMPLE_CHARACTERS]])
    counts: Counter[str] = Counter()
    for sign, count in Counter(text[:SAMPLE_CHARACTERS]).items():
        counts[_script(sign)] += count
    del counts[NO_SCRIPT]
    return max(sorted(counts), key=counts.__getitem__, default=NO_SCRIPT)


@lru_cache(maxsize=4096)
def _script(sign: str) -> str:
    """Returns the first word of a letter's Unicode name; "" for other characters."""
    if not sign.isalpha():
        return NO_SCRIPT
    first = unicodedata.name(sign, NO_SCRIPT).partition(" ")[0]
    return _EAST_ASIAN.get(first, first)


NEAR: Final = (-3, -2, -1, 1, 2, 3)
RADII: Final = (3, 8)
LIKELY: Final = 0.5
FAR: Final = 30


def context_features(look: PageFeatures, scores: Column) -> Matrix:
    """Returns a row for each run, from a page's first scores (probabilities): its own and those of the runs `NEAR` it,
    means within `RADII`, of runs in like elements and of ancestors (`LEVELS`), the mass of text before it and of the
    page, its distances and its cluster of likely runs, the highest score, and the mass of what `classic` chose."""
    lengths, tree = look.texts.characters, look.tree
    mass = scores * lengths
    total, group = max(1.0, float(mass.sum())), look.group
    alike_score, alike_length, alike_mass = group_means(tree.alike, scores, lengths, mass)
    columns: list[Column] = [scores, *shift(scores[None], NEAR, 0.0)[0]]
    columns += [smoothed(scores, radius) for radius in RADII]
    columns += [alike_score, alike_mass / np.maximum(alike_length, 1)]
    for below_mass, below in zip(*tree.subtree_sums((mass, lengths), tree.ancestors), strict=True):
        columns += [below_mass / total, below_mass / np.maximum(below, 1)]
    columns.append(np.cumsum(mass) / total)
    columns.append(np.full_like(scores, total / max(1.0, float(lengths.sum()))))
    columns += _distances(scores)
    columns += _clusters(scores, mass)
    columns.append(np.full_like(scores, scores.max()))
    columns.append(np.full_like(scores, float(mass[list(group)].sum()) / total))
    return np.array(columns, dtype=np.float32).T


def _distances(scores: Column) -> list[Column]:
    """Returns the runs to the first and from the last likely one; negative inside."""
    numbers = np.arange(len(scores), dtype=np.float32)
    likely = np.flatnonzero(scores > LIKELY)
    if not len(likely):
        return [np.full_like(scores, FAR), np.full_like(scores, FAR)]
    return [np.clip(likely[0] - numbers, -FAR, FAR), np.clip(numbers - likely[-1], -FAR, FAR)]


def _clusters(scores: Column, mass: Column) -> list[Column]:
    """Returns the share of the page's mass in the run's cluster of likely runs (gaps of three runs are closed), and in
    the largest."""
    near = smoothed(scores, 1) > LIKELY / 2
    numbers = np.cumsum(np.concatenate([[False], near[1:] != near[:-1]]))
    sums = np.bincount(numbers, mass)
    largest = max(1e-6, float(sums.max()))
    share = sums[numbers] / max(1.0, float(mass.sum()))
    return [share.astype(np.float32), (sums[numbers] / largest).astype(np.float32)]


WEIGHTS_FILE: Final = "weights.npz"
RULED_OUT: Final = 0.02
"""Runs with a lower first score skip the second stage, which saves time: most of a page's runs are menus."""
ENOUGH_PAGES: Final = 100
"""Training pages from which a script counts as known. Latin has well over a thousand, no other more than seventy, and
on those pages higher thresholds than for Latin gain (docs/design.md, "best")."""

_NOTHING: Final = np.zeros(0, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Linear:
    """Logistic regression over features standardised to mean 0 and deviation 1."""

    mean: NDArray[np.float32]
    scale: NDArray[np.float32]
    weight: NDArray[np.float32]
    base: float

    def probabilities(self, rows: Matrix) -> Column:
        """Returns the probability of every row."""
        raw = ((rows - self.mean) / self.scale) @ self.weight + self.base
        return (1.0 / (1.0 + np.exp(-np.clip(raw, -50, 50)))).astype(np.float32)


@dataclass(frozen=True, slots=True)
class ModelOutput:
    """The output of a model for a page's runs."""

    first: Column
    scores: Column
    """The probability of every run after the second stage."""
    group: tuple[int, ...]
    """The runs of `classic`'s first step."""
    known_script: bool = True
    """Whether the model has enough training pages in this page's script."""
    article: tuple[int, ...] = ()
    """The runs that Boilerpipe's article recipe keeps."""


@dataclass(frozen=True)
class Model:
    """What was learned: the weights of names, two stages of trees, and Dragnet's regression."""

    names: Mapping[str, float]
    first: Trees
    second: Trees
    dragnet: Linear
    scripts: Mapping[str, int] = field(default_factory=dict)
    """The number of training pages in each script."""

    @cached_property
    def _weigh(self) -> Weigher:
        return weigher(self.names)

    def judge(self, page: Page) -> ModelOutput:
        """Returns the scores of both stages for every run of `page`, and the choice of `classic`."""
        if not page.runs:
            return ModelOutput(_NOTHING, _NOTHING, ())
        look = look_at(page)
        return self.judge_rows(look, page_features(look, self._weigh))

    def judge_rows(self, look: PageFeatures, rows: Matrix) -> ModelOutput:
        """Returns what `judge` returns, for a page with at least one run. `rows` is the matrix of its `FEATURES`."""
        first = self.first.probabilities(rows)
        known = self.scripts.get(script_of(look.page), 0) >= ENOUGH_PAGES
        scores = self.second_scores(look, rows, first)
        return ModelOutput(first, scores, look.group, known, look.article)

    def second_scores(self, look: PageFeatures, rows: Matrix, first: Column) -> Column:
        """Runs the second stage for all runs that the first does not rule out."""
        open_runs = np.flatnonzero(first >= RULED_OUT)
        scores = first.copy()
        scores[open_runs] = self.second.probabilities(second_rows(look, rows, first)[open_runs])
        return scores

    def scores(self, page: Page) -> Column:
        """Returns, for every run of `page`, the probability that it is the article's text."""
        return self.judge(page).scores


def second_rows(look: PageFeatures, rows: Matrix, first_scores: Column) -> Matrix:
    """Returns the input of the second stage: that of the first, and the first scores around."""
    return np.concatenate([rows.T, context_features(look, first_scores).T]).T


@cache
def load() -> Model:
    """Returns the weights in the package."""
    return unpack((files("newscrawl.extraction.learned") / WEIGHTS_FILE).read_bytes())


def unpack(data: bytes) -> Model:
    """Returns a model from the bytes of its file."""
    with np.load(io.BytesIO(data), allow_pickle=False) as stored:
        arrays = dict(stored)
    names = dict(zip(_words(arrays["names/words"]), arrays["names/weights"].tolist(), strict=True))
    scripts = dict(zip(_words(arrays["scripts/names"]), arrays["scripts/pages"].tolist(), strict=True))
    return Model(names, _trees(arrays, "first"), _trees(arrays, "second"), _linear(arrays), scripts)


def pack(model: Model) -> bytes:
    """Returns the file of a model. Equal models give equal bytes."""
    words, scripts = sorted(model.names), sorted(model.scripts)
    arrays: dict[str, NDArray[np.generic]] = {
        "names/words": np.frombuffer("\n".join(words).encode(), dtype=np.uint8),
        "names/weights": np.array([model.names[word] for word in words], dtype=np.float32),
        "scripts/names": np.frombuffer("\n".join(scripts).encode(), dtype=np.uint8),
        "scripts/pages": np.array([model.scripts[script] for script in scripts], dtype=np.int32),
    }
    parts: dict[str, Trees | Linear] = {"first": model.first, "second": model.second, "dragnet": model.dragnet}
    for name, part in parts.items():
        arrays |= {f"{name}/{field.name}": np.array(getattr(part, field.name)) for field in fields(part)}
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def _words(stored: NDArray[np.generic]) -> list[str]:
    return stored.tobytes().decode().split("\n") if stored.size else []


def _trees(arrays: Mapping[str, NDArray[np.generic]], name: str) -> Trees:
    part = {field.name: arrays[f"{name}/{field.name}"] for field in fields(Trees)}
    return Trees(**part | {"base": float(part["base"].item())})  # type: ignore[arg-type]


def _linear(arrays: Mapping[str, NDArray[np.generic]]) -> Linear:
    part = {field.name: arrays[f"dragnet/{field.name}"] for field in fields(Linear)}
    return Linear(**part | {"base": float(part["base"].item())})  # type: ignore[arg-type]


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
