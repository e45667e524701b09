"""Words and wrapped lines as Boilerpipe counts them."""

from __future__ import annotations

import re
from typing import Final

from newscrawl.page.words import BLANKLESS, split_words

LINE_COLUMNS: Final = 80
"""Width of the imagined page, in characters (WSDM 2010 paper, section 3.3: text density)."""

_JOINERS: Final = "\"'.,!@\\-:;$?()/"
"""Signs that do not end a word: `e-mail`, `3.5` and `Smith's` are one word each. Every other sign does, the
typographic apostrophe too."""
_TOKEN: Final = re.compile(rf"[\w{_JOINERS}]+")
_LETTER_OR_DIGIT: Final = re.compile(r"[^\W_]")
_SEPARATOR: Final = re.compile(rf"[^\w\s{_JOINERS}]")


def words_of(text: str) -> list[str]:
    """The words of `text` in order: letters, digits and joining signs, with a letter or digit among them.

    Text in scripts without blanks is cut into words of two characters, where the original takes everything between two
    punctuation marks for one word: its thresholds, learned on English, would call such articles boilerplate.
    """
    if not text.isascii() and BLANKLESS.search(text) is not None:
        return split_words(text)
    return [token for token in _TOKEN.findall(text) if _LETTER_OR_DIGIT.search(token) is not None]


def wrap(text: str) -> tuple[int, int]:
    """Words in full lines, and lines, of `text` wrapped at 80 columns.

    Only words and one blank between two of them take room, lone signs do not. The last line is left out as it says
    little about density, unless it is the only one. A word longer than a line stands on the line it ends.
    """
    words = words_of(text)
    if len(text) <= LINE_COLUMNS:
        return len(words), 1
    lines = on_line = 0
    column = -1  # no blank before the first word
    for word in words:
        length = len(word)
        column += length + 1
        on_line += 1
        if column > LINE_COLUMNS:
            lines += 1
            column = length
            on_line = 1
    in_full_lines = len(words) - on_line
    return (in_full_lines, lines) if lines and in_full_lines else (len(words), 1)
