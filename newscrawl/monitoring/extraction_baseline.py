"""The samples of a site's pages that are stored: the latest, and earlier ones that define what is usual. Pure.

While an alarm is open, no page is added to the usual ones; a suspect page (newscrawl.monitoring.page_checks) never is.
newscrawl.monitoring.extraction_alarm judges the baseline.
"""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Final

from newscrawl.monitoring.hint_use import HintUse, with_page
from newscrawl.monitoring.page_sample import PageSample

USUAL: Final = 400
"""The most usual samples that are kept."""
LATEST: Final = 30
"""The most latest samples that are kept."""
MIN_USUAL: Final = 60
"""The fewest usual samples with which pages are compared."""
LENGTH_EDGE: Final = 0.05
"""Share of the usual texts that count as short, and share of those that count as long."""

Samples = tuple[PageSample, ...]
"""Samples in the order in which the pages were read."""


@dataclass(slots=True)
class ExtractionBaseline:
    """At most `USUAL` and `LATEST` samples of a site's pages; see `PageSample.as_usual` and `.remembered`."""

    usual: Samples = ()
    latest: Samples = ()
    hints: tuple[HintUse, ...] = ()
    """How often each hint of the site matched."""
    _lengths: tuple[Samples, list[int]] = field(default=((), []), repr=False, compare=False)
    """The usual samples whose lengths were computed last, and these lengths, sorted."""

    def add(self, sample: PageSample, *, is_alarm: bool) -> None:
        """Adds a page. The oldest of the latest samples becomes usual, unless it is suspect or an alarm is open. With
        few usual samples an alarm can rest on suspect pages only, so then it does not stop other samples."""
        if sample.failure is None:
            self.hints = with_page(self.hints, sample.hints_matched, sample.hints_idle)
        latest = (*self.latest, self.compared(sample))
        if not is_alarm or len(self.usual) < MIN_USUAL:
            self._make_usual(usual_samples(latest[:-LATEST]))
        self.latest = latest[-LATEST:]

    def compared(self, sample: PageSample) -> PageSample:
        """Returns the sample as it is kept, with the information whether one of the latest pages has the same text."""
        sample = sample.remembered()
        if sample.text_hash is None:
            return sample
        repeats = any(
            other.text_hash == sample.text_hash and other.page_hash != sample.page_hash for other in self.latest
        )
        return replace(sample, repeats_text=repeats)

    def accept(self) -> None:
        """Makes the latest pages the usual ones."""
        self.usual = ()
        self.latest = tuple(replace(sample, is_suspect=False) for sample in self.latest)

    def usual_lengths(self) -> list[int]:
        """Returns the lengths of the usual texts in ascending order. They are cached: each new page needs them."""
        if self._lengths[0] is not self.usual:
            self._lengths = (self.usual, lengths_of(self.usual))
        return self._lengths[1]

    def _make_usual(self, samples: Samples) -> None:
        lengths = self.usual_lengths().copy()
        longer = (*self.usual, *samples)
        for sample in samples:
            if sample.failure is None:
                insort(lengths, sample.characters)
        for sample in longer[:-USUAL]:
            if sample.failure is None:
                del lengths[bisect_left(lengths, sample.characters)]
        self.usual = longer[-USUAL:]
        self._lengths = (self.usual, lengths)


def usual_samples(samples: Iterable[PageSample]) -> Samples:
    """Returns the samples as they are kept among the usual ones, without the suspect ones."""
    return tuple(sample.as_usual() for sample in samples if not sample.is_suspect)


def lengths_of(samples: Iterable[PageSample]) -> list[int]:
    """Returns the lengths of the texts in ascending order. Failed pages have none."""
    return sorted(sample.characters for sample in samples if sample.failure is None)


def usual_length(samples: Iterable[PageSample]) -> tuple[float, float]:
    """Returns the median of the texts' lengths and the median absolute deviation from it; zeros without any text."""
    lengths = lengths_of(samples)
    if not lengths:
        return 0.0, 0.0
    middle = median(lengths)
    return middle, median(abs(length - middle) for length in lengths)


def length_edges(lengths: Sequence[int], least: int = MIN_USUAL) -> tuple[float, float]:
    """Returns the lengths (characters) below which a text is short and above which it is long.

    `lengths` are in ascending order. With fewer than `least` of them there are no edges (0 and infinity).
    """
    if len(lengths) < least:
        return 0.0, math.inf
    position = int(LENGTH_EDGE * (len(lengths) - 1))
    return float(lengths[position]), float(lengths[-1 - position])
