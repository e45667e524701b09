"""Bootstrap intervals of figures, and of paired differences between two systems.

Sites are drawn, not pages: pages of one site have the same structure, so they succeed or fail together, and an interval
over pages would be too narrow. All systems use the same draws, so differences are paired. Intervals are of 95 %, from
the draws' percentiles (Efron and Tibshirani 1993, "An introduction to the bootstrap", chapter 13). Draws are seeded:
same input, same figures.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from newscrawl.bench.scoring.scores import Score, harmonic

DRAWS: Final = 1000
SEED: Final = 2018
OUTSIDE: Final = 0.025
"""Share of the draws outside the interval at each end."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure over all pages, and the interval that contains 95 % of the draws."""

    value: float
    low: float
    high: float

    @property
    def is_certain(self) -> bool:
        """For a difference: whether the interval excludes 0."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True, slots=True)
class _Sums:
    precision: list[float]
    outputs: list[int]
    recall: list[float]


class Bootstrap:
    """Draws of sites for one set of pages. `sites` has each page's site, None if unknown."""

    def __init__(self, sites: Sequence[str | None], draws: int = DRAWS, seed: int = SEED) -> None:
        numbers: dict[object, int] = {}
        self._site = [numbers.setdefault(site or index, len(numbers)) for index, site in enumerate(sites)]
        self._count = len(numbers)
        self._pages = [0] * self._count
        for number in self._site:
            self._pages[number] += 1
        generator = random.Random(seed)  # noqa: S311
        self._draws = [generator.choices(range(self._count), k=self._count) for _ in range(draws if numbers else 0)]

    def f1(self, pages: Sequence[Score]) -> Interval:
        """Returns F1 of mean precision and mean recall with its interval."""
        return _interval(self._all(pages), self._drawn(pages))

    def difference(self, pages: Sequence[Score], other: Sequence[Score]) -> Interval:
        """Returns F1 of `pages` minus F1 of `other`, draw by draw."""
        pairs = zip(self._drawn(pages), self._drawn(other), strict=True)
        return _interval(self._all(pages) - self._all(other), [one - two for one, two in pairs])

    def _all(self, pages: Sequence[Score]) -> float:
        return self._f1(self._sums(pages), range(self._count))

    def _drawn(self, pages: Sequence[Score]) -> list[float]:
        sums = self._sums(pages)
        return [self._f1(sums, draw) for draw in self._draws]

    def _sums(self, pages: Sequence[Score]) -> _Sums:
        sums = _Sums([0.0] * self._count, [0] * self._count, [0.0] * self._count)
        for site, page in zip(self._site, pages, strict=True):
            sums.recall[site] += page.recall
            if page.precision is not None:
                sums.precision[site] += page.precision
                sums.outputs[site] += 1
        return sums

    def _f1(self, sums: _Sums, draw: Sequence[int]) -> float:
        outputs = sum(map(sums.outputs.__getitem__, draw))
        pages = sum(map(self._pages.__getitem__, draw))
        if not outputs or not pages:
            return 0.0
        precision = sum(map(sums.precision.__getitem__, draw)) / outputs
        return harmonic(precision, sum(map(sums.recall.__getitem__, draw)) / pages)


def _interval(value: float, drawn: list[float]) -> Interval:
    if not drawn:
        return Interval(value, value, value)
    ordered = sorted(drawn)
    outside = int(OUTSIDE * len(ordered))
    return Interval(value, ordered[outside], ordered[-1 - outside])
