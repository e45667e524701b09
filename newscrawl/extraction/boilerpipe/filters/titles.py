"""Finds the headline: the first block whose text is the page's title or a significant part of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from newscrawl.compiled import KERNELS, choose
from newscrawl.extraction.boilerpipe.blocks import NOT_IN_TEXT, TITLE, TextDocument

_SEPARATORS: Final = tuple(map(frozenset, ("|»-", "|»:", "|»:()", "|»:()-", "|»,:()-")))
"""Separators between the headline and the name of site or section; each set of them gives one candidate."""
_SPACED_SEPARATORS: Final = ((" | ", re.compile(r"(?<! ) ++\| +")), (" - ", re.compile("(?<! ) ++- +")))
"""Separators of which every part of some length is a candidate, each with the shortest match."""
MIN_PART_WORDS: Final = 4
"""The least words of such a part (original: DocumentTitleMatchClassifier)."""
MAX_LENGTH_RATIO: Final = 2
"""A block longer than this multiple of the longest title is no title, whatever signs it contains."""
SITE_NAME: Final = ".com"
"""A part that contains this names the site and is no candidate."""

_LAST_PART: Final = re.compile(r" - [^-]+\Z")
_FIRST_PART: Final = re.compile(r"\A[^-]+ - ")
_SIGNS: Final = "?!.-:"
_PUNCTUATION: Final = str.maketrans("", "", _SIGNS)
_GROWS: Final = "\u0130"
"""The only letter whose lower case has two characters."""


@dataclass(frozen=True, slots=True)
class DocumentTitleMatchClassifier:
    """Labels the first block that is the title, first with its full text, then without end-of-sentence signs."""

    def process(self, document: TextDocument) -> bool:
        """Returns whether a block was labelled."""
        headline = find_title(document.title, [block.text for block in document.blocks])
        if headline is not None:
            document.blocks[headline].labels |= TITLE
        return headline is not None


def find_title(title: str | None, texts: Sequence[str]) -> int | None:
    """Returns the index of the first of `texts` that is the page's title, first in full, then without end-of-sentence
    signs; None if there is none."""
    titles = potential_titles(title)
    if not titles:
        return None
    # Most blocks are excluded by their length: the compared text is no longer than the block's, except for one letter.
    lengths = list(map(len, titles))
    return first_shown(texts, titles, min(lengths), MAX_LENGTH_RATIO * max(lengths), _shows)


def _plain(text: str) -> str:
    return text.replace("\u00a0", " ").replace("'", "").strip().lower()


def _shows(text: str, titles: frozenset[str]) -> bool:
    plain = _plain(text)
    return plain in titles or plain.translate(_PUNCTUATION).strip() in titles


def _first_shown(
    texts: Sequence[str],
    titles: frozenset[str],
    shortest: int,
    longest: int,
    shows: Callable[[str, frozenset[str]], bool],
) -> int | None:
    """Returns the index of the first text that is a title."""
    for index, text in enumerate(texts):
        if len(text) <= longest and (len(text) >= shortest or _GROWS in text) and shows(text, titles):
            return index
    return None


first_shown: Final = choose(KERNELS, "first_shown", _first_shown)


def potential_titles(title: str | None) -> frozenset[str]:
    """Returns the possible headlines of a page with this title, in lower case and without apostrophes."""
    plain = _plain(title or "")
    if not plain:
        return frozenset()
    titles = {plain}
    if " - " in plain:
        titles |= {_LAST_PART.sub("", plain, count=1), _FIRST_PART.sub("", plain, count=1)}
    signs_of_title = frozenset(plain)
    # Separators divide a title alike if it has the same signs of them.
    separators = {signs_of_title & signs for signs in _SEPARATORS}
    titles.update(filter(None, (_longest_part(_split(plain, signs)) for signs in separators if signs)))
    for sign, separator in _SPACED_SEPARATORS:
        parts = _without_empty_end(separator.split(plain)) if sign in plain else []
        if len(parts) > 1:
            titles.update(p for p in parts if SITE_NAME not in p and _words(p) >= MIN_PART_WORDS)
    return frozenset(titles)


def _split(title: str, separators: frozenset[str]) -> list[str]:
    """Returns the parts of a title between these signs, without the blanks around them."""
    for sign in separators:
        title = title.replace(sign, NOT_IN_TEXT)
    return _without_empty_end([part.strip(" ") for part in title.split(NOT_IN_TEXT)])


def _without_empty_end(parts: list[str]) -> list[str]:
    while parts and not parts[-1]:  # a title that ends in a separator has no part after it
        parts.pop()
    return parts


def _longest_part(parts: list[str]) -> str:
    """Returns the part that has more words or characters than the best one before it; "" if there is only one."""
    best, most_words = "", 0
    if len(parts) > 1:
        for part in parts:
            words = _words(part)
            if SITE_NAME not in part and (words > most_words or len(part) > len(best)):
                best, most_words = part, words
    return best.strip()


def _words(part: str) -> int:
    return part.count(" ") + 1
