"""Near-duplicate signatures: what of a text is stored to find others of nearly the same words.

A text is the set of hashes of its shingles (Broder, "On the resemblance and containment of documents", 1997, section
2). Its sketch holds the smallest of them: a MinHash with one hash function and many minima (bottom-k; Cohen and Kaplan,
"Summarizing data using bottom-k sketches", 2007). Every value of a sketch is a band of one row. An excerpt of half a
text shares half of the sketch's values, so the same values find light edits, copies with additions and excerpts;
docs/measurements/near-duplicates.md has the figures beside bands of many hash functions.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from newscrawl.identity.segmentation import Hashes, Tokens, mixed, tokens
from newscrawl.model import Signature

ALGORITHM: Final = "bottom-k/1"
"""The name of everything that makes a signature: segmentation, hashes, shingles, sizes. A change gives it a new name,
and with the name goes the seed: values of two algorithms never meet."""

WORDS: Final = 4
"""Words of a shingle: the middle of 3, 4 and 5, compared on a first version of benchmarks.near_duplicates."""
LETTERS: Final = 6
"""Letters of a shingle in scripts without blanks, about as much as four words say; not measured by itself."""

MIN_WORDS: Final = 25
"""Shorter texts are teasers and notices, which never join (identity.content.MIN_WORDS_OF_OWN); two letters of a
script without blanks count as a word."""

SKETCH: Final = 12
"""Values of a sketch. An excerpt of half a text shares none with odds of 2^-12, fewer than two with 0.3 %."""
ONE_IN: Final = 50
"""A long text's sketch has one value for so many shingles: what is part of it then still shares some."""
MAX_SKETCH: Final = 64
"""Values of the longest text's."""

_STEP: Final = np.uint64(0xD1342543DE82EF95)
"""Odd, from Steele and Vigna's table of multipliers (2021): weighs a shingle's tokens by their place."""
_SEED: Final = np.uint64(int.from_bytes(ALGORITHM.encode()[-8:], "big"))


def shingles(text: str) -> Hashes:
    """The hashes, of 63 bits, of the different shingles of `text`, in ascending order."""
    return _shingles(tokens(text))


def signature(text: str) -> Signature | None:
    """The signature of `text`; None for one that is too short, or says too little, to be anybody's copy."""
    found = tokens(text)
    if len(found.hashes) - np.count_nonzero(found.lone) / 2 < MIN_WORDS:
        return None
    values = _shingles(found)
    size = len(values)
    if size < SKETCH:
        return None
    kept = min(max(SKETCH, size // ONE_IN), MAX_SKETCH)
    return Signature(ALGORITHM, size, tuple(values[:kept].tolist()))


def _shingles(found: Tokens) -> Hashes:
    words = _windows(found, WORDS)
    if not found.lone.any():
        return _distinct(words)
    letters = _windows(found, LETTERS)
    return _distinct(np.concatenate([words[~found.lone[: len(words)]], letters[found.lone[: len(letters)]]]))


def _windows(found: Tokens, width: int) -> Hashes:
    """A hash for every `width` tokens in a row."""
    size = len(found.hashes) - width + 1
    if size <= 0:
        return found.hashes[:0]
    values = np.full(size, _SEED, dtype=np.uint64)
    for place in range(width):
        values *= _STEP
        values += found.hashes[place : place + size]
    return values


def _distinct(values: Hashes) -> Hashes:
    values = mixed(values) >> np.uint64(1)  # databases know signed integers
    values.sort()
    different = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=different[1:])
    return values[different]
