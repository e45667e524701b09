"""Benchmarks in turns on two trees: order, figures and table. Folders with small scripts stand for trees."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import before
from benchmarks.before import Task, Tree, main, measured, table

MASS = """newscrawl     1020 modules   76761 lines of code (9000 of imports)  median 71
tests          600 modules   52700 lines of code (1 of imports)
benchmarks     132 modules   10700 lines of code (1 of imports)
Cython 3262 lines; data files 1 lines; tables 57; settings 75; docs 87 pages, 145000 words; changelog 11160 words"""


def tree(folder: Path, name: str, **commands: str) -> Tree:
    """A tree whose commands are shell scripts."""
    place = folder / name / "bin"
    place.mkdir(parents=True)
    for command, script in commands.items():
        (place / command).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (place / command).chmod(0o755)
    return Tree(name, folder / name, place)


@pytest.fixture
def task(tmp_path: Path) -> Task:
    return Task(quick=True, shared=tmp_path / "shared", folder=tmp_path)


def test_both_trees_run_in_turns_in_their_own_folders(tmp_path: Path, task: Task) -> None:
    log = tmp_path / "log"
    trees = [tree(tmp_path, name, scrapy=f'echo "$PWD $*" >> {log}') for name in ("before", "now")]
    found = measured(trees, ["demo"], task, 2)
    lines = [f"{tmp_path / name} crawl demo" for name in ("before", "now")]
    assert log.read_text("utf-8").splitlines() == lines * 2
    assert {name: len(values) for name, values in found["`scrapy crawl demo`: s"].items()} == {"before": 2, "now": 2}


def test_settings_of_this_project_are_not_handed_on(
    tmp_path: Path, task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEWSCRAWL_CHAIN", "best")
    one = tree(tmp_path, "now", newscrawl='echo "${NEWSCRAWL_CHAIN:-none} $OTHER"')
    assert one.run("newscrawl", OTHER=3) == "none 3\n"


def test_mass_is_counted_once(tmp_path: Path, task: Task) -> None:
    trees = [tree(tmp_path, name, python=f"cat <<'END'\n{MASS}\nEND") for name in ("before", "now")]
    found = measured(trees, ["mass"], task, 3)
    assert found["newscrawl/: lines of code"] == {"before": [76761], "now": [76761]}
    assert found["docs: words"] == {"before": [145000], "now": [145000]}


def test_a_benchmark_that_one_tree_does_not_have_is_told_and_has_the_figures_of_the_other(
    tmp_path: Path, task: Task, capsys: pytest.CaptureFixture[str]
) -> None:
    trees = [tree(tmp_path, "before", newscrawl="echo no such thing >&2; exit 3"), tree(tmp_path, "now", newscrawl="")]
    found = measured(trees, ["start"], task, 1)
    assert "start: before: newscrawl --help ended with 3: no such thing\n" in capsys.readouterr().err
    assert found["`newscrawl --help`: s"]["before"] == []
    assert len(found["`newscrawl --help`: s"]["now"]) == 1


def test_the_table_has_the_ratios_of_the_pairs(tmp_path: Path) -> None:
    found = {
        "pages/s": {"before": [100.0, 50.0, 100.0], "now": [110.0, 45.0, 100.0]},
        "answers/s": {"before": [], "now": [2.0]},
        "words": {"before": [145000.0], "now": [75000.0]},
    }
    assert table(found).splitlines()[2:] == [
        "| pages/s | 100 | 100 | 1.00 (0.90 to 1.10) |",
        "| answers/s |  | 2 |  |",
        "| words | 145,000 | 75,000 | 0.52 (0.52 to 0.52) |",
    ]


def test_a_table_is_written_into_a_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shared" / "corpora").mkdir(parents=True)
    target = tmp_path / "page.md"
    target.write_text("<!-- first -->\n<!-- /first -->\n", encoding="utf-8")
    trees = {name: tree(tmp_path, name, newscrawl="") for name in ("before", "now")}
    monkeypatch.setattr(before, "check_out", lambda _: trees["before"])
    monkeypatch.setattr(before, "own_tree", lambda: trees["now"])
    words = ["--only", "start", "--quick", "--shared", str(tmp_path / "shared"), "--markdown", str(target)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    assert "| `newscrawl --help`: s | " in target.read_text("utf-8")
