"""Measures of repeated boxes: elements beside each other that all contain the same things.

A listing repeats a link with a heading, a shop a price with a button, a thread a text with a time. What an element
contains is passed up the tree once, so the time is linear in the page's size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import log1p
from typing import TYPE_CHECKING, Final

from newscrawl.article.page_kinds.columns import Columns
from newscrawl.article.page_kinds.prices import has_price
from newscrawl.extraction.kernels import choose
from newscrawl.page.tags import TAG_NAMES

if TYPE_CHECKING:
    from newscrawl.article.signals import Signals

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
    contents, words = _with_own_contents(elements.tag, columns)
    numbers, most_words = repeated_boxes(elements.parent, elements.tag, contents, words, _WANTED, MIN_BOXES)
    yield from map(log1p, numbers)
    total = max(signals.page_words, 1)
    yield from (number / total for number in most_words)


def _with_own_contents(tag: Sequence[int], columns: Columns) -> tuple[list[int], list[int]]:
    """Returns what each element itself contains, without the elements in it, and its number of words."""
    c = columns
    contents, words = own_contents(tag, _OF_TAG, c.words, c.linked, c.elements, TEXT, TEXT_WORDS)
    for run in c.with_digit:
        if c.prices and has_price(c.texts[run]):
            contents[c.elements[run]] |= PRICE
        if _DATE.search(c.texts[run]):
            contents[c.elements[run]] |= DATE
    return contents, words


def _own_contents(
    tag: Sequence[int],
    of_tag: tuple[int, ...],
    words: Sequence[int],
    linked: Sequence[int],
    elements: Sequence[int],
    mark: int,
    least: int,
) -> tuple[list[int], list[int]]:
    """Returns what the tag of each element and its texts are to its box, and its number of words. An element with a
    text of `least` words, most of them not linked, has the bit `mark`."""
    contents, own = [of_tag[one] for one in tag], [0] * len(tag)
    for number, linked_words, element in zip(words, linked, elements, strict=True):
        own[element] += number
        if number >= least and linked_words * 3 < number:
            contents[element] |= mark
    return contents, own


def _repeated_boxes(
    parent: Sequence[int],
    tag: Sequence[int],
    contents: Sequence[int],
    words: Sequence[int],
    wanted: tuple[int, ...],
    least: int,
) -> tuple[list[int], list[int]]:
    """Returns for each kind of box the greatest number of such elements beside each other (with the same parent and
    tag), and their most words. Fewer than `least` are not counted.

    `contents` and `words` are those of each element itself, without the elements in it. `wanted` is what each kind of
    box contains. An element without words is no box.
    """
    contents, words = list(contents), list(words)
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
        content: [box for box, needed in enumerate(wanted) if content & needed == needed] for content in set(contents)
    }
    numbers, most_words = [0] * len(wanted), [0] * len(wanted)
    for group in beside.values():
        if len(group) < least:
            continue
        found: dict[int, list[int]] = {}
        for element in group:
            for box in boxes[contents[element]]:
                found.setdefault(box, []).append(words[element])
        for box, of_box in found.items():
            if len(of_box) >= least:
                numbers[box] = max(numbers[box], len(of_box))
                most_words[box] = max(most_words[box], sum(of_box))
    return numbers, most_words


_PARENTS, _TAGS = [-1, 0, 1, 1, 1, 0, 0, 0], [3, 3, 5, 5, 5, 5, 5, 3]
_SAMPLE: Final = [0, 0, LINK, LINK | HEAD, LINK | HEAD, LINK, LINK | TEXT, LINK]
repeated_boxes: Final = choose(
    "repeated_boxes",
    _repeated_boxes,
    (_PARENTS, _TAGS, _SAMPLE, [0, 0, 2, 3, 4, 7, 30, 1], _WANTED, 3),
    (_PARENTS, _TAGS, _SAMPLE, [1, 0, 2, 3, 0, 7, 30, 1], _WANTED, 2),
    ([], [], [], [], _WANTED, 3),
)
own_contents: Final = choose(
    "own_contents",
    _own_contents,
    ([0, 2, 1], (0, LINK, HEAD), [20, 4, 30, 15], [3, 0, 30, 5], [1, 1, 2, 0], TEXT, TEXT_WORDS),
    ([], (), [], [], [], TEXT, TEXT_WORDS),
)
