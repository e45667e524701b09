"""Features of the second stage: the first scores around a run, in its group and on the whole page."""

from __future__ import annotations

from typing import Final

import numpy as np

from newscrawl.extraction.learned.character_stats import Column
from newscrawl.extraction.learned.features import Matrix, PageFeatures, shift, smoothed
from newscrawl.extraction.learned.tree import LEVELS, group_means

NEAR: Final = (-3, -2, -1, 1, 2, 3)
RADII: Final = (3, 8)
LIKELY: Final = 0.5
FAR: Final = 30

CONTEXT_FEATURES: Final = (
    "score",
    *(f"score{step:+d}" for step in NEAR),
    *(f"score_within_{radius}" for radius in RADII),
    "alike_score",
    "alike_text_score",
    *(f"{name}_{level}" for level in LEVELS for name in ("mass", "text_score")),
    "mass_before",
    "mass_share",
    "before_first",
    "after_last",
    "cluster_mass",
    "cluster_rank",
    "highest",
    "mass_of_group",
)


def context_features(look: PageFeatures, scores: Column) -> Matrix:
    """Returns the columns of `CONTEXT_FEATURES` for a page's first scores (probabilities)."""
    lengths, tree = look.texts.characters, look.tree
    mass = scores * lengths
    total, group = max(1.0, float(mass.sum())), look.votes.group
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
