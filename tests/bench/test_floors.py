"""The gate over quality speaks up when, and only when, a figure is under its floor."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.document import replace_section
from benchmarks.measure import Result
from benchmarks.quality import missed_floors
from benchmarks.tables import as_json, corpus_table, overview_table
from newscrawl.bench.scoring import Score, Summary, harmonic, summarise
from newscrawl.errors import UsageError

FLOORS = {"small": {"f1": 0.90, "precision": 0.93}}
NONE = summarise([])


def result(precision: float, recall: float) -> Result:
    one: Summary = summarise([Score(precision, recall, harmonic(precision, recall))])
    return Result(one, NONE, NONE)


def test_figures_above_their_floors_are_not_mentioned() -> None:
    assert (
        missed_floors({"small": {"classic": result(0.95, 0.9), "boilerpipe-article": result(0.8, 0.9)}}, FLOORS) == []
    )


@pytest.mark.parametrize(
    ("classic", "plain", "words"),
    [
        (result(0.95, 0.80), result(0.7, 0.7), "f1 of classic under 0.9"),
        (result(0.90, 0.95), result(0.7, 0.7), "precision of classic under 0.93"),
        (result(0.95, 0.90), result(0.95, 0.95), "not ahead of plain Boilerpipe"),
    ],
)
def test_each_floor_that_is_missed_has_its_line(classic: Result, plain: Result, words: str) -> None:
    (line,) = missed_floors({"small": {"classic": classic, "boilerpipe-article": plain}}, FLOORS)
    assert words in line


def test_corpora_without_floors_are_not_checked() -> None:
    assert missed_floors({"other": {}}, FLOORS) == []


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


def test_a_generated_section_replaces_the_last_one(tmp_path: Path) -> None:
    document = tmp_path / "quality.md"
    document.write_text("before\n<!-- x -->\nold\n<!-- /x -->\nafter\n", encoding="utf-8")
    for content in ("first", "second"):
        replace_section(document, "x", content, "python -m benchmarks.x")
    text = document.read_text(encoding="utf-8")
    assert "old" not in text
    assert "first" not in text
    assert text.startswith("before\n<!-- x -->\nGenerated on ")
    assert text.endswith("by `python -m benchmarks.x`.\n\nsecond\n<!-- /x -->\nafter\n")
    with pytest.raises(UsageError, match="add the two markers"):
        replace_section(document, "y", "", "")
