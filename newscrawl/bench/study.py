"""Results of measuring: every system on every corpus, by language and by site, with bootstrap intervals of figures and
of paired differences between two systems; and the floors of the figures.

Sites are drawn, not pages: pages of one site have the same structure, so they succeed or fail together, and an interval
over pages would be too narrow. All systems use the same draws, so differences are paired. Intervals are of 95 %, from
the percentiles of the draws (Efron and Tibshirani 1993, "An introduction to the bootstrap", chapter 13). Draws are
seeded: same input, same figures.

Floors are the least figures by corpus and chain, in a file under version control.

    {"naeb": {"digest": "...", "systems": {"classic": {"precision": 0.925, "recall": 0.88, "f1": 0.905}}}}

The digest identifies the pages and gold texts of the floors; they are invalid for others. Floors are rounded down to a
multiple of `STEP`, so one or two pages may change. `--update-floors` raises them. A floor is lowered only with
`--lower`, so that this is deliberate and visible in the file's history.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, TypeAlias

from newscrawl.bench.corpora import Corpus, GoldPage
from newscrawl.bench.measure import Find, Measured, Result, measure_corpus, result_of, results, shingle_scores, system
from newscrawl.bench.scores import Score, harmonic
from newscrawl.errors import UsageError
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


_Sums: TypeAlias = tuple[list[float], list[int], list[float]]
"""By site: the sums of precision and of recall, and between them the number of outputs."""


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
        precision, outputs, recall = [0.0] * self._count, [0] * self._count, [0.0] * self._count
        for site, page in zip(self._site, pages, strict=True):
            recall[site] += page.recall
            if page.precision is not None:
                precision[site] += page.precision
                outputs[site] += 1
        return precision, outputs, recall

    def _f1(self, sums: _Sums, draw: Sequence[int]) -> float:
        precision, outputs, recall = (sum(map(of.__getitem__, draw)) for of in sums)
        pages = sum(map(self._pages.__getitem__, draw))
        return harmonic(precision / outputs, recall / pages) if outputs and pages else 0.0


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


STEP: Final = 0.005
PAGE_DEVIATION: Final = 0.2
"""Standard deviation of a page's F1 on the news corpora (measured .17 to .23)."""
FIGURES: Final = ("precision", "recall", "f1")
SNIPPETS: Final = "snippets_f1"


Floors: TypeAlias = Mapping[str, tuple[str, Mapping[str, Mapping[str, float]]]]
"""By corpus: its digest, and the floors of each system."""


def read_floors(path: Path) -> Floors:
    """Returns the floors in a file, empty if it does not exist. Raises UsageError if it is no file of floors."""
    if not path.is_file():
        return {}
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return {name: (row["digest"], row["systems"]) for name, row in rows.items()}
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UsageError(f"{path} is no file of floors: {error}; see docs/how-to/benchmark.md") from error


def write_floors(path: Path, floors: Floors) -> None:
    """Writes the floors in sorted order, so that differences are small."""
    rows = {name: {"digest": digest, "systems": dict(systems)} for name, (digest, systems) in floors.items()}
    path.write_text(json.dumps(rows, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def allowance(sample: int | None) -> float:
    """Returns the amount by which floors are lowered for a sample: two standard errors of its mean; 0 for all pages."""
    return 2 * PAGE_DEVIATION / math.sqrt(sample) if sample else 0.0


def missed_floors(corpora: Sequence[CorpusStudy], floors: Floors, *, sample: int | None = None) -> list[str]:
    """Returns one line for every missed floor, and for every corpus that differs from that of its floors."""
    failures = []
    for corpus in corpora:
        if corpus.name not in floors:
            continue
        digest, systems = floors[corpus.name]
        if digest != corpus.corpus.digest:
            failures.append(
                f"{corpus.name} differs from the corpus of its floors: get that one, or make new floors with "
                "--update-floors --lower"
            )
            continue
        for name, limits in systems.items():
            failures += _missed(corpus.name, name, corpus.results.get(name), limits, allowance(sample))
    return failures


def updated_floors(corpora: Sequence[CorpusStudy], floors: Floors, chains: Sequence[str], *, lower: bool) -> Floors:
    """Returns the floors after this run, for `chains` and all systems that have floors. Raises UsageError if one would
    fall without `lower`."""
    found = dict(floors)
    for corpus in corpora:
        digest, known = floors.get(corpus.name, (corpus.corpus.digest, {}))
        if digest != corpus.corpus.digest and not lower:
            raise UsageError(f"{corpus.name} differs from the corpus of its floors: add --lower to replace them")
        names = dict.fromkeys([*known, *chains])
        systems = {
            name: _raised(corpus.name, name, corpus.results[name], known.get(name, {}), lower=lower)
            for name in names
            if name in corpus.results
        }
        kept = {name: limits for name, limits in known.items() if name not in systems}
        found[corpus.name] = (corpus.corpus.digest, {**kept, **systems})
    return found


def figures(result: Result) -> dict[str, float]:
    """Returns the figures that have floors: precision, recall and F1 over shingles, F over snippets."""
    found = {name: getattr(result.shingles, name) for name in FIGURES} if result.shingles.pages else {}
    return {**found, **({SNIPPETS: result.snippets.f1} if result.snippets else {})}


def _raised(corpus: str, name: str, result: Result, old: Mapping[str, float], *, lower: bool) -> dict[str, float]:
    raised = {}
    for figure, value in figures(result).items():
        new = math.floor(value / STEP + 1e-9) * STEP
        floor = old.get(figure, 0.0)
        # Both are rounded down, so a value in the same step as its floor has not fallen.
        if new < floor - 1e-9 and not lower:
            raise UsageError(
                f"{corpus}: {figure} of {name} would fall from {floor:.3f} to {new:.3f}: find out why, or add --lower"
            )
        raised[figure] = round(new, 3)
    return raised


def _missed(corpus: str, name: str, result: Result | None, limits: Mapping[str, float], allowed: float) -> list[str]:
    if result is None:
        return []
    found = figures(result)
    return [
        f"{corpus}: {figure} of {name} is {found.get(figure, 0.0):.3f}, floor {floor:.3f}"
        for figure, floor in limits.items()
        if found.get(figure, 0.0) < floor - allowed
    ]
