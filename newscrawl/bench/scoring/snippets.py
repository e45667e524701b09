"""Corpora without full texts: snippets that an article's text must have, and snippets that it must not have.

As in trafilatura's evaluation, a required snippet in the output is a true positive, a missing one a false negative, and
a forbidden snippet in the output a false positive. Figures are over all snippets of a corpus, not means of pages. White
space is ignored, since texts are rendered with different line breaks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from newscrawl.bench.scoring.scores import harmonic

_BLANK: Final = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Snippets:
    """Counts of one page or of many."""

    found: int
    missing: int
    wrong: int
    """Forbidden snippets in the output."""
    kept_out: int
    pages: int = 1

    @property
    def precision(self) -> float:
        return self.found / (self.found + self.wrong) if self.found + self.wrong else 0.0

    @property
    def recall(self) -> float:
        return self.found / (self.found + self.missing) if self.found + self.missing else 0.0

    @property
    def f1(self) -> float:
        return harmonic(self.precision, self.recall)

    @property
    def accuracy(self) -> float:
        total = self.found + self.missing + self.wrong + self.kept_out
        return (self.found + self.kept_out) / total if total else 0.0


def count_snippets(required: Sequence[str], forbidden: Sequence[str], output: str) -> Snippets:
    """Counts the snippets in `output`."""
    text = _flat(output)
    found = sum(_flat(snippet) in text for snippet in required)
    wrong = sum(_flat(snippet) in text for snippet in forbidden)
    return Snippets(found, len(required) - found, wrong, len(forbidden) - wrong)


def total(pages: Iterable[Snippets]) -> Snippets:
    """Sums over pages."""
    rows = list(pages)
    return Snippets(
        sum(row.found for row in rows),
        sum(row.missing for row in rows),
        sum(row.wrong for row in rows),
        sum(row.kept_out for row in rows),
        sum(row.pages for row in rows),
    )


def _flat(text: str) -> str:
    return _BLANK.sub(" ", text).strip()
