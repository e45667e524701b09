"""Measures of equal elements at the same place: those of one tag beside each other, or with the same tags above them.

Boxes of a listing or posts of a thread are written by one template, so their headings and times have equal paths.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from newscrawl.page.elements import NO_PARENT
from newscrawl.page.tags import TAG_NAMES

PATH_STEPS: Final = 5
"""Tags of the path by which headings and times are compared: those at the same place of repeated boxes have equal
paths."""
COMPARED: Final = {
    "headings": (("h2", "h3", "h4", "h5"), 0),
    "articles": (("article",), 1),
    "times": (("time",), 0),
    "items": (("li",), 1),
    "rows": (("tr",), 1),
    "sections": (("section",), 1),
    "links": (("a",), 2),
}
"""What is compared: its tags, and which element above has to be the same one (1 is the parent), 0 for equal paths."""
_GROUP_OF_TAG: Final = {tag: group for group, (tags, _) in enumerate(COMPARED.values(), 1) for tag in tags}
_GROUPS: Final = tuple(_GROUP_OF_TAG.get(tag, 0) for tag in TAG_NAMES)
"""The number of each tag's group, 0 for tags that are not compared."""
_ABOVE: Final = tuple(above for _, above in COMPARED.values())


def equal_places(parent: Sequence[int], tag: Sequence[int]) -> list[int]:
    """Returns for each group of tags, in their order, the greatest number of elements at the same place."""
    places: list[Counter[int | tuple[int, ...]]] = [Counter() for _ in _ABOVE]
    for element, code in enumerate(tag):
        if not (group := _GROUPS[code]):
            continue
        levels = _ABOVE[group - 1]
        places[group - 1][_above(element, parent, levels) if levels else _path(element, parent, tag)] += 1
    return [max(found.values(), default=0) for found in places]


def _above(element: int, parent: Sequence[int], levels: int) -> int:
    for _ in range(levels):
        if element != NO_PARENT:
            element = parent[element]
    return element


def _path(element: int, parent: Sequence[int], tag: Sequence[int]) -> tuple[int, ...]:
    path: list[int] = []
    while element != NO_PARENT and len(path) < PATH_STEPS:
        path.append(tag[element])
        element = parent[element]
    return tuple(path)
