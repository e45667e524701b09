"""Lines of a text and their keys. A line is what a reader sees as one: a paragraph, or a part of it between two <br>.

A line is compared whole. Runs would be too short: a linked name in a sentence is a run, and many pages have it.
"""

from __future__ import annotations

import hashlib
from typing import Final, NamedTuple

KEY_BYTES: Final = 8
"""Bytes of a key. Among the 10^5 lines of a site's recent texts, the probability of one collision is about 10^-10."""

MIN_LETTERS: Final = 2
"""Letters that a line of boilerplate has at least. Lines of asterisks, dashes and digits separate parts of articles and
fill tables; on the Greek pages of one corpus they would be the most frequent boilerplate."""


class Line(NamedTuple):
    """A line of a text: its key, its number of characters, and whether it may be boilerplate by itself."""

    key: int
    characters: int
    is_candidate: bool = True


def key_of(line: str) -> int:
    """Returns the key of a line, as a signed number of 64 bits. Case and white space at the ends are ignored."""
    folded = line.strip().casefold().encode("utf-8", "replace")
    return int.from_bytes(hashlib.blake2b(folded, digest_size=KEY_BYTES).digest(), "big", signed=True)


def has_letters(line: str) -> bool:
    """Returns whether a line has enough letters to be boilerplate."""
    letters = 0
    for character in line:
        letters += character.isalpha()
        if letters >= MIN_LETTERS:
            return True
    return False
