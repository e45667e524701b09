"""Replaces what is random or of the machine in outputs by fixed words, and shortens long texts."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

LONGEST: Final = 160
"""Characters of a text in a golden file. Of a longer one the first `SHOWN` are kept, and a hash of all."""
SHOWN: Final = 80
PATTERNS: Final = (
    ("UUID", re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")),
    ("SECRET", re.compile(r"(?<=/feed/)[\w-]{43}\b")),
    ("REQUEST", re.compile(r'(?<="request": ")[0-9]+')),
)
"""What each database has anew. Equal ones get equal words, numbered in the order of an output."""
ARTICLES: Final = frozenset(
    {"article_id", "story_id", "representative_id", "cluster", "story", "into", "current", "replaces", "replaced_by"}
)
"""Keys of numbers of articles. A story has the number of its first one."""
PAGES: Final = frozenset({"page_id", "first_page_id"})
VERSIONS: Final = frozenset({"version_id"})
OF_ARTICLES: Final = frozenset({"content_hash", "cluster", "representative_id"})
"""Keys that stand beside the `id` of an article."""
OF_PAGES: Final = "last_fetched"
"""The same for a page."""
_NAMED: Final = re.compile(r"\b(?:article|story) (\d+)\b")
_PLACE: Final = re.compile(r"(?<=-)\d+$")
BYTES: Final = frozenset({"bytes", "database_bytes", "free", "used", "disk_free"})
"""Keys of sizes that differ from machine to machine."""


class Numbers:
    """Replaces the numbers that a database gives by their places in its order: databases leave out different ones."""

    def __init__(self, articles: Sequence[int], pages: Sequence[int], versions: Sequence[int]) -> None:
        self._kinds = dict.fromkeys(ARTICLES, articles) | dict.fromkeys(PAGES, pages)
        self._kinds |= dict.fromkeys(VERSIONS, versions)
        self._articles, self._pages, self._versions = articles, pages, versions

    def of(self, value: Any) -> Any:
        """Returns a value of JSON with the numbers replaced, by their keys and by the words before them."""
        if isinstance(value, str):
            return _NAMED.sub(lambda match: match[0].replace(match[1], _placed(match[1], self._articles)), value)
        if isinstance(value, Mapping):
            return {key: self._under(key, part, value) for key, part in value.items()}
        return [self.of(part) for part in value] if isinstance(value, Sequence) else value

    def _under(self, key: str, part: Any, beside: Mapping[str, Any]) -> Any:
        kind = self._kinds.get(key)
        if key == "id":
            kind = self._articles if OF_ARTICLES & beside.keys() else self._pages if OF_PAGES in beside else None
        if kind is not None and isinstance(part, int | str) and str(part).isdigit():
            return _placed(part, kind)
        if kind is not None and isinstance(part, Sequence) and not isinstance(part, str):
            return [_placed(one, kind) if str(one).isdigit() else one for one in part]
        if key == "next" and isinstance(part, str):
            return _PLACE.sub(lambda match: _placed(match[0], self._versions), part)
        return self.of(part)


def _placed(number: Any, numbers: Sequence[int]) -> str:
    """Returns the place of a number, from 1. One that the database no longer has is named by the one before."""
    place = bisect_right(numbers, int(number))
    return f"#{place}" if place and numbers[place - 1] == int(number) else f"after #{place}"


class FixedWords:
    """Replaces texts of a run: `words` has a fixed word for each."""

    def __init__(self, words: Mapping[str, str]) -> None:
        self._words = sorted(words.items(), key=lambda pair: -len(pair[0]))

    def text(self, text: str) -> str:
        """Returns an output with fixed words."""
        for found, word in self._words:
            text = text.replace(found, word)
        for name, pattern in PATTERNS:
            numbers: dict[str, str] = {}
            text = pattern.sub(
                lambda match, of=numbers, word=name: of.setdefault(match[0], f"{word}-{len(of) + 1}"), text
            )
        return text


def short(value: Any) -> Any:
    """Returns a value of JSON with long texts cut, floats rounded, and a word for each size that is the machine's."""
    if isinstance(value, str):
        return short_text(value)
    if isinstance(value, float):
        return float(f"{value:.6g}")  # the last digits of logarithms differ from machine to machine
    if isinstance(value, Mapping):
        if value and all("/" in key for key in value):  # counts by reason code, in the order of the database
            value = dict(sorted(value.items()))
        return {key: "BYTES" if key in BYTES and isinstance(part, int) else short(part) for key, part in value.items()}
    if isinstance(value, Sequence):
        return [short(part) for part in value]
    return value


def filled(row: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a row without its values that are null or empty."""
    return {key: value for key, value in row.items() if value is not None and value != [] and value != ""}


def short_text(text: str) -> str:
    """Returns a long text as its beginning, its length and a hash."""
    if len(text) <= LONGEST:
        return text
    digest = sha256(text.encode("utf-8", "replace")).hexdigest()[:12]
    return f"{text[:SHOWN]}... ({len(text)} characters, {digest})"


def digest_of(value: str) -> str:
    """Returns a short hash of a text."""
    return sha256(value.encode("utf-8", "replace")).hexdigest()[:12]
