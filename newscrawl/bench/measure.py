"""Scores every system on every page: our chains and algorithms, and others that a benchmark adds. A page is parsed
once, in the worker that scores it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Final

from newscrawl.bench.corpora import Corpus, GoldPage
from newscrawl.bench.parallel import in_parallel
from newscrawl.bench.scores import (
    EMPTY_OUTPUT,
    Bag,
    Score,
    Snippets,
    Summary,
    character_score,
    character_shingles,
    count_snippets,
    rouge_lsum,
    score,
    shingles,
    summarise,
    total,
)
from newscrawl.extraction.chain import Chain, known_names, resolve, run_chain
from newscrawl.page import Page, parse
from newscrawl.page.decode import decode

FIRST: Final = ("best", "classic")
"""Chains that come first in reports."""
BLANKLESS: Final = frozenset({"zh", "ja"})
"""Languages that are also scored over single characters."""


class SystemFailed(Exception):
    """A system of others returned no text for a page; the message has the reason."""


@dataclass(frozen=True, slots=True)
class SystemInput:
    """The input of a system: the page parsed for ours and decoded for others."""

    page: Page
    html: str


System = Callable[[SystemInput], str]
Find = Callable[[str], System]
"""Returns the system with a name. Workers call it: it is sent to them by its own name."""


def chain_names() -> tuple[str, ...]:
    """Returns all our chains and algorithms without tree filter, the recommended ones first."""
    names = known_names()
    return (*(name for name in FIRST if name in names), *(name for name in names if name not in FIRST))


@cache
def system(name: str) -> System:
    """Returns the chain or algorithm with this name. Raises UsageError (UnknownChainError) for an unknown name."""
    return partial(_text, chain=resolve(name))


def _text(case: SystemInput, *, chain: Chain) -> str:
    return run_chain(case.page, chain).text


@dataclass(frozen=True, slots=True)
class Scores:
    """One system on one page."""

    shingles: Score | None = None
    """None for a page without a gold text."""
    single: Score | None = None
    """Over single characters, only for Chinese and Japanese pages."""
    characters: Score | None = None
    """Over characters as in the seed paper, if requested."""
    rouge: Score | None = None
    """ROUGE-LSum, if requested."""
    snippets: Snippets | None = None
    """Only for a page with snippets."""
    failure: str | None = None
    """Why a system returned no text; it is scored as an empty output."""


@dataclass(frozen=True, slots=True)
class Measured:
    """All systems on one page."""

    page: str
    language: str | None
    systems: dict[str, Scores]
    domain: str | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """One system on one corpus, or on a part of it."""

    shingles: Summary
    single: Summary
    characters: Summary
    rouge: Summary = field(default_factory=lambda: summarise(()))
    snippets: Snippets | None = None
    failures: tuple[tuple[str, int], ...] = ()
    """The errors of a system with their numbers of pages, most frequent first."""

    @property
    def failed(self) -> int:
        """Pages for which the system returned no text. They also count as empty outputs."""
        return sum(number for _, number in self.failures)


def measure_corpus(
    corpus: Corpus,
    names: Sequence[str],
    *,
    characters: bool = False,
    rouge: bool = False,
    processes: int | None = None,
    find: Find = system,
) -> list[Measured]:
    """Scores of the named systems, which `find` returns, on every page that has a gold text or snippets.

    SystemFailed is counted; any other error is raised.
    """
    for name in names:
        find(name)  # a misspelt name ends the run here, before any work
    pages = [page for page in corpus.pages if is_scored(page)]
    measure = partial(measure_page, names=tuple(names), characters=characters, rouge=rouge, find=find)
    return list(in_parallel(measure, pages, label=corpus.name, processes=processes))


def is_scored(page: GoldPage) -> bool:
    """Returns whether the page has a gold text or snippets."""
    return bool(shingles(page.text) or page.required or page.forbidden)


def measure_page(
    gold: GoldPage, *, names: Sequence[str], characters: bool, rouge: bool = False, find: Find = system
) -> Measured:
    """Scores of the named systems on one page."""
    case = read_case(gold)
    marker = _Marker(gold, characters=characters, rouge=rouge)
    scores = {name: _run(name, find(name), case, gold, marker) for name in names}
    return Measured(gold.id, gold.language, scores, gold.domain)


def read_case(gold: GoldPage, *, encoding: str | None = None) -> SystemInput:
    """Returns the page parsed for our systems and decoded for the others."""
    body = gold.body()
    html = decode(body, encoding=encoding).data.decode("utf-8")
    return SystemInput(parse(body, url=gold.url, encoding=encoding), html)


def results(measured: Sequence[Measured]) -> dict[str, Result]:
    """Returns each system's means over the pages."""
    names = measured[0].systems if measured else ()
    return {name: result_of([page.systems[name] for page in measured]) for name in names}


def result_of(pages: Sequence[Scores]) -> Result:
    """Returns one system's means over these pages."""
    snippets = [page.snippets for page in pages if page.snippets]
    return Result(
        _summary(page.shingles for page in pages),
        _summary(page.single for page in pages),
        _summary(page.characters for page in pages),
        _summary(page.rouge for page in pages),
        total(snippets) if snippets else None,
        tuple(Counter(page.failure for page in pages if page.failure).most_common()),
    )


def is_blankless(language: str | None) -> bool:
    """Returns whether the language is also scored over single characters (Chinese, Japanese)."""
    return bool(language) and str(language).split("-")[0].lower() in BLANKLESS


def _run(name: str, run: System, case: SystemInput, gold: GoldPage, marker: _Marker) -> Scores:
    try:
        return marker.mark(run(case))
    except SystemFailed as failure:
        return marker.mark("", failure=str(failure))
    except Exception as error:
        error.add_note(f"in {name} on {gold.path}")
        raise


class _Marker:
    """Scores outputs for one page. Equal texts of several systems are scored once."""

    def __init__(self, gold: GoldPage, *, characters: bool, rouge: bool) -> None:
        self._gold = gold
        self._wanted: Bag = shingles(gold.text)
        self._characters = characters and bool(self._wanted)
        self._rouge = rouge and bool(self._wanted)
        self._single = bool(self._wanted) and is_blankless(gold.language)
        self._known: dict[tuple[str, str | None], Scores] = {}

    def mark(self, text: str, *, failure: str | None = None) -> Scores:
        key = text, failure
        if key not in self._known:
            self._known[key] = self._mark(text, failure)
        return self._known[key]

    def _mark(self, text: str, failure: str | None) -> Scores:
        gold = self._gold
        has_snippets = gold.required or gold.forbidden
        return Scores(
            shingles=score(self._wanted, shingles(text)) if self._wanted else None,
            single=score(character_shingles(gold.text), character_shingles(text)) if self._single else None,
            characters=character_score(gold.text, text) if self._characters else None,
            rouge=rouge_lsum(gold.text, text) if self._rouge else None,
            snippets=count_snippets(gold.required, gold.forbidden, text) if has_snippets else None,
            failure=failure,
        )


def _summary(scores: Iterable[Score | None]) -> Summary:
    return summarise(score for score in scores if score is not None)


def shingle_scores(measured: Sequence[Measured], name: str) -> list[Score]:
    """Returns one system's score on every page that has a gold text, in the pages' order."""
    found = (page.systems[name] for page in measured)
    return [scores.shingles or EMPTY_OUTPUT for scores in found if scores.shingles is not None]
