"""`newscrawl bench speed` on a corpus, on the demo's pages, and with a part that does not exist."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

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
