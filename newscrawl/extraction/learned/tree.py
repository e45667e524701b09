"""Features of each run's place in the tree: tags, names, groups of runs under one ancestor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from newscrawl.extraction.learned.names import GROUPS, groups_of, words_of
from newscrawl.extraction.learned.text import Column
from newscrawl.page import Page
from newscrawl.page.tags import TAG_NAMES

OWN_TAGS: Final = ("p", "div", "li", "td", "h1", "h2", "h3", "h4", "figcaption", "blockquote", "time", "section", "dd")
"""Names of a run's element that are features of their own."""
ABOVE_TAGS: Final = (
    "article main nav footer header aside figure figcaption ul table form blockquote section button label noscript p"
).split()
"""Ancestors that are features of their own."""
LEVELS: Final = (1, 2, 3, 4)
"""Ancestors whose subtrees are summed up: parent, grandparent ..."""
GROUP_SUMS: Final = ("characters", "prose", "runs", "links")
MAX_DEPTH: Final = 60

TREE_FEATURES: Final = (
    "depth",
    *(f"is_{tag}" for tag in OWN_TAGS),
    *(f"in_{tag}" for tag in ABOVE_TAGS),
    *(f"own_{group}" for group in GROUPS),
    *(f"parent_{group}" for group in GROUPS),
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

_BODY: Final = frozenset(TAG_NAMES.index(name) for name in ("html", "body"))
Integers = NDArray[np.int64]


class Tree:
    """The elements around a page's runs; each is looked at once."""

    def __init__(self, page: Page) -> None:
        elements = page.elements
        self.page = page
        self.parents: Integers = np.array(elements.parent, dtype=np.int64)
        self.of_run: Integers = np.array([run.element for run in page.runs], dtype=np.int64)
        self.used = self._ancestry(elements.parent)
        """Elements with text below them, in document order."""
        self.depth: dict[int, int] = {}
        self.own: dict[int, int] = {}
        self.above: dict[int, int] = {}
        self.tags_above: dict[int, int] = {}
        for element in self.used:
            self._enter(element)

    def _ancestry(self, parent: Sequence[int]) -> list[int]:
        used: set[int] = set()
        for element in set(self.of_run.tolist()):
            while element >= 0 and element not in used:
                used.add(element)
                element = parent[element]
        return sorted(used)

    def _enter(self, element: int) -> None:
        """What holds for an element, from its parent's."""
        elements = self.page.elements
        parent, tag = elements.parent[element], elements.tag[element]
        self.own[element] = 0 if tag in _BODY else groups_of(elements, element)
        self.above[element] = self.above.get(parent, 0) | self.own[element]
        self.tags_above[element] = self.tags_above.get(parent, 0) | _TAG_BITS.get(tag, 0)
        self.depth[element] = self.depth.get(parent, 0) + 1

    def ancestors(self, level: int) -> Integers:
        """Every run's ancestor so many steps above its element, the topmost where there are fewer."""
        found = self.of_run
        for _ in range(level):
            above = self.parents[found]
            found = np.where(above >= 0, above, found)
        return found

    def subtree_sums(self, values: Sequence[Column], of: Integers) -> list[Column]:
        """For the elements `of`, sums of run values over everything below each of them."""
        sums = []
        for value in values:
            running = np.concatenate([[0.0], np.cumsum(np.bincount(self.of_run, value, len(self.parents)))])
            sums.append((running[self._last[of] + 1] - running[of]).astype(np.float32))
        return sums

    @cached_property
    def _last(self) -> Integers:
        """For every element the last one with text inside it."""
        parent = self.page.elements.parent
        last = list(range(len(parent)))
        for element in reversed(self.used):
            above = parent[element]
            if above >= 0 and last[element] > last[above]:
                last[above] = last[element]
        return np.array(last, dtype=np.int64)


_TAG_BITS: Final = {TAG_NAMES.index(name): 1 << bit for bit, name in enumerate(ABOVE_TAGS)}


def tree_features(tree: Tree) -> list[Column]:
    """The columns of `TREE_FEATURES`."""
    page = tree.page
    of_run = tree.of_run.tolist()
    tags = np.array([page.elements.tag[e] for e in of_run])
    columns: list[Column] = [np.array([min(tree.depth[e], MAX_DEPTH) for e in of_run], dtype=np.float32)]
    columns += [(tags == TAG_NAMES.index(name)).astype(np.float32) for name in OWN_TAGS]
    columns += _bits([tree.tags_above[e] for e in of_run], len(ABOVE_TAGS))
    columns += _bits([tree.own[e] for e in of_run], len(GROUPS))
    columns += _bits([tree.own[e] for e in tree.ancestors(1).tolist()], len(GROUPS))
    columns += _bits([tree.above[e] for e in of_run], len(GROUPS))
    characters = np.array([len(run.text) for run in page.runs], dtype=np.float32)
    linked = np.array([min(run.link_characters, len(run.text)) for run in page.runs], dtype=np.float32)
    prose = np.array(
        [len(run.text) if run.words >= 10 and not run.linked_words * 2 > run.words else 0 for run in page.runs],
        dtype=np.float32,
    )
    for level in LEVELS:
        columns += _group(tree, tree.ancestors(level), (characters, prose, np.ones_like(prose), linked))
    return columns + _alike(page, of_run, characters, prose, linked)


def _bits(values: Sequence[int], count: int) -> list[Column]:
    bits = np.array(values, dtype=np.int64)
    return [((bits >> bit) & 1).astype(np.float32) for bit in range(count)]


def _group(tree: Tree, ancestors: Integers, values: Sequence[Column]) -> list[Column]:
    """What stands below one ancestor of each run, as shares of the page."""
    characters, prose, runs, linked = tree.subtree_sums(values, ancestors)
    return [
        characters / max(1.0, float(values[0].sum())),
        prose / max(1.0, float(values[1].sum())),
        np.log1p(runs),
        linked / np.maximum(characters, 1),
    ]


def signatures(page: Page, of_run: Sequence[int]) -> Integers:
    """Numbers that are equal for runs in elements alike: same tag and classes, and so their parents."""
    elements, known = page.elements, {}
    numbers: dict[tuple[int, str, int, str], int] = {}
    for element in of_run:
        if element not in known:
            parent = max(elements.parent[element], 0)
            mark = (
                elements.tag[element],
                elements.attributes[element].get("class", ""),
                elements.tag[parent],
                elements.attributes[parent].get("class", ""),
            )
            known[element] = numbers.setdefault(mark, len(numbers))
    return np.array([known[element] for element in of_run], dtype=np.int64)


def group_means(groups: Integers, *values: Column) -> list[Column]:
    """For every run the mean of the values of its group."""
    counts = np.maximum(np.bincount(groups), 1)
    return [(np.bincount(groups, value) / counts)[groups].astype(np.float32) for value in values]


def _alike(page: Page, of_run: Sequence[int], characters: Column, prose: Column, linked: Column) -> list[Column]:
    groups = signatures(page, of_run)
    mean_length, mean_prose, mean_linked = group_means(groups, characters, prose, linked)
    return [
        np.log1p(np.bincount(groups)[groups]).astype(np.float32),
        mean_prose / np.maximum(mean_length, 1),
        mean_linked / np.maximum(mean_length, 1),
        np.log1p(mean_length),
    ]


def name_weights(tree: Tree, table: Mapping[str, float]) -> list[Column]:
    """The columns of `WEIGHT_FEATURES`: what the words in the names of a run's elements weigh, mean and extremes."""
    own: dict[int, tuple[float, float]] = {-1: (0.0, 0.0)}
    path: dict[int, tuple[float, int, float, float]] = {-1: (0.0, 0, 0.0, 0.0)}
    for element in tree.used:
        parent = tree.page.elements.parent[element]
        body = tree.page.elements.tag[element] in _BODY
        known = [] if body else [table[word] for word in words_of(tree.page.elements, element) if word in table]
        own[element] = (sum(known) / len(known), min(known)) if known else (0.0, 0.0)
        total, count, least, most = path[parent]
        path[element] = (total + sum(known), count + len(known), min([least, *known]), max([most, *known]))
    rows = []
    for element in tree.of_run.tolist():
        total, count, least, most = path[element]
        parent = tree.page.elements.parent[element]
        rows.append((*own[element], *own[parent], total / count if count else 0.0, least, most))
    return list(np.array(rows, dtype=np.float32).reshape(len(rows), len(WEIGHT_FEATURES)).T)
