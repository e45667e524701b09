"""All features of a page's runs as one matrix: a row a run, a column a feature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from newscrawl.extraction.justext import rules_for
from newscrawl.extraction.language import page_language
from newscrawl.extraction.learned.opinions import OPINION_FEATURES, opinion_features
from newscrawl.extraction.learned.text import OVERLAP_FEATURES, TEXT_FEATURES, Column, overlap_features, text_features
from newscrawl.extraction.learned.tree import TREE_FEATURES, WEIGHT_FEATURES, Tree, name_weights, tree_features
from newscrawl.page import Page
from newscrawl.page.run import (
    BLOCK_BEFORE,
    BREAK_BEFORE,
    HEADING,
    HIDDEN,
    IGNORED_BY_BOILERPIPE,
    IGNORED_BY_JUSTEXT,
    LIST_ITEM,
    PARAGRAPH_BEFORE,
)

Matrix = NDArray[np.floating[Any]]

FLAGS: Final = (
    HEADING,
    LIST_ITEM,
    IGNORED_BY_BOILERPIPE,
    IGNORED_BY_JUSTEXT,
    HIDDEN,
    BREAK_BEFORE,
    PARAGRAPH_BEFORE,
    BLOCK_BEFORE,
)
DENSITY_FEATURES: Final = ("tag_ratio", "code_ratio", "smooth_tag_ratio", "smooth_code_ratio", "smooth_prose")
PLACE_FEATURES: Final = (
    "place",
    "text_place",
    "after_headline",
    "from_headline",
    "log_page_runs",
    "log_page_characters",
)
SMOOTHING: Final = 2
"""Runs on both sides that a smoothed value sees (the radius of content-tag ratios in the seeds)."""
NEIGHBOURS: Final = (-2, -1, 1, 2)
SHIFTED: Final = (
    "log_characters",
    "linked_words",
    "stopwords",
    "ends_sentence",
    "boilerpipe_words",
    "boilerpipe_wide",
    "justext_alone",
    "is_p",
    "HEADING",
    "own_weight",
)
"""Features of which each run also sees its neighbours'."""

BASE_FEATURES: Final = (
    *TEXT_FEATURES,
    *OVERLAP_FEATURES,
    *TREE_FEATURES,
    *OPINION_FEATURES,
    "HEADING",
    *(f"flag_{bit}" for bit in FLAGS[1:]),
    *DENSITY_FEATURES,
    *PLACE_FEATURES,
)
FEATURES: Final = (*BASE_FEATURES, *WEIGHT_FEATURES, *(f"{name}{step:+d}" for name in SHIFTED for step in NEIGHBOURS))


def base_features(page: Page, tree: Tree) -> Matrix:
    """The columns of `BASE_FEATURES`: everything that does not depend on what was learned."""
    rules, stopwords = rules_for(page_language(page))
    columns = [
        *text_features(page, stopwords),
        *overlap_features(page),
        *tree_features(tree),
        *opinion_features(page, stopwords, rules),
        *_flags(page),
        *_densities(page),
        *_places(page),
    ]
    return np.stack(columns, axis=1)


def all_features(base: Matrix, weights: Sequence[Column]) -> Matrix:
    """The columns of `FEATURES`: the base, the learned weights of names, and the neighbours' values."""
    own = np.concatenate([base, np.stack(weights, axis=1)], axis=1)
    steps = shift(own[:, _SHIFTED], NEIGHBOURS).reshape(len(own), len(NEIGHBOURS), len(SHIFTED))
    return np.concatenate([own, steps.transpose(0, 2, 1).reshape(len(own), -1)], axis=1)


def shift(columns: Matrix, steps: Sequence[int], outside: float = -1.0) -> Matrix:
    """The values of the runs so many steps away, `outside` beyond the page's edges."""
    reach = max(map(abs, steps))
    padded = np.pad(columns, ((reach, reach), (0, 0)), constant_values=outside)
    return np.concatenate([padded[reach + step : reach + step + len(columns)] for step in steps], axis=1)


_SHIFTED: Final = [FEATURES.index(name) for name in SHIFTED]


def page_features(page: Page, table: Mapping[str, float]) -> tuple[Tree, Matrix]:
    """A page's tree and its matrix of `FEATURES`, with this table of learned weights of names."""
    tree = Tree(page)
    return tree, all_features(base_features(page, tree), name_weights(tree, table))


def _flags(page: Page) -> list[Column]:
    flags = np.array([run.flags for run in page.runs], dtype=np.int64)
    return [((flags & bit) > 0).astype(np.float32) for bit in FLAGS]


def smoothed(values: Column, radius: int = SMOOTHING) -> Column:
    """The mean of every value and its neighbours up to `radius` away."""
    window = np.ones(2 * radius + 1, dtype=np.float32)
    sums = np.convolve(values, window)[radius : radius + len(values)]
    counts = np.convolve(np.ones_like(values), window)[radius : radius + len(values)]
    return (sums / counts).astype(np.float32)


def _densities(page: Page) -> list[Column]:
    """Characters a tag and a character of mark-up (Weninger's content-tag ratio, DANAg's two lengths), and smoothed."""
    lengths = np.array([len(run.text) for run in page.runs], dtype=np.float32)
    tags = np.array([run.tags for run in page.runs], dtype=np.float32)
    code = np.array([run.code for run in page.runs], dtype=np.float32)
    unlinked = np.array([max(0, len(run.text) - run.link_characters) for run in page.runs], dtype=np.float32)
    return [
        np.log1p(lengths / np.maximum(tags, 1)),
        np.log1p(lengths / np.maximum(code, 1)),
        np.log1p(smoothed(lengths) / np.maximum(smoothed(tags), 1)),
        np.log1p(smoothed(lengths) / np.maximum(smoothed(code), 1)),
        np.log1p(smoothed(unlinked, 5)),
    ]


def _places(page: Page) -> list[Column]:
    size = len(page.runs)
    numbers = np.arange(size, dtype=np.float32)
    lengths = np.array([len(run.text) for run in page.runs], dtype=np.float32)
    headline = next(
        (i for i, run in enumerate(page.runs) if page.hints.headline and run.text == page.hints.headline), -1
    )
    if headline < 0:
        headline = next((i for i, run in enumerate(page.runs) if page.elements.name(run.element) == "h1"), -1)
    after = np.sign(numbers - headline) if headline >= 0 else np.zeros(size, dtype=np.float32)
    return [
        numbers / size,
        np.cumsum(lengths) / max(1.0, float(lengths.sum())),
        after.astype(np.float32),
        np.clip(numbers - headline, -40, 40).astype(np.float32) if headline >= 0 else np.full(size, -50, np.float32),
        np.full(size, np.log1p(size), np.float32),
        np.full(size, np.log1p(lengths.sum()), np.float32),
    ]
