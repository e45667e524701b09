"""A floor fails only if a figure is below it, and is lowered only by an explicit option."""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks.check import not_ahead
from newscrawl.bench.corpora import Corpus
from newscrawl.bench.measure import Measured, Scores
from newscrawl.bench.scores import Score, Snippets, harmonic
from newscrawl.bench.study import CorpusStudy, Study


def scores(precision: float, recall: float) -> Scores:
    return Scores(Score(precision, recall, harmonic(precision, recall)), snippets=Snippets(8, 2, 1, 9))


def study(name: str = "small", digest: str = "d1", **systems: Scores) -> CorpusStudy:
    named: Mapping[str, Scores] = {key.replace("_", "-"): value for key, value in systems.items()}
    return CorpusStudy(Corpus(name, (), digest), (Measured("one", "en", dict(named), "example.org"),), "classic")


def test_the_gate_wants_classic_ahead_of_plain_boilerpipe() -> None:
    def both(classic: Scores, plain: Scores) -> Study:
        return Study((study(classic=classic, boilerpipe_article=plain),), (), "classic")

    assert not_ahead(both(scores(0.9, 0.9), scores(0.8, 0.8))) == []
    (line,) = not_ahead(both(scores(0.9, 0.9), scores(0.95, 0.95)))
    assert "not ahead of plain Boilerpipe: 0.900 to 0.950" in line
    assert not_ahead(both(scores(0.9, 0.9), scores(0.95, 0.95)), allowed=0.06) == []
