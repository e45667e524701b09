"""The JSON schema of each screen (draft 2020-12), made from its class. `python -m docs._scripts` writes them all.

The schemas are not msgspec's: those have no format for a time, do not require a field with a default, and refer from
one class to another, while programs rely on the files as they are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from pathlib import Path
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from newscrawl.model.jsonable import paths
from newscrawl.web.captures import AnswerHeaders, Comparison, FieldsScreen
from newscrawl.web.screen_list import SCREENS

FOLDER: Final = "schema_files"
OF_CAPTURES: Final[dict[str, type[Any]]] = {"headers": AnswerHeaders, "compare": Comparison, "fields": FieldsScreen}
"""The screens of one capture: the name of its address, and its class."""

_PLAIN: Final[Mapping[Any, str]] = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}
_LISTS: Final = (list, tuple, Sequence)


def generated() -> dict[Path, str]:
    """Returns path and text of every schema."""
    folder = Path(__file__).parent / FOLDER
    found = {screen.name: schema_of(screen.value, screen.views) for screen in SCREENS}
    found |= {name: schema_of(kind) for name, kind in OF_CAPTURES.items()}
    return {folder / f"{name}.schema.json": _text(name, schema) for name, schema in found.items()}


def _text(name: str, schema: Mapping[str, Any]) -> str:
    titled = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"newscrawl web: {name}.json"}
    return json.dumps({**titled, **schema}, indent=1) + "\n"


def schema_of(kind: type[Any], views: Mapping[str, str] = MappingProxyType({})) -> dict[str, Any]:
    """Returns the schema of the JSON of a dataclass. `views` has the keys of the records in some of its fields
    (Screen.views)."""
    hints = [(field.name, get_type_hints(kind)[field.name]) for field in fields(kind)]
    return _object(kind, {name: _viewed(hint, views[name]) if name in views else _schema(hint) for name, hint in hints})


def _object(kind: type[Any], properties: Mapping[str, Any]) -> dict[str, Any]:
    described = {"type": "object", "description": " ".join((kind.__doc__ or "").split())}
    return {**described, "properties": properties, "required": list(properties)}


def _viewed(hint: Any, keys: str) -> dict[str, Any]:
    """Returns the schema of a record that may be None, or of a list of records, with these keys."""
    record = _record(hint)
    schema = _object(record, {key: _schema(_hint(record, path)) for key, path in paths(keys)})
    if NoneType in get_args(hint):
        return {**schema, "type": ["object", "null"]}
    return {"type": "array", "items": schema}


def _record(hint: Any) -> Any:
    """Returns the record of a list of records, or of a record that may be None."""
    return next((one for one in get_args(hint) if is_dataclass(one)), hint)


def _hint(kind: Any, path: str) -> Any:
    """Returns the type of what stands under a path of attributes. It may be None if one of the attributes may."""
    is_optional = False
    for name in path.split("."):
        one = getattr(kind, name, None)
        hint = get_type_hints(one.fget)["return"] if isinstance(one, property) else get_type_hints(kind)[name]
        is_optional |= NoneType in get_args(hint)
        kind = _record(hint)
    return hint | None if is_optional else hint


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
    if isinstance(kind, type) and is_dataclass(kind):
        return schema_of(kind)
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
