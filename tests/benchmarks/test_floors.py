"""A floor fails only if a figure is below it, and is lowered only by an explicit option."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from benchmarks.check import not_ahead
from newscrawl.bench.corpora import Corpus
from newscrawl.bench.documents import replace_section
from newscrawl.bench.floors import CorpusFloors, allowance, missed, read_floors, updated, write_floors
from newscrawl.bench.measure import Measured, Scores
from newscrawl.bench.scores import Score, Snippets, harmonic
from newscrawl.bench.study import CorpusStudy, Study
from newscrawl.errors import UsageError

FLOORS = {"small": CorpusFloors("d1", {"classic": {"f1": 0.90, "precision": 0.93}})}


def scores(precision: float, recall: float) -> Scores:
    return Scores(Score(precision, recall, harmonic(precision, recall)), snippets=Snippets(8, 2, 1, 9))


def study(name: str = "small", digest: str = "d1", **systems: Scores) -> CorpusStudy:
    named: Mapping[str, Scores] = {key.replace("_", "-"): value for key, value in systems.items()}
    return CorpusStudy(Corpus(name, (), digest), (Measured("one", "en", dict(named), "example.org"),), "classic")


def test_figures_above_their_floors_are_not_mentioned() -> None:
    assert missed([study(classic=scores(0.95, 0.9))], FLOORS) == []


@pytest.mark.parametrize(
    ("corpus", "words"),
    [
        (study(classic=scores(0.95, 0.80)), "f1 of classic is 0.869, floor 0.900"),
        (study(classic=scores(0.90, 0.95)), "precision of classic is 0.900, floor 0.930"),
        (study(classic=scores(0.99, 0.99), digest="d2"), "differs from the corpus of its floors"),
    ],
)
def test_each_floor_that_is_missed_has_its_line(corpus: CorpusStudy, words: str) -> None:
    (line,) = missed([corpus], FLOORS)
    assert words in line


def test_a_sample_is_allowed_its_error() -> None:
    low = [study(classic=scores(0.90, 0.88))]
    assert missed(low, FLOORS)
    assert missed(low, FLOORS, sample=40) == []
    assert allowance(None) == 0


def test_systems_and_corpora_without_floors_are_not_checked() -> None:
    assert missed([study("other", classic=scores(0, 0)), study(justext=scores(0, 0))], FLOORS) == []


def test_floors_rise_to_what_is_reached_rounded_down() -> None:
    found = updated([study(classic=scores(0.951, 0.949))], FLOORS, ["classic"], lower=False)
    assert found["small"].systems["classic"] == {"precision": 0.95, "recall": 0.945, "f1": 0.945, "snippets_f1": 0.84}


def test_a_floor_falls_only_with_lower() -> None:
    worse = [study(classic=scores(0.92, 0.95))]
    with pytest.raises(UsageError, match=r"small: precision of classic would fall from 0\.930 to 0\.920: .*--lower"):
        updated(worse, FLOORS, ["classic"], lower=False)
    assert updated(worse, FLOORS, ["classic"], lower=True)["small"].systems["classic"]["precision"] == 0.92


def test_floors_of_another_corpus_of_that_name_are_replaced_only_with_lower() -> None:
    other = [study(digest="d2", classic=scores(0.99, 0.99))]
    with pytest.raises(UsageError, match="differs from the corpus"):
        updated(other, FLOORS, ["classic"], lower=False)
    assert updated(other, FLOORS, ["classic"], lower=True)["small"].digest == "d2"


def test_floors_of_systems_not_measured_stay() -> None:
    found = updated([study(justext=scores(0.5, 0.5))], FLOORS, ["justext"], lower=False)
    assert found["small"].systems["classic"] == FLOORS["small"].systems["classic"]
    assert found["small"].systems["justext"]["f1"] == 0.5


def test_floors_are_written_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "floors.json"
    assert read_floors(path) == {}
    write_floors(path, FLOORS)
    assert read_floors(path) == FLOORS
    path.write_text("[1]", encoding="utf-8")
    with pytest.raises(UsageError, match="no file of floors"):
        read_floors(path)


def test_the_gate_wants_classic_ahead_of_plain_boilerpipe() -> None:
    def both(classic: Scores, plain: Scores) -> Study:
        return Study((study(classic=classic, boilerpipe_article=plain),), (), "classic")

    assert not_ahead(both(scores(0.9, 0.9), scores(0.8, 0.8))) == []
    (line,) = not_ahead(both(scores(0.9, 0.9), scores(0.95, 0.95)))
    assert "not ahead of plain Boilerpipe: 0.900 to 0.950" in line
    assert not_ahead(both(scores(0.9, 0.9), scores(0.95, 0.95)), allowed=0.06) == []


def test_a_generated_section_replaces_the_last_one(tmp_path: Path) -> None:
    document = tmp_path / "quality.md"
    document.write_text("before\n<!-- x -->\nold\n<!-- /x -->\nafter\n", encoding="utf-8")
    for content in ("first", "second"):
        replace_section(document, "x", content, "newscrawl bench quality")
    text = document.read_text(encoding="utf-8")
    assert "old" not in text
    assert "first" not in text
    assert text.startswith("before\n<!-- x -->\nGenerated on ")
    assert text.endswith("by `newscrawl bench quality`.\n\nsecond\n<!-- /x -->\nafter\n")
    with pytest.raises(UsageError, match="add the two markers"):
        replace_section(document, "y", "", "")
