"""Features of each run's place in the tree: tags, names of elements, groups of runs under one ancestor."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import repeat
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from newscrawl.extraction.learned.text import Column, Texts
from newscrawl.page import Page
from newscrawl.page.elements import NO_PARENT, Elements
from newscrawl.page.tags import TAG_NAMES

MAX_NAMES: Final = 400
"""Characters of an element's names that are read. Generated class lists can be longer than the article."""

NAME_KEYS: Final = ("id", "class", "role", "itemprop")
"""Attributes with an element's names, in the order in which `names_among` takes their values."""

_WORD: Final = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}")

Names: TypeAlias = tuple[int, tuple[str, ...]]
"""Bits of the `GROUPS` that an element's names match, and the words in them."""

GROUPS: Final[Mapping[str, re.Pattern[str]]] = {
    name: re.compile(pattern)
    for name, pattern in {
        "body": r"article-?_?(?:body|text|content)|story-?_?(?:body|text|content)|entry-?_?content"
        r"|post-?_?(?:content|body)|articlebody|body-?copy|main-?text|rich-?text",
        "article": r"article|story|entry|post|content|main|text|body",
        "comment": r"comment(?!ary)|disqus|livefyre|respond|reply|forum",
        "share": r"share|sharing|social|follow|facebook|twitter|addthis|whatsapp",
        "related": r"related|recommend|more-?_?(?:stories|news|from|on)|read-?_?(?:more|also|next)|similar|trending"
        r"|popular|most|latest|teaser|promo|recirc|outbrain|taboola|also|see-?also|zergnet|suggest",
        "caption": r"caption|credit|photo|image|picture|gallery|media|slide|video|legend|wp-caption",
        "byline": r"byline|author|writer|contributor|reporter|autor|auteur|bio|profile|avatar",
        "date": r"date|time|publish|updated|timestamp|dateline",
        "title": r"title|headline|heading|kicker|titre|titulo",
        "lead": r"lead|lede|intro|standfirst|summary|excerpt|deck|dek|subtitle|teaser|abstract|chapeau",
        "nav": r"nav|menu|breadcrumb|crumb|tab|toolbar|pagination|pager|skip|topbar",
        "foot": r"foot|copyright|legal|disclaimer|terms|cookie|consent|gdpr|privacy",
        "side": r"side|aside|widget|rail|column|module|box|secondary",
        "advert": r"\bad\b|\bads\b|advert|sponsor|banner|promo|dfp|commercial|partner",
        "subscribe": r"newsletter|subscri|sign-?_?up|register|login|paywall"
        r"|donat|support|member|form|modal|popup|overlay",
        "tag": r"\btags?\b|topic|keyword|categor|label|section-?name",
        "quote": r"quote|pullquote|blockquote|tweet|embed|instagram",
    }.items()
}
"""Kinds of elements by their names, after the lists of readability tools, extended by words of the training pages."""


def words_of(elements: Elements, element: int) -> tuple[str, ...]:
    """Returns the words in an element's names, in lower case, each once, in alphabetical order."""
    return names_of(elements, element)[1]


def names_of(elements: Elements, element: int) -> Names:
    """Returns the bits of the `GROUPS` that an element's own names match, and their words."""
    return names_among(elements.values(element, NAME_KEYS))


def names_among(values: Sequence[str | None] | None) -> Names:
    """Returns the same from the values of an element's `NAME_KEYS`; None stands for an element without attributes."""
    return _read(" ".join([value[:MAX_NAMES] for value in values if value])) if values else (0, ())


@lru_cache(maxsize=8192)
def _read(joined: str) -> Names:
    words = {word.lower() for word in _WORD.findall(joined)}
    lowered = joined.lower()
    groups = sum(1 << bit for bit, pattern in enumerate(GROUPS.values()) if pattern.search(lowered))
    return groups, tuple(sorted(words))


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

