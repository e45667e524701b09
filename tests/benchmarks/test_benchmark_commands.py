"""Benchmarks as commands: their list, their errors, what they write."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from small_corpus import write_corpus

from benchmarks.__main__ import commands
from benchmarks.check import not_ahead
from benchmarks.convert import main as convert
from benchmarks.crawl.__main__ import main as crawl
from benchmarks.freshness.__main__ import main as freshness
from benchmarks.quality.__main__ import main as quality
from benchmarks.speed import main as speed
from newscrawl.bench.corpora import Corpus, read_corpus
from newscrawl.bench.measure import Measured, Scores
from newscrawl.bench.scores import Score
from newscrawl.bench.study import CorpusStudy, Study

BENCHMARKS = {"crawl": crawl, "freshness": freshness}


@pytest.mark.parametrize("command", BENCHMARKS.values(), ids=BENCHMARKS)
def test_a_document_without_the_section_is_told_before_anything_is_measured(
    command: click.Command, tmp_path: Path
) -> None:
    document = tmp_path / "performance.md"
    for complaint in (f"cannot read {document}", f"{document} has no section between <!-- x --> and <!-- /x -->"):
        done = CliRunner().invoke(command, ["--markdown", str(document), "--section", "x"])
        assert done.exit_code == 2
        assert complaint in done.stderr
        assert len(done.stderr.splitlines()) == 1
        document.write_text("nothing generated here\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("nowhere",), "no corpus at"),
        (("--chains", "clasic"), "unknown chain 'clasic'"),
        (("--peers", "nobody"), "unknown peer 'nobody'"),
    ],
)
def test_mistakes_are_one_line(options: tuple[str, ...], words: str, tmp_path: Path) -> None:
    write_corpus(tmp_path)
    done = CliRunner().invoke(quality, ["--corpora", str(tmp_path), "--peers", "justext", "--jobs", "1", *options])
    assert done.exit_code == 2
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_texts_are_compared_with_those_of_others(tmp_path: Path) -> None:
    corpora = write_corpus(tmp_path).parent
    files = {name: tmp_path / f"report.{name}" for name in ("json", "html")}
    outputs = [word for name, path in files.items() for word in (f"--{name}", str(path))]
    options = ["--corpora", str(corpora), "--chains", "classic", "--peers", "justext", "--jobs", "1", *outputs]
    done = CliRunner().invoke(quality, ["small", *options], catch_exceptions=False)
    assert done.exit_code == 0
    assert "`peer/justext`" in done.stdout
    found = json.loads(files["json"].read_text(encoding="utf-8"))
    assert found["corpora"]["small"]["pages"] == 3
    assert "<svg" in files["html"].read_text(encoding="utf-8")


def test_the_time_of_others_is_a_line_of_the_table(tmp_path: Path) -> None:
    done = CliRunner().invoke(speed, [str(write_corpus(tmp_path)), "--rounds", "1", "--peers", "justext"])
    assert done.exit_code == 0
    assert "3 pages of small" in done.stdout
    assert {"chain classic", "peer/justext"} <= {
        line.split(" | ")[0].removeprefix("| ") for line in done.stdout.splitlines()
    }


def test_a_data_set_is_converted(tmp_path: Path) -> None:
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "a.html").write_text("<p>It rains.</p>", encoding="utf-8")
    (tmp_path / "ground-truth.json").write_text(json.dumps({"a": {"articleBody": "It rains."}}), encoding="utf-8")
    target = tmp_path / "out"
    done = CliRunner().invoke(convert, ["pages-and-json", str(tmp_path), str(target)])
    assert done.stdout == f"1 page in {target}: newscrawl bench quality {target}\n"
    assert [page.text for page in read_corpus(target).pages] == ["It rains."]


def test_each_benchmark_is_listed_in_a_line() -> None:
    listed = dict(commands())
    assert {"check", "crawl", "fidelity", "kill.stories", "quality", "train"} <= listed.keys()
    assert "crawl.child" not in listed
    assert [name for name, what in listed.items() if not what or "\n" in what] == []
    assert [name for name in listed if importlib.util.find_spec(f"benchmarks.{name}") is None] == []


def test_the_gate_wants_classic_ahead_of_plain_boilerpipe() -> None:
    def both(classic: float, plain: float) -> Study:
        scores = {name: Scores(Score(f1, f1, f1)) for name, f1 in (("classic", classic), ("boilerpipe-article", plain))}
        page = Measured("one", "en", scores, "example.org")
        return Study((CorpusStudy(Corpus("small", (), "d1"), (page,), "classic"),), (), "classic")

    assert not_ahead(both(0.9, 0.8)) == []
    (line,) = not_ahead(both(0.9, 0.95))
    assert "not ahead of plain Boilerpipe: 0.900 to 0.950" in line
    assert not_ahead(both(0.9, 0.95), allowed=0.06) == []
