"""Every system's score on every page: the page is read and parsed once, in the worker that scores it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from benchmarks.common import in_parallel
from benchmarks.systems import Case, system
from newscrawl.bench.corpora import Corpus, GoldPage
from newscrawl.bench.scoring import Score, Summary, character_score, character_shingles, score, shingles, summarise
from newscrawl.page import parse
from newscrawl.page.decode import decode


@dataclass(frozen=True, slots=True)
class Scores:
    """One system on one page."""

    shingles: Score
    single: Score | None = None
    """Over single characters, for Chinese and Japanese pages."""
    characters: Score | None = None
    """Over the paper's characters, where asked for."""


@dataclass(frozen=True, slots=True)
class Measured:
    """All systems on one page."""

    page: str
    language: str | None
    systems: dict[str, Scores]


@dataclass(frozen=True, slots=True)
class Result:
    """One system on one corpus."""

    shingles: Summary
    single: Summary
    characters: Summary


def measure_corpus(
    corpus: Corpus, names: Sequence[str], *, characters: bool = False, processes: int | None = None
) -> list[Measured]:
    """Scores of the named systems on every page that has a gold text; an unexpected error in a system is raised."""
    pages = [page for page in corpus.pages if shingles(page.text)]
    measure = partial(measure_page, names=tuple(names), characters=characters)
    return list(in_parallel(measure, pages, label=corpus.name, processes=processes))


def measure_page(gold: GoldPage, *, names: Sequence[str], characters: bool) -> Measured:
    """Scores of the named systems on one page."""
    case = read_case(gold)
    known: dict[str, Scores] = {}  # many systems give the same text
    scores: dict[str, Scores] = {}
    wanted = shingles(gold.text)
    for name in names:
        try:
            text = system(name)(case)
        except Exception as error:
            error.add_note(f"in {name} on {gold.path}")
            raise
        if text not in known:
            known[text] = Scores(
                score(wanted, shingles(text)),
                score(character_shingles(gold.text), character_shingles(text)) if is_blankless(gold.language) else None,
                character_score(gold.text, text) if characters else None,
            )
        scores[name] = known[text]
    return Measured(gold.id, gold.language, scores)


def read_case(gold: GoldPage, *, encoding: str | None = None) -> Case:
    """The page parsed for our systems and decoded for the others."""
    body = gold.body()
    html = decode(body, encoding=encoding).data.decode("utf-8")
    return Case(parse(body, url=gold.url, encoding=encoding), html)


def results(measured: Sequence[Measured]) -> dict[str, Result]:
    """Each system's means over the pages."""
    names = measured[0].systems if measured else ()
    return {name: _result([page.systems[name] for page in measured]) for name in names}


def is_blankless(language: str | None) -> bool:
    """Whether a gold text's language is scored over single characters besides (Chinese, Japanese)."""
    return bool(language) and str(language).split("-")[0].lower() in {"zh", "ja"}


def _result(pages: Sequence[Scores]) -> Result:
    return Result(
        summarise(page.shingles for page in pages),
        summarise(page.single for page in pages if page.single),
        summarise(page.characters for page in pages if page.characters),
    )
