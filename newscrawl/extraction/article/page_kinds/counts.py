"""Counts the runs of a page, for the measures that tell kinds of pages apart. The runs are held as columns, which are
read faster than runs one by one. Counts are of the whole page, of the runs that are its text (`kept`), and of the span
from the first to the last run of the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from newscrawl.extraction.article.signals import HEADLINE_WORDS
from newscrawl.page import TextRun
from newscrawl.page.run import HEADING, LIST_ITEM, TOP_HEADING
from newscrawl.page.tags import TAG_NAMES

PRICE_WORDS: Final = 12
"""Most words of a run that is a price with its label."""
_FIRST: Final = "$€£¥₹₽₩₺"
_LAST: Final = (*"€£₽₺₴₫฿円元", "zł", "kr", "Kč", "руб", "EUR", "USD", "CHF")
"""The signs before and after a number. A search for each takes less time than its pattern on a text without any."""
_SIGN_FIRST: Final = re.compile(r"[$€£¥₹₽₩₺]\s?\d")
_SIGN_LAST: Final = re.compile(r"\d\s?(?:[€£₽₺₴₫฿円元]|zł|kr\b|Kč|руб|EUR|USD|CHF)")


def count_prices(text: str) -> int:
    """Returns the number of prices in a text."""
    first = len(_SIGN_FIRST.findall(text)) if any(map(text.__contains__, _FIRST)) else 0
    last = len(_SIGN_LAST.findall(text)) if any(map(text.__contains__, _LAST)) else 0
    return first + last


def has_price(text: str) -> bool:
    """Returns whether a text has a price."""
    return _SIGN_FIRST.search(text) is not None or _SIGN_LAST.search(text) is not None


_DIGIT: Final = re.compile(r"\d")


@dataclass(frozen=True)
class Columns:
    """Some runs of a page: the values of `TextRun` that the measures of kinds need."""

    texts: Sequence[str]
    words: Sequence[int]
    linked: Sequence[int]
    elements: Sequence[int]
    flags: Sequence[int]

    @classmethod
    def of(cls, runs: Sequence[TextRun]) -> Columns:
        """Returns the columns of these runs."""
        if not runs:
            return cls((), (), (), (), ())
        texts, words, linked, _, elements, flags, *_ = zip(*runs, strict=True)
        return cls(texts, words, linked, elements, flags)

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def with_digit(self) -> Sequence[int]:
        """The numbers of the runs that are no sentences and have a digit: only they may have a date or a price."""
        numbered, found = enumerate(zip(self.texts, self.words, strict=True)), _DIGIT.search
        return [run for run, (text, words) in numbered if words <= PRICE_WORDS and found(text)]

    @cached_property
    def prices(self) -> int:
        """The number of prices in runs that are no sentences."""
        return self.prices_of(range(len(self)))

    def prices_of(self, runs: Sequence[int]) -> int:
        """Returns the number of prices in those of these runs that are no sentences."""
        if not self.with_digit:
            return 0
        texts, words = self.texts, self.words
        return count_prices("\n".join([texts[run] for run in runs if words[run] <= PRICE_WORDS]))


QUESTIONS: Final = "?？؟"
_ENDS: Final = '.!?…。！？"”'
_H1: Final = TAG_NAMES.index("h1")
_P: Final = TAG_NAMES.index("p")


MIN_PROSE: Final = 25
"""Least words of a run of prose, and of a long paragraph."""
MIN_BLOCK: Final = 15
"""Least words of a run that continues a block of prose."""
MAX_LABEL: Final = 5
"""Most words of a run that is a label."""
MAX_MENU: Final = 2
"""Most words of a linked heading that may be a menu's."""
MIN_QUESTION: Final = 4
"""Least words of a question."""
MIN_SECTION: Final = 5
"""Least words of a section. Fewer are a label."""
SHORT_SECTION: Final = 60
"""Most words of a short section."""
MIN_CARD: Final = 6
MAX_CARD: Final = 50
"""Words of the text of a card, directly below its heading."""


class RunCounts(NamedTuple):
    """What is counted. Linked runs are those whose words are all linked; headings are h1 to h3, unless stated."""

    words: int
    linked: int
    prose_words: int
    prose_runs: int
    listed: int
    """Words in list items."""
    ends: int
    """Runs that end like sentences."""
    questions: int
    question_sentences: int
    headings: int
    linked_headings: int
    linked_titles: int
    """Linked headings that are no menu's."""
    linked_headlines: int
    """Linked runs that look like headlines."""
    question_headings: int
    """Headings h1 to h6 that are questions."""
    top_headings: int
    """Runs of an <h1>."""
    top: int
    """The number of the first run of an <h1>, -1 without any."""
    top_distance: int
    """The runs between the start of the text and the nearest run of an <h1>, -1 without any."""
    paragraph_words: int
    """Words in <p>."""
    long_paragraphs: int
    long_prose: int
    """Words of long paragraphs that are prose."""
    sections: int
    section_words: int
    longest_section: int
    short_section_words: int
    cards: int
    text_words: int
    text_linked: int
    text_listed: int
    text_ends: int
    span_words: int
    span_linked: int
    span_headings: int
    """Headings h1 to h6 within the span, which divide it into parts."""
    span_labels: int
    longest_block: int
    """Words of the longest sequence of prose under one heading."""
    longest_part: int
    part_words: int


