"""The learned weights: one file in the package, read once a process when first needed."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

from newscrawl.extraction.learned.character_stats import Column
from newscrawl.extraction.learned.context import context_features
from newscrawl.extraction.learned.features import Matrix, PageFeatures, look_at, page_features
from newscrawl.extraction.learned.scripts import script_of
from newscrawl.extraction.learned.tree import Weigher, weigher
from newscrawl.extraction.learned.trees import Trees
from newscrawl.page import Page

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
        return ModelOutput(first, scores, look.votes.group, known, look.votes.article)

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
