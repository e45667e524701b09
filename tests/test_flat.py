"""Metadata in columns: each field has its columns in the table of versions and in the table of a span."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Boolean, DateTime, Integer, String
from sqlalchemy.types import TypeDecorator, TypeEngine

from newscrawl.archive.batch.span_table import MEANINGS
from newscrawl.extraction.article.extracted import RECORD_KEYS
from newscrawl.model import Image, LiveEntry, Metadata, PublishedDate, RefusedDate
from newscrawl.model.flat import COLUMNS, flat, of_row, reader_of
from newscrawl.reports.history import ShownVersion
from newscrawl.reports.views import EXPORT_KEYS
from newscrawl.storage.engine.types import CleanJson
from newscrawl.storage.tables.articles import versions

NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
FULL = Metadata(
    title="Ferry",
    authors=("A. Writer",),
    published=PublishedDate(NOW, "json-ld", "minute", offset=-180),
    modified=PublishedDate(NOW + timedelta(hours=1), "meta", "second", zone_stated=False, offset=60),
    refused_dates=(RefusedDate("2099", "meta", "in the future"),),
    language="en",
    section="Harbour",
    tags=("sea", "ships"),
    image="https://harbour.example/a.jpg",
    canonical="https://harbour.example/a",
    site_name="The Harbour",
    description="About the ferry",
    images=(Image("https://harbour.example/a.jpg", "The ferry", width=640),),
    videos=("https://harbour.example/a.mp4",),
    audio=("https://harbour.example/a.mp3",),
    live_entries=(LiveEntry(NOW, 60, "Departure", "It left.", "one"), LiveEntry(text="No time.")),
)


def as_a_file(row: dict[str, object]) -> dict[str, object]:
    """The row as JSON has it."""
    read: dict[str, object] = json.loads(json.dumps(row, default=datetime.isoformat))
    return read


@pytest.mark.parametrize("metadata", [FULL, Metadata()], ids=["full", "empty"])
def test_metadata_are_read_as_they_were_written(metadata: Metadata) -> None:
    assert of_row(flat(metadata)) == metadata
    assert of_row(as_a_file(flat(metadata))) == metadata


def test_a_list_that_is_null_is_empty() -> None:
    assert of_row(dict.fromkeys(COLUMNS)) == Metadata()


def test_the_sample_has_every_field() -> None:
    assert [one.name for one in fields(Metadata) if not getattr(FULL, one.name)] == []


def test_a_date_has_five_columns() -> None:
    row = flat(FULL)
    assert (row["published"], row["published_source"], row["published_offset"]) == (NOW, "json-ld", -180)
    assert (row["modified_precision"], row["modified_zone_stated"]) == ("second", False)
    assert row["refused_dates"] == [{"raw": "2099", "source": "meta", "reason": "in the future"}]
    assert list(row) == list(flat(Metadata())) == list(COLUMNS)


@pytest.mark.parametrize("name", COLUMNS)
def test_every_field_has_a_column_of_its_kind(name: str) -> None:
    stored: TypeEngine[object] = versions.c[name].type
    value = flat(FULL)[name]
    kinds: dict[type, type] = {list: CleanJson, datetime: DateTime, bool: Boolean, int: Integer, str: String}
    plain = stored.impl if isinstance(stored, TypeDecorator) and not isinstance(stored, CleanJson) else stored
    assert isinstance(plain, next(kind for of, kind in kinds.items() if isinstance(value, of)))


def test_every_field_has_a_column_in_the_table_of_a_span() -> None:
    assert [name for name in COLUMNS if name not in MEANINGS] == []


@pytest.mark.parametrize(
    ("keys", "left_out"),
    [
        ([name for name, _ in EXPORT_KEYS], ["refused_dates"]),
        (RECORD_KEYS, []),
        ([one.name for one in fields(ShownVersion)], []),
    ],
    ids=["export", "record", "page"],
)
def test_readers_get_every_field_unless_it_is_named_here(keys: Sequence[str], left_out: Sequence[str]) -> None:
    assert [one.name for one in fields(Metadata) if one.name not in keys] == left_out


def test_keys_of_a_later_version_are_left_out():
    read = reader_of(Image)
    assert read([{"url": "https://harbour.example/ferry.jpg", "mood": "calm"}]) == read(
        [{"url": "https://harbour.example/ferry.jpg"}]
    )
