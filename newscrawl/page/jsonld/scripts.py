"""Reads JSON-LD scripts, including malformed ones, as flat objects."""

from __future__ import annotations

import json
import math
from typing import Any, Final

from newscrawl.page.jsonld.entities import decode_references
from newscrawl.page.jsonld.lenient_json import read_loosely

MAX_CHARACTERS: Final = 2_000_000
"""Characters read of one script. Real ones have 1 to 50 kB, a live blog with all its posts a few hundred."""

MAX_OBJECTS: Final = 1_000
"""Most objects read from one script."""

MAX_DIGITS: Final = 300
"""Most digits of an integer. A longer one is not a quantity, and Python refuses to read more than 4,300 digits."""


def parse_json_ld(script: str) -> list[dict[str, Any]]:
    """Returns the objects of one script in document order, `@graph` and arrays flattened. Never raises; takes linear
    time.

    Well-formed JSON is read by the standard library. Malformed JSON is read leniently: wrapped in comments or CDATA,
    with raw line breaks, unescaped quotes, missing or superfluous commas, quotes written as entities, several objects
    in a row, or truncated (a string without an end is dropped, everything before it is kept). NaN and infinity are
    null.
    """
    script = script[:MAX_CHARACTERS]
    try:
        values = [json.loads(script, strict=False, parse_constant=_none, parse_float=_float, parse_int=_int)]
    except (ValueError, RecursionError):
        values = read_loosely(_decoded(script))
    return _flatten(values)


def _decoded(script: str) -> str:
    """The script with its character references decoded, if it has no plain quote: it was then escaped as text."""
    return script if '"' in script else decode_references(script)


def _flatten(values: list[Any]) -> list[dict[str, Any]]:
    """The objects of nested arrays and graphs; an object with only a graph is left out."""
    objects: list[dict[str, Any]] = []
    pending = values[::-1]
    while pending and len(objects) < MAX_OBJECTS:
        value = pending.pop()
        if isinstance(value, list):
            pending.extend(value[: MAX_OBJECTS + 1][::-1])
        elif isinstance(value, dict):
            if len(value.keys() - {"@context", "@graph"}):
                objects.append(value)
            if "@graph" in value:
                pending.append(value["@graph"])
    return objects


def _none(_: str) -> None:
    return None


def _float(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


def _int(digits: str) -> int | None:
    return int(digits) if len(digits) <= MAX_DIGITS else None
