"""Features of each run's place in the tree: tags, names, groups of runs under one ancestor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from newscrawl.extraction.learned.character_stats import Column
from newscrawl.extraction.learned.names import GROUPS, NAME_KEYS, names_among
from newscrawl.extraction.learned.text import Texts
from newscrawl.page import Page
from newscrawl.page.elements import NO_PARENT
from newscrawl.page.tags import TAG_NAMES

OWN_TAGS: Final = ("p", "div", "li", "td", "h1", "h2", "figcaption", "blockquote")
"""Tags of a run's element that are features."""
ABOVE_TAGS: Final = ("article main nav footer header aside figure figcaption ul table blockquote section p").split()
"""Tags of ancestors that are features."""
LEVELS: Final = (1, 2, 3, 4)
"""Ancestors whose subtrees are summed: parent, grandparent ..."""
MAX_DEPTH: Final = 60

TREE_FEATURES: Final = (
    "depth",
    *(f"is_{tag}" for tag in OWN_TAGS),
    *(f"in_{tag}" for tag in ABOVE_TAGS),
    *(f"near_{group}" for group in GROUPS),
    *(f"above_{group}" for group in GROUPS),
    *(f"{name}_{level}" for level in LEVELS for name in ("share", "prose_share", "log_runs", "link_density")),
    "like_runs",
    "like_prose",
    "like_links",
    "like_length",
)
WEIGHT_FEATURES: Final = (
    "own_weight",
    "own_least",
    "parent_weight",
    "parent_least",
    "path_weight",
    "path_least",
    "path_most",
)

_NAMELESS: Final = frozenset(TAG_NAMES.index(name) for name in ("html", "body"))
"""Tags whose names are ignored."""
_CLASS: Final = NAME_KEYS.index("class")
_TAG_BITS: Final = {TAG_NAMES.index(name): 1 << bit for bit, name in enumerate(ABOVE_TAGS)}
_OWN_TAGS: Final = np.array([TAG_NAMES.index(name) for name in OWN_TAGS])
Integers = NDArray[np.int64]


class Tree:
    """The elements with text below them, in document order and numbered again; each is visited once.

    Number 0 is no element: what is above the topmost.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        parent, tag, values_of = page.elements.parent, page.elements.tag, page.elements.reader()
        used = _ancestry(parent, [run.element for run in page.runs])
        number = {NO_PARENT: 0} | {element: count for count, element in enumerate(used, 1)}
        words: list[tuple[str, ...]] = [()]
        classes = [""]
        parents, depth, own, names_above, tags_above = [0], [0], [0], [0], [0]
        for element in used:
            outer, values = number[parent[element]], values_of(element, NAME_KEYS)
            groups, named = (0, ()) if values is None or tag[element] in _NAMELESS else names_among(values)
            classes.append((values and values[_CLASS]) or "")
            words.append(named)
            parents.append(outer)
            depth.append(depth[outer] + 1)
            own.append(groups)
            names_above.append(names_above[outer] | groups)
            tags_above.append(tags_above[outer] | _TAG_BITS.get(tag[element], 0))
        last = list(range(len(parents)))
        for place in range(len(last) - 1, 0, -1):
            last[parents[place]] = max(last[parents[place]], last[place])
        self.above, self.words, self._classes = parents, words, classes
        """The number of each element's parent, the words in its names, its class."""
        self.of_run: Integers = np.array([number[run.element] for run in page.runs], dtype=np.int64)
        rows = [parents, depth, [0, *(tag[element] for element in used)], own, names_above, tags_above, last]
        columns: Integers = np.array(rows, dtype=np.int64)
        self.parents, self.depth, self.tags, self.own, self.names_above, self.tags_above, self._last = columns
        """Columns by element; `_last` is the last element inside it."""

    @cached_property
    def ancestors(self) -> list[Integers]:
        """Returns, for every run, the numbers of its ancestors at `LEVELS`, or the topmost's if there are fewer."""
        element, levels = self.of_run, []
        for _ in LEVELS:
            above = self.parents[element]
            element = np.where(above > 0, above, element)
            levels.append(element)
        return levels

    def subtree_sums(self, values: Sequence[Column], of: Sequence[Integers]) -> list[list[Column]]:
        """Returns, for each row of elements, the sums of the runs' values over everything below them."""
        size = len(self.parents)
        running = [np.concatenate([[0.0], np.cumsum(np.bincount(self.of_run, value, size))]) for value in values]
        return [[(r[self._last[row] + 1] - r[row]).astype(np.float32) for r in running] for row in of]

    @cached_property
    def alike(self) -> Integers:
        """Returns numbers that are equal for runs in similar elements: same tag and classes, and so their parents."""
        tags, classes = self.tags.tolist(), self._classes
        numbers: dict[tuple[int, str, int, str], int] = {}
        known: dict[int, int] = {}
        for element in self.of_run.tolist():
            if element not in known:
                parent = self.above[element]
                mark = (tags[element], classes[element], tags[parent], classes[parent])
                known[element] = numbers.setdefault(mark, len(numbers))
        return np.array([known[element] for element in self.of_run.tolist()], dtype=np.int64)


