"""Hashes of results are equal for equal results. The comparison names the page and the part that differ."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from patience import PATIENCE

from benchmarks.digest import main

ROOT = Path(__file__).resolve().parents[2]
SENTENCE = "The council of the harbour town spoke for four hours about the ferry and its new pier. "


def page_of(title: str, text: str, more: str = "") -> str:
    head = f"<title>{title}</title><meta name='author' content='Ada Winter'>"
    return f"<!DOCTYPE html><html lang=en><head>{head}</head><body{more}><h1>{title}</h1><p>{text}</p></body></html>"


def write_page(shared: Path, name: str, html: str) -> None:
    (shared / "corpora" / "town" / "pages" / f"{name}.html").write_text(html, encoding="utf-8")


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """A folder with a corpus of three pages of our own; one has an element of 600 attributes."""
    corpus = tmp_path / "shared" / "corpora" / "town"
    (corpus / "pages").mkdir(parents=True)
    rows = [{"id": name, "url": f"https://town.example/{name}", "text": SENTENCE} for name in ("ferry", "mill", "tags")]
    (corpus / "gold.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    shared = tmp_path / "shared"
    write_page(shared, "ferry", page_of("The ferry", SENTENCE * 12))
    write_page(shared, "mill", page_of("The mill", SENTENCE.replace("ferry", "mill") * 12))
    many = "".join(f" data-a{number}='{number}'" for number in range(600))
    write_page(shared, "tags", page_of("Many attributes", SENTENCE * 9, f"{many} class='story'"))
    return shared


@pytest.fixture
def digest(shared: Path, tmp_path: Path) -> Callable[..., Path]:
    """`digest("before")` writes the hashes of that corpus to a file, in this process."""

    def digest(name: str, *words: object) -> Path:
        target = tmp_path / name
        given = ["--shared", str(shared), "--processes", "1", "--chain", "classic", "--chain", "justext"]
        done = CliRunner().invoke(main, [*given, "--hash", str(target), *map(str, words)])
        assert (done.exit_code, done.stdout) == (0, "")
        return target

    return digest


def compare(before: Path, after: Path, *words: object) -> Result:
    return CliRunner().invoke(main, ["--compare", str(before), str(after), *map(str, words)])


def test_the_same_pages_give_the_same_file(digest: Callable[..., Path]) -> None:
    before, after = digest("before"), digest("after")
    assert before.read_bytes() == after.read_bytes()
    told = compare(before, after)
    assert (told.exit_code, told.stdout) == (0, "6 lines equal\n")


def test_a_difference_names_the_page_and_the_part(digest: Callable[..., Path], shared: Path) -> None:
    before = digest("before")
    write_page(shared, "mill", page_of("The mill is sold", SENTENCE.replace("ferry", "mill") * 12))
    told = compare(before, digest("after"))
    assert told.exit_code == 1
    assert told.stdout.splitlines() == [  # jusText keeps headings
        "differs: town mill classic: title",
        "differs: town mill justext: text, title, trace",
        "town classic: title differs on 1 pages",
        "town justext: text differs on 1 pages",
        "town justext: title differs on 1 pages",
        "town justext: trace differs on 1 pages",
        "2 lines differ on 1 pages",
    ]


def test_each_part_has_a_hash_of_its_own(digest: Callable[..., Path], shared: Path) -> None:
    def parts(html: str) -> str:
        write_page(shared, "ferry", html)
        told = compare(before, digest("after"), "--chain", "justext").stdout
        return told.splitlines()[0].removeprefix("differs: town ferry justext: ")

    before, page = digest("before"), page_of("The ferry", SENTENCE * 12)
    assert parts(page.replace("Ada", "Ida")) == "authors"
    dated = "<meta property='article:published_time' content='2026-05-03T22:10:00-03:00'></head>"
    assert parts(page.replace("</head>", dated)) == "dates"
    assert parts(page.replace("</head>", "<meta property='article:section' content='Sea'></head>")) == "other"
    assert parts(page_of("The ferry", SENTENCE * 12 + "It sails.")) == "text, trace"
    assert parts(page_of("The ferry", "Gone.")) == "text, verdict, trace, structure"
    assert parts(page.replace("<p>", "<blockquote>").replace("</p>", "</blockquote>")) in {
        "structure",
        "trace, structure",
    }


@pytest.mark.parametrize("content", ["", "something else\n", "newscrawl digest 2\ntown\tferry\tclassic\n"])
def test_a_file_of_something_else_is_refused(digest: Callable[..., Path], tmp_path: Path, content: str) -> None:
    other = tmp_path / "other"
    other.write_text(content, encoding="utf-8")
    told = compare(digest("before"), other)
    assert told.exit_code == 2
    assert f"{other}" in told.stderr
    assert "make it again with --hash" in told.stderr


@pytest.mark.process
def test_the_reference_and_the_compiled_core_give_one_file_whatever_the_hash_seed(shared: Path, tmp_path: Path) -> None:
    files = []
    for environment in ({"PYTHONHASHSEED": "1", "NEWSCRAWL_PURE": "0"}, {"PYTHONHASHSEED": "2", "NEWSCRAWL_PURE": "1"}):
        files.append(tmp_path / environment["PYTHONHASHSEED"])
        subprocess.run(
            [sys.executable, "-m", "benchmarks.digest", "--shared", str(shared), "--hash", str(files[-1])],
            cwd=ROOT,
            env={**os.environ, **environment},
            capture_output=True,
            timeout=PATIENCE,
            check=True,
        )
    assert files[0].read_bytes() == files[1].read_bytes()
    assert files[0].read_text("utf-8").count("\n") == 1 + 3 * 4
