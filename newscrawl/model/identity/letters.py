"""Prepares texts for comparing, in identity and search: letters that look alike, invisible code points, rows of
combining marks, scripts without blanks. Stored texts are not changed."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

MAX_MARKS: Final = 30
"""The most combining marks in a row (Unicode Standard Annex 15, Stream-Safe Text Format). Python's normalisation takes
time quadratic in their number: 40,000 take five seconds."""

_LONG_WORD: Final = 100
"""Characters. Only longer words can contain that many marks. Most texts with blanks have none, and are not searched for
marks."""

BLANKLESS: Final = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x3040, 0x30FF),  # Hiragana, Katakana
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),  # Han
)
"""First and last characters of scripts written without blanks, in which each letter is a token. The table must not
change while signatures made with it are stored (newscrawl.model.identity.segmentation)."""

MAX_KEPT: Final = 100_000
"""Characters of a text that is kept until the next one: twenty times a long article."""

IGNORABLE: Final = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Unicode's property Default_Ignorable_Code_Point (DerivedCoreProperties.txt, version 16), for a class of an
expression: soft hyphens, joiners, fillers, variation selectors, marks of direction, tags."""
_IGNORABLE: Final = re.compile(f"[{IGNORABLE}]")

_LATIN: Final = "aceijopsxyABCEHIJKMOPSTXY"
_CYRILLIC: Final = "асеіјорѕхуАВСЕНІЈКМОРЅТХУ"
_LATIN_OF_GREEK: Final = "aiknopuvxABEZHIKMNOPTYX"
_GREEK: Final = "αικηορυνχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"
"""Letters that fonts draw alike (Unicode Technical Standard 39, confusables.txt), by their place."""
_TO_LATIN: Final = str.maketrans(_CYRILLIC + _GREEK, _LATIN + _LATIN_OF_GREEK)
_TO_CYRILLIC: Final = str.maketrans(_LATIN, _CYRILLIC)
_TO_GREEK: Final = str.maketrans(_LATIN_OF_GREEK, _GREEK)
_IS_LATIN: Final = re.compile("[A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff]+")
_IS_CYRILLIC: Final = re.compile("[\u0400-\u052f]+")
_IS_GREEK: Final = re.compile("[\u0370-\u03ff\u1f00-\u1fff]+")
_OTHER: Final = frozenset(_CYRILLIC + _GREEK)
_MIXED: Final = re.compile(r"[A-Za-z](?=[\u0370-\u052f])|[\u0370-\u052f](?=[A-Za-z])")
"""A place between two letters of a word at which the script changes."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_ASCII: Final = bytes(range(128))


def without_long_marks(text: str) -> str:
    """Returns `text` with at most `MAX_MARKS` combining marks in a row, so that it can be normalised fast."""
    if text.isascii() or max(map(len, text.split()), default=0) <= _LONG_WORD:
        return text
    marks = "".join(sorted(filter(unicodedata.combining, beyond_ascii(text))))
    return _rows_of(marks).sub(r"\1", text) if marks else text


def seen_letters(text: str) -> tuple[str, frozenset[str]]:
    """Returns the text as a reader sees it, and its different characters beyond ASCII. Invisible code points are left
    out. A word that mixes two scripts is written in one, if each letter of the other script has a look-alike in it.
    Takes linear time."""
    if text.isascii():
        return text, frozenset()
    return (_seen_letters if len(text) <= MAX_KEPT else _seen_letters.__wrapped__)(text)


@lru_cache(maxsize=1)
def _seen_letters(text: str) -> tuple[str, frozenset[str]]:
    """Keeps its last answer, because a text is hashed by its letters and then signed by its words."""
    characters = beyond_ascii(text)
    if _IGNORABLE.search("".join(characters)):
        text = _IGNORABLE.sub("", text)
        characters = beyond_ascii(text)
    if _OTHER.isdisjoint(characters):
        return text, characters
    normal = unicodedata.normalize("NFKC", without_long_marks(text))
    if not _MIXED.search(normal):
        return text, characters
    is_latin = sum(map(normal.count, "aceopxy")) >= sum(map(normal.count, "асеорху" + "αεικορυχ"))
    text = _WORD.sub(lambda word: _in_one_script(word[0], is_latin) if _MIXED.search(word[0]) else word[0], normal)
    return text, beyond_ascii(text)


def beyond_ascii(text: str) -> frozenset[str]:
    """Returns the different characters of `text` beyond ASCII. Removing the bytes of ASCII takes a tenth of the time of
    a set of all characters."""
    rest = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    return frozenset(rest.decode("utf-8", "surrogatepass"))


@lru_cache(maxsize=1024)
def _in_one_script(word: str, is_latin: bool) -> str:
    """Returns a word that mixes two scripts in one script; unchanged if a letter has no look-alike. If both scripts are
    possible, `is_latin` decides."""
    others = [
        other
        for table, script in ((_TO_CYRILLIC, _IS_CYRILLIC), (_TO_GREEK, _IS_GREEK))
        if script.fullmatch(other := word.translate(table))
    ]
    latin = word.translate(_TO_LATIN)
    if _IS_LATIN.fullmatch(latin) and (is_latin or not others):
        return latin
    return others[0] if others else word


@lru_cache(maxsize=64)
def _rows_of(marks: str) -> re.Pattern[str]:
    """Returns an expression of more than `MAX_MARKS` of these marks in a row. Texts have a few of the 912 marks. With
    all of them the search takes ten times as long as the normalisation, and the expression takes 0.25 s to build."""
    mark = f"[{re.escape(marks)}]"
    return re.compile(f"({mark}{{{MAX_MARKS}}}){mark}+")
