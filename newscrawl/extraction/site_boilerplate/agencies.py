"""Recognizes lines that credit a news agency or a source. A newspaper repeats them on purpose, under every item."""

from __future__ import annotations

import re
from typing import Final

from newscrawl.model.word_lists import read_words

MAX_CHARACTERS: Final = 80
"""Characters of a credit line. A longer line that names an agency is a sentence or a legal note."""

_AGENCIES: Final = read_words(__file__, "agencies.txt")
_NAMED: Final = re.compile(
    r"(?<!\w)(?:"
    + "|".join(re.escape(name) for name in sorted(_AGENCIES, key=len, reverse=True) if name.isascii())
    + r")(?!\w)|"
    + "|".join(re.escape(name) for name in sorted(_AGENCIES, key=len, reverse=True) if not name.isascii())
)


def is_agency_line(line: str) -> bool:
    """Returns whether the line is short and names a news agency, such as "(Reuters)" or "Source: PAP". Case counts,
    because an abbreviation may also be a word. Takes time linear in at most `MAX_CHARACTERS` characters."""
    return len(line) <= MAX_CHARACTERS and _NAMED.search(line) is not None
