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
        self.lowered = [text.lower() for text in shown]
        """The counted texts in lower case."""
        self.shown = np.fromiter(map(len, shown), np.float32, len(shown))
        """The number of counted characters."""
        counts = count_signs(shown).astype(np.float32)
        self.capitals, self.sentences, self.pieces = counts[:3]
        """Pieces between blanks that begin with a capital, sentences, and pieces between blanks."""
        self.digits, self.commas, self.quotes, self.symbols, self.blankless, self.function = counts[3:]


def count_signs(texts: list[str]) -> NDArray[np.int32]:
    """Returns the counts of `CharacterStats` for each text, in its order: a row a kind, a column a text.

    Most characters are small letters, which have no kind and are left out first. Each text is ended by a gap.
    """
    kinds = _kinds_of("\n".join([*texts, ""]))
    places = np.flatnonzero(kinds > 0)
    here, before, after = kinds.take(places), kinds.take(places - 1), kinds.take(places + 1, mode="clip")
    hits = np.empty((3 + len(_COUNTED), len(places)), dtype=np.bool_)
    hits[0] = ((here & UPPER) > 0) & ((before & GAP) > 0)
    hits[1] = ((here & END) > 0) & ((after & (GAP | CLOSER)) > 0) | ((here & FULL_END) > 0)
    hits[2:] = (here & np.array([GAP, *_COUNTED], dtype=np.uint16)[:, None]) > 0
    ends = np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)) + 1)
    starts = np.searchsorted(places, ends - 1, side="right")
    counts: NDArray[np.int32] = np.add.reduceat(hits, np.concatenate([[0], starts[:-1]]), axis=1, dtype=np.int32)
    return counts


def written(sizes: Column, stats: CharacterStats) -> Column:
    """Returns the length of each text in characters of a script with blanks, given that in its own; one of a script
    without counts for more."""
    weighed: Column = sizes * (1 + (BLANKLESS_WEIGHT - 1) * stats.blankless / np.maximum(stats.shown, 1))
    return weighed


def _kinds_of(text: str) -> NDArray[np.uint16]:
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    kinds = _table().take(np.minimum(codes, _BASIC))
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
