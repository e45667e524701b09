"""Maps dataclasses to rows. A table's columns are derived from the fields of the dataclass, so that each is named once.

A field is a column of the same name. A field that holds another dataclass is a group of columns with a prefix, all NULL
where it is None; a tuple or another sequence is a JSON list, NULL where it is empty.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from operator import attrgetter
from types import UnionType
from typing import Any, Final, Generic, TypeVar, Union, get_args, get_origin, get_type_hints

from sqlalchemy import Row

T = TypeVar("T")

Values = dict[str, Any]
"""A row by column names."""


@dataclass(frozen=True, slots=True)
class NestedColumns:
    """How the columns of a nested dataclass are named: `prefix` and the field's name.

    `prefix` None means the outer field's name and an underscore. The column of the field `unprefixed` has the name of
    the outer field. `only` are the stored fields, None for all.
    """

    prefix: str | None = None
    unprefixed: str | None = None
    only: tuple[str, ...] | None = None


NO_GROUP: Final = NestedColumns()


@dataclass(frozen=True, slots=True)
class _Group:
    """The columns of one nested field, in the order of `names`, its stored fields."""

    outer: str
    cls: type[Any]
    names: tuple[str, ...]
    columns: tuple[str, ...]
    empty: Mapping[str, None]
    get: Callable[[Any], tuple[Any, ...]]
    get_columns: Callable[[Any], tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class _Shape:
    """The fields that `RowMapping` derives once from a dataclass. `read` are the fields outside groups, the read-only
    ones last; `lists` are those of them that are stored as JSON lists, with their columns."""

    plain: tuple[str, ...]
    plain_columns: tuple[str, ...]
    lists: tuple[tuple[str, str], ...]
    groups: tuple[_Group, ...]
    read: tuple[str, ...]
    read_columns: tuple[str, ...]


class RowMapping(Generic[T]):
    """The mapping of a dataclass to columns.

    `groups` names the columns of nested dataclasses, `renamed` those of single fields. Fields `left_out` have no
    column. Fields `read_only` (with their columns) are read and never written, because a join or the database gives
    them.
    """

    def __init__(
        self,
        cls: type[T],
        *,
        groups: Mapping[str, NestedColumns] | None = None,
        renamed: Mapping[str, str] | None = None,
        left_out: tuple[str, ...] = (),
        read_only: Mapping[str, str] | None = None,
    ) -> None:
        self._cls = cls
        self._shape = shape = _shape(cls, groups or {}, renamed or {}, left_out, read_only or {})
        self._get = _getter(shape.plain)
        self._get_read = _getter(shape.read_columns)
        grouped = (column for group in shape.groups for column in group.columns)
        self.columns: Final = (*shape.plain_columns, *grouped)
        """The names of the columns that `values` fills."""

    def values(self, value: T) -> Values:
        """Returns the value as a row."""
        shape = self._shape
        row = dict(zip(shape.plain_columns, self._get(value), strict=True))
        for _, column in shape.lists:
            row[column] = json_list(row[column])
        for group in shape.groups:
            inner = getattr(value, group.outer)
            row.update(group.empty if inner is None else zip(group.columns, group.get(inner), strict=True))
        return row

    def read(self, row: Row[Any]) -> T:
        """Returns the value of a row, which must have all columns, those of `read_only` too. Lists are read as
        tuples."""
        shape = self._shape
        given = dict(zip(shape.read, self._get_read(row), strict=True))
        for name, _ in shape.lists:
            given[name] = tuple(given[name] or ())
        for group in shape.groups:
            inner = group.get_columns(row)
            is_stored = inner[0] is not None
            given[group.outer] = group.cls(**dict(zip(group.names, inner, strict=True))) if is_stored else None
        return self._cls(**given)


def _shape(
    cls: type[Any],
    groups: Mapping[str, NestedColumns],
    renamed: Mapping[str, str],
    left_out: tuple[str, ...],
    read_only: Mapping[str, str],
) -> _Shape:
    types = get_type_hints(cls)
    plain: dict[str, str] = {}
    lists: list[tuple[str, str]] = []
    nested: list[_Group] = []
    for name in (field.name for field in fields(cls)):
        inner = _dataclass_in(types[name])
        if name in left_out or name in read_only:
            continue
        if inner is not None:
            nested.append(_group(name, inner, groups.get(name, NO_GROUP)))
            continue
        plain[name] = renamed.get(name, name)
        if get_origin(types[name]) in {tuple, Sequence}:
            lists.append((name, plain[name]))
    read = plain | dict(read_only)
    return _Shape(tuple(plain), tuple(plain.values()), tuple(lists), tuple(nested), tuple(read), tuple(read.values()))


def _group(outer: str, cls: type[Any], group: NestedColumns) -> _Group:
    prefix = f"{outer}_" if group.prefix is None else group.prefix
    names = group.only or tuple(field.name for field in fields(cls))
    columns = tuple(outer if name == group.unprefixed else f"{prefix}{name}" for name in names)
    return _Group(outer, cls, names, columns, dict.fromkeys(columns), _getter(names), _getter(columns))


def _dataclass_in(hint: Any) -> type[Any] | None:
    """The dataclass in a field's type, alone or in a union with None; else None."""
    kinds = get_args(hint) if get_origin(hint) in {Union, UnionType} else (hint,)
    return next((kind for kind in kinds if isinstance(kind, type) and is_dataclass(kind)), None)


def _getter(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """A function that returns the attributes of these names as a tuple, also for a single name."""
    if len(names) == 1:
        get = attrgetter(*names)
        return lambda value: (get(value),)
    return attrgetter(*names) if names else lambda _value: ()


def json_list(items: Sequence[Any]) -> list[Any] | None:
    """Returns the items in types that JSON knows. An empty list is NULL, so that a reading without items never replaces
    stored items."""
    return [_plain(item) for item in items] or None


def _plain(item: Any) -> Any:
    kind: Any = type(item)
    parts = _parts(kind)
    return item if parts is None else dict(zip(parts[0], parts[1](item), strict=True))


@cache
def _parts(cls: type[Any]) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]] | None:
    """Returns the names of the fields of a dataclass, none of which holds another dataclass, and what reads them; None
    for another class. dataclasses.asdict copies every value, which takes ten times as long."""
    if not is_dataclass(cls):
        return None
    names = tuple(field.name for field in fields(cls))
    return names, _getter(names)
