"""The tables of the seed paper beside ours."""

from __future__ import annotations

from benchmarks.support.tables import as_json, corpus_table, overview_table
from newscrawl.bench.quality.measure import Result
from newscrawl.bench.scoring.scores import Score, Summary, harmonic, summarise

NONE = summarise([])


def result(precision: float, recall: float) -> Result:
    one: Summary = summarise([Score(precision, recall, harmonic(precision, recall))])
    return Result(one, NONE, NONE)


def test_tables_show_the_paper_beside_the_system_that_is_closest_to_it() -> None:
    table = corpus_table({"classic": result(1.0, 0.5), "boilerpipe-canola": result(0.25, 0.5)})
    assert table.splitlines()[2:] == [
        "| `classic` | 1.000 | .500 | **.667** | .667 | 0 | .97/.93/.95 | .95/.84/.89 |",
        "| `boilerpipe-canola` | .250 | .500 | **.333** | .333 | 0 |  |  |",
    ]


def test_the_overview_marks_the_best_of_each_corpus() -> None:
    table = overview_table({"a": {"one": result(1, 1), "two": result(0.5, 0.5)}, "b": {"two": result(0.5, 0.5)}})
    assert table.splitlines()[2:] == ["| `one` | **1.000** |  |", "| `two` | .500 | **.500** |"]


def test_json_leaves_out_what_was_not_measured() -> None:
    assert list(as_json({"a": {"one": result(1, 1)}})["a"]["one"]) == ["shingles"]
