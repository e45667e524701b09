"""Predicates on elements: whether an element has a name, and whether it is inside an element for which a predicate
holds.

A predicate keeps the answer for every element that it has visited. The time is therefore linear in the elements asked
for and their ancestors, however deep the page is nested. Most elements of a page are never visited.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Final, TypeAlias

from newscrawl.compiled import KERNELS, choose
from newscrawl.page.elements import NO_PARENT, Elements, stands_inside
from newscrawl.page.tags import TAG_NAMES

Predicate: TypeAlias = Callable[[int], bool]
"""Takes the number of an element and returns whether the property holds for it."""

_NAME_KEYS: Final = ("id", "class", "role", "itemprop")


def at_or_inside(elements: Elements, marked: Predicate, top: Iterable[int] = ()) -> Predicate:
    """Returns the predicate "is marked, or is inside a marked element". It is False for the elements of `top` without
    looking at their ancestors."""
    return inside_test(elements.parent, marked, top)


def _inside_test(parent: list[int], marked: Predicate, top: Iterable[int]) -> Predicate:
    known = dict.fromkeys(top, False)
    known[NO_PARENT] = False

    def is_inside(element: int) -> bool:
        answer = known.get(element)
        return stands_inside(element, parent, marked, known) if answer is None else answer

    return is_inside


inside_test: Final = choose(KERNELS, "inside_test", _inside_test)


def nearest(elements: Elements, marked: Predicate) -> Callable[[int], int]:
    """Returns a function for the nearest marked element at or above an element; NO_PARENT if there is none."""
    parent = elements.parent
    known = {NO_PARENT: NO_PARENT}

    def find(element: int) -> int:
        climbed: list[int] = []
        while element not in known:
            climbed.append(element)
            if marked(element):
                known[element] = element
            else:
                element = parent[element]
        found = known[element]
        for below in climbed:
            known[below] = found
        return found

    return find


def once(make: Callable[[Elements], Predicate]) -> Callable[[Elements], Predicate]:
    """Returns a function that makes its predicate once for the elements of a page, because several steps ask for it."""

    @wraps(make)
    def known(elements: Elements) -> Predicate:
        found = elements.predicates.get(make)
        if found is None:
            found = elements.predicates[make] = make(elements)
        return found

    return known


def numbers_of(names: Iterable[str]) -> frozenset[int]:
    """Returns the tag numbers of tag names. Names that the walk does not distinguish have none."""
    return frozenset(TAG_NAMES.index(name) for name in names if name in TAG_NAMES)


def _name_search(expression: re.Pattern[str], parts: tuple[str, ...]) -> Callable[[str], re.Match[str] | None]:
    return expression.search


name_search: Final = choose(KERNELS, "name_search", _name_search)


@dataclass(frozen=True, eq=False)
class NamePattern:
    """An expression for names in lower case. Each name that it matches contains at least one of `parts`, of ASCII
    characters.

    The compiled core searches for the parts first: most names have none, and the expression takes ten times as long.
    """

    expression: re.Pattern[str]
    parts: tuple[str, ...]

    @cached_property
    def search(self) -> Callable[[str], re.Match[str] | None]:
        """The function that searches a name."""
        return name_search(self.expression, self.parts)


def named(
    elements: Elements,
    names: NamePattern,
    tags: Collection[int] = (),
    never: Collection[int] = (),
    keys: tuple[str, ...] = _NAME_KEYS,
    among: Predicate | None = None,
) -> Predicate:
    """Returns the predicate "has a tag of `tags`, or a name that matches `names`". It is False for a tag of `never`.

    An element's names are the values of its attributes `keys`, in lower case. `tags` and `never` are tag numbers
    (`numbers_of`). Each combination of names is matched once. It is False where `among` is, which a caller gives to
    spare most of the matches.

    A page has one predicate for all calls with the same arguments, because several steps ask about the same elements.
    """
    key = names, frozenset(tags), frozenset(never), keys, among
    found = elements.predicates.get(key)
    if found is None:
        found = name_test(elements.tag, elements.reader(), names, tags, never, keys, among)
        elements.predicates[key] = found
    return found


def _name_test(
    tag: list[int],
    values_of: Callable[[int, tuple[str, ...]], tuple[str | None, ...] | None],
    names: NamePattern,
    tags: Collection[int],
    never: Collection[int],
    keys: tuple[str, ...],
    among: Predicate | None = None,
) -> Predicate:
    judged: dict[tuple[str | None, ...], bool] = {}
    known: dict[int, bool] = {}

    def is_named(element: int) -> bool:
        answer = known.get(element)
        if answer is None:
            answer = known[element] = (among is None or among(element)) and judge(element)
        return answer

    def judge(element: int) -> bool:
        number = tag[element]
        if number in tags:
            return True
        if number in never:
            return False
        values = values_of(element, keys)
        if values is None:
            return False
        answer = judged.get(values)
        if answer is None:
            text = " ".join([value for value in values if value is not None]).lower()
            answer = judged[values] = names.search(text) is not None
        return answer

    return is_named


name_test: Final = choose(KERNELS, "name_test", _name_test)
