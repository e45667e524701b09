"""Near-duplicate signatures: the part of a text that is stored to find others of nearly the same words.

A text is the set of hashes of its shingles (Broder, "On the resemblance and containment of documents", 1997, section
2). Its sketch contains the smallest of them: a MinHash with one hash function and many minima (bottom-k; Cohen and
Kaplan, "Summarizing data using bottom-k sketches", 2007). Every value of a sketch is a band of one row. An excerpt of
half a text shares half of the sketch's values, so the same values find light edits, copies with additions and excerpts.
docs/measurements/quality.md compares this with bands of many hash functions.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from newscrawl.model import Signature
from newscrawl.model.identity.segmentation import Hashes, Marks, mixed, tokens

ALGORITHM: Final = "bottom-k/1"
"""The name of everything that determines a signature: segmentation, hashes, shingles, sizes. A change needs a new name.
The seed depends on the name, so that values of two algorithms are never equal except by chance."""

WORDS: Final = 4
"""Words of a shingle: the middle of 3, 4 and 5, compared with a first version of benchmarks.near_duplicates."""
LETTERS: Final = 6
"""Letters of a shingle in scripts without blanks, about as much content as four words; not measured."""

MIN_WORDS: Final = 25
"""Shorter texts are teasers and notices, which never join (identity.content.MIN_WORDS_OF_OWN). Two letters of a script
without blanks count as a word."""

SKETCH: Final = 12
"""The least number of values in a sketch. An excerpt of half a text shares none with probability 2^-12, fewer than two
with 0.3 %."""
ONE_IN: Final = 50
"""A long text has one value for this many shingles, so that parts of it still share some."""
MAX_SKETCH: Final = 64
"""The greatest number of values in a sketch."""

_STEP: Final = np.uint64(0xD1342543DE82EF95)
"""Odd, from Steele and Vigna's table of multipliers (2021). It weights the tokens of a shingle by their position."""
_SEED: Final = np.uint64(int.from_bytes(ALGORITHM.encode()[-8:], "big"))


def shingles(text: str) -> Hashes:
    """Returns the hashes, of 63 bits, of the different shingles of `text`, in ascending order."""
    return _shingles(*tokens(text))


def signature(text: str) -> Signature | None:
    """Returns the signature of `text`; None for a text with too few words or shingles to be a copy."""
    hashes, lone = tokens(text)
    if len(hashes) - np.count_nonzero(lone) / 2 < MIN_WORDS:
        return None
    values = _shingles(hashes, lone)
    size = len(values)
    if size < SKETCH:
        return None
    kept = min(max(SKETCH, size // ONE_IN), MAX_SKETCH)
    return Signature(ALGORITHM, size, tuple(values[:kept].tolist()))


def _shingles(hashes: Hashes, lone: Marks) -> Hashes:
    words = _windows(hashes, WORDS)
    if not lone.any():
        return _distinct(words)
    letters = _windows(hashes, LETTERS)
    return _distinct(np.concatenate([words[~lone[: len(words)]], letters[lone[: len(letters)]]]))


def _windows(hashes: Hashes, width: int) -> Hashes:
    """Returns a hash for every `width` consecutive tokens."""
    size = len(hashes) - width + 1
    if size <= 0:
        return hashes[:0]
    values = np.full(size, _SEED, dtype=np.uint64)
    for offset in range(width):
        values *= _STEP
        values += hashes[offset : offset + size]
    return values


def _distinct(values: Hashes) -> Hashes:
    values = mixed(values) >> np.uint64(1)  # databases have signed integers only
    values.sort()
    different = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=different[1:])
    return values[different]
