"""Defines the words by which a text is found, in the same way for texts and queries and for both databases.

Case, compatibility forms and diacritics are ignored. In scripts without blanks, and in Hangul, which joins particles to
words, every pair of neighbouring letters is a word. A query is then a sequence of pairs, so that any part of a text is
found without a dictionary, which might split text and query differently.

Besides its words, a text has stems, by which other forms of a word are found: "ferries" finds "ferry". A stem is stored
with the code of its language, as one token: the stem of a German word finds German texts only. So one index holds all
languages, and a query without a language asks for the stem of its word in each of them. The stemmers are those of
Snowball (https://snowballstem.org), from the package PyStemmer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import Stemmer

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


STEM_MARK: Final = "\u241f"
"""Stands before and after the code of a language, before a stem. No word of a text contains it, and so no beginning of
a word is one of a stem."""
FORMS: Final = f"snowball {Stemmer.version()}"
"""The version of the stemmers. An index that was made with another one is built again."""
MIN_LETTERS: Final = 3
"""Letters of a word that is stemmed. Shorter words have no endings that the stemmers remove."""

_LATIN: Final = {
    "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "en": "english", "eo": "esperanto",
    "es": "spanish", "et": "estonian", "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish",
    "hu": "hungarian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "nl": "dutch", "no": "norwegian",
    "pl": "polish", "pt": "portuguese", "ro": "romanian", "sr": "serbian", "st": "sesotho", "sv": "swedish",
    "tr": "turkish",
}  # fmt: skip
_SCRIPTS: Final[tuple[tuple[int, int, dict[str, str]], ...]] = (
    (0x0041, 0x024F, _LATIN),
    (0x1E00, 0x1EFF, _LATIN),
    (0x0370, 0x03FF, {"el": "greek"}),
    (0x1F00, 0x1FFF, {"el": "greek"}),
    (0x0400, 0x052F, {"ru": "russian", "sr": "serbian"}),
    (0x0531, 0x058F, {"hy": "armenian"}),
    (0x0590, 0x05FF, {"yi": "yiddish"}),
    (0x0600, 0x06FF, {"ar": "arabic", "fa": "persian"}),
    (0x0900, 0x097F, {"hi": "hindi", "ne": "nepali"}),
    (0x0B80, 0x0BFF, {"ta": "tamil"}),
)
"""First and last characters of the scripts, and the languages that are written in each: code and stemmer."""
_SAME: Final = {"nb": "no", "nn": "no", "in": "id", "hr": "sr", "bs": "sr"}
"""Codes of languages that have no stemmer of their own name."""


def stem_language(language: str | None) -> str | None:
    """Returns the code under which the stems of a language are stored; None for one without a stemmer, and for None.
    `language`: a code such as "de" or "de-AT"."""
    code = (language or "").replace("_", "-").casefold().partition("-")[0]
    code = _SAME.get(code, code)
    return code if any(code in languages for _, _, languages in _SCRIPTS) else None


def languages_with_stems_of(code: str) -> tuple[str, ...]:
    """Returns the codes of the languages whose stems are stored under a code: its own, and those that share its
    stemmer."""
    return (code, *(other for other, shared in _SAME.items() if shared == code))


def language_of_stem(stem: str) -> str:
    """Returns the code under which a stem is stored."""
    return stem.split(STEM_MARK, 2)[1]


def text_stems(text: str, language: str | None) -> dict[str, int]:
    """Returns the stems of a text, each with the place of its first word, counted from 0. Empty for a language without
    a stemmer. Never raises."""
    code = stem_language(language)
    if code is None:
        return {}
    written = WORD.findall(fold_case(text))
    first_places = dict(zip(reversed(written), range(len(written) - 1, -1, -1), strict=True))  # the first one stays
    places: dict[str, int] = {}
    for word in dict.fromkeys(written):
        for stem in stems_of(word[:MAX_WORD], code):
            places.setdefault(stem, first_places[word])
    return places


def query_stems(word: str) -> tuple[str, ...]:
    """Returns the stems by which a typed word finds texts, in every language of its script.

    The word itself is one of them, because the stemmers also shorten words that have no ending: they make "exam" of the
    Spanish "examen", but "examen" of its plural.
    """
    run = fold_case(word)[:MAX_WORD]
    itself = fold_for_search(run)
    stems = (stem for code in _algorithms(run) for stem in (*stems_of(run, code), _token(code, itself)))
    return tuple(dict.fromkeys(stems))


@lru_cache(maxsize=65_536)
def stems_of(word: str, code: str) -> tuple[str, ...]:
    """Returns the stems of a word without differences of case: those of the word as it is and as it is without
    diacritics, which may differ. Empty if the language is not written in the word's script."""
    algorithm = _algorithms(word).get(code)
    if algorithm is None:
        return ()
    first = _token(code, _stem(algorithm, word))
    folded = fold_for_search(word)
    if folded == word:
        return (first,)
    second = _token(code, _stem(algorithm, folded))
    return (first,) if first == second else (first, second)


def _algorithms(word: str) -> dict[str, str]:
    """Returns the languages whose stemmer knows the script of the word, with their stemmers."""
    if len(word) < MIN_LETTERS:
        return {}
    first = ord(word[0])
    for low, high, languages in _SCRIPTS:
        if low <= first <= high:
            return languages
    return {}


def _token(code: str, stem: str) -> str:
    return f"{STEM_MARK}{code}{STEM_MARK}{stem}"


def _stem(algorithm: str, word: str) -> str:
    stem = _stemmer(algorithm).stemWord(word)
    return stem if stem.isascii() else fold_for_search(stem)


@lru_cache(maxsize=64)
def _stemmer(algorithm: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(algorithm, 0)  # without its own cache: `stems_of` has one
