"""Results of measuring: every system on every corpus, by language and by site, with bootstrap intervals of figures and
of paired differences between two systems.

Sites are drawn, not pages: pages of one site have the same structure, so they succeed or fail together, and an interval
over pages would be too narrow. All systems use the same draws, so differences are paired. Intervals are of 95 %, from
the percentiles of the draws (Efron and Tibshirani 1993, "An introduction to the bootstrap", chapter 13). Draws are
seeded: same input, same figures.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from newscrawl.bench.corpora import Corpus, GoldPage
from newscrawl.bench.measure import Find, Measured, Result, measure_corpus, result_of, results, shingle_scores, system
from newscrawl.bench.scores import Score, harmonic
from newscrawl.model.identity import registrable_domain

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


UNKNOWN: Final = "?"
"""Language or site of a page for which the corpus states none."""
MIN_SITE_PAGES: Final = 3
"""Least number of pages of a site that has its own row."""


@dataclass(frozen=True)
class CorpusStudy:
    """All systems on one corpus."""

    corpus: Corpus
    measured: tuple[Measured, ...]
    against: str
    """The system that the others are compared with."""

    @property
    def name(self) -> str:
        return self.corpus.name

    @cached_property
    def results(self) -> dict[str, Result]:
        """Means over all pages."""
        return results(self.measured)

    @cached_property
    def texts(self) -> tuple[Measured, ...]:
        """The pages with a gold text."""
        return tuple(page for page in self.measured if any(s.shingles for s in page.systems.values()))

    @cached_property
    def intervals(self) -> dict[str, Interval]:
        """F1 of each system with its interval."""
        bootstrap = self._bootstrap
        return {name: bootstrap.f1(shingle_scores(self.texts, name)) for name in self.results} if self.texts else {}

    @cached_property
    def differences(self) -> dict[str, Interval]:
        """F1 of each system minus that of `against`; empty if `against` was not measured."""
        if not self.texts or self.against not in self.results:
            return {}
        bootstrap, base = self._bootstrap, shingle_scores(self.texts, self.against)
        others = [name for name in self.results if name != self.against]
        return {name: bootstrap.difference(shingle_scores(self.texts, name), base) for name in others}

    @cached_property
    def _bootstrap(self) -> Bootstrap:
        return Bootstrap([None if (site := site_of(page)) == UNKNOWN else site for page in self.texts])

    def worst(self, name: str, number: int) -> list[tuple[GoldPage, float]]:
        """Returns the pages with the lowest F1 of a system, lowest first. Pages with an F1 of 1 are left out."""
        by_id = {page.id: page for page in self.corpus.pages}
        scored = [(scores.f1, page.page) for page in self.texts if (scores := page.systems[name].shingles)]
        return [(by_id[page], f1) for f1, page in sorted(scored)[:number] if f1 < 1]


@dataclass(frozen=True)
class Study:
    """All corpora."""

    corpora: tuple[CorpusStudy, ...]
    systems: tuple[str, ...]
    against: str

    def by_language(self) -> dict[str, dict[str, Result]]:
        """Means by language and system over all pages with a gold text. The language with most pages is first."""
        return self._parts(language_of)

    def by_site(self) -> dict[str, dict[str, Result]]:
        """Means by site and system, for sites with enough pages. The site with most pages is first."""
        parts = self._parts(site_of)
        return {site: part for site, part in parts.items() if _pages(part) >= MIN_SITE_PAGES and site != UNKNOWN}

    def _parts(self, key: Callable[[Measured], str]) -> dict[str, dict[str, Result]]:
        groups: dict[str, list[Measured]] = {}
        for corpus in self.corpora:
            for page in corpus.texts:
                groups.setdefault(key(page), []).append(page)
        ordered = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
        return {
            name: {system: result_of([page.systems[system] for page in pages]) for system in self.systems}
            for name, pages in ordered
        }


def make_study(
    corpora: Sequence[Corpus],
    systems: Sequence[str],
    *,
    against: str,
    thorough: bool,
    processes: int | None,
    find: Find = system,
) -> Study:
    """Measures the named systems on these corpora; `find` returns a system. `thorough` also scores characters and
    ROUGE."""
    studies = []
    for corpus in corpora:
        measured = measure_corpus(corpus, systems, characters=thorough, rouge=thorough, processes=processes, find=find)
        if measured:
            studies.append(CorpusStudy(corpus, tuple(measured), against))
    return Study(tuple(studies), tuple(systems), against)


def language_of(page: Measured) -> str:
    """Returns the page's language without region or script, lower case."""
    return (page.language or UNKNOWN).partition("-")[0].lower()


def site_of(page: Measured) -> str:
    """Returns the page's registrable domain."""
    return (registrable_domain(page.domain) or page.domain) if page.domain else UNKNOWN


def _pages(part: Mapping[str, Result]) -> int:
    return max((result.shingles.pages for result in part.values()), default=0)
