"""Tests whether elements are inside others of some kind, for all steps.

Every element is visited and judged once, so the time is linear in the elements asked for and their ancestors, however
deep the page is nested. Most elements of a page are never visited.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from typing import Final, TypeAlias

from newscrawl.extraction.kernels import choose
from newscrawl.page.elements import NO_PARENT, Elements, stands_inside
from newscrawl.page.tags import TAG_NAMES

Test: TypeAlias = Callable[[int], bool]
"""A question about one element."""

_NAME_KEYS: Final = ("id", "class", "role", "itemprop")


def standing_in(elements: Elements, marked: Test, top: Iterable[int] = ()) -> Test:
    """Returns a test for "is marked, or inside a marked element". Elements of `top` and above are not tested."""
    return inside_test(elements.parent, marked, top)


def _inside_test(parent: list[int], marked: Test, top: Iterable[int]) -> Test:
    known = dict.fromkeys(top, False)
    known[NO_PARENT] = False

    def is_inside(element: int) -> bool:
        answer = known.get(element)
        return stands_inside(element, parent, marked, known) if answer is None else answer

    return is_inside


inside_test: Final = choose("inside_test", _inside_test)


def numbers_of(names: Iterable[str]) -> frozenset[int]:
    """Returns the tag numbers of tag names. Names that the walk does not distinguish have none."""
    return frozenset(TAG_NAMES.index(name) for name in names if name in TAG_NAMES)


def named(
    elements: Elements,
    names: re.Pattern[str],
    tags: Collection[int] = (),
    never: Collection[int] = (),
    keys: tuple[str, ...] = _NAME_KEYS,
) -> Test:
    """Returns a test for "has a tag of `tags`, or a name that matches". Elements with a tag of `never` fail it.

    Names are the values of the attributes `keys`, in lower case. Elements with the same names are judged once.
    """
    return name_test(elements.tag, elements.reader(), names, tags, never, keys)


def _name_test(
    tag: list[int],
    values_of: Callable[[int, tuple[str, ...]], tuple[str | None, ...] | None],
    names: re.Pattern[str],
    tags: Collection[int],
    never: Collection[int],
    keys: tuple[str, ...],
) -> Test:
    judged: dict[tuple[str | None, ...], bool] = {}

    def is_named(element: int) -> bool:
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


name_test: Final = choose("name_test", _name_test)
