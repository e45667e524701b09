"""Scores the pages of a site with and without its hints."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import Any, Final

from newscrawl.bench.corpora import GoldPage, read_corpus
from newscrawl.bench.measure import read_case
from newscrawl.bench.scores import score, shingles
from newscrawl.extraction.chain import resolve, run_chain
from newscrawl.extraction.per_site.hinted import run_hinted
from newscrawl.identity import registrable_domain
from newscrawl.site_hints import SiteHints
from newscrawl.site_hints.apply import hints_of_page

MIN_PAGES: Final = 8
"""The fewest pages of a site that is measured."""
SAME: Final = 1e-9
"""Changes of F1 up to this are none: floating point."""
NOW: Final = datetime(2026, 11, 24, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class HintedSite:
    """A site of a corpus, its hints, and the fault that they are for."""

    corpus: str
    domain: str
    fault: str
    hints: SiteHints


@dataclass(frozen=True, slots=True)
class PageScores:
    """The F1 of a page without and with the hints, and whether its text differs."""

    page: str
    before: float
    after: float
    is_changed: bool


@dataclass(frozen=True, slots=True)
class SiteScores:
    """The scores of a site's pages. A page whose text the hints change has the fault."""

    site: HintedSite
    pages: tuple[PageScores, ...]

    @property
    def faulty(self) -> list[PageScores]:
        return [page for page in self.pages if page.is_changed]

    @property
    def better(self) -> int:
        return sum(page.after > page.before + SAME for page in self.faulty)

    @property
    def worse(self) -> int:
        return sum(page.after < page.before - SAME for page in self.faulty)

    @property
    def mends(self) -> bool:
        """Whether three quarters of the pages with the fault are better, and none is worse."""
        return bool(self.faulty) and 4 * self.better >= 3 * len(self.faulty) and not self.worse


def read_sites(text: str | None = None) -> list[HintedSite]:
    """Returns the sites of `hints.toml`. Raises UsageError for hints that cannot be used."""
    text = text or resources.files("benchmarks.site_hints").joinpath("hints.toml").read_text("utf-8")
    return [_site(entry) for entry in tomllib.loads(text)["site"]]


def measure(sites: Sequence[HintedSite], shared: Path) -> list[SiteScores]:
    """Scores all pages of the sites, those of a corpus with gold texts. Raises CorpusError."""
    pages: dict[str, tuple[GoldPage, ...]] = {}
    for site in sites:
        if site.corpus not in pages:
            pages[site.corpus] = read_corpus(shared / "corpora" / site.corpus).pages
    return [SiteScores(site, tuple(map(_Scorer(site), of_domain(pages[site.corpus], site.domain)))) for site in sites]


def of_domain(pages: Iterable[GoldPage], domain: str) -> list[GoldPage]:
    """Returns the pages of a domain with a gold text, in the order of their ids."""
    found = [page for page in pages if (_domain(page) == domain and shingles(page.text))]
    return sorted(found, key=lambda page: page.id)


@dataclass(frozen=True, slots=True)
class _Scorer:
    site: HintedSite

    def __call__(self, gold: GoldPage) -> PageScores:
        page, chain, wanted = read_case(gold).page, resolve("classic"), shingles(gold.text)
        plain = run_chain(page, chain)
        hints = hints_of_page(page, self.site.hints, NOW)
        hinted = run_hinted(page, chain, hints) if hints is not None else plain
        before, after = (score(wanted, shingles(found.text)).f1 for found in (plain, hinted))
        return PageScores(gold.id, before, after, plain.text != hinted.text)


def _domain(page: GoldPage) -> str | None:
    return registrable_domain(page.url) if page.url else page.domain


def _site(entry: Mapping[str, Any]) -> HintedSite:
    return HintedSite(entry["corpus"], entry["domain"], entry["fault"], SiteHints.of(entry["hints"]))
