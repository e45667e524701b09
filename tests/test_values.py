"""Values of the model: metadata in columns, JSON in one form, what is passed between processes, and times of day at the
beginning of a line."""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, timedelta, timezone
from types import MappingProxyType

import pytest
from sqlalchemy import Boolean, DateTime, Integer, String
from sqlalchemy.types import TypeDecorator, TypeEngine

from newscrawl.archive.batch.span_table import MEANINGS
from newscrawl.extraction.article.extracted import RECORD_KEYS
from newscrawl.model import Image, LiveEntry, Metadata, ProcessedPage, PublishedDate, RawPage, RefusedDate
from newscrawl.model.flat import COLUMNS, flat, of_row, reader_of
from newscrawl.model.jsonable import builtins, names, to_bytes, to_text, view
from newscrawl.model.times import TimeOfDay, leading_time
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


ZONES = [UTC, timezone(timedelta(hours=2)), timezone(timedelta(hours=-3), "BRT")]


@pytest.mark.parametrize("zone", ZONES, ids=str)
def test_zones_arrive_with_their_names_and_utc_as_itself(zone: timezone) -> None:
    when = pickle.loads(pickle.dumps(PublishedDate(datetime(2026, 11, 22, tzinfo=zone), "json-ld", "day"))).when
    assert (when.utcoffset(), when.tzname()) == (zone.utcoffset(None), zone.tzname(None))
    assert (when.tzinfo is UTC) == (zone is UTC)


def test_a_page_arrives_whole() -> None:
    url = "https://harbour.example/1"
    raw = RawPage(url, url, 200, {"etag": "x"}, b"...", datetime(2026, 11, 22, tzinfo=UTC), "harbour")
    assert pickle.loads(pickle.dumps(raw, pickle.HIGHEST_PROTOCOL)) == raw


def test_logs_name_a_page_by_its_address() -> None:
    url = "https://harbour.example/1"
    raw = RawPage(url, url, 200, {}, b"...", datetime(2026, 11, 22, tzinfo=UTC), "harbour")
    assert str(raw) == str(ProcessedPage(raw)) == "https://harbour.example/1 (harbour)"


AT = datetime(2026, 11, 29, 13, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Named:
    title: str | None
    at: date | None = None


@dataclass(frozen=True, slots=True)
class Whole:
    id: int
    metadata: Named | None
    more: Sequence[object] | Mapping[str, object] = ()


def test_a_record_is_an_object_with_its_fields() -> None:
    value = Whole(1, Named("Fähre", AT), (date(2026, 11, 29), MappingProxyType({"a": (1, 2.5)}), range(2), b"\xff"))
    metadata = '{"title": "Fähre", "at": "2026-11-29T13:00:00+00:00"}'
    assert (
        to_text(value)
        == f'{{"id": 1, "metadata": {metadata}, "more": ["2026-11-29", {{"a": [1, 2.5]}}, [0, 1], "\ufffd"]}}'
    )
    assert to_bytes(value) == json.dumps(json.loads(to_text(value)), ensure_ascii=False, separators=(",", ":")).encode()


def test_times_keep_their_offset() -> None:
    assert to_text(AT.astimezone(timezone(timedelta(hours=2)))) == '"2026-11-29T15:00:00+02:00"'


def test_text_for_people_has_lines_and_may_be_ascii() -> None:
    assert to_text(Named("Fähre"), indent=2) == '{\n  "title": "Fähre",\n  "at": null\n}'
    assert to_text(Named("Fähre"), ascii_only=True) == '{"title": "F\\u00e4hre", "at": null}'


def test_half_a_pair_of_surrogates_is_replaced() -> None:
    assert to_bytes(["\ud800"]) == b'["?"]'


@pytest.mark.parametrize(("value", "error"), [(object(), TypeError), (float("nan"), ValueError)])
def test_what_json_has_not_is_an_error(value: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        to_text([value])


def test_a_view_picks_keys() -> None:
    keys = names("id metadata.title", ("number", lambda whole: len(whole.more)), "metadata.at")
    assert list(view(Whole(1, Named("T", AT), (1, 2)), keys).items()) == [
        ("id", 1),
        ("title", "T"),
        ("number", 2),
        ("at", AT),
    ]
    assert view(Whole(1, None), keys) == {"id": 1, "title": None, "number": 0, "at": None}


def test_builtins_keep_times() -> None:
    assert builtins(Named(None, AT)) == {"title": None, "at": AT}


@pytest.mark.parametrize(
    ("line", "hour", "minute", "rest"),
    [
        ("14:32", 14, 32, ""),
        ("14:32 Uhr", 14, 32, ""),
        ("14.32 Uhr: Es beginnt", 14, 32, "Es beginnt"),
        ("+++ 9:05 Uhr +++ Los", 9, 5, "Los"),
        ("18h42 Fin de ce direct", 18, 42, "Fin de ce direct"),
        ("[16:58] Thanks", 16, 58, "Thanks"),
        ("2.05pm The vote", 14, 5, "The vote"),
        ("12:10 a.m. – Rain", 0, 10, "Rain"),
        ("17:45 GMT", 17, 45, ""),
        ("14時32分 開始", 14, 32, "開始"),
        ("00:00 | Midnight", 0, 0, "Midnight"),
    ],
)
def test_a_time_and_what_follows_it(line: str, hour: int, minute: int, rest: str) -> None:
    assert leading_time(line) == TimeOfDay(hour, minute, rest)


@pytest.mark.parametrize(
    "line", ["", "Noon", "24:00", "3:75", "12.50 euros a head", "1:02:30 hours", "10:30-12:15 Tour", "2024:11", "7.5 %"]
)
def test_what_is_no_time(line: str) -> None:
    assert leading_time(line) is None
