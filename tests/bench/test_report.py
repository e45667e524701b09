"""The report of a small corpus as Markdown and JSON: the figures are right."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from newscrawl.bench.corpora import read_corpus
from newscrawl.bench.measure import Measured, Scores
from newscrawl.bench.report import as_json, markdown_report
from newscrawl.bench.scores import EMPTY_OUTPUT, Score, harmonic
from newscrawl.bench.study import CorpusStudy, Study, make_study

LONG = " ".join(f"The council said number {n} of the bridges would open to all on Monday." for n in range(12))


@pytest.fixture
def study(make_corpus: Callable[..., Path]) -> Study:
    """Three systems on a corpus of articles in two languages, one page with snippets only."""
    rows = [
        {"id": f"page <{n}>", "text": f"{LONG} {n}", "lang": "en" if n else "es-MX", "domain": "www.example.org"}
        for n in range(4)
    ]
    rows.append({"id": "snip", "text": "", "extra": {"with": ["council"], "without": ["cookie"]}})
    corpora = [read_corpus(make_corpus("town", rows))]
    return make_study(corpora, ("classic", "boilerpipe-wide", "justext"), against="classic", thorough=True, processes=1)


def test_markdown_has_every_part(study: Study) -> None:
    report = markdown_report(study)
    headings = re.findall(r"^### (.*)$", report, re.MULTILINE)
    assert headings == [
        "All corpora",
        "F1 minus that of `classic`",
        "Snippets",
        "By language",
        "Sites with the lowest F1 of `classic` (3 pages or more)",
        "town (4 pages)",
    ]
    assert "Spanish (1)" in report
    assert "ROUGE-LSum F1" in report
    assert "| example.org | 4 |" in report


def test_json_has_the_figures_of_every_page(study: Study) -> None:
    found = json.loads(json.dumps(as_json(study, {"date": "2026-01-02"})))
    corpus = found["corpora"]["town"]
    assert corpus["pages"] == len(corpus["by_page"]) == 5
    assert corpus["digest"]
    wide = corpus["systems"]["boilerpipe-wide"]
    assert wide["shingles"]["f1"] == 1
    assert set(wide) >= {"shingles", "characters", "rouge", "snippets", "f1_interval", "difference"}
    assert corpus["by_page"][0]["scores"]["classic"]["shingles"]["f1"] == 1
    assert list(found["languages"]) == ["en", "es"]


def test_the_worst_pages_come_first(make_corpus: Callable[..., Path]) -> None:
    corpus = read_corpus(make_corpus())
    values = {"bridge": 0.7, "harbour": 0.2, "market": 1.0}
    measured = tuple(
        Measured(name, None, {"classic": Scores(Score(v, v, harmonic(v, v)))}, None) for name, v in values.items()
    )
    worst = CorpusStudy(corpus, measured, "classic").worst("classic", 5)
    assert [page.id for page, _ in worst] == ["harbour", "bridge"]
    assert EMPTY_OUTPUT.f1 == 0


def test_a_corpus_that_weights_were_learned_from_is_marked(make_corpus: Callable[..., Path]) -> None:
    corpora = [read_corpus(make_corpus(name)) for name in ("naeb", "other")]
    study = make_study(corpora, ("classic", "best"), against="classic", thorough=False, processes=1)
    report = markdown_report(study)
    assert "| F1 | naeb † | other |" in report
    assert "\n\n† The weights of `best`" in report
    study = make_study(corpora, ("classic",), against="classic", thorough=False, processes=1)
    assert "†" not in markdown_report(study)
