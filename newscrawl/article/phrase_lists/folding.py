"""The form in which phrases are compared: lower case, every sequence of other characters as one blank."""

from __future__ import annotations

import re
from typing import Final

_NO_WORD: Final = re.compile(r"[\W_]+")


def bare_words(text: str | None) -> str:
    """Returns the text in lower case, with words and digits only and one blank between them."""
    return _NO_WORD.sub(" ", text.casefold()).strip() if text else ""


def phrases(lines: str) -> frozenset[str]:
    """Returns the phrases of a list with one in each line, in the form of `bare_words`."""
    return frozenset(filter(None, map(bare_words, lines.splitlines())))
