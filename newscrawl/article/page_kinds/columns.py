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
