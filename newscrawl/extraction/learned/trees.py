"""Boosted decision trees as plain arrays, evaluated for all runs and all trees at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from newscrawl.extraction.learned.features import Matrix
from newscrawl.extraction.learned.text import Column


@dataclass(frozen=True, slots=True)
class Trees:
    """An ensemble: the nodes of all trees in one table. A leaf points to itself on both sides."""

    roots: NDArray[np.int32]
    """Node number of each tree's root."""
    feature: NDArray[np.int32]
    """Column a node looks at."""
    threshold: NDArray[np.float32]
    """Up to and with it a run goes left."""
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    value: NDArray[np.float32]
    """What a leaf adds to the log-odds."""
    base: float
    """Log-odds before any tree."""
    depth: int
    """Steps from a root to its deepest leaf."""

    def probabilities(self, rows: Matrix) -> Column:
        """The probability of every row."""
        flat = np.ascontiguousarray(rows).ravel()
        start = (np.arange(len(rows), dtype=np.int32) * rows.shape[1])[:, None]
        node = np.broadcast_to(self.roots, (len(rows), len(self.roots)))
        for _ in range(self.depth):
            goes_left = flat[start + self.feature[node]] <= self.threshold[node]
            node = np.where(goes_left, self.left[node], self.right[node])
        raw = self.base + self.value[node].sum(axis=1, dtype=np.float64)
        probabilities: Column = (1.0 / (1.0 + np.exp(-raw))).astype(np.float32)
        return probabilities
