"""Features of each run's place in the tree: tags, names, groups of runs under one ancestor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from newscrawl.extraction.learned.character_stats import Column
from newscrawl.extraction.learned.names import GROUPS, NAME_KEYS, names_among
from newscrawl.extraction.learned.text import Texts
from newscrawl.page import Page
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
        tag, values_of = page.elements.tag, page.elements.reader()
        used = _ancestry(page.elements.parent, [run.element for run in page.runs])
        number = np.zeros(len(tag) + 1, dtype=np.int64)  # its last place is that of NO_PARENT, which is -1
        number[used] = np.arange(1, len(used) + 1)
        known: dict[tuple[str | None, ...] | None, tuple[int, tuple[str, ...], str]] = {None: (0, (), "")}
        numbers: dict[tuple[str, ...], int] = {(): 0}
        named, own, classes = [0], [0], [""]
        for element in used:
            values = values_of(element, NAME_KEYS)
            read = known.get(values)
            if read is None:
                read = known[values] = (*names_among(values), (values and values[_CLASS]) or "")
            groups, words, its_class = (0, (), read[2]) if tag[element] in _NAMELESS else read
            named.append(numbers.setdefault(words, len(numbers)))
            own.append(groups)
            classes.append(its_class)
        self.names, self.named, self._classes = list(numbers), named, classes
        """The words of each set of names; the number of each element's set; its class."""
        self.of_run: Integers = number[[run.element for run in page.runs]]
        self.tags: Integers = np.array([0, *(tag[element] for element in used)], dtype=np.int64)
        self.parents: Integers = np.concatenate([[0], number[[page.elements.parent[element] for element in used]]])
        self.own: Integers = np.array(own, dtype=np.int64)
        self._sum_up(np.array([0, *(_TAG_BITS.get(tag[element], 0) for element in used)], dtype=np.int64))

    def _sum_up(self, tag_bits: Integers) -> None:
        """Sets, for each element, its depth, the bits of its names and tags with those above, and the last element
        inside it. After each step twice as many ancestors have been counted, so deep trees need few steps."""
        size = len(self.parents)
        self.depth, self.names_above, self.tags_above = (np.arange(size) > 0).astype(np.int64), self.own, tag_bits
        self._last, above = np.arange(size), self.parents
        while above.any():
            self.depth = self.depth + self.depth[above]
            self.names_above = self.names_above | self.names_above[above]
            self.tags_above = self.tags_above | self.tags_above[above]
            np.maximum.at(self._last, above, self._last.copy())
            above = above[above]

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
        tags, classes, above = self.tags.tolist(), self._classes, self.parents.tolist()
        numbers: dict[tuple[int, str, int, str], int] = {}
        known: dict[int, int] = {}
        for element in self.of_run.tolist():
            if element not in known:
                parent = above[element]
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
    own = [_weights([table[word] for word in words if word in table]) for words in tree.names]
    means = np.array([(total / max(1, count), least) for total, count, least, _ in own]).astype(np.float32)
    paths, path_of = _paths(tree, own)
    named = np.array(tree.named, dtype=np.int64)
    total, count, least, most = np.array(paths).astype(np.float32)[np.array(path_of, dtype=np.int64)[tree.of_run]].T
    columns = [*means[named[tree.of_run]].T, *means[named[tree.parents[tree.of_run]]].T]
    return [*columns, total / np.maximum(count, 1), least, most]


_Weights: TypeAlias = tuple[float, int, float, float]
"""Sum, number, least and greatest of the weights of names."""


def _weights(weights: Sequence[float]) -> _Weights:
    return (sum(weights), len(weights), min(weights), max(weights)) if weights else (0.0, 0, 0.0, 0.0)


def _paths(tree: Tree, own: Sequence[_Weights]) -> tuple[list[_Weights], list[int]]:
    """Returns the weights of all names on a path from the root, for each different path, and each element's path."""
    paths: list[_Weights] = [(0.0, 0, 0.0, 0.0)]
    path_of = [0]
    known: dict[tuple[int, int], int] = {}
    for named, parent in zip(tree.named[1:], tree.parents[1:].tolist(), strict=True):
        path = path_of[parent]
        if own[named][1]:
            longer = known.get((path, named))
            if longer is None:
                (total, count, least, most), (more, names, lowest, highest) = paths[path], own[named]
                paths.append((total + more, count + names, min(least, lowest), max(most, highest)))
                longer = known[path, named] = len(paths) - 1
            path = longer
        path_of.append(path)
    return paths, path_of
