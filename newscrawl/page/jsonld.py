"""Reads JSON-LD scripts, including malformed ones, as flat objects. What the objects mean is for
`newscrawl.extraction.metadata`.

The reader of malformed JSON never fails: it skips a token that it cannot place, and closes open brackets at the end. It
has its own stack, so nesting cannot exhaust Python's, and it reads every character a limited number of times.
"""

from __future__ import annotations

import json
import math
import re
from html import unescape
from typing import Any, Final

_REFERENCE: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
"""References that end with a semicolon, of limited length: `html.unescape` also replaces `&copy` in "a&copy_id", and
raises an error for 5,000 digits."""


def decode_references(text: str) -> str:
    """Returns `text` with its closed character references replaced; never raises."""
    return _REFERENCE.sub(lambda reference: unescape(reference.group()), text) if "&" in text else text


MAX_DEPTH: Final = 100
"""Most levels of nesting. Deeper containers are read and dropped."""

MAX_NUMBER: Final = 300
"""Characters of a number; a longer one is dropped."""

_SKIPPED: Final = re.compile(
    r"(?:\s++|,|;|//(?!\s*(?:<!|-->|\]\]>))[^\n]*|//|/\*(?:[^*]|\*(?!/))*(?:\*/)?|<!--|-->|<!\[CDATA\[|\]\]>)++"
)
_QUOTE: Final = re.compile(r'[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_ENDS_KEY: Final = re.compile(r"\s*:")
_ENDS_VALUE: Final = re.compile(r'\s*(?:[}\]]|,\s*["}\]/]|,\s*$|,\s*[@\w]{1,40}\s*:|$|"[^"\n]{1,60}"\s*:)')
_ENDS_ITEM: Final = re.compile(r'\s*(?:[\]}]|,\s*["{\[\]\dtfn-]|,\s*$|$)')
_WORD: Final = re.compile(r"[\w.+$@-]+")
_ESCAPE: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPED: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_CONSTANTS: Final = {"true": True, "false": False}
_UNFINISHED: Final = object()


def read_loosely(text: str) -> list[Any]:
    """Returns the consecutive values in `text`; never raises."""
    return _Reader(text).read()


class _Frame:
    """An open object or array."""

    __slots__ = ("container", "key")

    def __init__(self, container: dict[str, Any] | list[Any]) -> None:
        self.container = container
        self.key: str | None = None

    def add(self, value: Any) -> None:
        if isinstance(self.container, list):
            self.container.append(value)
        elif self.key is not None:
            self.container[self.key] = value
            self.key = None
        elif isinstance(value, str):
            self.key = value


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._values: list[Any] = []
        self._stack: list[_Frame] = []
        self._open_of: dict[type, int] = {dict: 0, list: 0}

    def read(self) -> list[Any]:
        text = self._text
        while self._at < len(text):
            if skipped := _SKIPPED.match(text, self._at):
                self._at = skipped.end()
                continue
            character = text[self._at]
            if character in "{[":
                self._at += 1
                self._open({} if character == "{" else [])
            elif character in "}]":
                self._at += 1
                self._close(dict if character == "}" else list)
            elif character == '"':
                self._at += 1
                value = self._string()
                if value is not _UNFINISHED:
                    self._add(value)
            elif word := _WORD.match(text, self._at):
                self._at = word.end()
                self._bare(word.group())
            else:
                self._at += 1
        return self._values

    def _open(self, container: dict[str, Any] | list[Any]) -> None:
        if len(self._stack) < MAX_DEPTH:
            self._add(container)
        self._stack.append(_Frame(container))
        self._open_of[type(container)] += 1

    def _close(self, kind: type) -> None:
        """Closes the innermost container of this kind and all inside it; skips a bracket that closes nothing."""
        if not self._open_of[kind]:
            return
        closed = None
        while closed is not kind:
            closed = type(self._stack.pop().container)
            self._open_of[closed] -= 1

    def _add(self, value: Any) -> None:
        if self._stack:
            self._stack[-1].add(value)
        elif isinstance(value, dict | list):
            self._values.append(value)

    def _string(self) -> Any:
        """The string whose opening quote was just read. A quote ends it only if JSON can continue after it; other
        quotes should have been escaped."""
        text, start = self._text, self._at
        frame = self._stack[-1] if self._stack else None
        if frame is None or isinstance(frame.container, list):
            ends = _ENDS_ITEM.match
        else:
            ends = _ENDS_KEY.match if frame.key is None else _ENDS_VALUE.match
        at = start
        while quote := _QUOTE.match(text, at):
            at = quote.end()
            if ends(text, at):
                self._at = at
                return _unescaped(text[start : at - 1])
        self._at = len(text)
        return _UNFINISHED

    def _bare(self, word: str) -> None:
        """A number, a constant, or a key without quotes."""
        frame = self._stack[-1] if self._stack else None
        if frame is not None and isinstance(frame.container, dict) and frame.key is None:
            if _ENDS_KEY.match(self._text, self._at):
                frame.key = word
            return
        self._add(_CONSTANTS.get(word.lower(), _number(word)))


def _number(word: str) -> int | float | None:
    if len(word) > MAX_NUMBER:
        return None
    try:
        return int(word)
    except ValueError:
        pass
    try:
        number = float(word)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _unescaped(raw: str) -> str:
    if "\\" not in raw:
        return raw
    text = _ESCAPE.sub(_character, raw)
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _character(escape: re.Match[str]) -> str:
    name = escape.group(1)
    return chr(int(name[1:], 16)) if len(name) == 5 else _ESCAPED.get(name, name)


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
