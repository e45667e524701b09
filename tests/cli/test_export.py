"""CSV that is safe in spreadsheets, Parquet that is read back unchanged, and any selection of articles."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawl.cli.common.show import FORMULA_STARTS, safe_cell
from newscrawl.cli.export import write_csv
from newscrawl.model import Metadata
from newscrawl.reports import ArticleSelection, ExportedArticle


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
