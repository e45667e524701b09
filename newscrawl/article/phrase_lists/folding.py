"""The form in which phrases are compared: lower case, every sequence of other characters as one blank."""

from __future__ import annotations

import re
from typing import Final

_NO_WORD: Final = re.compile(r"[\W_]+")
_ASCII: Final = bytes(ord(chr(code).lower()) if chr(code).isalnum() else ord(" ") for code in range(128)) + bytes(128)
"""The form of every ASCII character. With this table a text takes a third of the time of the expression."""


def bare_words(text: str | None) -> str:
    """Returns the text in lower case, with words and digits only and one blank between them."""
    if not text:
        return ""
    if text.isascii():
        return " ".join(text.encode().translate(_ASCII).decode().split())
    return _NO_WORD.sub(" ", text.casefold()).strip()


def phrases(lines: str) -> frozenset[str]:
    """Returns the phrases of a list with one in each line, in the form of `bare_words`."""
    return frozenset(filter(None, map(bare_words, lines.splitlines())))
