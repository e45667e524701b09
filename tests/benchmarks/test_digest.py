"""Digests of results are equal for equal results. The comparison names the page and the field that differ."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from patience import PATIENCE

from benchmarks.digest.__main__ import main
from benchmarks.digest.page import read_renames
from newscrawl.errors import UsageError

ROOT = Path(__file__).resolve().parents[2]
SENTENCE = "The council of the harbour town spoke for four hours about the ferry and its new pier. "
CHAINS = ("--chain", "classic", "--chain", "justext")

Digest = Callable[..., Result]


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
def digest(shared: Path) -> Digest:
    """`digest("--write", path)` over that corpus, in this process."""

    def digest(*words: object, chains: tuple[str, ...] = CHAINS) -> Result:
        given = ["--shared", str(shared), "--processes", "1", *chains, *map(str, words)]
        return CliRunner().invoke(main, given)

    return digest


def test_the_same_pages_give_the_same_digests(digest: Digest, tmp_path: Path) -> None:
    first = digest("--write", tmp_path / "before.txt")
    again = digest("--compare", tmp_path / "before.txt")
    assert first.exit_code == again.exit_code == 0
    assert again.stdout == f"{first.stdout}9 lines equal\n"
    assert [line.split("\t")[:2] for line in first.stdout.splitlines()] == [
        ["town", chain] for chain in ("classic", "justext", "page")
    ]


def test_a_difference_names_the_page_and_the_field(digest: Digest, shared: Path, tmp_path: Path) -> None:
    digest("--write", tmp_path / "before.txt")
    write_page(shared, "mill", page_of("The mill is sold", SENTENCE.replace("ferry", "mill") * 12))
    told = digest("--compare", tmp_path / "before.txt")
    assert told.exit_code == 1
    assert "differs: town mill page: runs, title\n" in told.stdout
    assert "town page: title differs on 1 pages\n" in told.stdout
    assert "ferry" not in told.stdout


def test_an_offset_has_a_field_of_its_own_that_older_files_need_not_have(
    digest: Digest, shared: Path, tmp_path: Path
) -> None:
    def write(time: str) -> None:
        dated = f"<meta property='article:published_time' content='{time}'></head>"
        write_page(shared, "ferry", page_of("The ferry", SENTENCE * 12).replace("</head>", dated))

    before = tmp_path / "before.txt"
    write("2026-05-03T22:10:00-03:00")
    digest("--write", before)
    write("2026-05-04T01:10:00Z")
    told = digest("--compare", before).stdout
    assert "differs: town ferry page: offsets\n" in told.replace("runs, ", "")
    before.write_text(re.sub(r"\toffsets=\w+", "", before.read_text("utf-8")), encoding="utf-8")
    assert digest("--compare", before).exit_code == 0


def test_a_text_that_differs_is_a_difference_of_text_and_hash(digest: Digest, shared: Path, tmp_path: Path) -> None:
    digest("--write", tmp_path / "before.txt")
    write_page(shared, "ferry", page_of("The ferry", SENTENCE * 12 + "It sails."))
    told = digest("--compare", tmp_path / "before.txt").stdout
    assert "differs: town ferry justext: text, hash, trace\n" in told


def test_pages_that_are_gone_or_new_are_differences(digest: Digest, shared: Path, tmp_path: Path) -> None:
    digest("--write", tmp_path / "before.txt")
    gold = shared / "corpora" / "town" / "gold.jsonl"
    gold.write_text(gold.read_text("utf-8").replace('"id": "mill"', '"id": "ferry2"'), encoding="utf-8")
    write_page(shared, "ferry2", page_of("The ferry", SENTENCE * 12))
    told = digest("--compare", tmp_path / "before.txt").stdout
    assert "differs: town ferry2 classic: new\n" in told
    assert "differs: town mill classic: missing\n" in told


def test_a_sample_is_compared_with_the_file_of_all_pages(digest: Digest, tmp_path: Path) -> None:
    digest("--write", tmp_path / "before.txt")
    told = digest("--compare", tmp_path / "before.txt", "--sample", 1)
    assert told.exit_code == 0
    assert told.stdout.endswith("3 lines equal\n")


def test_chains_that_are_not_asked_for_are_not_missed(digest: Digest, tmp_path: Path) -> None:
    digest("--write", tmp_path / "before.txt")
    told = digest("--compare", tmp_path / "before.txt", chains=("--chain", "justext"))
    assert told.stdout.endswith("6 lines equal\n")


def test_a_renamed_extractor_is_no_difference(digest: Digest, tmp_path: Path) -> None:
    before = tmp_path / "before.txt"
    digest("--renamed", "paragraphs=justext", "--write", before)
    assert "\tparagraphs\t" in before.read_text("utf-8")
    assert digest("--compare", before).exit_code == 1
    table = tmp_path / "renames.txt"
    table.write_text("# old=new\nparagraphs = justext\n", encoding="utf-8")
    assert digest("--renamed", str(table), "--compare", before).exit_code == 0


def test_old_names_take_the_place_of_new_ones_and_of_nothing_else() -> None:
    renames = read_renames(["boilerpipe-wide+group=wide", "justext=paragraphs"])
    assert renames.text("not better than wide") == "not better than boilerpipe-wide+group"
    assert renames.text("widespread, wide-ranging, wide: too few paragraphs") == (
        "widespread, wide-ranging, boilerpipe-wide+group: too few justext"
    )
    with pytest.raises(UsageError, match="give OLD=NEW"):
        read_renames(["wide"])


@pytest.mark.parametrize("content", ["", "something else\n", "newscrawl digest 1\ntown\tferry\tclassic\n"])
def test_a_file_of_something_else_is_refused(digest: Digest, tmp_path: Path, content: str) -> None:
    (tmp_path / "before.txt").write_text(content, encoding="utf-8")
    told = digest("--compare", tmp_path / "before.txt")
    assert told.exit_code == 1
    assert "make" in told.stderr


@pytest.mark.process
def test_the_reference_and_the_compiled_core_give_one_digest_whatever_the_hash_seed(
    shared: Path, tmp_path: Path
) -> None:
    told = []
    for environment in ({"PYTHONHASHSEED": "1", "NEWSCRAWL_PURE": "0"}, {"PYTHONHASHSEED": "2", "NEWSCRAWL_PURE": "1"}):
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.digest", "--shared", str(shared), "--processes", "1"],
            cwd=ROOT,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=True,
        )
        told.append(done.stdout)
    assert told[0] == told[1]
    assert len(told[0].splitlines()) > 20
