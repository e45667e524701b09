"""Measures of repeated boxes: elements beside each other that all contain the same things.

A listing repeats a link with a heading, a shop a price with a button, a thread a text with a time. What an element
contains is passed up the tree once, so the time is linear in the page's size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import log1p
from typing import Final

from newscrawl.article.page_kinds.columns import Columns
from newscrawl.article.page_kinds.prices import PRICE_WORDS, has_price
from newscrawl.article.signals import Signals
from newscrawl.page.tags import TAG_NAMES

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
_BOXES_WITH: Final = tuple(
    tuple(box for box, wanted in enumerate(BOXES.values()) if content & wanted == wanted) for content in range(2 * DATE)
)
"""For what an element contains, the numbers of the boxes that it is."""
_OF_TAGS: Final = {
    TAG_NAMES.index(tag): content
    for tag, content in (
        *((f"h{level}", HEAD) for level in range(1, 6)),
        *(("a", LINK), ("img", PICTURE), ("time", TIME), ("button", BUTTON)),
    )
}


def box_features(signals: Signals, columns: Columns) -> Iterator[float]:
    """Yields the values of `BOX_FEATURES`: of each kind of box the greatest number beside each other (as a logarithm),
    and the greatest share of the page's words that such boxes have. `columns` are the page's runs."""
    contents, words = _contents(signals, columns)
    elements = signals.page.elements
    beside: dict[tuple[int, int], list[int]] = {}
    for element, (parent, tag, content) in enumerate(zip(elements.parent, elements.tag, contents, strict=True)):
        if _BOXES_WITH[content] and words[element]:
            beside.setdefault((parent, tag), []).append(element)
    numbers, most_words = [0] * len(BOXES), [0] * len(BOXES)
    for group in beside.values():
        if len(group) < MIN_BOXES:
            continue
        found: dict[int, list[int]] = {}
        for element in group:
            for box in _BOXES_WITH[contents[element]]:
                found.setdefault(box, []).append(words[element])
        for box, of_box in found.items():
            if len(of_box) >= MIN_BOXES:
                numbers[box] = max(numbers[box], len(of_box))
                most_words[box] = max(most_words[box], sum(of_box))
    yield from map(log1p, numbers)
    total = max(signals.page_words, 1)
    yield from (number / total for number in most_words)


def _contents(signals: Signals, columns: Columns) -> tuple[Sequence[int], Sequence[int]]:
    """Returns what each element contains, and its number of words."""
    parent = signals.page.elements.parent
    of_tags = _OF_TAGS.get
    contents = [of_tags(tag, 0) for tag in signals.page.elements.tag]
    words = [0] * len(parent)
    prices = columns.prices > 0
    for text, number, linked, element in zip(
        columns.texts, columns.words, columns.linked, columns.elements, strict=True
    ):
        words[element] += number
        if number <= PRICE_WORDS:
            if prices and has_price(text):
                contents[element] |= PRICE
            if _DATE.search(text):
                contents[element] |= DATE
        elif number >= TEXT_WORDS and linked * 3 < number:
            contents[element] |= TEXT
    for element in range(len(parent) - 1, 0, -1):
        above = parent[element]
        if above >= 0:
            contents[above] |= contents[element]
            words[above] += words[element]
    return contents, words
