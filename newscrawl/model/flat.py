"""The flat form of an article's metadata, in which tables have it: each field of `Metadata` is a column.

A stated date has five columns: `published` is the time, `published_source`, `published_precision`,
`published_zone_stated` and `published_offset` are the rest. A list has texts, or dicts with the fields of its members.
Everything here is derived from the types of `Metadata`, so a new field there needs no line here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from datetime import UTC, date, datetime
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from newscrawl.model.articles import Metadata, PublishedDate


def flat(metadata: Metadata) -> dict[str, Any]:
    """Returns the metadata as a row: None for what the page does not state, an empty list for an empty tuple."""
    row: dict[str, Any] = {}
    for name in _FIELDS:
        value = getattr(metadata, name)
        if name in _DATES:
            for part, column in _DATES[name].items():
                row[column] = None if value is None else getattr(value, part)
        elif name in _RECORDS:
            row[name] = [{part: getattr(one, part) for part in _RECORDS[name]} for one in value]
        else:
            row[name] = [*value] if name in _LISTS else value
    return row


def of_row(row: Mapping[str, Any]) -> Metadata:
    """Returns the metadata of a row that has all columns, as a database, a Parquet file or JSON gives them: a list may
    be None, and a time a text in ISO 8601."""
    values = {name: row[name] for name in _FIELDS}
    values |= {name: read(row[name]) for name, read in _LISTS.items()}
    for name, columns in _DATES.items():
        if row[name] is not None:
            stated = {part: row[column] for part, column in columns.items()}
            values[name] = PublishedDate(**stated | {"when": _time(row[name])})
    return Metadata(**values)


def reader_of(kind: type[Any]) -> Callable[[Any], tuple[Any, ...]]:
    """Returns the function that reads a list of a row, None for an empty one. Members of a dataclass are dicts with its
    fields; other keys, which a later newscrawl may have written, are left out. Make it once: it looks at the types of
    the fields."""
    if not is_dataclass(kind):
        return lambda value: tuple(value or ())
    are_times = {name: _bare(hint) is datetime for name, hint in get_type_hints(kind).items()}

    def read(one: Mapping[str, Any]) -> Any:
        return kind(**{name: _time(one[name]) if are_times[name] else one[name] for name in are_times if name in one})

    return lambda value: tuple(map(read, value or ()))


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


_FIELDS: Final[Mapping[str, Any]] = {name: _bare(hint) for name, hint in get_type_hints(Metadata).items()}
_PARTS: Final[Mapping[str, Any]] = get_type_hints(PublishedDate)
_DATES: Final = {
    name: {part: name if part == "when" else f"{name}_{part}" for part in _PARTS}
    for name, kind in _FIELDS.items()
    if kind is PublishedDate
}
"""The columns of each date by the fields of PublishedDate."""
_MEMBERS: Final = {name: get_args(kind)[0] for name, kind in _FIELDS.items() if get_origin(kind) is tuple}
_LISTS: Final = {name: reader_of(kind) for name, kind in _MEMBERS.items()}
_RECORDS: Final = {name: tuple(get_type_hints(kind)) for name, kind in _MEMBERS.items() if is_dataclass(kind)}
"""The keys of the members of those lists that have dicts."""
COLUMNS: Final[Mapping[str, Any]] = {
    column: hint
    for name, kind in _FIELDS.items()
    for column, hint in (
        [(column, _PARTS[part]) for part, column in _DATES[name].items()] if name in _DATES else [(name, kind)]
    )
}
"""The columns in the order of the fields, each with the type of its values where it has one."""
