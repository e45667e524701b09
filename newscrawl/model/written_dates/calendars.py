"""Names of the months in the languages of news sites, in full and abbreviated; and the conversion of dates of other
scripts and calendars to Latin digits and Gregorian years."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from datetime import date, timedelta
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


_NAMES: Final = {name.replace("_", " "): number for name, number in numbered(OTHER_SCRIPTS).items()}
_NAME: Final = re.compile(
    "|".join(
        rf"(?<!\w){name}(?!\w)"
        if " " in name or len(name) < 3
        else name  # a short name may be the beginning of another word
        for name in sorted(map(re.escape, _NAMES), key=len, reverse=True)
    ).replace(r"\ ", r"\s+"),
    re.IGNORECASE,
)
_YEAR_WORD: Final = re.compile(r"(?<=\s)(?:năm|พ\.ศ\.|ماه(?:\sسال)?|سال)\s*(?=\d)", re.IGNORECASE)
"""The word between month and year in Vietnamese, Thai and Persian."""
_VOWEL_SIGNS: Final = re.compile("[\u064b-\u0652]")
"""Signs of Arabic vowels, which are optional."""
_PERSIAN_DAYS: Final = (
    "یکم دوم سوم چهارم پنجم ششم هفتم هشتم نهم دهم یازدهم دوازدهم سیزدهم چهاردهم پانزدهم شانزدهم هفدهم هجدهم نوزدهم "
    "بیستم بیست_و_یکم بیست_و_دوم بیست_و_سوم بیست_و_چهارم بیست_و_پنجم بیست_و_ششم بیست_و_هفتم بیست_و_هشتم بیست_و_نهم "
    "سی_ام سی_و_یکم"
)
"""Days of the month in words. "_" is a blank, a half-space or nothing."""
_PERSIAN_NUMBERS: Final = {word.replace("_", ""): day for day, word in enumerate(_PERSIAN_DAYS.split(), 1)} | {
    "اول": 1,
    "نخست": 1,
    "هیجدهم": 18,
}
_BLANK: Final = "[ \u200c]"
_PERSIAN_DAY: Final = re.compile(
    (
        rf"(?<!\w)(?:{'|'.join((*_PERSIAN_DAYS.split(), 'اول', 'نخست', 'هیجدهم'))})"
        rf"(?=_+(?:{'|'.join(PERSIAN)})(?!\w))"
    )
    .replace("_+", f"{_BLANK}+")
    .replace("_", f"{_BLANK}?")
    .replace("ی", "[یي]")
)
_CHINESE_NUMBER: Final = re.compile(r"[〇零○元一二三四五六七八九十廿卅]{1,4}(?=\s*[年月日号號])")
"""A number before the words for year, month and day: 二〇二四年五月十二日."""
_CHINESE_FIGURES: Final = {figure: number for number, figure in enumerate("〇一二三四五六七八九")} | {
    "零": 0,
    "○": 0,
    "元": 1,
}
_CHINESE_TENS: Final = {"十": 10, "廿": 20, "卅": 30}
_ERA: Final = re.compile(r"(令和|平成|民國|民国)\s*(\d{1,3})\s*年")
_ERAS: Final = {"令和": 2018, "平成": 1988, "民國": 1911, "民国": 1911}
"""The year before the first one of the Japanese eras Reiwa and Heisei, and of the years of the Republic in Taiwan."""

_BUDDHIST: Final = 543
"""Years by which the Thai calendar is ahead."""
_BUDDHIST_YEARS: Final = range(2500, 2700)
_PERSIAN_YEARS: Final = range(1370, 1480)
"""The solar Hijri years of news sites (1991-2101). No other date is that old (`parse_date.EARLIEST`)."""
_PERSIAN_EPOCH: Final = date(2020, 3, 20)
_PERSIAN_EPOCH_YEAR: Final = 1399
"""The year from which days are counted."""
_LEAP_REMAINDERS: Final = frozenset({1, 5, 9, 13, 17, 22, 26, 30})
"""Leap years in the 33-year rule, which agrees with the astronomical calendar from 1244 to 1502."""


def latin(text: str) -> str:
    """Returns `text` with digits of all scripts as 0-9, and month names that are no sequence of letters in English."""
    if text.isascii():
        return text
    text = _VOWEL_SIGNS.sub("", "".join([_figure(c) for c in text]))
    text = _PERSIAN_DAY.sub(_persian_figures, text)
    text = _CHINESE_NUMBER.sub(_chinese_figures, text)
    text = _NAME.sub(_english, text)
    text = _ERA.sub(_our_year, text)
    return _YEAR_WORD.sub("", text)


def calendar_day(year: int, month: int, day: int) -> date:
    """Returns the date, also for a year of the Buddhist or the Persian calendar. Raises ValueError for an impossible
    day."""
    if year in _BUDDHIST_YEARS:
        year -= _BUDDHIST
    if year not in _PERSIAN_YEARS:
        return date(year, month, day)
    last = 31 if month <= 6 else 30 if month < 12 or year % 33 in _LEAP_REMAINDERS else 29
    if not (1 <= month <= 12 and 1 <= day <= last):
        raise ValueError(year, month, day)
    before = 31 * (month - 1) if month <= 7 else 186 + 30 * (month - 7)
    return _persian_new_year(year) + timedelta(days=before + day - 1)


def _persian_new_year(year: int) -> date:
    step = 1 if year >= _PERSIAN_EPOCH_YEAR else -1
    passed = range(_PERSIAN_EPOCH_YEAR, year) if step == 1 else range(year, _PERSIAN_EPOCH_YEAR)
    days = sum(366 if y % 33 in _LEAP_REMAINDERS else 365 for y in passed)
    return _PERSIAN_EPOCH + timedelta(days=step * days)


def _figure(character: str) -> str:
    if character.isascii():
        return character
    number = unicodedata.decimal(character, None)
    return character if number is None else str(number)


def _english(match: re.Match[str]) -> str:
    name = " ".join(match.group().casefold().split())
    return f" {ENGLISH[_NAMES[name] - 1]} "


def _persian_figures(found: re.Match[str]) -> str:
    return str(_PERSIAN_NUMBERS[found.group().translate({ord(" "): "", 0x200C: "", ord("ي"): "ی"})])


def _our_year(found: re.Match[str]) -> str:
    return f"{_ERAS[found.group(1)] + int(found.group(2))}年"


def _chinese_figures(found: re.Match[str]) -> str:
    """Returns the number in figures: 二〇二四 is written figure by figure, 二十一 and 廿一 with the tens."""
    written = found.group()
    place = next((i for i, character in enumerate(written) if character in _CHINESE_TENS), None)
    if place is None:
        return "".join([str(_CHINESE_FIGURES[character]) for character in written])
    tens, units = written[:place], written[place + 1 :]
    if len(tens) > 1 or len(units) > 1 or units in _CHINESE_TENS:
        return written
    return str((_CHINESE_FIGURES.get(tens, 1) * _CHINESE_TENS[written[place]]) + _CHINESE_FIGURES.get(units, 0))
