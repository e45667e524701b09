"""CSV that no spreadsheet can be hurt by."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.cli.export import FORMULA_STARTS, safe_cell, write_csv, write_jsonl
from newscrawl.storage.reports import ExportedArticle


def article(text: str, title: str | None = None) -> ExportedArticle:
    seen = datetime(2026, 11, 1, tzinfo=UTC)
    url = "https://example.org/a"
    return ExportedArticle(
        *(1, url, None, "example", title, ("A, B", "C"), None, None, "en", text),
        *("justext", "0" * 32, seen, (url,), "article", None, (), None, None, None, 1, 0),
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
