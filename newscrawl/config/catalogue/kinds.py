"""The kinds of value that a setting may have, and how each kind is read from a text or from a Python value."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

_TRUE: Final = frozenset({"1", "true", "yes", "on"})
_FALSE: Final = frozenset({"0", "false", "no", "off"})


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value. Both functions raise ValueError or TypeError for a value of another kind."""

    name: str
    parse: Callable[[str], Any]
    """Converts a text, as the environment and `-s` have it."""
    take: Callable[[Any], Any]
    """Converts a value that is no text, as a settings module has it."""
    allowed: str
    """The allowed values, for a message."""

    def parsed(self, text: str) -> Any:
        """Returns the value of a text. Raises ValueError for any text that is not of this kind."""
        try:
            return self.parse(text.strip())
        except (TypeError, OverflowError, RecursionError) as error:
            raise ValueError(text) from error

    def taken(self, value: object) -> Any:
        """Returns the value; a text is read. Raises ValueError for any value that is not of this kind."""
        if isinstance(value, str):
            return self.parsed(value)
        try:
            return self.take(value)
        except (TypeError, OverflowError) as error:
            raise ValueError(repr(value)) from error


def _parse_flag(text: str) -> bool:
    if text.lower() in _TRUE:
        return True
    if text.lower() in _FALSE:
        return False
    raise ValueError(text)


def _take_flag(value: Any) -> bool:
    return value if isinstance(value, bool) else _parse_flag(str(value))  # 0 and 1


def _number(value: Any) -> float:
    if isinstance(value, bool):
        raise TypeError(value)
    found = float(value)
    if not abs(found) < float("inf"):
        raise ValueError(value)
    return found


def _whole(value: Any) -> int:
    found = _number(value)
    if found != int(found):
        raise ValueError(value)
    return int(found)


def _parse_list(text: str) -> tuple[str, ...]:
    values = json.loads(text) if text.startswith("[") else [part.strip() for part in text.split(",")]
    return tuple(str(value) for value in values if str(value))


def _take_list(value: Any) -> tuple[str, ...]:
    if isinstance(value, Mapping) or not isinstance(value, Iterable):
        raise TypeError(value)
    return tuple(str(item) for item in value)


def _parse_mapping(text: str) -> dict[str, Any]:
    return _take_mapping(json.loads(text))


def _take_mapping(value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise TypeError(value)
    return dict(value)


def _refuse(value: Any) -> str:
    raise TypeError(value)


TEXT: Final = Kind("text", str, _refuse, "a text")
FLAG: Final = Kind("yes or no", _parse_flag, _take_flag, "yes or no")
WHOLE: Final = Kind("whole number", _whole, _whole, "a whole number")
NUMBER: Final = Kind("number", _number, _number, "a number")
LIST: Final = Kind("list", _parse_list, _take_list, "a list, or a text with commas between")
MAPPING: Final = Kind("JSON object", _parse_mapping, _take_mapping, "an object, or its JSON")


def kind_of(value: object) -> Kind:
    """Returns the kind of a Python value; `TEXT` if no other kind fits."""
    kinds: dict[type, Kind] = {bool: FLAG, int: WHOLE, float: NUMBER, list: LIST, dict: MAPPING}
    return kinds.get(type(value), TEXT)
