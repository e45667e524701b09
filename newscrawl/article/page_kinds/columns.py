"""The runs of a page as columns, which are read faster than runs one by one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from newscrawl.article.page_kinds.prices import PRICE_WORDS, count_prices
from newscrawl.extraction.kernels import choose
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
        return cls(*columns_of(runs))

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def with_digit(self) -> Sequence[int]:
        """The numbers of the runs that are no sentences and have a digit: only they may have a date or a price."""
        return runs_with_digit(self.texts, self.words, PRICE_WORDS)

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


def _columns_of(runs: Sequence[TextRun]) -> tuple[list[str], list[int], list[int], list[int], list[int]]:
    """Returns the texts, words, linked words, elements and flags of the runs."""
    texts, words, linked, _, elements, flags, *_ = (
        map(list, zip(*runs, strict=True)) if runs else ([] for _ in range(6))
    )
    return texts, words, linked, elements, flags


_RUN: Final = ("5 a", 2, 1, 0, 7, 3, 0, 1, 1, ())
columns_of: Final = choose("columns_of", _columns_of, ([_RUN, _RUN],), ([],))


def _runs_with_digit(texts: Sequence[str], words: Sequence[int], most: int) -> list[int]:
    """Returns the numbers of the texts of at most this many words that have a digit of any script."""
    found = _DIGIT.search
    return [run for run, (text, number) in enumerate(zip(texts, words, strict=True)) if number <= most and found(text)]


runs_with_digit: Final = choose(
    "runs_with_digit",
    _runs_with_digit,
    (["5 a", "b", "", "²", "\u0663", "\U0001d7ce", "a 1"], [1, 1, 0, 1, 1, 1, 9], 8),
    ([], [], 8),
)
