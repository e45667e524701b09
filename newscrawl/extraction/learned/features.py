"""All features of a page's runs as one matrix with a row for each run and a column for each feature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from newscrawl.extraction.article_group import select_from
from newscrawl.extraction.boilerpipe.recipes import select_wide_and_article
from newscrawl.extraction.justext import DEFAULT_RULES
from newscrawl.extraction.language import declared_language, page_language, sample_text, stop_words
from newscrawl.extraction.learned.text import (
    OVERLAP_FEATURES,
    TEXT_FEATURES,
    Column,
    Texts,
    overlap_features,
    text_features,
    tokens,
)
from newscrawl.extraction.learned.tree import TREE_FEATURES, WEIGHT_FEATURES, Tree, Weigher, name_weights, tree_features
from newscrawl.page import Page
from newscrawl.page.run import (
    BREAK_BEFORE,
    HEADING,
    IGNORED_BY_BOILERPIPE,
    LIST_ITEM,
)
from newscrawl.page.tags import TAG_NAMES

NEAR: Final = 20
"""Distances are counted up to this number of runs."""

VOTE_FEATURES: Final = (
    "boilerpipe_wide",
    "boilerpipe_article",
    "classic_group",
    "justext_alone",
    "before_article",
    "after_article",
    "before_group",
    "after_group",
    "of_wide",
    "of_group",
)


def _votes(look: PageFeatures) -> list[Column]:
    """Returns the columns of `VOTE_FEATURES`, one value for each run."""
    texts = look.texts
    size = len(texts.texts)
    wide, article, group = (_marks(size, runs) for runs in (look.wide, look.article, look.group))
    total = max(1.0, float(texts.characters.sum()))
    return [
        wide,
        article,
        group,
        _justext(texts),
        *_distances(size, look.article),
        *_distances(size, look.group),
        np.full(size, float(texts.characters @ wide) / total, dtype=np.float32),
        np.full(size, float(texts.characters @ group) / total, dtype=np.float32),
    ]


def _marks(size: int, runs: Sequence[int]) -> Column:
    column = np.zeros(size, dtype=np.float32)
    column[list(runs)] = 1
    return column


def _distances(size: int, chosen: Sequence[int]) -> list[Column]:
    """Returns the runs to the first and from the last chosen one; negative inside."""
    numbers = np.arange(size, dtype=np.float32)
    first, last = (chosen[0], chosen[-1]) if chosen else (0, size)
    return [np.clip(first - numbers, -NEAR, NEAR), np.clip(numbers - last, -NEAR, NEAR)]


def _justext(texts: Texts) -> Column:
    """Returns jusText's class of each run by itself: bad 0, short 1, near-good 2, good 3.

    Its second stage, which uses the neighbours, is left to the second trees (docs/explanation/learned.md).
    """
    rules, lengths, linked = DEFAULT_RULES, texts.characters, texts.linked > 0
    good = np.where(lengths > rules.length_high, 3, 2)
    by_words = np.where(
        texts.stopwords >= rules.stopwords_high, good, np.where(texts.stopwords >= rules.stopwords_low, 2, 0)
    )
    classes = np.where(lengths < rules.length_low, np.where(linked, 0, 1), by_words)
    return np.where(texts.linked > rules.max_link_density, 0, classes).astype(np.float32)


Matrix = NDArray[np.floating[Any]]

FLAGS: Final = (HEADING, LIST_ITEM, IGNORED_BY_BOILERPIPE, BREAK_BEFORE)
"""The flags that are features. `hidden` is not among them: no tree has used it, and reading it takes a look at every
element around a run."""
DENSITY_FEATURES: Final = ("tag_ratio", "smooth_tag_ratio", "smooth_prose")
PLACE_FEATURES: Final = (
    "place",
    "text_place",
    "after_headline",
    "from_headline",
    "log_page_runs",
    "log_page_characters",
)
SMOOTHING: Final = 2
"""Runs on both sides of a smoothed value (the radius with which content-tag ratios are smoothed)."""
SAMPLE_CHARACTERS: Final = 600
"""Characters of text that must confirm the declared language."""
BORNE_OUT: Final = 0.25
"""The least share of stop words that confirms it. Running text has .3 and more (jusText's limits)."""
UNDECLARED: Final = "en"
"""The language that is tried before the page's language is detected."""
NEIGHBOURS: Final = (-2, -1, 1, 2)
SHIFTED: Final = (
    "log_characters",
    "linked_words",
    "stopwords",
    "boilerpipe_wide",
    "classic_group",
    "HEADING",
    "own_weight",
)
"""Features of which each run also has its neighbours' values."""

BASE_FEATURES: Final = (
    *TEXT_FEATURES,
    *OVERLAP_FEATURES,
    *TREE_FEATURES,
    *VOTE_FEATURES,
    "HEADING",
    *(f"flag_{bit}" for bit in FLAGS[1:]),
    *DENSITY_FEATURES,
    *PLACE_FEATURES,
)
FEATURES: Final = (*BASE_FEATURES, *WEIGHT_FEATURES, *(f"{name}{step:+d}" for name in SHIFTED for step in NEIGHBOURS))


@dataclass(frozen=True, slots=True)
class PageFeatures:
    """The inputs of all features of a page, computed once."""

    page: Page
    tree: Tree
    texts: Texts
    wide: tuple[int, ...]
    article: tuple[int, ...]
    """The runs that Boilerpipe's wide and article recipe keep."""
    group: tuple[int, ...]
    """Those of the first step of `classic`: its tree filter's group."""


def look_at(page: Page) -> PageFeatures:
    """Returns tree, texts and the other algorithms' results of a page with at least one run."""
    wide, article = select_wide_and_article(page)
    texts = Texts(page, _stop_words(page))
    return PageFeatures(page, Tree(page), texts, wide, article, select_from(page, wide, article))


def _stop_words(page: Page) -> frozenset[str]:
    """Returns the stop words of the declared language (English without one) if the text confirms it, else of the
    detected one.

    Detecting the language costs as much as half of all features.
    """
    declared = declared_language(page)
    sample = tokens(sample_text(page)[:SAMPLE_CHARACTERS])
    words = stop_words(declared or UNDECLARED)
    if words and sum(map(words.__contains__, sample)) >= BORNE_OUT * max(1, len(sample)):
        return words
    return stop_words(page_language(page)) or frozenset()


def base_features(look: PageFeatures) -> Matrix:
    """Returns the columns of `BASE_FEATURES`: all features that do not depend on learned weights."""
    columns = [
        *text_features(look.texts),
        *overlap_features(look.texts),
        *tree_features(look.tree, look.texts),
        *_votes(look),
        *_flags(look.page),
        *_densities(look),
        *_places(look),
    ]
    return np.array(columns, dtype=np.float32).T


def all_features(base: Matrix, weights: Sequence[Column]) -> Matrix:
    """Returns the columns of `FEATURES`: the base, the learned weights of names, and the neighbours' values."""
    own = np.concatenate([base.T, np.array(weights)])
    return np.concatenate([own, *shift(own[_SHIFTED], NEIGHBOURS)]).T


def shift(columns: Matrix, steps: Sequence[int], outside: float = -1.0) -> Matrix:
    """Returns, for each column (here a row), the values of the runs so many steps away, `outside` beyond the page's
    edges: a row a step."""
    reach, size = max(map(abs, steps)), columns.shape[1]
    padded = np.full((len(columns), size + 2 * reach), outside, dtype=columns.dtype)
    padded[:, reach : reach + size] = columns
    return np.stack([padded[:, reach + step : reach + step + size] for step in steps], axis=1)


_SHIFTED: Final = [FEATURES.index(name) for name in SHIFTED]


def page_features(look: PageFeatures, weigh: Weigher) -> Matrix:
    """Returns a page's matrix of `FEATURES`, with these learned weights of names."""
    return all_features(base_features(look), name_weights(look.tree, weigh))


def _flags(page: Page) -> list[Column]:
    flags = np.array([run.flags for run in page.runs], dtype=np.int64)
    return list(((flags & np.array(FLAGS)[:, None]) > 0).astype(np.float32))


def smoothed(values: Column, radius: int = SMOOTHING) -> Column:
    """Returns the mean of every value and its neighbours up to `radius` away."""
    window = np.ones(2 * radius + 1, dtype=np.float32)
    sums = np.convolve(values, window)[radius : radius + len(values)]
    counts = np.convolve(np.ones_like(values), window)[radius : radius + len(values)]
    return (sums / counts).astype(np.float32)


def _densities(look: PageFeatures) -> list[Column]:
    """Returns the characters for each tag (Weninger's content-tag ratio), plain and smoothed.

    DANAg's length of code is left out, because it requires all attributes of the page.
    """
    lengths = look.texts.characters
    tags = np.array([run.tags for run in look.page.runs], dtype=np.float32)
    return [
        np.log1p(lengths / np.maximum(tags, 1)),
        np.log1p(smoothed(lengths) / np.maximum(smoothed(tags), 1)),
        np.log1p(smoothed(lengths * (1 - look.texts.linked), 5)),
    ]


def _places(look: PageFeatures) -> list[Column]:
    size, lengths = len(look.page.runs), look.texts.characters
    numbers = np.arange(size, dtype=np.float32)
    headline = _headline(look)
    if headline is None:
        after, distance = np.zeros(size), np.full(size, -50.0)
    else:
        after, distance = np.sign(numbers - headline), np.clip(numbers - headline, -40, 40)
    total = float(lengths.sum())
    return [
        numbers / size,
        np.cumsum(lengths) / max(1.0, total),
        after,
        distance,
        np.full(size, np.log1p(size)),
        np.full(size, np.log1p(total)),
    ]


def _headline(look: PageFeatures) -> int | None:
    """Returns the run that is the headline, else the first h1."""
    headline = look.page.hints.headline
    if headline and headline in look.texts.texts:
        return look.texts.texts.index(headline)
    first_level = np.flatnonzero(look.tree.tags[look.tree.of_run] == _H1)
    return int(first_level[0]) if len(first_level) else None


_H1: Final = TAG_NAMES.index("h1")
