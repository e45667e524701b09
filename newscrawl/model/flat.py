"""The flat form of an article's metadata, in which tables have it: each field of `Metadata` is a column.

A stated date has five columns: `published` is the time, `published_source`, `published_precision`,
`published_zone_stated` and `published_offset` are the rest. A list has texts, or dicts with the fields of its members.
Everything here is made once, of the types of `Metadata`: a field added there needs no line here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from datetime import UTC, date, datetime
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from newscrawl.model.articles import Metadata, PublishedDate

_TIME: Final = "when"
_DATE: Final[Mapping[str, Any]] = get_type_hints(PublishedDate)


def flat(metadata: Metadata) -> dict[str, Any]:
    """Returns the metadata as a row: None for what the page does not state, an empty list for an empty tuple."""
    row: dict[str, Any] = {}
    for name, write in _WRITERS:
        write(row, getattr(metadata, name))
    return row


def of_row(row: Mapping[str, Any]) -> Metadata:
    """Returns the metadata of a row that has all columns, as a database, a Parquet file or JSON gives them: a list may
    be None, and a time a text in ISO 8601."""
    return Metadata(**{name: read(row) for name, read in _READERS})


def reader_of(kind: type[Any]) -> Callable[[Any], tuple[Any, ...]]:
    """Returns the function that reads a list of a row, None for an empty one, whose members are dicts with the fields
    of a dataclass. Make it once: it looks at the types of the fields."""
    times = [name for name, hint in get_type_hints(kind).items() if _bare(hint) is datetime]

    def read(value: Any) -> tuple[Any, ...]:
        return tuple(kind(**one | {name: _time(one[name]) for name in times}) for one in value or ())

    return read


def arrow_type(arrow: Any, hint: Any) -> Any:
    """Returns the type of pyarrow, given as module, for values of a type: a dataclass is a struct of its fields, a time
    a timestamp in UTC."""
    kind = _bare(hint)
    if is_dataclass(kind):
        return arrow.struct([(name, arrow_type(arrow, of_field)) for name, of_field in get_type_hints(kind).items()])
    if get_args(kind) and get_origin(kind) is not Literal:
        return arrow.list_(arrow_type(arrow, get_args(kind)[0]))
    if isinstance(kind, type) and issubclass(kind, date):
        return arrow.timestamp("us", tz="UTC")
    return {int: arrow.int64(), float: arrow.float64(), bool: arrow.bool_()}.get(kind, arrow.string())


def _bare(hint: Any) -> Any:
    """Returns the type of a value that may be None."""
    if get_origin(hint) in {Union, UnionType}:
        return next(one for one in get_args(hint) if one is not NoneType)
    return hint


def _time(value: Any) -> datetime | None:
    """Returns a time of a row; one of a database or a Parquet file gets the zone that this package uses."""
    if isinstance(value, str):
        return datetime.fromisoformat(value)
    return value.replace(tzinfo=UTC) if value is not None else None


_Writer = Callable[[dict[str, Any], Any], None]
_Reader = Callable[[Mapping[str, Any]], Any]


def _of_date(name: str) -> tuple[dict[str, Any], _Writer, _Reader]:
    columns = {part: name if part == _TIME else f"{name}_{part}" for part in _DATE}

    def write(row: dict[str, Any], stated: PublishedDate | None) -> None:
        for part, column in columns.items():
            row[column] = None if stated is None else getattr(stated, part)

    def read(row: Mapping[str, Any]) -> PublishedDate | None:
        when = _time(row[name])
        if when is None:
            return None
        return PublishedDate(**{part: row[column] for part, column in columns.items()} | {_TIME: when})

    return {column: _DATE[part] for part, column in columns.items()}, write, read


def _of_records(name: str, kind: type[Any]) -> tuple[_Writer, _Reader]:
    names, members = tuple(get_type_hints(kind)), reader_of(kind)

    def write(row: dict[str, Any], value: tuple[Any, ...]) -> None:
        row[name] = [{part: getattr(one, part) for part in names} for one in value]

    return write, lambda row: members(row[name])


def _of_texts(name: str) -> tuple[_Writer, _Reader]:
    def write(row: dict[str, Any], value: tuple[str, ...]) -> None:
        row[name] = [*value]

    return write, lambda row: tuple(row[name] or ())


def _of_value(name: str) -> tuple[_Writer, _Reader]:
    def write(row: dict[str, Any], value: Any) -> None:
        row[name] = value

    return write, lambda row: row[name]


def _made() -> tuple[dict[str, Any], list[tuple[str, _Writer]], list[tuple[str, _Reader]]]:
    """Returns the columns, and for each field the functions that write it to a row and read it of one."""
    types: dict[str, Any] = {}
    writers, readers = [], []
    for name, hint in get_type_hints(Metadata).items():
        kind = _bare(hint)
        own: dict[str, Any] = {name: hint}
        if kind is PublishedDate:
            own, write, read = _of_date(name)
        elif get_origin(kind) is not tuple:
            write, read = _of_value(name)
        elif is_dataclass(get_args(kind)[0]):
            write, read = _of_records(name, get_args(kind)[0])
        else:
            write, read = _of_texts(name)
        types |= own
        writers.append((name, write))
        readers.append((name, read))
    return types, writers, readers


_TYPES, _WRITERS, _READERS = _made()
COLUMNS: Final[Mapping[str, Any]] = _TYPES
"""The columns in the order of the fields, each with the type of its values."""