_NAMELESS: Final = np.array([name in {"html", "body"} for name in TAG_NAMES])
"""Which tags' names are ignored."""
_CLASS: Final = NAME_KEYS.index("class")
_NAME_BITS: Final = (1 << len(GROUPS)) - 1
_TAG_BITS: Final = np.array([name in ABOVE_TAGS and _NAME_BITS + 1 << ABOVE_TAGS.index(name) for name in TAG_NAMES])
"""A bit for each tag that is a feature of all elements below it. They are beyond those of names."""
_OWN_TAGS: Final = np.array([TAG_NAMES.index(name) for name in OWN_TAGS])
Integers = NDArray[np.int64]
Number = TypeVar("Number", bound="np.number[Any]")


class Tree:
    """The elements with text below them, in document order and numbered again; each is visited once.

    Number 0 is no element: what is above the topmost.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        elements, of_run = page.elements, [run.element for run in page.runs]
        used = _ancestry(elements.parent, of_run)
        number = np.zeros(len(elements.tag) + 1, dtype=np.int64)  # its last place is that of NO_PARENT, which is -1
        number[used] = np.arange(1, len(used) + 1)
        self.of_run: Integers = number[of_run]
        self.parents: Integers = np.concatenate([[0], number[[elements.parent[element] for element in used]]])
        self.tags: Integers = np.array([0, *[elements.tag[element] for element in used]])
        sets = _Numbers({None: 0})  # of the values of attributes with names, and their numbers
        set_of_element = map(sets.__getitem__, map(elements.reader(), used, repeat(NAME_KEYS)))
        self._set: Integers = np.array([0, *set_of_element])
        classes = _Numbers()
        class_of_set = np.array([classes[(values and values[_CLASS]) or ""] for values in sets])
        self._looks: Integers = class_of_set[self._set] * len(TAG_NAMES) + self.tags
        self._set[_NAMELESS[self.tags]] = 0
        groups, self.names = zip(*map(names_among, sets), strict=True)
        """The words of each set of names."""
        self.own: Integers = self.of_names(np.array(groups))
        bits = self.along_paths(self.own | _TAG_BITS[self.tags], np.bitwise_or)
        self.names_above, self.tags_above = bits & _NAME_BITS, bits >> len(GROUPS)
        self.depth = self.along_paths((np.arange(len(self.tags)) > 0).astype(np.int64), np.add)

    @cached_property
    def words(self) -> list[tuple[str, ...]]:
        """Returns the words in the names of every element."""
        return [self.names[number] for number in self._set]

    def of_names(self, values: NDArray[Number]) -> NDArray[Number]:
        """Returns, for every element, the value of its set of names (in the last axis)."""
        return values.take(self._set, axis=-1)

    def along_paths(self, values: NDArray[Number], combine: np.ufunc) -> NDArray[Number]:
        """Returns the elements' values (in the last axis), combined with those of all above."""
        for above in self._above:
            values = combine(values, values.take(above, axis=-1))
        return values

    @cached_property
    def _above(self) -> list[Integers]:
        """Returns the elements that are one, two, four, eight ... levels above every element. With each of them
        combined, twice as many levels have been counted, so deep trees need few steps."""
        steps = [self.parents]
        while steps[-1].any():
            steps.append(steps[-1].take(steps[-1]))
        return steps[:-1]

    @cached_property
    def _last(self) -> Integers:
        """Returns the last element inside each."""
        last = np.arange(len(self.parents))
        for above in self._above:
            np.maximum.at(last, above, last.copy())
        return last

    @cached_property
    def ancestors(self) -> list[Integers]:
        """Returns, for every run, the numbers of its ancestors at `LEVELS`, or the topmost's if there are fewer."""
        element, levels = self.of_run, []
        for _ in LEVELS:
            above = self.parents[element]
            element = np.where(above > 0, above, element)
            levels.append(element)
        return levels

    def subtree_sums(self, values: Sequence[Column], of: Sequence[Integers]) -> Column:
        """Returns the sums of the runs' values over everything below an element: a row a value, in it a row for each
        of `of` (elements)."""
        running = np.zeros((len(values), len(self.parents) + 1))
        below = [np.bincount(self.of_run, value, len(self.parents)) for value in values]
        np.cumsum(below, axis=1, out=running[:, 1:])
        firsts = np.array(of)
        return (running[:, self._last[firsts] + 1] - running[:, firsts]).astype(np.float32)

    @cached_property
    def alike(self) -> Integers:
        """Returns numbers that are equal for runs in similar elements: same tag and classes, and so their parents."""
        marks = self._looks * (self._looks.max() + 1) + self._looks[self.parents]
        return np.unique(marks[self.of_run], return_inverse=True)[1]


