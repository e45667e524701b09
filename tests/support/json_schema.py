"""Checks a value against the part of JSON schema (draft 2020-12) that newscrawl's own schemas use.

A keyword that is not known here is an error, so that no part of a schema goes unchecked.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from importlib.resources import files
from typing import Any

_TYPES: dict[str, type] = {
    "object": dict,
    "array": list,
    "string": str,
    "null": type(None),
    "boolean": bool,
}
_NOTES = {"$schema", "title", "description"}


def stored_schema(name: str) -> dict[str, Any]:
    """The schema of a screen of `newscrawl web`, from its file in the package."""
    text = files("newscrawl.web").joinpath("schema_files", f"{name}.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def problems(value: Any, schema: Mapping[str, Any], place: str = "") -> list[str]:
    """Returns the parts of the value that the schema forbids, with their places."""
    return [
        found for keyword in schema if keyword not in {"then", *_NOTES} for found in _of(keyword, value, schema, place)
    ]


def _of(keyword: str, value: Any, schema: Mapping[str, Any], place: str) -> Iterator[str]:
    wanted = schema[keyword]
    if keyword in _CHECKS:
        if _CHECKS[keyword](value, wanted):
            yield f"{place}: {value!r:.60} is against {keyword} {wanted!r:.90}"
    elif keyword == "properties":
        for name, part in wanted.items():
            if isinstance(value, dict) and name in value:
                yield from problems(value[name], part, f"{place}.{name}")
    elif keyword == "items":
        for number, item in enumerate(value if isinstance(value, list) else ()):
            yield from problems(item, wanted, f"{place}[{number}]")
    elif keyword == "additionalProperties":
        for name in value.keys() - schema.get("properties", {}).keys() if isinstance(value, dict) else ():
            yield from problems(value[name], wanted, f"{place}.{name}")
    elif keyword == "allOf":
        for part in wanted:
            yield from problems(value, part, place)
    elif keyword == "if":
        if not problems(value, wanted, place):
            yield from problems(value, schema["then"], place)
    else:
        raise NotImplementedError(f"keyword {keyword!r} of {place or 'the schema'}")


def _is(name: str, value: Any) -> bool:
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, _TYPES[name])


def _is_one_of(value: Any, allowed: list[Any]) -> bool:
    return any(value == one and type(value) is type(one) for one in allowed)


_CHECKS: dict[str, Callable[[Any, Any], bool]] = {
    "type": lambda value, wanted: (
        not any(_is(name, value) for name in ([wanted] if isinstance(wanted, str) else wanted))
    ),
    "const": lambda value, wanted: not _is_one_of(value, [wanted]),
    "enum": lambda value, wanted: not _is_one_of(value, wanted),
    "required": lambda value, wanted: isinstance(value, dict) and not value.keys() >= set(wanted),
    "minimum": lambda value, wanted: isinstance(value, int | float) and value < wanted,
    "maximum": lambda value, wanted: isinstance(value, int | float) and value > wanted,
    "minItems": lambda value, wanted: isinstance(value, list) and len(value) < wanted,
    "maxItems": lambda value, wanted: isinstance(value, list) and len(value) > wanted,
    "format": lambda value, wanted: (
        isinstance(value, str) and (datetime.fromisoformat(value).tzinfo is None) != (wanted == "date")
    ),
}
"""For each keyword, whether a value is against it."""
