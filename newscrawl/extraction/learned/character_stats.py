"""Counts the kinds of characters in each run's text, for all runs of a page at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from newscrawl.extraction.learned.kinds import (
    BLANKLESS,
    CLOSER,
    COMMA,
    DIGIT,
    END,
    FULL_END,
    FUNCTION,
    GAP,
    HAN_EXTENSIONS,
    LISTED,
    QUOTE,
    SIGN,
    UPPER,
)
from newscrawl.page.words import BLANKLESS as BLANKLESS_SIGN

Column = NDArray[np.floating[Any]]
"""One feature of every run of a page."""

LONG_CHARACTERS: Final = 400
"""Characters of a run that are counted. More add no information."""
BLANKLESS_WEIGHT: Final = 3.0
"""Latin letters that correspond to one character of a script without blanks, as in this package's jusText."""

_BASIC: Final = 0x10000
_COUNTED: Final = (DIGIT, COMMA, QUOTE, SIGN, BLANKLESS, FUNCTION)


class CharacterStats:
    """Counts of kinds of characters in the first `LONG_CHARACTERS` of every text."""

    def __init__(self, texts: Sequence[str]) -> None:
        shown = [text if len(text) <= LONG_CHARACTERS else text[:LONG_CHARACTERS] for text in texts]
        self.lowered = "\n".join(shown).lower().split("\n")
        """The counted texts in lower case."""
        self.shown = np.array([len(text) for text in shown], dtype=np.float32)
        """The number of counted characters."""
        counts = count_signs(shown).astype(np.float32)
        self.capitals, self.sentences, self.pieces = counts[:3]
        """Pieces between blanks that begin with a capital, sentences, and pieces between blanks."""
        self.digits, self.commas, self.quotes, self.symbols, self.blankless, self.function = counts[3:]


def count_signs(texts: list[str]) -> NDArray[np.int32]:
    """Returns the counts of `CharacterStats` for each text, in its order: a row a kind, a column a text."""
    sizes = np.array([len(text) for text in texts], dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes + 1)[:-1]])
    kinds = _kinds_of("\n".join([*texts, ""]))
    before, after = np.roll(kinds, 1), np.roll(kinds, -1)
    before[0] = GAP
    hits = [
        ((kinds & UPPER) > 0) & ((before & GAP) > 0),
        ((kinds & END) > 0) & ((after & (GAP | CLOSER)) > 0) | ((kinds & FULL_END) > 0),
        *((kinds & kind) > 0 for kind in (GAP, *_COUNTED)),
    ]
    return np.array([np.add.reduceat(hit, starts, dtype=np.int32) for hit in hits])


def written(texts: Sequence[str], stats: CharacterStats) -> Column:
    """Returns the length of each text in characters of a script with blanks; one of a script without counts for
    more."""
    sizes = np.array([len(text) for text in texts], dtype=np.float32)
    weighed: Column = sizes * (1 + (BLANKLESS_WEIGHT - 1) * stats.blankless / np.maximum(stats.shown, 1))
    return weighed


def _kinds_of(text: str) -> NDArray[np.uint16]:
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    kinds = _table()[np.minimum(codes, _BASIC)]
    rare = codes >= HAN_EXTENSIONS[0]
    if rare.any():
        kinds[rare & (codes < HAN_EXTENSIONS[1])] = BLANKLESS
    return kinds


@cache
def _table() -> NDArray[np.uint16]:
    """Returns the kinds of every character of the basic plane, none for those beyond."""
    table = np.zeros(_BASIC + 1, dtype=np.uint16)
    for code in range(_BASIC):
        sign = chr(code)
        if sign.isupper():
            table[code] = UPPER
        elif sign.isdecimal():
            table[code] = DIGIT
    for match in BLANKLESS_SIGN.finditer("".join(map(chr, range(_BASIC)))):
        table[match.start()] |= BLANKLESS
    for kind, signs in LISTED.items():
        table[[ord(sign) for sign in signs]] |= kind
    return table
