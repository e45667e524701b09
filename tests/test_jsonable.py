"""JSON has one form: dates in ISO 8601 with +00:00, keys in the order of a record or of a view."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from types import MappingProxyType

import pytest

from newscrawl.model.jsonable import builtins, names, to_bytes, to_text, view

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