def _ancestry(parent: Sequence[int], elements: Sequence[int]) -> list[int]:
    used: set[int] = set()
    for element in elements:
        while element >= 0 and element not in used:
            used.add(element)
            element = parent[element]
    return sorted(used)


def tree_features(tree: Tree, texts: Texts) -> list[Column]:
    """Returns the columns of `TREE_FEATURES`."""
    of_run = tree.of_run
    columns: list[Column] = [np.minimum(tree.depth[of_run], MAX_DEPTH).astype(np.float32)]
    columns += list((tree.tags[of_run] == _OWN_TAGS[:, None]).astype(np.float32))
    columns += _bits(tree.tags_above[of_run], len(ABOVE_TAGS))
    columns += _bits(tree.own[of_run] | tree.own[tree.ancestors[0]], len(GROUPS))
    columns += _bits(tree.names_above[of_run], len(GROUPS))
    linked = texts.characters * texts.linked
    values = (texts.characters, texts.prose, np.ones_like(linked), linked)
    for characters, prose, runs, links in tree.subtree_sums(values, tree.ancestors):
        columns += [
            characters / max(1.0, float(texts.characters.sum())),
            prose / max(1.0, float(texts.prose.sum())),
            np.log1p(runs),
            links / np.maximum(characters, 1),
        ]
    mean_length, mean_prose, mean_linked = group_means(tree.alike, texts.characters, texts.prose, linked)
    columns.append(np.log1p(np.bincount(tree.alike)[tree.alike]).astype(np.float32))
    columns += [mean_prose / np.maximum(mean_length, 1), mean_linked / np.maximum(mean_length, 1)]
    return [*columns, np.log1p(mean_length)]


def _bits(values: Integers, count: int) -> list[Column]:
    return list(((values >> np.arange(count)[:, None]) & 1).astype(np.float32))


def group_means(groups: Integers, *values: Column) -> list[Column]:
    """Returns, for every run, the mean of the values of its group."""
    counts = np.maximum(np.bincount(groups), 1)
    return [(np.bincount(groups, value) / counts)[groups].astype(np.float32) for value in values]


def name_weights(tree: Tree, table: Mapping[str, float]) -> list[Column]:
    """Returns the columns of `WEIGHT_FEATURES`: mean and extremes of the weights of a run's names and those above."""
    rows = np.array(_weigh_names(tree.words, tree.above, table), dtype=np.float64).astype(np.float32)
    own, parents = rows[tree.of_run], rows[tree.parents[tree.of_run]]
    total, count, least, most = own[:, 2:].T
    return [*own[:, :2].T, *parents[:, :2].T, total / np.maximum(count, 1), least, most]


def _weigh_names(
    words: Sequence[tuple[str, ...]], above: Sequence[int], table: Mapping[str, float]
) -> list[tuple[float, ...]]:
    """Returns, for every element, mean and least weight of its own names, and sum, number, least and greatest of all on
    the path to it."""
    known: dict[tuple[str, ...], tuple[float, int, float, float]] = {(): (0.0, 0, 0.0, 0.0)}
    rows: list[tuple[float, ...]] = []
    for named, parent in zip(words, above, strict=True):
        own = known.get(named)
        if own is None:
            weights = [table[word] for word in named if word in table]
            own = (sum(weights), len(weights), min(weights), max(weights)) if weights else known[()]
            known[named] = own
        total, count, least, most = own
        outer = rows[parent][2:] if rows else (0.0, 0.0, 0.0, 0.0)
        if count:
            outer = (outer[0] + total, outer[1] + count, min(outer[2], least), max(outer[3], most))
        rows.append((total / max(1, count), least, *outer))
    return rows
