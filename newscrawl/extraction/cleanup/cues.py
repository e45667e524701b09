"""Phrases that newsrooms write around articles, by language: headings of what is below, and phrases that no story has.

Boilerpipe recognises the end of an article by a dozen English cues (`boilerpipe.filters`, which are unchanged).
These phrases (phrases/*.txt) are for the largest languages of the news and were written for this project. All languages
are searched at once: as whole blocks the phrases mean the same everywhere, pages mix languages, and the language of a
short page is uncertain.

Phrases are compared in the form of `fold`: lower case, with a blank for anything that is no letter or digit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from newscrawl.compiled import KERNELS, choose
from newscrawl.model.word_lists import read_sections, read_words

CUE_CHARACTERS: Final = 60
"""Longer blocks are sentences, whatever they contain."""
START_CHARACTERS: Final = 64
"""Characters within which the first word of a note ends."""

_NO_WORD: Final = re.compile(r"[\W_]+")
_ASCII: Final = str.maketrans({i: chr(i).lower() if chr(i).isalnum() else " " for i in range(128)})
_COUNT: Final = re.compile(r"^\d+ | \d+$")


def _casefold(text: str) -> str:
    return text.casefold()


casefold: Final = choose(KERNELS, "casefold", _casefold)


def _fold(text: str) -> str:
    """Returns `text` in lower case, with a single blank for everything that is no letter or digit, none at the ends."""
    if text.isascii():
        return " ".join(text.translate(_ASCII).split())
    return _NO_WORD.sub(" ", text.casefold()).strip()


fold: Final = choose(KERNELS, "fold", _fold)


def _first_word(text: str, most: int) -> str:
    """Returns the first word of the folded text, within its first `most` characters."""
    return fold(text[:most]).partition(" ")[0]


first_word: Final = choose(KERNELS, "first_word", _first_word)


def read_phrases(module: str, name: str) -> frozenset[str]:
    """Returns the phrases of a list of `word_lists`, folded."""
    return frozenset(map(fold, read_words(module, name)))


def is_end(folded: str) -> bool:
    """Returns whether a folded block heads what is below an article. A number before or after it does not count
    ("12 comments")."""
    if folded[:1].isdecimal() or folded[-1:].isdecimal():
        folded = _COUNT.sub("", folded)
    return folded in _ENDS


def is_end_label(text: str) -> bool:
    """Returns whether the text of a run, which is short, heads what is below an article."""
    return len(text) < CUE_CHARACTERS and is_end(fold(text))


def is_label(folded: str) -> bool:
    """Returns whether a folded block is a label of an advert or a notice."""
    return folded in _LABELS


def is_continuation(folded: str) -> bool:
    """Returns whether a short folded block says that the article goes on below an advert, as newsrooms write between
    its paragraphs ("Article continues after advertisement")."""
    if not names_advert(folded):
        return False
    return any(all(pattern.search(folded) for pattern in patterns) for patterns in _CONTINUATIONS)


def names_advert(folded: str) -> bool:
    """Returns False if no line of a folded text can be a continuation, as in most texts: no word for an advert begins
    in it."""
    words = f" {folded} "
    return any(map(words.__contains__, _ADVERTS))


def may_be_note(text: str) -> bool:
    """Returns False if the first word alone shows that `is_note` is False, as for most blocks."""
    return first_word(text, START_CHARACTERS) in _FIRST_WORDS


def is_note(folded: str) -> bool:
    """Returns whether a folded block is a label, or starts like a note about the page."""
    if folded in _LABELS:
        return True
    starts = _NOTES.get(folded.partition(" ")[0], ())
    return any(folded.startswith(start) and folded[len(start) : len(start) + 1] in {"", " "} for start in starts)


def _beginnings(language: str, words: Iterable[str]) -> re.Pattern[str]:
    """Returns a pattern for the words that begin with one of these; for their parts in scripts without blanks, and in
    those that join words such as "the" to the next one. Two letters are a whole word."""
    parts = [f"{word}\\b" if len(word) == 2 and word.isascii() else fold(word) for word in words]
    return re.compile("|".join(parts) if language in _JOINED else rf"\b(?:{'|'.join(parts)})")


def _advert(language: str, word: str) -> str:
    """Returns the beginning of a word for an advert in a text between two blanks, as `_beginnings` has it."""
    end = " " * (len(word) == 2 and word.isascii())
    return fold(word) if language in _JOINED else f" {fold(word)}{end}"


def _by_first_word(phrases: frozenset[str]) -> dict[str, tuple[str, ...]]:
    words: dict[str, tuple[str, ...]] = {}
    for phrase in sorted(phrases):
        word = phrase.partition(" ")[0]
        words[word] = (*words.get(word, ()), phrase)
    return words


_ENDS: Final = read_phrases(__file__, "phrases/ends.txt")
_LABELS: Final = read_phrases(__file__, "phrases/labels.txt")
_NOTES: Final = _by_first_word(read_phrases(__file__, "phrases/notes.txt"))
_JOINED: Final = frozenset("ar he hi zh ja ko th".split())
_WORDS: Final = read_sections(__file__, "phrases/continuations.txt")
_CONTINUATIONS: Final = tuple(
    [_beginnings(language, _WORDS[f"{language} {part}"]) for part in ("advert", "continue", "below")]
    for language in dict.fromkeys(section[:2] for section in _WORDS)
)
_ADVERTS: Final = tuple(
    {_advert(section[:2], word) for section, words in _WORDS.items() if section.endswith(" advert") for word in words}
)
_FIRST_WORDS: Final = frozenset(_NOTES) | {label.partition(" ")[0] for label in _LABELS}
