"""Measures of repeated boxes, elements beside each other that all contain the same things, and of equal elements.

A listing repeats a link with a heading, a shop a price with a button, a thread a text with a time. What an element
contains is passed up the tree once, so the time is linear in the page's size. Boxes of a listing or posts of a thread
are written by one template, so their headings and times have equal paths.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import log1p
from typing import TYPE_CHECKING, Final

from newscrawl.article.page_kinds.counts import Columns, has_price
from newscrawl.page.tags import TAG_NAMES

if TYPE_CHECKING:
    from newscrawl.article.signals import Signals
from collections import Counter

from newscrawl.page.elements import NO_PARENT

LINK, HEAD, PICTURE, TIME, PRICE, TEXT, BUTTON, DATE = (1 << bit for bit in range(8))
"""What a box contains."""
MIN_BOXES: Final = 3
"""The fewest equal boxes beside each other that count as repeated."""
TEXT_WORDS: Final = 15
"""Least words of a run that is a text of its box."""
BOXES: Final = {
    "link and heading": LINK | HEAD,
    "link and picture": LINK | PICTURE,
    "link, heading and picture": LINK | HEAD | PICTURE,
    "text and time": TEXT | TIME,
    "text and link": TEXT | LINK,
    "text, link and time": TEXT | LINK | TIME,
    "price and link": PRICE | LINK,
    "heading and text": HEAD | TEXT,
    "heading, picture and text": HEAD | PICTURE | TEXT,
    "button and text": BUTTON | TEXT,
    "button and heading": BUTTON | HEAD,
    "button and link": BUTTON | LINK,
    "text": TEXT,
    "text and date": TEXT | DATE,
    "link and date": LINK | DATE,
    "link, heading and date": LINK | HEAD | DATE,
}
"""The boxes that are counted, and what each contains."""
BOX_FEATURES: Final = (
    *(f"boxes of {name}" for name in BOXES),
    *(f"words in boxes of {name}" for name in BOXES),
)
_DATE: Final = re.compile(r"(?<!\d)(?:(?:19[89]|20[0-3])\d|\d\d?:\d\d)(?!\d)")
"""A year or a time of day."""
_WANTED: Final = tuple(BOXES.values())
_CONTENT: Final = {
    "a": LINK,
    "img": PICTURE,
    "time": TIME,
    "button": BUTTON,
    **dict.fromkeys((f"h{level}" for level in range(1, 6)), HEAD),
}
_OF_TAG: Final = tuple(_CONTENT.get(tag, 0) for tag in TAG_NAMES)
"""What an element of each tag is to its box."""


def box_features(signals: Signals, columns: Columns) -> Iterator[float]:
    """Yields the values of `BOX_FEATURES`: of each kind of box the greatest number beside each other (as a logarithm),
    and the greatest share of the page's words that such boxes have. `columns` are the page's runs."""
    elements = signals.page.elements
    contents, words = _own_contents(elements.tag, columns)
    numbers, most_words = _repeated_boxes(elements.parent, elements.tag, contents, words)
    yield from map(log1p, numbers)
    total = max(signals.page_words, 1)
    yield from (number / total for number in most_words)


def _own_contents(tag: Sequence[int], columns: Columns) -> tuple[list[int], list[int]]:
    """Returns what each element itself contains, without the elements in it, and its number of words."""
    c = columns
    contents, words = [_OF_TAG[one] for one in tag], [0] * len(tag)
    for number, linked_words, element in zip(c.words, c.linked, c.elements, strict=True):
        words[element] += number
        if number >= TEXT_WORDS and linked_words * 3 < number:
            contents[element] |= TEXT
    for run in c.with_digit:
        if c.prices and has_price(c.texts[run]):
            contents[c.elements[run]] |= PRICE
        if _DATE.search(c.texts[run]):
            contents[c.elements[run]] |= DATE
    return contents, words


def _repeated_boxes(
    parent: Sequence[int], tag: Sequence[int], contents: list[int], words: list[int]
) -> tuple[list[int], list[int]]:
    """Returns for each kind of box the greatest number of such elements beside each other (with the same parent and
    tag), and their most words. Fewer than `MIN_BOXES` are not counted. An element without words is no box.

    `contents` and `words` are those of each element itself; those of the elements in it are added to them.
    """
    for element in range(len(parent) - 1, 0, -1):
        above = parent[element]
        if above >= 0:
            contents[above] |= contents[element]
            words[above] += words[element]
    beside: dict[tuple[int, int], list[int]] = {}
    for element, place in enumerate(zip(parent, tag, strict=True)):
        if contents[element] and words[element]:
            beside.setdefault(place, []).append(element)
    boxes = {
        content: [box for box, needed in enumerate(_WANTED) if content & needed == needed] for content in set(contents)
    }
    numbers, most_words = [0] * len(_WANTED), [0] * len(_WANTED)
    for group in beside.values():
        if len(group) < MIN_BOXES:
            continue
        found: dict[int, list[int]] = {}
        for element in group:
            for box in boxes[contents[element]]:
                found.setdefault(box, []).append(words[element])
        for box, of_box in found.items():
            if len(of_box) >= MIN_BOXES:
                numbers[box] = max(numbers[box], len(of_box))
                most_words[box] = max(most_words[box], sum(of_box))
    return numbers, most_words


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
