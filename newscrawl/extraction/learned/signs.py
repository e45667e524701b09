"""The texts of a page's runs looked at sign by sign, all at once: what kinds of signs each run is made of."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from newscrawl.page.words import BLANKLESS

Column = NDArray[np.floating[Any]]
"""One feature of every run of a page."""

SENTENCE_ENDS: Final = ".!?…。！？｡।۔؟።։"
"""Signs that end a sentence, in the scripts that news is written in."""
CLOSERS: Final = "\"'”’»)]」』）】›"
"""Signs that may follow the end of a sentence."""
LONG_CHARACTERS: Final = 400
"""Text of a run that is looked at sign by sign: more says nothing new."""
BLANKLESS_WEIGHT: Final = 3.0
"""Latin letters that say as much as one character of a script without blanks, as in this package's jusText."""

_UPPER, _DIGIT, _COMMA, _QUOTE, _END, _FULL_END, _CLOSER, _SIGN, _BLANKLESS, _FUNCTION, _GAP = (
    1 << bit for bit in range(11)
)
_LISTED: Final = {
    _COMMA: ",،、，;；",
    _QUOTE: '"“”„«»「」『』',
    _END: SENTENCE_ENDS,
    _FULL_END: "。！？｡",
    _CLOSER: CLOSERS,
    _SIGN: "|©@#→›»·•/",
    _FUNCTION: "的了在是和不有这为也对就与以到于将从而被并這為對與於將從並のはにをたがでてと",
    _GAP: " \n",
}
"""Function characters are the stop words of Chinese and Japanese, for which there is no stop list."""
_BASIC: Final = 0x10000
_HAN_EXTENSIONS: Final = (0x20000, 0x2FA20)


class Signs:
    """Counts of kinds of signs in the first `LONG_CHARACTERS` of every text."""

    def __init__(self, texts: Sequence[str]) -> None:
        shown = [text if len(text) <= LONG_CHARACTERS else text[:LONG_CHARACTERS] for text in texts]
        self.lowered = "\n".join(shown).lower().split("\n")
        """The texts looked at, in small letters."""
        sizes = np.array([len(text) for text in shown], dtype=np.int64)
        self._starts = np.concatenate([[0], np.cumsum(sizes + 1)[:-1]])
        self.shown = sizes.astype(np.float32)
        """Characters looked at."""
        kinds = _kinds_of("\n".join([*shown, ""]))
        before, after = np.roll(kinds, 1), np.roll(kinds, -1)
        before[0] = _GAP
        ends = ((kinds & _END) > 0) & ((after & (_GAP | _CLOSER)) > 0) | ((kinds & _FULL_END) > 0)
        self.capitals = self._count(((kinds & _UPPER) > 0) & ((before & _GAP) > 0))
        """Pieces between blanks that begin with a capital."""
        self.sentences = self._count(ends)
        self.pieces = self._count((kinds & _GAP) > 0)
        """Pieces between blanks."""
        self.digits, self.commas, self.quotes, self.signs, self.blankless, self.function = (
            self._count((kinds & kind) > 0) for kind in (_DIGIT, _COMMA, _QUOTE, _SIGN, _BLANKLESS, _FUNCTION)
        )

    def _count(self, hits: NDArray[np.bool_]) -> Column:
        return np.add.reduceat(hits, self._starts, dtype=np.int32).astype(np.float32)


def written(texts: Sequence[str], signs: Signs) -> Column:
    """How much each text says, in characters of a script with blanks: one of a script without counts for more."""
    sizes = np.array([len(text) for text in texts], dtype=np.float32)
    weighed: Column = sizes * (1 + (BLANKLESS_WEIGHT - 1) * signs.blankless / np.maximum(signs.shown, 1))
    return weighed


def _kinds_of(text: str) -> NDArray[np.uint16]:
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    kinds = _table()[np.minimum(codes, _BASIC)]
    rare = codes >= _HAN_EXTENSIONS[0]
    if rare.any():
        kinds[rare & (codes < _HAN_EXTENSIONS[1])] = _BLANKLESS
    return kinds


@cache
def _table() -> NDArray[np.uint16]:
    """The kinds of every character of the basic plane, none for those beyond."""
    table = np.zeros(_BASIC + 1, dtype=np.uint16)
    for code in range(_BASIC):
        sign = chr(code)
        if sign.isupper():
            table[code] = _UPPER
        elif sign.isdecimal():
            table[code] = _DIGIT
    for match in BLANKLESS.finditer("".join(map(chr, range(_BASIC)))):
        table[match.start()] |= _BLANKLESS
    for kind, signs in _LISTED.items():
        table[[ord(sign) for sign in signs]] |= kind
    return table
