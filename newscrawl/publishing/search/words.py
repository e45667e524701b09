"""Defines the words by which a text is found, in the same way for texts and queries and for both databases.

Case, compatibility forms and diacritics are ignored. In scripts without blanks, and in Hangul, which joins particles to
words, every pair of neighbouring letters is a word. A query is then a sequence of pairs, so that any part of a text is
found without a dictionary, which might split text and query differently.

Besides its words, a text has stems: those of its words by the Snowball stemmer of its language
(newscrawl.publishing.search.stems).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from newscrawl.model.identity.letters import BLANKLESS, IGNORABLE

BETWEEN: Final = "\u241e"
"""Separates two titles, so that no phrase spans them. No text contains it as a word."""
MAX_WORD: Final = 100
"""Characters of a word that are compared. PostgreSQL accepts 2,046 bytes."""

_HANGUL: Final = (0xAC00, 0xD7A3)


def _class(ranges: Iterator[tuple[int, int]] | tuple[tuple[int, int], ...]) -> str:
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges)


def _marks() -> Iterator[tuple[int, int]]:
    """Yields the ranges of combining marks, which are parts of words but no letters for Python's \\w."""
    for block in (range(0x0300, 0x1E00), range(0x3099, 0x309B), range(0xA600, 0xAC00)):
        yield from ((code, code) for code in block if unicodedata.category(chr(code)).startswith("M"))


_PAIRED: Final = _class((*BLANKLESS, _HANGUL))
_MARKS: Final = _class(_marks())
WORD: Final = re.compile(rf"(?:[^\W_]|[{_MARKS}{IGNORABLE}])+")
"""Letters, digits and marks in a row, with what shows nothing between them: one word or several."""
_PARTS: Final = re.compile(rf"([{_PAIRED}]+)|[^{_PAIRED}]+")
_PAIR: Final = re.compile(f"[{_PAIRED}]")
_UNSEEN: Final = re.compile(f"[{IGNORABLE}]")
_DIACRITICS: Final = re.compile("[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670]")
"""Accents, Hebrew points, Arabic vowel signs and the stroke that lengthens Arabic words, all of which are optional in
writing. Marks of Indic scripts and Thai are vowels and stay."""
_PERSIAN: Final = str.maketrans("\u064a\u0649\u0643", "\u06cc\u06cc\u06a9")
"""Arabic yeh, alef maksura and kaf, which Persian texts have in place of their own yeh and kaf."""
HALF_SPACE: Final = "\u200c"
"""The zero-width non-joiner. Persian texts have it, a blank or nothing before endings."""


def fold_case(text: str) -> str:
    """Returns the text without differences of case and compatibility forms; diacritics stay."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", _UNSEEN.sub("", text)).casefold())


def fold_for_search(text: str) -> str:
    """Returns the text without differences that are ignored."""
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKC", _UNSEEN.sub("", text)).casefold()
    return unicodedata.normalize("NFC", _DIACRITICS.sub("", unicodedata.normalize("NFD", text))).translate(_PERSIAN)


def words(text: str) -> list[str]:
    """Returns all words of a text in order. Never raises."""
    of_text: list[str] = []
    for run in WORD.findall(fold_for_search(text)):
        if run.isascii():
            of_text.append(run[:MAX_WORD])
        else:
            of_text.extend(_of_run(run))
    return of_text


def query_words(text: str) -> tuple[tuple[str, ...], bool]:
    """Returns the words of a part of a query, and whether the last one may continue: a single letter of a script that
    is searched in pairs begins every pair that starts with it."""
    query_words: list[str] = []
    open_end = ends_row = False
    for run in WORD.findall(fold_for_search(text)):
        of_run = _of_run(run)
        query_words.extend(of_run)
        open_end = is_paired(of_run[-1])
        ends_row = open_end and len(of_run) > 1 and is_paired(of_run[-2])
    if ends_row:
        query_words.pop()  # the last letter alone: in the text, letters may follow
        open_end = False
    return tuple(query_words), open_end


@lru_cache(maxsize=4_096)
def _of_run(run: str) -> tuple[str, ...]:
    """Returns the words of a run. Letters of a paired script give their pairs and the last letter alone, so that each
    letter begins one word."""
    of_run: list[str] = []
    for part in _PARTS.finditer(run):
        letters = part.group()
        if part.group(1):
            of_run.extend(letters[start : start + 2] for start in range(len(letters)))
        else:
            of_run.append(letters[:MAX_WORD])
    return tuple(of_run)


def is_paired(word: str) -> bool:
    """Returns whether a word is one or two letters of a script that is searched in pairs."""
    return _PAIR.match(word) is not None
