"""Parts are loaded as the pages that they were made of, each row once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet
from sqlalchemy import create_engine, inspect, text

from newscrawl.archive.batch import load
from newscrawl.archive.batch.load import PartLoad, parts_at
from newscrawl.archive.batch.part_names import is_part
from newscrawl.archive.batch.parts import PartSpan, place_for_parts, write_part
from newscrawl.archive.batch.span_table import bad_row, page_of, page_row, table
from newscrawl.archive.ingest.pages import PageFilter, Skipped
from newscrawl.archive.ingest.run import IngestProgress
from newscrawl.archive.warc import RecordPosition
from newscrawl.errors import UsageError
from newscrawl.extraction.article.make import ArticleOptions, fingerprint, make_article
from newscrawl.model import Failure, ProcessedPage, RawPage
from newscrawl.storage.captures.ingests import InputProgress
from newscrawl.storage.store import Store, open_store

NOW = datetime(2026, 11, 1, 12, 0, 0, 123456, tzinfo=UTC)
DIGEST = "0123456789abcdef"
SENTENCE = "The council of district {0} met on Tuesday evening and spoke for four hours about the new bridge {0}. "
HEAD = """<title>Bridge {0}</title><link rel=canonical href="https://www.harbour.example/{0}">
<meta property="article:published_time" content="2026-10-31T10:00:00+01:00">
<meta property="article:modified_time" content="2036-11-01"><meta name=robots content="noarchive">
<meta name=author content="Ana Lima"><meta name=keywords content="bridge, river">"""

MEDIA = """<figure><img src="/bridge.jpg" width=800 height=600>
<figcaption>The bridge over the river at noon</figcaption></figure>
<video src="/bridge.mp4"></video><audio src="/bridge.mp3"></audio>"""


def page(number: int, live: str = "", **changes: Any) -> ProcessedPage:
    """A page with an article of its own, as a worker returns it."""
    body = HEAD.format(number) + live + f"<main><h1>Bridge</h1>{MEDIA}<p>{SENTENCE.format(number) * 9}</p></main>"
    url = f"https://www.harbour.example/2026/bridge-{number}"
    headers = {"content-type": "text/html", "etag": '"7"', "last-modified": "Sun, 01 Nov 2026 11:00:00 GMT"}
    raw = RawPage(url, url, 200, headers, body.encode(), NOW + timedelta(minutes=number), "harbour.example")
    return fingerprint(make_article(replace(raw, **changes), ArticleOptions()))


LIVE = """<script type="application/ld+json">{"@type": "LiveBlogPosting", "liveBlogUpdate": [{"@type": "BlogPosting",
"headline": "Gates open", "datePublished": "2026-11-01T10:42:00+01:00", "articleBody": "They opened."}]}</script>"""

PAGES = [
    page(1),
    page(2, undated=True),
    page(3, body=b"<title>Nothing</title>"),
    ProcessedPage(replace(page(4).raw, status=404), failure=Failure("http/404", "the server answered 404")),
    page(5, fetched_at=NOW - timedelta(days=9)),
    page(7, LIVE),
    page(6, body=page(1).article.text.encode() if page(1).article else b""),
]
UNSTATED = {"section", "image", "site_name", "description", "modified"}
"""Fields of metadata that no page has."""
STORED = ("etag", "last-modified")
"""Headers that the database has."""


def rows(pages: Sequence[ProcessedPage]) -> list[dict[str, Any]]:
    return [page_row("a.warc.gz", RecordPosition(number), found) for number, found in enumerate(pages)]


def part(
    folder: Path, pages: Sequence[ProcessedPage], offset: int = 0, bad: Sequence[tuple[RecordPosition, Skipped]] = ()
) -> Path:
    """Writes a part."""
    span = PartSpan("a.warc.gz", "abcdef0123456789", offset, 100)
    content = table([*rows(pages), *(bad_row("a.warc.gz", *record) for record in bad)])
    write_part(place_for_parts(str(folder), make=True), span, content, DIGEST)
    return folder / span.part(DIGEST)


@pytest.mark.parametrize("found", PAGES, ids=lambda found: found.raw.final_url[-1])
def test_a_row_is_read_as_its_page(found: ProcessedPage) -> None:
    (row,) = table(rows([found])).to_pylist()
    headers = {name: found.raw.headers[name] for name in STORED}
    assert page_of(row) == replace(found, raw=replace(found.raw, headers=headers))
    record = Skipped("warc/broken", "no record begins here")
    (bad,) = table([bad_row("a.warc.gz", RecordPosition(7), record)]).to_pylist()
    assert page_of(bad) == Skipped("warc/broken", record.reason)


def test_each_field_of_the_metadata_is_in_some_page() -> None:
    stated = [asdict(found.article.metadata) for found in PAGES if found.article is not None]
    assert not {name for name in stated[0] if not any(one[name] for one in stated)} - UNSTATED


def test_texts_that_are_no_text_are_rows() -> None:
    odd = page(7)
    assert odd.article is not None
    odd = replace(odd, article=replace(odd.article, text="a\ud800b\0c"))
    (row,) = table(rows([odd])).to_pylist()
    assert row["text"] == "a\ufffdb\0c"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=False) as opened:
        yield opened


def loaded(store: Store, *names: Path, **changed: Any) -> IngestProgress:
    work = PartLoad(store, parts_at([str(name) for name in names]), **{"wanted": PageFilter(), **changed})
    for _ in work.run():
        pass
    return work.progress


def content(database: Path) -> dict[str, list[Any]]:
    """All rows of a database, without the times at which it was written."""
    engine = create_engine(f"sqlite:///{database}")
    found: dict[str, list[Any]] = {}
    with engine.connect() as connection:
        for name in inspect(engine).get_table_names():
            lines = [dict(row._mapping) for row in connection.execute(text(f"SELECT * FROM {name}"))]
            found[name] = [{key: value for key, value in row.items() if not _is_now(value)} for row in lines]
    engine.dispose()
    found.pop("ingests")
    return found


def by_address(tables: dict[str, list[Any]]) -> dict[str, set[str]]:
    """The rows of each table without order, and with the address of a page in place of its id: an update of a stored
    page leaves a gap in the ids."""
    keys = {row["id"]: row["url_key"] for row in tables["pages"]}
    named = {name: [row | {"page_id": keys.get(row.get("page_id"))} for row in rows] for name, rows in tables.items()}
    named["pages"] = [row | {"id": None} for row in tables["pages"]]
    return {name: {repr(sorted(row.items())) for row in rows} for name, rows in named.items()}


def _is_now(value: object) -> bool:
    return isinstance(value, str) and value[:4].isdigit() and value[:10] >= f"{datetime.now(UTC):%Y-%m-%d}"


def test_the_database_is_that_of_an_ingest(tmp_path: Path, store: Store) -> None:
    with open_store(f"sqlite:///{tmp_path}/ingested.db", upgrade=False) as ingested:
        ingested.save_parts(PAGES, [InputProgress("k", 0, 1, 0)], datetime.now(UTC)).result()
    progress = loaded(store, part(tmp_path / "parts", PAGES))
    assert (progress.pages, progress.outcome("inserted"), progress.done) == (7, 4, progress.total)
    assert progress.counts["outcome/joined"] == 1
    store.close()
    assert content(tmp_path / "news.db") == content(tmp_path / "ingested.db")


def test_parts_of_known_pages_give_what_the_pages_give_one_by_one(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "ROWS", len(PAGES))  # each part is a transaction
    later, earlier = NOW + timedelta(days=2), NOW - timedelta(days=2)
    other = page(30).raw.body or b""
    known = [
        page(1, fetched_at=later),
        page(2, fetched_at=later, body=other),  # another text, which page 30 shows as well
        page(5, fetched_at=earlier),  # between the captures that are stored
        page(30),
        page(8, fetched_at=earlier),
        ProcessedPage(replace(page(7).raw, fetched_at=later, status=410), failure=Failure("http/410", "gone")),
    ]
    parts = [PAGES, [page(8), page(9), page(5, fetched_at=later)], known]
    with open_store(f"sqlite:///{tmp_path}/single.db", upgrade=False) as single:
        for number, found in enumerate(page for pages in parts for page in pages):
            single.save_parts([found], [InputProgress(str(number), 0, 1, 0)], datetime.now(UTC)).result()
    loaded(store, *(part(tmp_path / "parts", pages, 100 * number) for number, pages in enumerate(parts)))
    store.close()
    one_by_one, together = content(tmp_path / "single.db"), content(tmp_path / "news.db")
    # Changes of one article in one transaction are one row of the feed.
    ends = [
        {row["article_id"]: row["op"] for row in sorted(found.pop("changes"), key=lambda row: row["seq"])}
        for found in (one_by_one, together)
    ]
    assert ends[0] == ends[1]
    for name in one_by_one.keys() - {"sqlite_sequence"}:
        assert by_address(one_by_one)[name] == by_address(together)[name], name


def test_parts_are_loaded_once_and_a_limit_goes_on_exactly(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "ROWS", 3)
    pages = [page(number) for number in range(8)]
    bad = [(RecordPosition(90), Skipped("warc/broken", "cut"))]
    first, second = part(tmp_path / "parts", pages[:7], bad=bad), part(tmp_path / "parts", pages[7:], 100)
    assert [found.name for found in parts_at([f"{tmp_path}/parts"])] == [first.name, second.name]
    some = loaded(store, tmp_path / "parts", limit=4)
    assert (some.pages, some.outcome("inserted")) == (4, 4)
    rest = loaded(store, first, second, first)
    assert (rest.pages, rest.outcome("inserted"), rest.counts["warc/broken"]) == (4, 4, 1)
    assert 0 < rest.done == rest.total
    again = loaded(store, tmp_path / "parts")
    assert (again.pages, again.skipped) == (0, again.total)
    work = PartLoad(store, parts_at([f"{tmp_path}/parts"]), PageFilter())
    work.forget()
    assert [step.outcome("unchanged") for step in work.run()][-1] == 8


def test_pages_are_selected(tmp_path: Path, store: Store) -> None:
    name = part(tmp_path / "parts", [page(number) for number in range(4)])
    wanted = PageFilter(pattern="bridge-[12]", since=NOW + timedelta(minutes=2))
    progress = loaded(store, name, wanted=wanted, variant="some")
    assert (progress.pages, progress.counts["not_wanted"]) == (1, 3)
    assert loaded(store, name).pages == 4


def test_a_file_that_is_no_part_is_one_line(tmp_path: Path, store: Store) -> None:
    good = part(tmp_path / "parts", [page(1)])
    assert [is_part(name) for name in (str(good), "s3://harbour/parts", str(tmp_path), "a.warc.gz")] == [
        True,
        True,
        False,
        False,
    ]
    (tmp_path / "parts" / "_manifest.json").write_text(json.dumps({}))
    assert is_part(str(tmp_path / "parts"))
    (other := tmp_path / "other.parquet").write_bytes(good.read_bytes())
    with pytest.raises(UsageError, match="its name is not the one that `newscrawl batch` gave it"):
        loaded(store, other)
    other.write_bytes(b"PAR1")
    with pytest.raises(UsageError, match=r"other\.parquet: it is no part of `newscrawl batch`"):
        loaded(store, other)
    older = parquet.read_table(good)
    parquet.write_table(older.drop_columns(["etag"]), good)
    with pytest.raises(UsageError, match="another version of newscrawl made it, without etag; make it again"):
        loaded(store, good)
    (tmp_path / "empty").mkdir()
    for missing in (tmp_path / "parts" / "no.parquet", tmp_path / "empty"):
        with pytest.raises(UsageError, match=r"cannot read .*: there is no part"):
            loaded(store, missing)
