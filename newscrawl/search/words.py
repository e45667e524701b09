"""The words a text is found by: one definition for texts and questions, and for both databases.

Case, compatibility forms and diacritics do not count. In scripts without blanks, and in Hangul, which joins particles
to its words, every pair of neighbouring letters is a word: a question is then a row of pairs, so that any part of a
text is found without a dictionary that would cut text and question differently.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from newscrawl.identity.blankless import BLANKLESS

BETWEEN: Final = "\u241e"
"""Stands between two titles, where no row of words goes on; no text has it as a word."""
MAX_WORD: Final = 100
"""Characters of a word that count; PostgreSQL takes 2,046 bytes, and nobody types as many."""

_HANGUL: Final = (0xAC00, 0xD7A3)


def _class(ranges: Iterator[tuple[int, int]] | tuple[tuple[int, int], ...]) -> str:
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges)


def _marks() -> Iterator[tuple[int, int]]:
    """Combining marks, which belong to the word they stand in but are no letters to Python's \\w."""
    for block in (range(0x0300, 0x1E00), range(0x3099, 0x309B), range(0xA600, 0xAC00)):
        yield from ((code, code) for code in block if unicodedata.category(chr(code)).startswith("M"))


_PAIRED: Final = _class((*BLANKLESS, _HANGUL))
_MARKS: Final = _class(_marks())
WORD: Final = re.compile(rf"(?:[^\W_]|[{_MARKS}])+")
"""What may hold words: letters, digits and marks in a row."""
_PARTS: Final = re.compile(rf"([{_PAIRED}]+)|[^{_PAIRED}]+")
_PAIR: Final = re.compile(f"[{_PAIRED}]")
_UNSEEN: Final = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_DIACRITICS: Final = re.compile("[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670]")
"""Accents, Hebrew points, Arabic vowel signs and the stroke that lengthens Arabic words: written or not, as one likes.
Marks of Indic scripts and Thai are vowels and stay."""


def fold_for_search(text: str) -> str:
    """The text without what does not count."""
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKC", _UNSEEN.sub("", text)).casefold()
    return unicodedata.normalize("NFC", _DIACRITICS.sub("", unicodedata.normalize("NFD", text)))


def words(text: str) -> list[str]:
    """All words of a text in order. Never raises."""
    found: list[str] = []
    for run in WORD.findall(fold_for_search(text)):
        if run.isascii():
            found.append(run[:MAX_WORD])
        else:
            found.extend(_of_run(run))
    return found


def asked(text: str) -> tuple[tuple[str, ...], bool]:
    """The words of a part of a question, and whether the last one may go on: a single letter of a paired script begins
    the pairs it is in."""
    found: list[str] = []
    open_end = ends_row = False
    for run in WORD.findall(fold_for_search(text)):
        of_run = _of_run(run)
        found.extend(of_run)
        open_end = is_paired(of_run[-1])
        ends_row = open_end and len(of_run) > 1 and is_paired(of_run[-2])
    if ends_row:
        found.pop()  # the letter that ends the row of pairs: in the text the row may go on
        open_end = False
    return tuple(found), open_end


@lru_cache(maxsize=4_096)
def _of_run(run: str) -> tuple[str, ...]:
    """A paired part gives its pairs and its last letter alone: each letter begins one word."""
    found: list[str] = []
    for part in _PARTS.finditer(run):
        letters = part.group()
        if part.group(1):
            found.extend(letters[place : place + 2] for place in range(len(letters)))
        else:
            found.append(letters[:MAX_WORD])
    return tuple(found)


def is_paired(word: str) -> bool:
    """Whether a word is one or two letters of a script whose letters are looked for in pairs."""
    return _PAIR.match(word) is not None
