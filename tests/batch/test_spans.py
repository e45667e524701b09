"""A span of a WARC file is a table: each page once, and each record that cannot be read, with the reason."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from gzip import compress
from pathlib import Path

import pytest
from warc_files import NOW, page_record, story

from newscrawl.archive import batch
from newscrawl.archive.batch import spans
from newscrawl.archive.batch.span_table import MEANINGS, schema
from newscrawl.archive.batch.spans import SpanOptions, extract_span
from newscrawl.archive.ingest.pages import PageFilter
from newscrawl.errors import UnknownChainError, UsageError
from newscrawl.extraction.article.make import ArticleOptions, make_article
from newscrawl.model import ProcessedPage, RawPage

OPTIONS = SpanOptions(as_of=NOW + timedelta(days=1), timeout=5.0, memory_mb=1024)
KILLER, HANGS = "https://harbour.example/2026/killer", "https://harbour.example/2026/hangs"


def story_record(number: int, url: str | None = None) -> bytes:
    """A record of a page with an article of its own."""
    body = story(number, '<meta name="robots" content="noarchive">')
    return page_record(url or f"https://harbour.example/2026/bridge-{number}", body)


def deadly(raw: RawPage, options: ArticleOptions) -> ProcessedPage:
    """Extracts a page, and dies of one and hangs at another."""
    if raw.final_url == KILLER:
        os._exit(9)
    if raw.final_url == HANGS:
        time.sleep(3_600)
    return make_article(raw, options)


@pytest.fixture
def warc(tmp_path: Path) -> Path:
    """A file with twelve pages, one of which is cut off within and one dated in the future and without a text."""
    parts = [compress(story_record(number)) for number in range(12)]
    parts[3] = parts[3][:60] + b"\0" * 60
    parts[7] = compress(
        page_record("https://harbour.example/2026/late", b"<p>x</p>", at=datetime(2030, 1, 1, tzinfo=UTC))
    )
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join(parts))
    return path


def in_parts(path: Path, parts: int) -> Iterator[dict[str, object]]:
    """The rows of a file that is read in so many spans."""
    size = path.stat().st_size
    for number in range(parts):
        begin, end = (size * each // parts for each in (number, number + 1))
        yield from extract_span(path, begin, end - begin, OPTIONS).to_pylist()


def test_each_page_and_each_bad_record_is_one_row_however_the_file_is_divided(warc: Path) -> None:
    whole = extract_span(warc, 0, warc.stat().st_size, OPTIONS)
    assert whole.schema.equals(schema())
    assert whole.schema.names == list(MEANINGS)
    rows = whole.to_pylist()
    failures = [None] * 3 + ["warc/broken"] + [None] * 3 + ["extraction/empty"] + [None] * 4
    assert [row["failure"] for row in rows] == failures
    assert list(in_parts(warc, 4)) == rows
    assert extract_span(warc, 0, 1 << 40, OPTIONS).equals(whole)


def test_every_span_that_a_hole_reaches_into_says_so(warc: Path) -> None:
    whole = warc.read_bytes()
    tenth = len(whole) // 10
    warc.write_bytes(whole[: 2 * tenth] + bytes(5 * tenth) + whole[7 * tenth :])
    spans_of_file = [extract_span(warc, number * tenth, tenth, OPTIONS).to_pylist() for number in range(10)]
    broken = [number for number, rows in enumerate(spans_of_file) if any(row["failure"] for row in rows)]
    assert broken == list(range(1, 8))  # a record of the first one is cut off; nobody knows what the last one lacks


def test_a_page_that_kills_its_worker_or_hangs_is_a_row_with_that_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(
        b"".join(
            compress(part)
            for part in (story_record(0), story_record(1, KILLER), story_record(2, HANGS), story_record(3))
        )
    )
    options = SpanOptions(as_of=OPTIONS.as_of, timeout=1.0, memory_mb=1024)
    settings = replace(options.settings(), work=deadly)
    monkeypatch.setattr(spans.SpanOptions, "settings", lambda _options: settings)
    rows = extract_span(path, 0, path.stat().st_size, options).to_pylist()
    assert [row["failure"] for row in rows] == [None, "extraction/worker_died", "extraction/timeout", None]
    assert [row["url"] for row in rows[1:3]] == [KILLER, HANGS]


def test_the_options_decide_the_result(warc: Path) -> None:
    options = SpanOptions(
        as_of=datetime(2031, 1, 1, tzinfo=UTC),
        article=ArticleOptions("justext"),
        wanted=PageFilter(site="harbour", sites={"harbour.example": "harbour"}, pattern="bridge-1|late"),
        max_body=1_500,
        memory_mb=1024,
    )
    rows = extract_span(warc, 0, 1 << 40, options).to_pylist()
    told = {row["url"].rpartition("/")[2]: row for row in rows if row["url"]}
    assert set(told) == {"bridge-1", "bridge-10", "bridge-11", "late"}
    assert {row["site"] for row in told.values()} == {"harbour"}
    assert told["bridge-1"]["extractor"] == "justext"
    assert extract_span(warc, 0, 0, OPTIONS).num_rows == 0


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"as_of": datetime(2026, 1, 1)}, ValueError),  # noqa: DTZ001  on purpose
        ({"timeout": 0.0}, ValueError),
        ({"article": ArticleOptions("no-such-chain")}, UnknownChainError),
    ],
)
def test_options_that_cannot_work_are_refused_before_anything_is_read(changed: dict[str, object], error: type) -> None:
    with pytest.raises(error):
        extract_span("nowhere.warc.gz", 0, 1, SpanOptions(**{"as_of": NOW, **changed}))  # type: ignore[arg-type]


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot read .*/no\.warc\.gz: "):
        extract_span(tmp_path / "no.warc.gz", 0, 1, OPTIONS)
    with pytest.raises(UsageError, match=r"give a path, s3://BUCKET/KEY or an http"):
        extract_span("ftp://harbour.example/a.warc.gz", 0, 1, OPTIONS)
    with pytest.raises(ValueError, match="give 0 or more"):
        extract_span(tmp_path, -1, 1, OPTIONS)
    assert batch.extract_span is extract_span


def test_the_columns_are_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "batch.md").read_text(encoding="utf-8")
    assert [name for name in MEANINGS if f"`{name}`" not in page.partition("## Columns")[2]] == []
