"""Results of measuring: every system on every corpus, by language and by site, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from newscrawl.bench.corpora import Corpus, GoldPage
from newscrawl.bench.quality.measure import Measured, Result, measure_corpus, result_of, results, shingle_scores
from newscrawl.bench.scoring.intervals import Bootstrap, Interval
from newscrawl.identity import registrable_domain

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
) -> Study:
    """Measures the named systems on these corpora. `thorough` also scores characters and ROUGE."""
    studies = []
    for corpus in corpora:
        measured = measure_corpus(corpus, systems, characters=thorough, rouge=thorough, processes=processes)
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
