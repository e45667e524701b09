"""Features of each run's place in the tree: tags, names, groups of runs under one ancestor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from newscrawl.extraction.learned.names import GROUPS, NAME_KEYS, names_among
from newscrawl.extraction.learned.signs import Column
from newscrawl.extraction.learned.text import Texts
from newscrawl.page import Page
from newscrawl.page.elements import NO_PARENT
from newscrawl.page.tags import TAG_NAMES

OWN_TAGS: Final = ("p", "div", "li", "td", "h1", "h2", "figcaption", "blockquote")
"""Names of a run's element that are features of their own."""
ABOVE_TAGS: Final = ("article main nav footer header aside figure figcaption ul table blockquote section p").split()
"""Ancestors that are features of their own."""
LEVELS: Final = (1, 2, 3, 4)
"""Ancestors whose subtrees are summed up: parent, grandparent ..."""
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

_BODY: Final = frozenset(TAG_NAMES.index(name) for name in ("html", "body"))
_CLASS: Final = NAME_KEYS.index("class")
_TAG_BITS: Final = {TAG_NAMES.index(name): 1 << bit for bit, name in enumerate(ABOVE_TAGS)}
_OWN_TAGS: Final = np.array([TAG_NAMES.index(name) for name in OWN_TAGS])
Integers = NDArray[np.int64]


class Tree:
    """The elements with text below them, in document order and numbered anew; each is looked at once.

    Number 0 is no element: what stands above the topmost.
    """

    def __init__(self, page: Page) -> None:
        elements = page.elements
        self.page = page
        of_run = [run.element for run in page.runs]
        self.used = _ancestry(elements.parent, of_run)
        """The elements' places in `Page.elements`."""
        number = {NO_PARENT: 0}
        self.words: list[tuple[str, ...]] = [()]
        """The words in each element's names."""
        self._classes = [""]
        parents, depth, own, above, tags, tags_above = [0], [0], [0], [0], [0], [0]
        for count, element in enumerate(self.used, 1):
            number[element] = count
            parent, tag = number[elements.parent[element]], elements.tag[element]
            values = elements.values(element, NAME_KEYS)
            groups, words = names_among(None if tag in _BODY else values)
            self._classes.append((values and values[_CLASS]) or "")
            parents.append(parent)
            tags.append(tag)
            own.append(groups)
            self.words.append(words)
            above.append(above[parent] | groups)
            tags_above.append(tags_above[parent] | _TAG_BITS.get(tag, 0))
            depth.append(depth[parent] + 1)
        self.above = parents
        """The number of each element's parent."""
        self.parents: Integers = np.array(parents, dtype=np.int64)
        self.of_run: Integers = np.array([number[element] for element in of_run], dtype=np.int64)
        self.depth, self.tags, self.own, self.names_above, self.tags_above = (
            np.array(column, dtype=np.int64) for column in (depth, tags, own, above, tags_above)
        )

    @cached_property
    def ancestors(self) -> list[Integers]:
        """For every run its parents' numbers at `LEVELS`, the topmost's where there are fewer."""
        found, levels = self.of_run, []
        for _ in LEVELS:
            above = self.parents[found]
            found = np.where(above > 0, above, found)
            levels.append(found)
        return levels

    def subtree_sums(self, values: Sequence[Column], of: Sequence[Integers]) -> list[list[Column]]:
        """For each row of elements, sums of the runs' values over everything below them."""
        size = len(self.parents)
        running = [np.concatenate([[0.0], np.cumsum(np.bincount(self.of_run, value, size))]) for value in values]
        return [[(r[self._last[row] + 1] - r[row]).astype(np.float32) for r in running] for row in of]

    @cached_property
    def _last(self) -> Integers:
        """For every element the last one inside it."""
        last, parents = list(range(len(self.above))), self.above
        for element in range(len(last) - 1, 0, -1):
            above = parents[element]
            if last[element] > last[above]:
                last[above] = last[element]
        return np.array(last, dtype=np.int64)

    @cached_property
    def alike(self) -> Integers:
        """Numbers that are equal for runs in elements alike: same tag and classes, and so their parents."""
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
    """The columns of `TREE_FEATURES`."""
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
    """For every run the mean of the values of its group."""
    counts = np.maximum(np.bincount(groups), 1)
    return [(np.bincount(groups, value) / counts)[groups].astype(np.float32) for value in values]


def name_weights(tree: Tree, table: Mapping[str, float]) -> list[Column]:
    """The columns of `WEIGHT_FEATURES`: what the words in the names of a run's elements weigh, mean and extremes."""
    known: dict[tuple[str, ...], tuple[float, int, float, float]] = {(): (0.0, 0, 0.0, 0.0)}
    own: list[tuple[float, float]] = []
    path: list[tuple[float, int, float, float]] = []
    for words, parent in zip(tree.words, tree.above, strict=True):
        found = known.get(words)
        if found is None:
            weights = [table[word] for word in words if word in table]
            found = (sum(weights), len(weights), min(weights), max(weights)) if weights else known[()]
            known[words] = found
        total, count, least, most = found
        if not count:
            own.append((0.0, 0.0))
            path.append(path[parent] if path else found)
            continue
        own.append((total / count, least))
        outer_total, outer_count, outer_least, outer_most = path[parent]
        path.append((outer_total + total, outer_count + count, min(outer_least, least), max(outer_most, most)))
    owns, paths = np.array(own, dtype=np.float32), np.array(path, dtype=np.float32)
    rows, above = owns[tree.of_run], owns[tree.parents[tree.of_run]]
    paths = paths[tree.of_run]
    return [*rows.T, *above.T, paths[:, 0] / np.maximum(paths[:, 1], 1), paths[:, 2], paths[:, 3]]
