"""Writes a frozen value as JSON, and describes its class as a JSON schema (draft 2020-12)."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

_PLAIN: Final[Mapping[Any, str]] = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}
_LISTS: Final = (list, tuple, Sequence)


def to_json(value: object) -> bytes:
    """Returns the value as JSON in UTF-8. Times are in UTC, in ISO 8601."""
    return json.dumps(plain(value), ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode(
        "utf-8", "replace"
    )


def plain(value: Any) -> Any:
    """Returns the value as JSON values: dataclasses as objects, sequences as lists, times as texts."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def schema_of(kind: Any, title: str) -> dict[str, Any]:
    """Returns the schema of the JSON of a dataclass."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **_schema(kind)}


def _schema(kind: Any) -> dict[str, Any]:
    origin, given = get_origin(kind), get_args(kind)
    if kind is Any:
        return {}
    if origin is Literal:
        return {"enum": list(given)}
    if origin in {Union, UnionType}:
        return _optional(given)
    if kind in _PLAIN:
        return {"type": _PLAIN[kind]}
    if kind is bytes:
        return {"type": "string"}
    if kind is datetime:
        return {"type": "string", "format": "date-time"}
    if kind is date:
        return {"type": "string", "format": "date"}
    if origin in _LISTS or origin is tuple:
        return {"type": "array", "items": _schema(given[0])} if given else {"type": "array"}
    if origin is Mapping or origin is dict:
        inner = _schema(given[1])
        return {"type": "object", **({"additionalProperties": inner} if inner else {})}
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        return {
            "type": "object",
            "description": " ".join((kind.__doc__ or "").split()),
            "properties": {name: _schema(hints[name]) for name in (field.name for field in fields(kind))},
            "required": [field.name for field in fields(kind)],
        }
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return {"type": "array", "items": _schema(given[0])}
    raise TypeError(f"no JSON schema is known for {kind!r}")


def _optional(given: tuple[Any, ...]) -> dict[str, Any]:
    """Returns the schema of a union: of None and one other kind, or of plain kinds."""
    others = [kind for kind in given if kind is not NoneType]
    if len(others) == 1:
        schema = _schema(others[0])
        if "enum" in schema:
            return {"enum": [*schema["enum"], None]}
        return {**schema, "type": [schema["type"], "null"]} if "type" in schema else schema
    return {"type": [_PLAIN[kind] for kind in given]}
