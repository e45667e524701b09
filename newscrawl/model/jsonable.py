"""Writes values as JSON, the same way everywhere, and picks the keys of a JSON object of a record.

Times and dates are ISO 8601; a time in UTC ends with +00:00. msgspec takes records apart, and `json` writes: msgspec's
own writer ends times in UTC with Z and refuses lone surrogates.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from operator import attrgetter
from typing import Any, Final

import msgspec

Getter = Callable[[Any], Any]
Names = tuple[tuple[str, Getter], ...]
"""The keys of a JSON object in their order, each with the function that reads its value of a record."""

_KEPT: Final = (datetime, date, bytes)
"""Types that `_written` writes, and msgspec leaves."""


def to_text(value: object, *, indent: int | None = None, ascii_only: bool = False) -> str:
    """Returns the value as JSON: a frozen dataclass as an object with its fields, sequences as lists.

    `indent` is the number of blanks a level; None writes one line. Raises TypeError for a value of another class, and
    ValueError for a number that is not finite.
    """
    return json.dumps(builtins(value), default=_written, indent=indent, ensure_ascii=ascii_only, allow_nan=False)


def to_bytes(value: object) -> bytes:
    """Returns the value as JSON in UTF-8 without blanks; a lone surrogate becomes a question mark. Raises the errors of
    `to_text`."""
    text = json.dumps(builtins(value), default=_written, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def builtins(value: object) -> Any:
    """Returns the value in dicts and lists; times, dates and bytes stay as they are. Raises TypeError."""
    return msgspec.to_builtins(value, builtin_types=_KEPT, enc_hook=_plain)


def names(*given: str | tuple[str, Getter]) -> Names:
    """Returns the keys of a view.

    A text has attributes of the record, with blanks between them. The key of `metadata.title` is `title`, that of
    `headline=metadata.title` is `headline`; the value is None where `metadata` is None. A pair has a key and the
    function that reads its value.
    """
    keys: list[tuple[str, Getter]] = []
    for one in given:
        keys += [(key, _getter(path)) for key, path in paths(one)] if isinstance(one, str) else [one]
    return tuple(keys)


def paths(text: str) -> list[tuple[str, str]]:
    """Returns the keys that such a text names, each with the path of its value: attributes with dots between them."""
    parted = [one.rpartition("=") for one in text.split()]
    return [(key or path.rpartition(".")[2], path) for key, _, path in parted]


def each(name: str, keys: Names) -> tuple[str, Getter]:
    """Returns the key of a sequence of records, each of which is an object with these keys."""
    records = attrgetter(name)
    return name, lambda value: [view(one, keys) for one in records(value)]


def view(value: object, keys: Names) -> dict[str, Any]:
    """Returns the values of a record under the keys of a JSON object, in their order."""
    return {name: get(value) for name, get in keys}


def _getter(path: str) -> Getter:
    first, *further = path.split(".")
    if not further:
        return attrgetter(path)

    def get(value: Any) -> Any:
        value = getattr(value, first)
        for name in further:
            value = None if value is None else getattr(value, name)
        return value

    return get


def _plain(value: Any) -> Any:
    """Converts what msgspec does not take apart: mappings and sequences of other classes."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return list(value)
    raise TypeError(f"cannot write {type(value).__name__} as JSON")


def _written(value: object) -> str:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    raise TypeError(f"cannot write {type(value).__name__} as JSON")
