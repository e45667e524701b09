"""Public data sets in their own layouts become corpora that the benchmark reads."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from benchmarks.convert import from_fundus, from_pages_and_json, from_trafilatura
from newscrawl.bench.corpora import read_corpus
from newscrawl.errors import CorpusError

PAGE = b"<html><body><p>The bridge opened on Monday.</p></body></html>"


def test_pages_beside_one_json_file(tmp_path: Path) -> None:
    source = tmp_path / "set"
    (source / "html").mkdir(parents=True)
    (source / "html" / "a1.html.gz").write_bytes(gzip.compress(PAGE))
    (source / "html" / "b2.html").write_bytes(PAGE)
    rows = {
        "a1": {"articleBody": "The bridge opened.", "url": "https://www.example.org/bridge"},
        "b2": {"text": "Another text."},
        "lost": {"articleBody": "Its page is missing."},
        "../up": {"articleBody": "No page of ours."},
    }
    (source / "ground-truth.json").write_text(json.dumps(rows), encoding="utf-8")
    assert from_pages_and_json(source, tmp_path / "out") == 2
    one, two = read_corpus(tmp_path / "out").pages
    assert (one.id, one.text, one.domain, one.body()) == ("a1", "The bridge opened.", "example.org", PAGE)
    assert two.text == "Another text."


def test_a_dict_of_snippets_as_trafilatura_has_it(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "x.html").write_bytes(PAGE)
    table = tmp_path / "evaldata.py"
    table.write_text(
        'SMALL = {"a": 1}\nEVAL = {\n"https://example.org/x": {"file": "x.html", "with": ["The bridge", "op" "ened"],\n'
        '"without": ["Share"], "title": "Bridge", "author": "Ana Example; Bo Example", "date": "2026-01-02"},\n'
        '"https://example.org/y": {"file": "gone.html", "with": ["a"]},\n}\nprint("never run")\n',
        encoding="utf-8",
    )
    assert from_trafilatura(table, tmp_path / "out") == 1
    (page,) = read_corpus(tmp_path / "out").pages
    assert (page.text, page.required, page.forbidden) == ("", ("The bridge", "opened"), ("Share",))
    assert (page.authors, page.published, page.title) == (("Ana Example", "Bo Example"), "2026-01-02", "Bridge")


def test_a_python_file_is_never_run(tmp_path: Path) -> None:
    table = tmp_path / "evaldata.py"
    table.write_text("EVAL = {'a': open('x', 'w'), 'b': 1}\n", encoding="utf-8")
    with pytest.raises(CorpusError, match="not made of plain values"):
        from_trafilatura(table, tmp_path / "out")
    assert not (tmp_path / "x").exists()


def test_parser_tests_of_fundus(tmp_path: Path) -> None:
    country = tmp_path / "test_data" / "xx"
    country.mkdir(parents=True)
    for date in ("2023_01_02", "2025_03_04"):
        (country / f"Paper_{date}.html.gz").write_bytes(gzip.compress(PAGE + date.encode()))
    (country / "PaperPlus_2025_01_01.html.gz").write_bytes(gzip.compress(PAGE))
    body = {"summary": ["Lead."], "sections": [{"headline": ["Head"], "paragraphs": ["One.", "Two."]}]}
    versions = {"V1_1": {"title": "New", "body": body}, "V1": {"title": "Old", "authors": ["Ana"], "body": body}}
    (country / "Paper.json").write_text(json.dumps(versions), encoding="utf-8")
    meta = {"Paper_2023_01_02.html.gz": {"url": "https://paper.example/old"}}
    (country / "meta.info").write_text(json.dumps(meta), encoding="utf-8")
    assert from_fundus(tmp_path / "test_data", tmp_path / "out") == 2
    old, new = read_corpus(tmp_path / "out").pages
    assert (old.id, old.title, old.url) == ("xx_Paper_2023_01_02", "Old", "https://paper.example/old")
    assert (new.title, new.text) == ("New", "Lead.\n\nHead\n\nOne.\n\nTwo.")
    assert new.body().endswith(b"2025_03_04")