class _Numbers(dict[Any, int]):
    """A number for each different key, in the order in which they are asked for."""

    def __missing__(self, key: Hashable) -> int:
        self[key] = number = len(self)
        return number


def _ancestry(parent: Sequence[int], elements: Sequence[int]) -> list[int]:
    """Returns these elements and all above them, in document order."""
    used = bytearray(len(parent) + 1)
    used[NO_PARENT] = True
    for element in elements:
        while not used[element]:
            used[element] = True
            element = parent[element]
    return np.flatnonzero(np.frombuffer(used, dtype=np.uint8)[:-1]).tolist()


def tree_features(tree: Tree, texts: Texts) -> list[Column]:
    """Returns the columns of `TREE_FEATURES`."""
    of_run = tree.of_run
    columns: list[Column] = [np.minimum(tree.depth[of_run], MAX_DEPTH).astype(np.float32)]
    columns += list((tree.tags[of_run] == _OWN_TAGS[:, None]).astype(np.float32))
    columns += _bits(tree.tags_above[of_run], len(ABOVE_TAGS))
    columns += _bits(tree.own[of_run] | tree.own[tree.parents[of_run]], len(GROUPS))
    columns += _bits(tree.names_above[of_run], len(GROUPS))
    linked = texts.characters * texts.linked
    values = (texts.characters, texts.prose, np.ones_like(linked), linked)
    characters, prose, runs, links = tree.subtree_sums(values, tree.ancestors)
    shares = characters / max(1.0, float(texts.characters.sum())), prose / max(1.0, float(texts.prose.sum()))
    sums = np.stack([*shares, np.log1p(runs), links / np.maximum(characters, 1)], axis=1)
    columns += list(sums.reshape(-1, len(linked)))
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


Weights: TypeAlias = tuple[float, int, float, float]
"""Sum, number, least and greatest of the weights of names."""
Weigher: TypeAlias = Callable[[tuple[str, ...]], Weights]


def weigher(table: Mapping[str, float]) -> Weigher:
    """Returns a function for the weights of words. It keeps what it found: pages of a site have the same names."""

    @lru_cache(maxsize=8192)
    def weigh(words: tuple[str, ...]) -> Weights:
        weights = [table[word] for word in words if word in table]
        return (sum(weights), len(weights), min(weights), max(weights)) if weights else (0.0, 0, 0.0, 0.0)

    return weigh


def name_weights(tree: Tree, weigh: Weigher) -> list[Column]:
    """Returns the columns of `WEIGHT_FEATURES`: mean and extremes of the weights of a run's names and those above.

    Sums of weights are exact in any order: a weight is a 32-bit float with three decimals.
    """
    of_run = tree.of_run
    total, count, least, most = tree.of_names(np.array(list(map(weigh, tree.names))).T)
    means = np.array([total / np.maximum(count, 1), least], dtype=np.float32)
    path_total, path_count = tree.along_paths(np.array([total, count]), np.add)[:, of_run].astype(np.float32)
    path_least = np.minimum(tree.along_paths(least, np.minimum)[of_run], 0).astype(np.float32)
    path_most = np.maximum(tree.along_paths(most, np.maximum)[of_run], 0).astype(np.float32)
    own, outer = means[:, of_run], means[:, tree.parents[of_run]]
    return [*own, *outer, path_total / np.maximum(path_count, 1), path_least, path_most]
