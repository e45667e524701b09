"""Boosted decision trees as plain arrays, evaluated for many runs and all trees at once.

Lucchese et al., "QuickScorer: a fast algorithm to rank documents with additive ensembles of regression trees", SIGIR
2015: no tree is walked. A leaf is struck if a test fails that has it on its left, and the first leaf left is the one in
which a walk would have ended. Here a bit is a run, so that one operation strikes a leaf for eight runs, and each
different test is made once for all trees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from newscrawl.extraction.learned.features import Matrix
from newscrawl.extraction.learned.text import Column

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
