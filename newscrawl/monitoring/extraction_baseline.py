"""What is remembered of a site's pages: samples of the latest, and of those before them, which say what is usual. Pure.

While an alarm is open no page is added to what is usual, and a suspect page (newscrawl.monitoring.page_checks) never
is. What the baseline says is in newscrawl.monitoring.extraction_alarm.
"""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Final

from newscrawl.monitoring.page_sample import PageSample

USUAL: Final = 400
"""Samples that are kept of what is usual."""
LATEST: Final = 30
"""Samples that are kept of the latest pages."""
LEAST_USUAL: Final = 60
"""Samples from which a site has something usual."""
LENGTH_EDGE: Final = 0.05
"""The shortest and the longest twentieth of the usual texts say what is short and long."""

Samples = tuple[PageSample, ...]
"""Samples in the order in which the pages were read."""


@dataclass(slots=True)
class ExtractionBaseline:
    """At most `USUAL` and `LATEST` samples of a site's pages; see `PageSample.as_usual` and `.remembered`."""

    usual: Samples = ()
    latest: Samples = ()
    _lengths: tuple[Samples, list[int]] = field(default=((), []), repr=False, compare=False)
    """The usual samples that were asked about last, and the lengths of their texts."""

    def add(self, sample: PageSample, *, is_alarm: bool) -> None:
        """One more page. The oldest of the latest samples becomes usual, unless it is suspect or an alarm is open. An
        alarm of a site of which little is usual yet can only rest on suspect pages."""
        latest = (*self.latest, self.compared(sample))
        if not is_alarm or len(self.usual) < LEAST_USUAL:
            self._make_usual(usual_samples(latest[:-LATEST]))
        self.latest = latest[-LATEST:]

    def compared(self, sample: PageSample) -> PageSample:
        """The sample as it is remembered, which says whether one of the latest pages has the same text."""
        sample = sample.remembered()
        if sample.text_hash is None:
            return sample
        repeats = any(
            other.text_hash == sample.text_hash and other.page_hash != sample.page_hash for other in self.latest
        )
        return replace(sample, repeats_text=repeats)

    def accept(self) -> None:
        """What the latest pages are is usual from now on."""
        self.usual = ()
        self.latest = tuple(replace(sample, is_suspect=False) for sample in self.latest)

    def usual_lengths(self) -> list[int]:
        """The lengths of the usual texts, ascending: sorted once, since each new page asks for them."""
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
    """The samples as they are remembered of what is usual, without the suspect ones."""
    return tuple(sample.as_usual() for sample in samples if not sample.is_suspect)


def lengths_of(samples: Iterable[PageSample]) -> list[int]:
    """The lengths of the texts, ascending; a failed page has none."""
    return sorted(sample.characters for sample in samples if sample.failure is None)


def usual_length(samples: Iterable[PageSample]) -> tuple[float, float]:
    """Median of the texts' characters and the median absolute deviation from it; zeros without any text."""
    lengths = lengths_of(samples)
    if not lengths:
        return 0.0, 0.0
    middle = median(lengths)
    return middle, median(abs(length - middle) for length in lengths)


def length_edges(lengths: Sequence[int], least: int = LEAST_USUAL) -> tuple[float, float]:
    """The characters below which the shortest twentieth of the usual lengths lies, and above which the longest.

    `lengths` are in ascending order; fewer than `least` of them have no edges (0 and infinity).
    """
    if len(lengths) < least:
        return 0.0, math.inf
    place = int(LENGTH_EDGE * (len(lengths) - 1))
    return float(lengths[place]), float(lengths[-1 - place])
