"""Counts words and wrapped lines as Boilerpipe does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from newscrawl.extraction.kernels import choose
from newscrawl.extraction.signs import SEPARATORS
from newscrawl.page.words import count_words, split_words

LINE_COLUMNS: Final = 80
"""Width of the assumed page in characters (WSDM 2010 paper, on text density)."""

NOT_IN_TEXT: Final = "\0"
"""A separator of texts that are searched together. The page's decoder removes it from texts."""

_SEPARATOR: Final = re.compile(f"[{''.join(f'{re.escape(first)}-{re.escape(last)}' for first, last in SEPARATORS)}]")

_ASCII_SEPARATORS: Final = str.maketrans({c: " " for c in map(chr, range(128)) if _SEPARATOR.match(c)})


def boilerpipe_words(text: str, words: int) -> int:
    """Returns the number of words in `text`, of which `words` is the number by blanks alone (`page.words.count_words`).

    In scripts without blanks two characters count as a word. The original counts everything between two signs as one;
    its thresholds, learned on English, would classify such articles as boilerplate.
    """
    return words if _SEPARATOR.search(text) is None else count_words(_SEPARATOR.sub(" ", text))


def _all_words(texts: Sequence[str], words: Sequence[int]) -> list[int]:
    """Returns `boilerpipe_words` of many texts without line feeds. One search over all finds those to count."""
    whole = "\n".join(texts)
    plain = whole.translate(_ASCII_SEPARATORS) if whole.isascii() else _SEPARATOR.sub(" ", whole)
    if plain == whole:
        return list(words)
    counted = list(words)
    for index, (line, text) in enumerate(zip(plain.split("\n"), texts, strict=True)):
        if line != text:
            counted[index] = count_words(line)
    return counted


all_words: Final = choose("all_words", _all_words)


def wrap(text: str) -> tuple[int, int]:
    """Returns the words in full lines, and the number of full lines, of `text` wrapped at 80 columns.

    Only words and one blank between two of them take room; lone signs do not. The last line is left out unless it is
    the only one, because it says little about density. A line before a word that is longer than a line may be empty.
    """
    words = split_words(_SEPARATOR.sub(" ", text))
    line = " ".join(words)
    start, lines = 0, 0
    if words and len(words[0]) > LINE_COLUMNS:
        lines = 1
    while len(line) - start > LINE_COLUMNS:
        end = line.rfind(" ", start, start + LINE_COLUMNS + 1)
        if end < 0:
            end = line.find(" ", start + LINE_COLUMNS)
        if end < 0:
            break
        start = end + 1
        lines += 1
    in_full_lines = line.count(" ", 0, start)
    return (in_full_lines, lines) if in_full_lines else (len(words), 1)


def text_density(text: str, words: int) -> float:
    """Returns the words for each full line of one run. `words` is the number of all its words."""
    if len(text) <= LINE_COLUMNS:
        return float(words)
    in_full_lines, lines = wrap(text)
    return in_full_lines / lines
