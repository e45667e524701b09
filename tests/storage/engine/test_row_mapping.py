"""Every stored dataclass agrees with its table: each field has a column, and each column is written."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, timedelta

import pytest
from memory_database import empty_tables
from sqlalchemy import select

from newscrawl.model import Article, Attempt, Discovery, Metadata, PublishedDate, RefusedDate, UsageRights
from newscrawl.model.flat import COLUMNS
from newscrawl.storage.articles.lookup import select_pages
from newscrawl.storage.articles.rows import EVENT, PAGE, SOURCE, article_values, version_values
from newscrawl.storage.articles.writing.text_rows import LABEL
from newscrawl.storage.captures.ingests import MARK
from newscrawl.storage.engine.sql import RowMapping
from newscrawl.storage.records import Event, Label, PageRow
from newscrawl.storage.tables.articles import articles, headlines, pages, versions
from newscrawl.storage.tables.frontier import sources
from newscrawl.storage.tables.operations import events, ingests

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
ARTICLE = Article(
    url="https://harbour.example/a",
    site="harbour",
    metadata=Metadata(
        "Ferry",
        ("A. Writer",),
        PublishedDate(NOW, "json-ld", "minute"),
        PublishedDate(NOW + timedelta(hours=1), "meta", "second", zone_stated=False),
        (RefusedDate("2099", "meta", "in the future"),),
        "en",
        "Harbour",
        ("sea", "ships"),
        "https://harbour.example/a.jpg",
        "https://harbour.example/a",
        "The Harbour",
        "About the ferry",
    ),
    text="The ferry is late.",
    extractor="classic",
    verdict="article",
    trace=(Attempt("classic", 4, 18, accepted=True, reason="long enough"),),
    problems=("deep",),
    content_hash="c" * 32,
    identity_key="i" * 32,
)
PAGE_ROW = PageRow(
    "https://harbour.example/a",
    "https://harbour.example/a",
    "harbour",
    "fetched",
    NOW,
    "article",
    *(NOW + timedelta(hours=number) for number in (1, 2, 3)),
    "etag",
    "yesterday",
    failures=4,
    failure_kind="http/500",
    last_status=500,
    discovery=Discovery("feed", "https://harbour.example/feed", "Ferry", NOW),
    visits=5,
    edits=6,
    use=UsageRights(noarchive=True, tdm_reservation=False, tdm_policy="https://harbour.example/tdm"),
    claimed_canonical_key="https://harbour.example/b",
)


@pytest.mark.parametrize(
    ("mapping", "table", "others"),
    [
        (PAGE, pages, {"id", "article_id"}),
        (SOURCE, sources, {"id", "url_key"}),
        (EVENT, events, {"id", "payload"}),
        (MARK, ingests, {"updated"}),
        (LABEL, headlines, {"id", "page_id", "article_id"}),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_value_and_its_table_have_the_same_columns(mapping, table, others):
    assert {*mapping.columns, *others} == set(table.columns.keys())
    assert not {*mapping.columns} & others


def test_a_version_and_an_article_fill_their_tables():
    assert {"id", *version_values(ARTICLE, 1, 1, "first", NOW)} == set(versions.columns.keys())
    of_story = {"story_id", "kind", "resemblance", "containment"}  # written when the story is decided
    assert {"id", *of_story, *article_values(ARTICLE, NOW)} == set(articles.columns.keys())


@pytest.fixture
def connection():
    with empty_tables() as opened:
        yield opened


@pytest.mark.parametrize("page", [PAGE_ROW, PageRow("k", "u", "harbour", "found", NOW)], ids=["full", "new"])
def test_a_page_is_read_as_it_was_written(connection, page):
    connection.execute(pages.insert(), [PAGE.values(page)])
    (read,) = (PAGE.read(row) for row in connection.execute(select_pages()))
    assert {one.name for one in fields(PageRow) if getattr(read, one.name) != getattr(page, one.name)} == {"id"}


def test_an_event_is_read_as_it_was_written(connection):
    event = Event("k", "u", "harbour", NOW, "stored/inserted", "why", 200)
    connection.execute(events.insert(), [EVENT.values(event)])
    assert [EVENT.read(row) for row in connection.execute(select(events))] == [event]


def test_a_list_without_items_is_null():
    """So that a reading without them keeps the stored ones."""
    values = version_values(replace(ARTICLE, metadata=Metadata(), trace=(), problems=()), 1, 1, "first", NOW)
    assert {values[name] for name in (*COLUMNS, "trace", "problems", "new_entries")} == {None}


def test_a_headline_without_authors_has_no_list():
    label = Label("k", "Ferry", (), NOW, NOW)
    assert LABEL.values(label)["authors"] is None
    assert LABEL.values(replace(label, authors=("A",)))["authors"] == ["A"]


@dataclass(frozen=True)
class Inner:
    low: int
    high: int


@dataclass(frozen=True)
class Outer:
    number: int
    inner: Inner | None = None
    names: tuple[str, ...] = ()


def test_columns_are_named_after_fields():
    mapping = RowMapping(Outer, groups={"inner": (Inner, {"low": "inner", "high": "inner_high"})})
    assert mapping.columns == ("number", "names", "inner", "inner_high")
    row = {"names": ["a"], "inner": 2, "inner_high": 3}
    assert mapping.values(Outer(1, Inner(2, 3), ("a",))) == {"number": 1} | row
    assert mapping.values(Outer(1)) == {"number": 1} | dict.fromkeys(row)
