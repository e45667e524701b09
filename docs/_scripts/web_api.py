"""The reference of the JSON that `newscrawl web` serves: addresses, parameters, and fields of the schemas."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import MISSING, fields
from datetime import date
from types import NoneType
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from docs._scripts.pages import NOTE, text
from newscrawl.actions.pages import ACTIONS
from newscrawl.web.captures import CaptureQuery
from newscrawl.web.schemas import FOLDER, OF_CAPTURES, schema_of
from newscrawl.web.screen_list import SCREENS

PARTS: Final = re.compile(r" (?:A part may have [^:]*: |`next` is )the parameter `after` of the following part[^.]*\.")
"""What the page says once of all lists."""
_KINDS: Final = {str: "text", int: "number", date: "day, as 2026-08-31"}


def page() -> str:
    """The page docs/reference/web-api.md."""
    lines = [
        "# JSON of the web pages",
        "",
        NOTE,
        "",
        "[`newscrawl web`](../how-to/browser.md) serves each screen as JSON at the address below, with the parameters",
        "of the page. Times are in UTC; `[]` is an array, and a field with `?` may be null. A list is sent in parts:",
        "`next`, as the parameter `after`, gives the following part. The JSON schemas (draft 2020-12) have the fields",
        f"of each object; they are files of the package (`newscrawl/web/{FOLDER}/`).",
    ]
    screens = [(screen.json_path, schema_of(screen.value, screen.views), screen.query) for screen in SCREENS]
    screens += [(f"/{name}.json", schema_of(value), CaptureQuery) for name, value in OF_CAPTURES.items()]
    for path, schema, query in screens:
        lines += ["", f"## {path}", "", *_screen(schema, query)]
    lines += ["", "## Actions", "", *_actions()]
    return text(lines)


def _actions() -> Iterator[str]:
    """The actions of a server with `--actions`: their addresses and fields."""
    yield (
        "With `--actions`, a program acts with `POST` to the address below, the fields as a form, the token, and "
        '`Accept: application/json`. The answer is `{"done": [...]}`, sentences that say what was done. `GET` with the '
        "same fields shows what would be done, as a page."
    )
    yield ""
    for action in ACTIONS:
        told = ", ".join(" ".join(each) for each in _parameters(action.choice))
        yield f"- `/act/{action.name}` ({action.title}): {told}"


def _screen(schema: dict[str, Any], query: type[Any]) -> Iterator[str]:
    """The lines on a screen."""
    yield PARTS.sub("", schema["description"])
    yield ""
    if told := ", ".join(" ".join(each) for each in _parameters(query)):
        yield f"{_sentence(query)} Parameters: {told}." if len(fields(query)) > 1 else f"Parameter: {told}."
        yield ""
    yield f"Fields: {', '.join(f'`{name}` {_shape(one)}' for name, one in schema['properties'].items())}."


def _sentence(kind: type[Any]) -> str:
    return " ".join((kind.__doc__ or "").split())


def _parameters(kind: type[Any]) -> Iterator[list[str]]:
    hints = get_type_hints(kind)
    for field in fields(kind):
        needed = " (required)" if field.default is MISSING else ""
        yield [f"`{field.name}`", f"{_value(hints[field.name])}{needed}"]


def _value(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return "/".join(f"`{one}`" for one in get_args(hint))
    kinds = [kind for kind in get_args(hint) if kind is not NoneType]
    return _value(kinds[0]) if kinds else _KINDS[hint]


def _shape(schema: dict[str, Any]) -> str:
    """What stands in a field, in words."""
    if "enum" in schema:
        return "/".join("null" if one is None else f"`{one}`" for one in schema["enum"])
    kind = schema.get("type", "any")
    kinds = kind if isinstance(kind, list) else [kind]
    words = " or ".join(one for one in kinds if one != "null")
    if "format" in schema:
        words = "day" if schema["format"] == "date" else "time"
    words += "?" if "null" in kinds else ""
    if "items" in schema:
        return f"{_shape(schema['items'])}[]{'?' if 'null' in kinds else ''}"
    if "additionalProperties" in schema:
        return f"{words} of {_shape(schema['additionalProperties'])}"
    return words
