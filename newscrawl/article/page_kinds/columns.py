"""The runs of a page as columns, which are read faster than runs one by one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from newscrawl.article.page_kinds.prices import PRICE_WORDS, count_prices
from newscrawl.page import TextRun

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
        texts, words, linked, _, elements, flags, *_ = zip(*runs, strict=True) if runs else ((),) * 6
        return cls(texts, words, linked, elements, flags)

    def part(self, start: int, end: int) -> Columns:
        """Returns the runs from `start` up to `end`."""
        texts, words, linked = self.texts[start:end], self.words[start:end], self.linked[start:end]
        return Columns(texts, words, linked, self.elements[start:end], self.flags[start:end])

    def chosen(self, runs: Sequence[int]) -> Columns:
        """Returns the runs of these numbers."""
        texts, numbers = self.texts, (self.words, self.linked, self.elements, self.flags)
        words, linked, elements, flags = ([column[run] for run in runs] for column in numbers)
        return Columns([texts[run] for run in runs], words, linked, elements, flags)

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def total(self) -> int:
        """All words."""
        return sum(self.words)

    @property
    def linked_share(self) -> float:
        """The share of words that are linked."""
        return sum(self.linked) / max(self.total, 1)

    @cached_property
    def with_digit(self) -> Sequence[int]:
        """The numbers of the runs that are no sentences and have a digit: only they may have a date or a price."""
        found = _DIGIT.search
        short = enumerate(zip(self.texts, self.words, strict=True))
        return [run for run, (text, words) in short if words <= PRICE_WORDS and found(text)]

    @cached_property
    def prices(self) -> int:
        """The number of prices in runs that are no sentences."""
        short = [text for text, words in zip(self.texts, self.words, strict=True) if words <= PRICE_WORDS]
        return count_prices("\n".join(short))

    def words_with(self, flag: int) -> int:
        """Returns the words of runs with this flag."""
        return sum([words for words, flags in zip(self.words, self.flags, strict=True) if flags & flag])

    def share_ending(self, characters: str) -> float:
        """Returns the share of runs whose last character is one of these."""
        return sum([text[-1] in characters for text in self.texts]) / max(len(self), 1)
