"""Counts words according to the script of a text."""

from __future__ import annotations

import re
from typing import Final

BLANKLESS_RANGES: Final = (
    ("\u0e00", "\u0eff"),  # Thai, Lao
    ("\u1000", "\u109f"),  # Myanmar
    ("\u1780", "\u17ff"),  # Khmer
    ("\u3040", "\u30ff"),  # Hiragana, Katakana
    ("\u3400", "\u4dbf"),  # Han
    ("\u4e00", "\u9fff"),
    ("\uf900", "\ufaff"),
    ("\U00020000", "\U0002fa1f"),
)
"""The first and last character of each range, in ascending order."""
_BLANKLESS_RANGES: Final = "".join(f"{first}-{last}" for first, last in BLANKLESS_RANGES)
BLANKLESS: Final = re.compile(f"[{_BLANKLESS_RANGES}]")
"""A character of a script that is written without blanks between words."""

BLANKLESS_WEIGHT: Final = 3
"""Latin letters that correspond to one character of a script without blanks (docs/explanation/justext.md has the
sweep): a news item of 250 Chinese characters is whole."""

CHARACTERS_PER_WORD: Final = 2
"""In scripts without blanks two characters count as a word (the mean word length of written Chinese is about 1.5 to
2 characters, of Japanese about 2)."""

LONG_WORD: Final = 10
"""Characters of a word with the blank after it, more than the mean of nearly every text."""

LONE_SYMBOLS: Final = frozenset(
    "- – — − | ¦ · • ● ◦ ▪ ■ □ ► ▶ ▸ ▾ ▼ ▲ ◄ ◀ ‣ ∙ / \\ // & + * ** *** = == # @ $ % ^ ~ _ __ < > << >> « » ‹ › <! "
    "... … . , : ; ! ? ( ) [ ] { } \" ' “ ” ‘ ’ „ -- --- -> => → ← ↑ ↓ ⟶ × ÷ © ® ™ ★ ☆ ✓ ✔ ✕ ✖ § ¶ † ‡ () [] :: || "
    "?? !! !!! ??? ..... .... ✉ ☰ ❯ ❮ 。 、 ， ！ ？ ： ； （ ） 「 」 『 』 【 】 《 》 〉 〈 ・ ｜".split()
)
"""Pieces between blanks without a letter or digit, which are not words."""


SEPARATORS: Final = (
    *((sign, sign) for sign in "#%&*+<=>[\\]^`{|}~"),
    ("\x80", "\xa9"),
    ("\xab", "\xb1"),
    ("\xb4", "\xb4"),
    ("\xb6", "\xb8"),
    ("\xbb", "\xbb"),
    ("\xbf", "\xbf"),
    ("\xd7", "\xd7"),
    ("\xf7", "\xf7"),
    ("\u2000", "\u206f"),
    ("\u20a0", "\u20bf"),
    ("\u2100", "\u2bff"),
    ("\u3000", "\u3004"),
    ("\ue000", "\uf8ff"),
    ("\U0001f000", "\U0001faff"),
)
"""First and last characters of the signs that end a word even without a blank in Boilerpipe's count of words, in
ascending order. Other signs (`"'.,!@-:;$?()/`) do not end a word: `e-mail`, `3.5` and `Smith's` are one word each, but
`Smith’s` with the typographic apostrophe is two, as in the original (its UnicodeTokenizer)."""

_OTHER_BYTES: Final = bytes({*range(0x100)} - {0xE0, 0xE1, *range(0xE3, 0xEA), 0xEF, 0xF0})
"""Bytes that never begin a character of such a script in UTF-8. Most text beyond ASCII consists of them, and removing
them takes a fifth of the time of the expression's search."""


def has_blankless(text: str) -> bool:
    """Returns whether any character of `text` is of a script without blanks."""
    if text.isascii() or not text.encode("utf-8", "replace").translate(None, _OTHER_BYTES):
        return False
    return BLANKLESS.search(text) is not None


def count_words(text: str) -> int:
    """Returns the number of words in `text`: pieces between blanks that are not lone symbols; in scripts without
    blanks, half the number of characters, rounded up."""
    if has_blankless(text):
        return _count_mixed(text)
    pieces = text.split()
    return len(pieces) - sum(map(pieces.count, LONE_SYMBOLS.intersection(pieces)))


def count_words_until(text: str, enough: int) -> int:
    """Returns the number of words in `text`; of a text with more than `enough` it may be that of its beginning, which
    has more than `enough` too. The last word of the beginning may be cut."""
    beginning = text[: enough * LONG_WORD]
    counted = count_words(beginning)
    return counted if counted > enough + 1 or len(beginning) == len(text) else count_words(text)


def split_words(text: str) -> list[str]:
    """Returns the words of `text` in order; scripts without blanks are divided into pieces of two characters."""
    if not has_blankless(text):
        return [piece for piece in text.split() if piece not in LONE_SYMBOLS]
    words: list[str] = []
    for piece in _PIECES.findall(text):
        if BLANKLESS.match(piece):
            words.extend(piece[i : i + CHARACTERS_PER_WORD] for i in range(0, len(piece), CHARACTERS_PER_WORD))
        elif any(c.isalnum() for c in piece):
            words.append(piece)
    return words


_PIECES: Final = re.compile(f"[{_BLANKLESS_RANGES}]+|[^\\s{_BLANKLESS_RANGES}]+")


def _count_mixed(text: str) -> int:
    characters = len(BLANKLESS.findall(text))
    others = sum(any(c.isalnum() for c in piece) for piece in BLANKLESS.sub(" ", text).split())
    return -(-characters // CHARACTERS_PER_WORD) + others
