"""Reads the site rules of FiveFilters' Full-Text RSS, which other readers use as well, as hints.

A rule is a line `name: value`; `#` begins a comment. Rules with XPath become hints. Rules about requests,
further pages and replaced mark-up have no counterpart and are reported.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from newscrawl.errors import UsageError
from newscrawl.extraction.site_hints.declared import MAX_HINTS
from newscrawl.extraction.site_hints.selectors import check, is_xpath

MAX_FILE: Final = 200_000
"""Characters of a file. Those of one site have a few thousand."""

_LINE: Final = re.compile(r"\s*+(?P<name>[a-z_]++)(?:\([^)]*+\))?\s*+:\s*+(?P<value>.*\S)?\s*+")
_KINDS: Final[Mapping[str, str]] = {
    "title": "title",
    "author": "authors",
    "date": "published",
    "body": "keep",
    "strip": "drop",
    "strip_id_or_class": "drop",
}
_WITHOUT_EFFECT: Final = frozenset(
    {"test_url", "test_contains", "tidy", "prune", "autodetect_on_failure", "parser", "strip_image_src", "footnotes"}
)
"""Rules that need no counterpart: examples, switches of another extractor, and images, which are no text."""


@dataclass
class ImportedHints:
    """The hints of a file by kind, and a line for each rule that was left out."""

    hints: dict[str, list[str]] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)


def read_site_config(text: str) -> ImportedHints:
    """Returns the hints of a file. Raises UsageError for a file that is no list of rules."""
    if len(text) > MAX_FILE:
        raise UsageError(f"the file has {len(text):,} characters: that of one site has fewer than {MAX_FILE:,}")
    imported = ImportedHints()
    rules = 0
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            imported.left_out.append(f"line {number}: {line.strip()[:80]!r} is no rule")
            continue
        rules += 1
        _take(imported, number, match["name"], match["value"] or "")
    if not rules:
        raise UsageError("the file has no rule such as `body: //article`")
    return imported


def _take(imported: ImportedHints, number: int, name: str, value: str) -> None:
    if name in _WITHOUT_EFFECT or not value:
        return
    kind = _KINDS.get(name)
    if not kind:
        imported.left_out.append(f"line {number}: {name} has no counterpart")
        return
    selector = _of_class(value) if name == "strip_id_or_class" else value
    if not is_xpath(selector):
        imported.left_out.append(f"line {number}: {name} is no path from the document: {value[:80]!r}")
        return
    if sum(map(len, imported.hints.values())) >= MAX_HINTS:
        imported.left_out.append(f"line {number}: more than {MAX_HINTS} hints")
        return
    try:
        check(kind, selector)
    except UsageError as error:
        imported.left_out.append(f"line {number}: {error}")
        return
    found = imported.hints.setdefault(kind, [])
    if selector not in found:
        found.append(selector)


def _of_class(value: str) -> str:
    """Returns the path to elements whose id or class contains the text, as Full-Text RSS defines the rule."""
    text = value.strip("'\"")
    if "'" in text:
        return ""
    return f"//*[contains(@id, '{text}') or contains(@class, '{text}')]"
