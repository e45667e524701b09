"""Finds the script of a page's text. What was learned in one script says little about another."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from newscrawl.extraction.language import sample_text
from newscrawl.page import Page

NO_SCRIPT: Final = ""
"""The script of a page without letters."""
SAMPLE_CHARACTERS: Final = 600
"""Characters of text that are read. A page's paragraphs are in one script."""

_EAST_ASIAN: Final[Mapping[str, str]] = MappingProxyType({"HIRAGANA": "CJK", "KATAKANA": "CJK"})
"""Japanese mixes all three on every line."""


def script_of(page: Page) -> str:
    """Returns the script of most letters in the page's paragraphs, by its Unicode name (LATIN, CYRILLIC, CJK ...)."""
    text = sample_text(page) or "\n".join([run.text for run in page.runs[:SAMPLE_CHARACTERS]])
    counts: Counter[str] = Counter()
    for sign, count in Counter(text[:SAMPLE_CHARACTERS]).items():
        counts[_script(sign)] += count
    del counts[NO_SCRIPT]
    return max(sorted(counts), key=counts.__getitem__, default=NO_SCRIPT)


@lru_cache(maxsize=4096)
def _script(sign: str) -> str:
    """Returns the first word of a letter's Unicode name; "" for other characters."""
    if not sign.isalpha():
        return NO_SCRIPT
    first = unicodedata.name(sign, NO_SCRIPT).partition(" ")[0]
    return _EAST_ASIAN.get(first, first)
