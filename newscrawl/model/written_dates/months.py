"""Names of the months in the languages of news sites, in full and abbreviated."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

from newscrawl.model.word_lists import read_sections, read_words

_ROWS: Final = read_sections(__file__, "months.txt")
"""Lines of twelve names, by kind."""
_SHORT: Final = {
    "sept": 9, "set": 9, "setiembre": 9, "avr": 4,
    "juil": 7, "janv": 1, "févr": 2, "déc": 12, "mrz": 3, "mrt": 3, "okt": 10,
    "dez": 12, "dic": 12, "ene": 1, "abr": 4, "ago": 8, "gen": 1, "mag": 5, "giu": 6, "lug": 7, "ott": 10,
    "fev": 2, "out": 10, "marz": 3,
}  # fmt: skip

_SHORTEST: Final = 3

OTHER_SCRIPTS: Final = _ROWS["other scripts"]
"""Names that are no sequence of letters: with vowel signs, of two words ("_" is a blank), or very short."""
PERSIAN: Final = tuple(_ROWS["persian"][0].split())
"""The months of the solar Hijri calendar."""
ENGLISH: Final = tuple("January February March April May June July August September October November December".split())
ENGLISH_SHORT: Final = "|".join(name[:3] for name in ENGLISH)
"""The alternatives of an expression."""


def numbered(rows: Iterable[str]) -> dict[str, int]:
    """Returns the number of the month by its name, as written and without accents."""
    table: dict[str, int] = {}
    for names in rows:
        for number, name in enumerate(unicodedata.normalize("NFC", names).casefold().split(), 1):
            if name != "-":
                table.setdefault(name, number)
                table.setdefault(without_accents(name), number)
    return table


def without_accents(name: str) -> str:
    """Returns "aout" for "août", as pages in capitals and old systems write it. Only accents of Latin and Greek letters
    are removed."""
    parted = unicodedata.normalize("NFD", name)
    return "".join(c for c in parted if not "\u0300" <= c <= "\u036f") if parted != name else name


def _table() -> dict[str, int]:
    """Returns full names and every beginning of at least three letters that means one month in all these languages."""
    full = numbered(_ROWS["abbreviated"])
    starts: dict[str, set[int]] = {}
    for name, number in full.items():
        for end in range(_SHORTEST, len(name)):
            starts.setdefault(name[:end], set()).add(number)
    short = {start: numbers.pop() for start, numbers in starts.items() if len(numbers) == 1}
    return numbered((*_ROWS["in full"], *_ROWS["persian"])) | short | full | _SHORT


MONTHS: Final = _table()
"""The number of a month by its casefolded name."""

WEEKDAYS: Final = frozenset(read_words(__file__, "weekdays.txt"))
"""Casefolded names of weekdays in bylines."""
