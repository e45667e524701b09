"""`newscrawl bench`: one command from a corpus to a report, with floors that it keeps; and the time of each step."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]

TEXT = "The town council met on Monday evening and decided to build the new bridge that many had asked for. " * 4


@pytest.fixture
def corpora(tmp_path: Path) -> Path:
    """A folder with a corpus of two pages."""
    folder = tmp_path / "corpora" / "town"
    (folder / "pages").mkdir(parents=True)
    rows = [{"id": name, "text": TEXT + name, "lang": "en"} for name in ("one", "two")]
    (folder / "gold.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    for row in rows:
        (folder / "pages" / f"{row['id']}.html").write_text(f"<p>{row['text']}</p>", encoding="utf-8")
    return folder.parent


def bench(run: Run, corpora: Path, *options: str) -> subprocess.CompletedProcess[str]:
    common = ("--corpora", str(corpora), "--chains", "boilerpipe-wide", "--against", "boilerpipe-wide", "--jobs", "1")
    return run("newscrawl", "bench", "quality", *common, *options, cwd=corpora.parent)


def test_all_corpora_of_a_folder_are_measured(run: Run, corpora: Path) -> None:
    done = bench(run, corpora)
    assert done.returncode == 0
    assert "### town (2 pages)" in done.stdout
    assert done.stderr == ""


def test_reports_are_written(run: Run, corpora: Path) -> None:
    files = {name: corpora.parent / f"r.{name}" for name in ("md", "json")}
    options = ("--markdown", str(files["md"]), "--json", str(files["json"]))
    done = bench(run, corpora, "town", *options)
    assert done.stdout == ""
    assert "`boilerpipe-wide`" in files["md"].read_text(encoding="utf-8")
    assert "Generated on" in files["md"].read_text(encoding="utf-8")
    found = json.loads(files["json"].read_text(encoding="utf-8"))
    assert found["corpora"]["town"]["pages"] == 2
    assert str(corpora) not in found["command"]


def test_floors_are_made_kept_and_missed(run: Run, corpora: Path) -> None:
    floors = corpora.parent / "floors.json"
    options = ("--shingles-only", "--floors", str(floors))
    assert "no floors in" in bench(run, corpora, *options, "--check").stderr
    assert bench(run, corpora, *options, "--update-floors").returncode == 0
    assert "all floors kept" in bench(run, corpora, *options, "--check").stderr
    rows = json.loads(floors.read_text(encoding="utf-8"))
    assert rows["town"]["systems"]["boilerpipe-wide"]["f1"] == 1
    (corpora / "town" / "pages" / "one.html").write_text("<p>x</p>", encoding="utf-8")
    done = bench(run, corpora, *options, "--check")
    assert done.returncode == 1
    assert "differs from the corpus of its floors" in done.stderr
    assert bench(run, corpora, *options, "--update-floors").returncode == 2
    assert bench(run, corpora, *options, "--update-floors", "--lower").returncode == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("nowhere",), "no corpus at"),
        (("--chains", "clasic"), "unknown chain 'clasic'"),
        (("--update-floors", "--quick"), "floors need all pages"),
        (("--lower",), "--lower needs --update-floors"),
        (("--json", "nowhere/r.json"), "no folder nowhere"),
    ],
)
def test_mistakes_are_one_line(run: Run, corpora: Path, options: tuple[str, ...], words: str) -> None:
    done = bench(run, corpora, *options)
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


Run = Callable[..., subprocess.CompletedProcess[str]]
FEW = ("--pages", "2", "--rounds", "1", "--only", "decode", "--only", "text")


def test_without_a_corpus_the_demo_sites_pages_are_measured(run: Run) -> None:
    done = run("newscrawl", "bench", "speed", *FEW)
    assert done.returncode == 0, done.stderr
    assert "2 pages of the demo site" in done.stdout
    assert "| text |" in done.stdout


def test_a_document_without_the_section_is_told_before_anything_is_measured(run: Run, tmp_path: Path) -> None:
    document = tmp_path / "performance.md"
    for complaint in (f"cannot read {document}", f"{document} has no section between <!-- x --> and <!-- /x -->"):
        done = run("newscrawl", "bench", "speed", "--markdown", str(document), "--section", "x")
        assert done.returncode == 2
        assert complaint in done.stderr
        assert len(done.stderr.splitlines()) == 1
        document.write_text("nothing generated here\n", encoding="utf-8")


def test_a_corpus_is_measured_and_its_figures_written(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "town"
    (folder / "pages").mkdir(parents=True)
    (folder / "gold.jsonl").write_text(json.dumps({"id": "one", "text": "It rains."}) + "\n", encoding="utf-8")
    (folder / "pages" / "one.html").write_text("<p>It rains.</p>", encoding="utf-8")
    done = run("newscrawl", "bench", "speed", str(folder), *FEW, "--json", str(tmp_path / "speed.json"))
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "speed.json").read_text(encoding="utf-8"))
    assert found["facts"]["corpora"] == "town"
    assert [timing["name"] for timing in found["timings"]] == ["lxml parse alone", "decode", "text"]


def test_an_unknown_part_is_named_with_those_there_are(run: Run) -> None:
    done = run("newscrawl", "bench", "speed", "--pages", "1", "--only", "nothing")
    assert done.returncode == 2
    assert "unknown part 'nothing'" in done.stderr
    assert "chain classic" in done.stderr
    assert "Traceback" not in done.stderr
