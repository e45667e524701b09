"""Turns text into token hashes: words where blanks divide them, single characters in scripts without blanks.

Nothing here may change while signatures made with it are stored (newscrawl.model.identity.signature). So tables and
constants are not taken from libraries, and any change needs a new name of the algorithm.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from newscrawl.model.identity.letters import BLANKLESS, seen_letters, without_long_marks

Hashes = npt.NDArray[np.uint64]
Codes = npt.NDArray[np.uint32]
Marks = npt.NDArray[np.bool_]

MAX_CHARACTERS: Final = 200_000
"""Characters of a text that are read: forty times a long article. The rest of a longer one does not help to compare."""

_BASE: Final = 0x9E3779B97F4A7C15 | 1
"""An odd number without structure (2^64 by the golden ratio). Its powers modulo 2^64 are all different."""
_BASE_INVERSE: Final = pow(_BASE, -1, 2**64)
_SHORT: Final = 65_536
"""Characters for which the powers are cached: 512 kB each, enough for all but the longest texts. Of 180 pages of three
corpora 19 have more than a quarter of this, one more than this."""

_UNKNOWN, _SEPARATOR, _LETTER, _LONE, _UNSEEN, _LONGER = range(6)
"""Kinds of characters: not classified yet; a separator of words; a letter, mark or digit; a letter of a script without
blanks; an invisible character; one that folds to several characters."""
_IN_CONTEXT: Final = 8
"""A flag beside the kind: the folded form depends on the character's neighbours (combining marks, letters of
Hangul)."""
_KIND_BITS: Final = 4
_KIND_MASK: Final = np.uint32(2**_KIND_BITS - 1)
_JAMO: Final = range(0x1100, 0x1200)


def tokens(text: str) -> tuple[Hashes, Marks]:
    """Returns the hashes of the tokens of `text` in order, and which of them are letters of a script without blanks.

    Tokens are runs of letters, marks and digits. Compatibility forms (NFKC) and case are ignored.
    Invisible characters (soft hyphens, zero-width characters) do not divide words, and letters of another script that
    look like those of their word make no other word. Never raises.
    """
    codes, kinds = _folded(seen_letters(text[:MAX_CHARACTERS])[0])
    if (unseen := kinds == _UNSEEN).any():
        codes, kinds = codes[~unseen], kinds[~unseen]
    lone, letter = kinds == _LONE, kinds == _LETTER
    inner = letter[1:] & letter[:-1]  # between two letters of one word
    starts, ends = letter | lone, letter | lone
    starts[1:] &= ~inner
    ends[:-1] &= ~inner
    first, last = np.flatnonzero(starts), np.flatnonzero(ends) + 1
    return _polynomials(codes, first, last), lone[first]


def mixed(values: Hashes) -> Hashes:
    """Returns the values with every bit spread over all bits: the finaliser of SplitMix64 (Steele, Lea, Flood,
    2014)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def _polynomials(codes: Codes, first: npt.NDArray[np.intp], last: npt.NDArray[np.intp]) -> Hashes:
    """Returns the mixed Rabin-Karp hash of each span, modulo 2^64, computed from the sums up to its two ends."""
    size = len(codes)
    sums = np.zeros(size + 1, dtype=np.uint64)
    np.cumsum(codes * _powers(_BASE, size), out=sums[1:])
    return mixed((sums[last] - sums[first]) * _powers(_BASE_INVERSE, size)[first])


def _powers(base: int, size: int) -> Hashes:
    return _kept_powers(base)[:size] if size <= _SHORT else _made_powers(base, size)


def _made_powers(base: int, size: int) -> Hashes:
    powers = np.full(size, base, dtype=np.uint64)
    powers[0] = 1
    return np.cumprod(powers, dtype=np.uint64)


@lru_cache(maxsize=2)
def _kept_powers(base: int) -> Hashes:
    return _made_powers(base, _SHORT)


_TABLE: Final = np.zeros(0x110000, dtype=np.uint32)
"""For each character its folded form (NFKC, case folding, NFKC: Unicode's identifier caseless matching), times 16, plus
its kind. Entries are added when a character first occurs; memory of unused parts is never touched."""


def _folded(text: str) -> tuple[Codes, Codes]:
    """Returns the folded characters of `text` and their kinds.

    Nearly always each character is folded alone, which takes a tenth of the time of normalising the text.
    """
    values = _looked_up(text)
    kinds = values & _KIND_MASK
    if (longer := kinds == _LONGER).any():
        for character in {text[position] for position in np.flatnonzero(longer).tolist()}:
            text = text.replace(character, _in_itself(character))
        values = _looked_up(text)
        kinds = values & _KIND_MASK
    if (kinds >= _IN_CONTEXT).any():
        values = _looked_up(_in_itself(without_long_marks(text)))
        kinds = _kinds_of(values)
    return values >> np.uint32(_KIND_BITS), kinds


def _kinds_of(values: Codes) -> Codes:
    """Returns the kinds of characters that are folded already, without the flag for context."""
    kinds = values & np.uint32(_IN_CONTEXT - 1)
    kinds[kinds == _LONGER] = _LETTER
    return kinds


def _looked_up(text: str) -> Codes:
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    values: Codes = _TABLE[codes]
    if not values.all():
        for code in np.unique(codes[values == _UNKNOWN]).tolist():
            _TABLE[code] = _entry(chr(code))
        values = _TABLE[codes]
    return values


def _entry(character: str) -> int:
    folded = _in_itself(character)
    if len(folded) == 1:
        in_context = _IN_CONTEXT * (_joins(character) or _joins(folded))
        return ord(folded) << _KIND_BITS | _kind(folded) | in_context
    if all(_kind(part) == _SEPARATOR for part in folded):
        return _SEPARATOR
    return _LONGER


def _in_itself(text: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def _joins(character: str) -> bool:
    return unicodedata.category(character)[0] == "M" or ord(character) in _JAMO


def _kind(character: str) -> int:
    category = unicodedata.category(character)
    if category[0] in "LMN":
        return _LONE if any(low <= ord(character) <= high for low, high in BLANKLESS) else _LETTER
    if category == "Cf" or (category == "Cc" and not character.isspace()):
        return _UNSEEN
    return _SEPARATOR
