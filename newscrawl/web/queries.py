"""Reads the parameters of an address into a frozen value. What cannot be meant is an error that says what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields
from datetime import date
from types import NoneType
from typing import Any, Final, Literal, TypeVar, get_args, get_origin, get_type_hints

from newscrawl.errors import NotFoundError as NotFoundError
from newscrawl.errors import UsageError

Q = TypeVar("Q")

MAX_LENGTH: Final = 5_000
"""Characters of a parameter. An address has at most 4,096."""

NAMES: Final = frozenset({"site", "name", "language", "search"})
MAX_NAME: Final = 200
"""Characters of a name or a code that can be stored."""


def read_query(kind: type[Q], given: Iterable[tuple[str, str]]) -> Q:
    """Returns the parameters as the dataclass `kind`: texts, numbers, dates and choices. An empty value counts as not
    given, as a form sends it. Raises UsageError for an unknown name, a repeated one, and a value that cannot be read.
    """
    hints = get_type_hints(kind)
    values: dict[str, Any] = {}
    for name, value in given:
        if name not in hints:
            known = ", ".join(hints) or "none"
            raise UsageError(f"there is no parameter {name[:50]!r} here: the parameters are {known}")
        if name in values:
            raise UsageError(f"the parameter {name} is given twice: give it once")
        if value:
            values[name] = _value(name, value, hints[name])
    for field in fields(kind):  # type: ignore[arg-type]
        if field.default is MISSING and field.name not in values:
            raise UsageError(f"the parameter {field.name} is missing")
    return kind(**values)


def as_parameters(query: object, **changes: str | None) -> Mapping[str, str]:
    """Returns the parameters that a query was read from, with changes; None removes one."""
    own = {field.name: getattr(query, field.name) for field in fields(query)}  # type: ignore[arg-type]
    given = {name: value.isoformat() if isinstance(value, date) else value for name, value in own.items()} | changes
    return {name: str(value) for name, value in given.items() if value not in {None, ""}}


def _value(name: str, value: str, hint: Any) -> Any:
    most = MAX_NAME if name in NAMES else MAX_LENGTH
    if len(value) > most:
        raise UsageError(f"the parameter {name} is too long: give at most {most:,} characters")
    if "\0" in value:  # PostgreSQL refuses it, which would look like trouble of the database
        raise UsageError(f"the parameter {name} has the character NUL: leave it out")
    kinds = [kind for kind in (get_args(hint) if not _is_choice(hint) else (hint,)) or (hint,) if kind is not NoneType]
    kind = kinds[0]
    if _is_choice(kind):
        if value not in get_args(kind):
            raise UsageError(f"{name}={value[:50]!r}: give one of {', '.join(get_args(kind))}")
        return value
    try:
        if kind is int:
            return _number(value)
        if kind is date:
            return date.fromisoformat(value)
    except ValueError as error:
        wanted = "a number above 0" if kind is int else "a day like 2026-08-31"
        raise UsageError(f"{name}={value[:50]!r}: give {wanted}") from error
    return value


def _number(value: str) -> int:
    found = int(value) if value.isascii() and len(value) < 20 else 0
    if not 0 < found < 1 << 63:
        raise ValueError(value)
    return found


def _is_choice(hint: Any) -> bool:
    return get_origin(hint) is Literal
