"""Measures of the sections of the whole page, of dates beside its headline, and of links that articles and posts have.

An article has one long section, a landing page many short ones. What they have is recognized by numbers and addresses,
not by words of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import log1p
from typing import Final

from newscrawl.article.page_kinds.columns import Columns
from newscrawl.article.signals import Signals
from newscrawl.page.run import HEADING
from newscrawl.page.tags import TAG_NAMES

SHORT_SECTION: Final = 60
"""Most words of a short section."""
MIN_SECTION: Final = 5
"""Least words of a section. Fewer are a label."""
CARD_TEXT: Final = range(6, 51)
"""Words of the text of a card, directly below its heading."""
NEAR_RUNS: Final = 8
"""Most runs between a headline and the date that belongs to it."""

_YEAR: Final = re.compile(r"(?<!\d)(?:19[89]|20[0-3])\d(?!\d)")
_QUOTES: Final = '“”„«»「」『』"'
_QUESTIONS: Final = ("?", "？", "؟")
_SHARE: Final = tuple(
    "sharer /intent/ /share? shareArticle /submit? pin/create wa.me/ whatsapp.com/send t.me/share mailto:?".split()
)
"""Parts of addresses by which a text is shared on social networks."""
_TAGS: Final = re.compile(r"/(?:tags?|topics?|category|categories|thema|etiquetas?)/")
_AUTHORS: Final = re.compile(r"/(?:authors?|autor|auteur|contributors?|by|staff|writers?)/")
_MEMBERS: Final = re.compile(r"/(?:u|users?|members?|profiles?)/")
_TOP: Final = TAG_NAMES.index("h1")

SECTION_FEATURES: Final = (
    "sections", "longest section", "short sections", "words a section", "cards", "date beside the headline",
    "short runs with a year", "short runs with a number", "quotation marks", "exclamation marks",
    "headings that are questions", "words of the <h1>", "<h1> in the title",
    "links to share", "links to tags", "links to authors", "links to members",
)  # fmt: skip


def section_features(signals: Signals, columns: Columns, found: Sequence[str]) -> Iterator[float]:
    """Yields the values of `SECTION_FEATURES`. `columns` are the page's runs, `found` the addresses of its links."""
    yield from _sections(columns)
    top = _top(signals, columns)
    yield from _dates(columns, top)
    yield from _marks(signals, columns)
    yield from _headline(signals, columns, top)
    addresses = "\n".join(found)
    yield log1p(sum(map(addresses.count, _SHARE)))
    for pattern in (_TAGS, _AUTHORS, _MEMBERS):
        yield log1p(len(pattern.findall(addresses)))


def _sections(columns: Columns) -> Iterator[float]:
    """The words between headings, on the whole page, and the headings with a text directly below them."""
    sections, cards = [0], 0
    below = False
    for words, linked, flags in zip(columns.words, columns.linked, columns.flags, strict=True):
        if flags & HEADING:
            sections.append(0)
        elif words != linked:
            sections[-1] += words
            cards += below and words in CARD_TEXT
        below = bool(flags & HEADING)
    some = [words for words in sections if words >= MIN_SECTION]
    total = max(sum(some), 1)
    yield log1p(len(some))
    yield max(some, default=0) / total
    yield sum([words for words in some if words <= SHORT_SECTION]) / total
    yield log1p(total / max(len(some), 1))
    yield log1p(cards)


def _dates(columns: Columns, top: int | None) -> Iterator[float]:
    """Whether a year is beside the headline (run `top`), and the short runs with a year or another number."""
    numbers = [run for run in columns.with_digit if columns.words[run] != columns.linked[run]]
    years = [run for run in numbers if _YEAR.search(columns.texts[run])]
    yield top is not None and any(abs(run - top) <= NEAR_RUNS for run in years)
    yield log1p(len(years))
    yield log1p(len(numbers))


def _marks(signals: Signals, columns: Columns) -> Iterator[float]:
    text = signals.extraction.text
    yield 100 * sum(map(text.count, _QUOTES)) / max(signals.words, 1)
    yield 100 * "".join(columns.texts).count("!") / max(columns.total, 1)
    asked = zip(columns.texts, columns.flags, strict=True)
    yield log1p(len([True for one, flags in asked if flags & HEADING and one.endswith(_QUESTIONS)]))


def _headline(signals: Signals, columns: Columns, top: int | None) -> Iterator[float]:
    yield log1p(columns.words[top]) if top is not None else 0.0
    yield top is not None and columns.texts[top].lower() in (signals.page.head.title or "").lower()


def _top(signals: Signals, columns: Columns) -> int | None:
    """The first run of an <h1>."""
    tag = signals.page.elements.tag
    runs = enumerate(zip(columns.flags, columns.elements, strict=True))
    return next((number for number, (flags, element) in runs if flags & HEADING and tag[element] == _TOP), None)
