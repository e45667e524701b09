"""Measures of repeated boxes: elements beside each other that all contain the same things.

A listing repeats a link with a heading, a shop a price with a button, a thread a text with a time. What an element
contains is passed up the tree once, so the time is linear in the page's size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log1p
from typing import Final

from newscrawl.article.page_kinds.prices import PRICE_WORDS, count_prices
from newscrawl.article.signals import Signals
from newscrawl.page.tags import TAG_NAMES

LINK, HEAD, PICTURE, TIME, PRICE, TEXT, BUTTON = (1 << bit for bit in range(7))
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
}
"""The boxes that are counted, and what each contains."""
BOX_FEATURES: Final = (
    *(f"boxes of {name}" for name in BOXES),
    *(f"words in boxes of {name}" for name in BOXES),
)
_OF_TAGS: Final = {
    TAG_NAMES.index(tag): content
    for tag, content in (
        *((f"h{level}", HEAD) for level in range(1, 6)),
        *(("a", LINK), ("img", PICTURE), ("time", TIME), ("button", BUTTON)),
    )
}


def box_features(signals: Signals) -> Iterator[float]:
    """Yields the values of `BOX_FEATURES`: of each kind of box the greatest number beside each other (as a logarithm),
    and the greatest share of the page's words that such boxes have."""
    contents, words = _contents(signals)
    boxes: dict[tuple[int, int], list[int]] = {}
    elements = signals.page.elements
    for element, (parent, tag, content) in enumerate(zip(elements.parent, elements.tag, contents, strict=True)):
        if content and words[element]:
            boxes.setdefault((parent, tag), []).append(element)
    numbers, shares = dict.fromkeys(BOXES, 0), dict.fromkeys(BOXES, 0)
    for beside in boxes.values():
        if len(beside) < MIN_BOXES:
            continue
        for name, wanted in BOXES.items():
            found = [element for element in beside if contents[element] & wanted == wanted]
            if len(found) >= MIN_BOXES:
                numbers[name] = max(numbers[name], len(found))
                shares[name] = max(shares[name], sum([words[element] for element in found]))
    yield from map(log1p, numbers.values())
    total = max(signals.page_words, 1)
    yield from (share / total for share in shares.values())


def _contents(signals: Signals) -> tuple[Sequence[int], Sequence[int]]:
    """Returns what each element contains, and its number of words."""
    parent = signals.page.elements.parent
    of_tags = _OF_TAGS.get
    contents = [of_tags(tag, 0) for tag in signals.page.elements.tag]
    words = [0] * len(parent)
    for run in signals.page.runs:
        words[run.element] += run.words
        if run.words <= PRICE_WORDS:
            if count_prices(run.text):
                contents[run.element] |= PRICE
        elif run.words >= TEXT_WORDS and run.linked_words * 3 < run.words:
            contents[run.element] |= TEXT
    for element in range(len(parent) - 1, 0, -1):
        above = parent[element]
        if above >= 0:
            contents[above] |= contents[element]
            words[above] += words[element]
    return contents, words
