"""CSV that is safe in spreadsheets, Parquet that is read back unchanged, and any selection of articles."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from newscrawl.cli import export
from newscrawl.cli.common.show import FORMULA_STARTS, safe_cell
from newscrawl.cli.export import write_csv, write_jsonl, write_parquet
from newscrawl.model import Image, LiveEntry, Metadata, PublishedDate
from newscrawl.reports import ArticleSelection, ExportedArticle
from newscrawl.reports.views import EXPORT_KEYS


def article(text: str, title: str | None = None, confidence: float | None = None, **stated: Any) -> ExportedArticle:
    url = "https://example.org/a"
    return ExportedArticle(
        id=1,
        url=url,
        site="example",
        metadata=Metadata(**{"title": title, "authors": ("A, B", "C"), "language": "en"} | stated),
        text=text,
        extractor="justext",
        verdict="article",
        confidence=confidence,
        content_hash="0" * 32,
        first_seen=datetime(2026, 11, 1, tzinfo=UTC),
        cluster=1,
        copies=0,
        truncated=False,
        contained_in=(),
        contained_in_more=0,
        pages=(url,),
        sites=(),
    )


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("=1+2", "'=1+2"),
        ("+49 30", "'+49 30"),
        ("-5", "'-5"),
        ("@name", "'@name"),
        ("\t=1", "'\t=1"),
        ("  =1", "'  =1"),
        ("\0=1", "'=1"),
        ("＝1", "'＝1"),
        ("a=1", "a=1"),
        ("", ""),
        (None, ""),
        (("x", "y"), "x | y"),
        (("=x",), "'=x"),
        (({"url": "https://a.example/ü.jpg", "width": 640},), '{"url": "https://a.example/ü.jpg", "width": 640}'),
        (datetime(2026, 11, 1, tzinfo=UTC), "2026-11-01T00:00:00+00:00"),
    ],
)
def test_cells_that_would_be_formulas_begin_with_an_apostrophe(value: object, cell: str) -> None:
    assert safe_cell(value) == cell


@given(st.text(), st.text())
def test_any_text_comes_back_from_csv_and_is_no_formula(text: str, title: str) -> None:
    file = io.StringIO(newline="")
    assert write_csv([article(text, title)], file) == 1
    (row,) = csv.DictReader(io.StringIO(file.getvalue(), newline=""))
    for name, value in (("text", text), ("title", title)):
        assert row[name].removeprefix("'") == value.replace("\0", "").removeprefix("'")
        assert not row[name].startswith(FORMULA_STARTS)


def test_json_lines_are_one_object_a_line() -> None:
    file = io.StringIO()
    assert write_jsonl([article("one\ntwo"), article("three")], file) == 2
    assert file.getvalue().count("\n") == 2


def test_parquet_holds_what_json_lines_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "ROWS", 2)
    moment = datetime(2026, 5, 1, 12, 30, 15, 250_000, tzinfo=UTC)
    written = [
        article("one\ntwo", "\U0001f40b"),
        article("", published=PublishedDate(moment, "meta", "second", offset=60), authors=(), confidence=0.75),
        article(
            "three",
            images=(Image("https://a.example/a.jpg", "Noon", width=640),),
            videos=("https://a.example/a.mp4",),
            live_entries=(LiveEntry(moment, 60, "Noon", "Ferries stop."),),
        ),
    ]
    with (tmp_path / "news.parquet").open("wb") as file:
        assert write_parquet(iter(written), file) == 3
    rows = parquet.read_table(tmp_path / "news.parquet").to_pylist()
    lines = io.StringIO()
    write_jsonl(written, lines)
    times = {"published", "modified", "first_seen"}
    assert [list(row) for row in rows] == [[name for name, _ in EXPORT_KEYS]] * 3
    assert rows == [
        {name: datetime.fromisoformat(value) if value and name in times else value for name, value in one.items()}
        for one in map(json.loads, lines.getvalue().splitlines())
    ]
    assert rows[2]["images"][0] == {
        "url": "https://a.example/a.jpg",
        "caption": "Noon",
        "credit": None,
        "width": 640,
        "height": None,
    }
    assert rows[2]["live_entries"][0]["at"] == "2026-05-01T12:30:15.250000+00:00"
    with (tmp_path / "empty.parquet").open("wb") as file:
        assert write_parquet([], file) == 0
    assert parquet.read_table(tmp_path / "empty.parquet").num_rows == 0


@pytest.mark.parametrize(
    ("selection", "chosen"),
    [
        (ArticleSelection(), True),
        (ArticleSelection(site="example"), True),
        (ArticleSelection(site="other"), False),
        (ArticleSelection(language="EN"), True),
        (ArticleSelection(language="e"), False),
        (ArticleSelection(verdict="article"), True),
        (ArticleSelection(verdict="live"), False),
        (ArticleSelection(min_confidence=0.5), False),
    ],
)
def test_articles_are_chosen_by_site_and_language(selection: ArticleSelection, *, chosen: bool) -> None:
    assert selection.has(article("one")) is chosen


def test_a_region_is_of_its_language() -> None:
    assert ArticleSelection(language="de").has(article("one", language="de_AT"))
    assert not ArticleSelection(language="de").has(article("one", language=None))