def run_counts(columns: Columns, tag: Sequence[int], kept: Sequence[int]) -> RunCounts:
    """Returns the counts of a page's runs. `tag` are the tags of its elements, `kept` the numbers of its text's runs in
    ascending order."""
    texts, words, flags = columns.texts, columns.words, columns.flags
    ends, tags = [text[-1:] for text in texts], [tag[element] for element in columns.elements]
    runs = list(zip(words, columns.linked, flags, strict=True))
    top = [run for run, one in enumerate(tags) if one == _H1 and flags[run] & HEADING]
    questions = [run for run, end in enumerate(ends) if end and end in QUESTIONS]
    counted = [
        *_of_page(runs),
        sum(map(ends.count, _ENDS)),
        len(questions),
        len([True for run in questions if words[run] >= MIN_QUESTION]),
        *_of_headings(runs),
        len([True for run in questions if flags[run] & HEADING]),
        *(len(top), top[0] if top else -1, min((abs(kept[0] - one) for one in top), default=-1) if kept else -1),
        *_of_paragraphs([runs[run] for run, one in enumerate(tags) if one == _P]),
        *_of_sections(runs),
        *_of_text([runs[run] for run in kept]),
        sum(map([ends[run] for run in kept].count, _ENDS)),
        *_of_span(runs[kept[0] : kept[-1] + 1] if kept else []),
    ]
    return RunCounts._make(counted)


_Run = tuple[int, int, int]
"""Words, linked words and flags of a run."""


def _of_page(runs: Sequence[_Run]) -> list[int]:
    prose = [w for w, linked, _ in runs if w >= MIN_PROSE and linked * 3 < w]
    words, linked_words, listed = _of_text(runs)
    return [words, linked_words, sum(prose), len(prose), listed]


def _of_headings(runs: Sequence[_Run]) -> list[int]:
    linked_runs = [(w, f) for w, linked, f in runs if w and w == linked]
    linked_headings = [w for w, f in linked_runs if f & TOP_HEADING]
    return [
        len([True for _, _, f in runs if f & TOP_HEADING]),
        len(linked_headings),
        len([True for w in linked_headings if w > MAX_MENU]),
        len([True for w, _ in linked_runs if w >= HEADLINE_WORDS]),
    ]


def _of_paragraphs(runs: Sequence[_Run]) -> list[int]:
    long = [(w, linked) for w, linked, _ in runs if w >= MIN_PROSE]
    return [sum([w for w, _, _ in runs]), len(long), sum([w for w, linked in long if linked * 3 < w])]


def _of_sections(runs: Sequence[_Run]) -> list[int]:
    """The words between headings, and the headings with a text directly below them."""
    sections, cards, below = [0], 0, False
    for w, linked, f in runs:
        if f & HEADING:
            sections.append(0)
            below = True
            continue
        if w != linked:
            sections[-1] += w
            cards += below and MIN_CARD <= w <= MAX_CARD
        below = False
    some = [w for w in sections if w >= MIN_SECTION]
    return [len(some), sum(some), max(some, default=0), sum([w for w in some if w <= SHORT_SECTION]), cards]


def _of_text(runs: Sequence[_Run]) -> list[int]:
    listed = sum([w for w, _, f in runs if f & LIST_ITEM])
    return [sum([w for w, _, _ in runs]), sum([linked for _, linked, _ in runs]), listed]


def _of_span(span: Sequence[_Run]) -> list[int]:
    parts = [0]
    for w, _, f in span:
        if f & HEADING:
            parts.append(0)
        else:
            parts[-1] += w
    labels = len([True for w, _, _ in span if w <= MAX_LABEL])
    words, linked_words, _ = _of_text(span)
    return [words, linked_words, len(parts) - 1, labels, longest_block(span), max(parts), sum(parts)]


def longest_block(span: Sequence[_Run]) -> int:
    """Returns the words of the longest sequence of prose under one heading."""
    longest = block = 0
    for w, linked, f in span:
        if w >= MIN_BLOCK and linked * 2 < w:
            block += w
            longest = max(longest, block)
        elif f & TOP_HEADING:
            block = 0
    return longest
