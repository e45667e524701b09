"""Reads the parameters of an address into a frozen value. What cannot be meant is an error that says what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields
from datetime import date
from types import NoneType
from typing import Annotated, Any, Final, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from newscrawl.errors import UsageError

Q = TypeVar("Q")

MAX_LENGTH: Final = 5_000
"""Characters of a parameter. An address has at most 4,096."""
NAMES: Final = frozenset({"site", "name", "language", "search"})
MAX_NAME: Final = 200
"""Characters of a name or a code that can be stored."""
NUMBER: Final = Annotated[int, msgspec.Meta(gt=0, le=(1 << 63) - 1)]
"""Every number is that of something stored."""
WANTED: Final[Mapping[Any, str]] = {int: "a number above 0", date: "a day like 2026-08-31"}


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
    return {name: str(value) for name, value in {**own, **changes}.items() if value not in {None, ""}}


def _value(name: str, value: str, hint: Any) -> Any:
    most = MAX_NAME if name in NAMES else MAX_LENGTH
    if len(value) > most:
        raise UsageError(f"the parameter {name} is too long: give at most {most:,} characters")
    if "\0" in value:  # PostgreSQL refuses it, which would look like trouble of the database
        raise UsageError(f"the parameter {name} has the character NUL: leave it out")
    if get_origin(hint) is not Literal:
        hint = next((kind for kind in get_args(hint) if kind is not NoneType), hint)
    is_odd = hint is int and not value.removeprefix("-").isdecimal()  # msgspec takes 1e3 for 1000
    try:
        return msgspec.convert("" if is_odd else value, NUMBER if hint is int else hint, strict=False)
    except msgspec.ValidationError as error:
        wanted = WANTED.get(hint) or f"one of {', '.join(get_args(hint))}"
        raise UsageError(f"{name}={value[:50]!r}: give {wanted}") from error
