"""Writes numbers with their nouns, for tables, messages and log lines, and makes the texts of publishers harmless, for
pages and feeds."""

from __future__ import annotations

import re
from typing import Final

_CONTROLS: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
"""Control characters, marks that change the direction of text, and what UTF-8 cannot encode."""


def harmless(text: str) -> str:
    """Returns a text in which U+FFFD stands for each character that could change what is shown beside the text."""
    return _CONTROLS.sub("\ufffd", text)


def counted(number: int, one: str, many: str | None = None) -> str:
    """Returns the number with its noun: "1 page", "2 pages". `many` is the plural if it is not `one` with an s."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
