"""`newscrawl extract` for files and folders."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from batch_pages import page
from click.testing import CliRunner, Result

from newscrawl.cli.main import main

pytestmark = pytest.mark.process


def extract(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["extract", *map(str, arguments)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pages = tmp_path / "pages"
    (pages / "deep").mkdir(parents=True)
    for number in range(5):
        (pages / f"{number}.html").write_text(page(number), "utf-8")
    (pages / "deep" / "5.HTM").write_text(page(5), "utf-8")
    (pages / "deep" / "6.html.gz").write_bytes(gzip.compress(page(6).encode()))
    (pages / "notes.txt").write_text("no page", "utf-8")
    return pages


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_the_pages_of_folders_and_files_are_lines_in_order(folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "x.jsonl"
    done = extract(folder, folder / "notes.txt", "-o", output, "--workers", 2)
    assert done.exit_code == 0, done.output
    found = lines(output)
    names = [str(line["path"]).removeprefix(f"{folder}/") for line in found]
    assert names == ["0.html", "1.html", "2.html", "3.html", "4.html", "deep/5.HTM", "deep/6.html.gz", "notes.txt"]
    assert [line["title"] for line in found[:7]] == [f"Story {number}" for number in range(7)]
    assert "8 pages in" in done.output
    assert not output.with_name("x.jsonl.part").exists()


def test_a_page_that_cannot_be_read_is_a_line_and_exit_code_1(folder: Path, tmp_path: Path) -> None:
    (folder / "broken.html.gz").write_bytes(b"\x1f\x8b nothing")
    done = extract(folder, "-o", tmp_path / "x.jsonl", "--workers", 0)
    assert done.exit_code == 1
    assert "1 failed (file/unreadable)" in done.output
    (wrong,) = [line for line in lines(tmp_path / "x.jsonl") if "failure" in line]
    assert wrong["failure"] == "file/unreadable"
    assert "broken.html.gz cannot be read" in str(wrong["reason"])


def test_an_output_is_replaced_only_with_force_and_only_when_it_is_complete(folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "x.jsonl"
    output.write_text("mine\n", "utf-8")
    refused = extract(folder, "-o", output, "--workers", 0)
    assert refused.exit_code == 2
    assert "--force" in refused.output
    assert output.read_text("utf-8") == "mine\n"
    assert extract(folder, "-o", output, "--workers", 0, "--force").exit_code == 0
    assert len(lines(output)) == 7


def test_standard_output_gets_the_lines(folder: Path) -> None:
    done = CliRunner().invoke(main, ["extract", str(folder / "1.html"), "-o", "-", "--workers", "0"])
    assert json.loads(done.stdout)["title"] == "Story 1"
