"""Times of day beside a date: halves of the day in the words of many languages, and zones."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal

_Part = Literal["morning", "noon", "afternoon", "night"]

_AROUND: Final[Mapping[_Part, str]] = {
    "morning": "오전 새벽 아침 上午 午前 早上 早晨 清晨 凌晨 朝 ق.ظ قبل_از_ظهر قبل‌از‌ظهر صبح بامداد এএম সকাল ভোর "
    "पूर्वाह्न सुबह एएम முற்பகல் காலை délelőtt de. reggel öö öğleden_önce sabah sáng pagi a.m. am",
    "noon": "낮 中午 正午 ظهر دوپہر দুপুর दोपहर மதியம் trưa siang tengah_hari",
    "afternoon": "오후 저녁 下午 午後 傍晚 夕方 ب.ظ بعد_از_ظهر بعدازظهر بعد‌از‌ظهر عصر شام পিএম বিকাল বিকেল সন্ধ্যা "
    "अपराह्न शाम पीएम பிற்பகல் மாலை délután du. ös öğleden_sonra akşam chiều tối sore petang p.m. pm",
    "night": "밤 晚上 晚间 晚間 夜间 夜間 夜 深夜 半夜 شب رات রাত रात இரவு éjjel gece đêm malam",
}
"""Words before or after a time. "_" is a blank."""
_BEFORE: Final[Mapping[_Part, str]] = {"morning": "", "noon": "", "afternoon": "este", "night": ""}
"""Words that mean something else after a time: Hungarian "este" is "this" in Spanish."""
_AFTER: Final[Mapping[_Part, str]] = {
    "morning": 'π.μ. π.μ πμ صباحا صباح ص فجرا قبل_الظهر לפנה"צ לפנה״צ בבוקר ก่อนเที่ยง a.m a._m. a._m a_m de_la_mañana '
    "de_la_madrugada da_manhã da_madrugada du_matin di_mattina del_mattino del_matí morgens vormittags "
    "in_the_morning утра ранку сутринта rano przed_południem ráno dopoledne dop. dopoludnia ujutro "
    "prije_podne pre_podne пре_подне dimineața f.m. pg ryto no_rīta hommikul 's_ochtends 's_morgens",
    "noon": "ظهرا дня בצהריים del_mediodía",
    "afternoon": 'μ.μ. μ.μ μμ مساء مساءا م عصرا بعد_الظهر אחה"צ אחה״צ אחר_הצהריים בערב หลังเที่ยง p.m p._m. p._m p_m '
    "de_la_tarde da_tarde del_pomeriggio di_sera de_l'après-midi de_l’après-midi du_soir de_la_tarda "
    "del_vespre nachmittags abends in_the_afternoon in_the_evening вечера пополудни вечора пополудні вечерта "
    "следобед po_południu wieczorem odpoledne odp. večer popoludní uveče navečer po_podne poslije_podne "
    "posle_podne по_подне после_подне după-amiaza seara ip. e.m. ptg vakaro vakarā õhtul 's_middags 's_avonds",
    "night": "ليلا de_la_noche da_noite di_notte de_la_nuit de_la_nit nachts at_night ночи ночі w_nocy v_noci בלילה",
}
"""Words that follow a time. Before one they belong to something else: "новости дня 10:00"."""
_IN_CAPITALS: Final[Mapping[_Part, str]] = {"morning": "SA", "noon": "", "afternoon": "CH", "night": ""}
"""Vietnamese abbreviations after a time, which are other words in small letters."""

_LONGEST: Final = 24
"""Characters beside a time in which a word is searched."""
_BETWEEN: Final = " ,،\u00a0"
_UNSPACED: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
"""Scripts in which other letters may be directly before such a word."""

ZONES: Final = {
    "z": 0, "utc": 0, "gmt": 0, "wet": 0, "bst": 60, "west": 60, "wat": 60, "cet": 60, "mez": 60, "cat": 120,
    "cest": 120, "mesz": 120, "sast": 120, "eet": 120, "eest": 180, "msk": 180, "мск": 180, "eat": 180, "trt": 180,
    "pkt": 300, "npt": 345, "ict": 420, "wib": 420, "wita": 480, "hkt": 480, "sgt": 480, "myt": 480, "awst": 480,
    "wit": 540, "jst": 540, "kst": 540, "acst": 570, "aest": 600, "acdt": 630, "aedt": 660, "nzst": 720, "nzdt": 780,
    "art": -180, "brt": -180, "edt": -240, "est": -300, "cdt": -300, "cst": -360, "mdt": -360, "mst": -420, "pdt": -420,
    "pst": -480, "akdt": -480, "akst": -540, "hst": -600,
}  # fmt: skip
"""Minutes east of Greenwich, with the American names of RFC 5322, section 4.3. IST, AST and similar names are left out,
because they are names of several zones."""
_WORDS: Final = frozenset({"art", "cat", "eat", "ict", "wat", "wit"})
"""Zones whose names are other words in small letters."""
_OFFSETS: Final = range(-12 * 60, 14 * 60 + 1)
"""The offsets that are in use, in minutes."""
_HOURS: Final = r"\d{1,2}(?:[:.]?\d{2})?"
_ZONE: Final = re.compile(
    r"(?:\s?(?:Uhr|hrs?|น\.)(?!\w))?(?:"
    rf"[\s(\[,]{{0,4}}(?:[A-Z]{{2,5}}/)?(?:UTC|GMT)\s?(?P<named>(?:\+\s?|[-−–](?:\s(?={_HOURS}[)\]]))?){_HOURS})(?!\d)|"
    r"\s?[(\[](?P<enclosed>[+\-−]\d{2}:?\d{2})(?: (?:UTC|GMT))?[)\]]|"
    r"\s*(?P<offset>[+\-−]\d{1,2}:?\d{2}|[+\-−]\d{1,2})(?!\d)|"
    r"[\s(\[]{0,4}(?P<zone>[^\W\d_]{1,4})(?!\w))",
    re.IGNORECASE,
)
"""What follows a time: "(GMT+7)", "UTC−3", "+0200", "MESZ"."""


def offset_after(text: str, end: int) -> int | None:
    """Returns the minutes east of Greenwich that are written at `end` of the text, behind a time; None if no zone with
    one meaning is. Raises ValueError for an offset that no zone has."""
    found = _ZONE.match(text, end)
    if found is None:
        return None
    written = found["named"] or found["enclosed"] or found["offset"]
    if written is None:
        name = found["zone"].lower()
        return ZONES.get(name) if name not in _WORDS or found["zone"].isupper() else None
    digits = "".join(filter(str.isdigit, written))
    hours, minutes = (int(digits[:-2]), int(digits[-2:])) if len(digits) > 2 else (int(digits), 0)
    offset = (1 if written[0] == "+" else -1) * (60 * hours + minutes)
    if offset not in _OFFSETS:
        raise ValueError(written)
    return offset


def hour_of_day(hour: int, text: str, start: int, end: int) -> tuple[int, int]:
    """Returns the hour from 0 to 24 of a time at `start` to `end` of the text, with the half of the day that is written
    behind or before it, and where that ends: behind it a zone may follow."""
    part, end = _part_after(text, end) if end < len(text) else (None, end)
    part = part or _part_before(text[max(0, start - _LONGEST) : start].rstrip(_BETWEEN))
    return (_in_part(hour, part) if part and hour <= 12 else hour), end


def has_part_before(text: str, start: int) -> bool:
    """Returns whether the word for a part of the day is written before `start`."""
    return _part_before(text[max(0, start - _LONGEST) : start].rstrip(_BETWEEN)) is not None


def _in_part(hour: int, part: _Part) -> int:
    """Returns the hour of the day. A night begins in the evening and ends in the morning: twelve is midnight."""
    if part == "afternoon":
        return hour % 12 + 12
    if part == "morning":
        return hour % 12
    if part == "noon":
        return hour + 12 if 1 <= hour <= 5 else hour
    return hour + 12 if 5 <= hour < 12 else hour % 12


def _part_after(text: str, end: int) -> tuple[_Part | None, int]:
    written = text[end : end + _LONGEST]
    shown = _UNIT.sub("", written, count=1).lstrip(_BETWEEN)
    for starts, words, folded in (
        (_CAPITAL_STARTS, _CAPITALS_AFTER, shown),
        (_STARTS, _WORDS_AFTER, shown.lower()),
    ):
        for word, part in words.items() if folded.startswith(starts) else ():
            if folded.startswith(word) and not (word[-1].isalpha() and folded[len(word) : len(word) + 1].isalpha()):
                return part, end + len(written) - len(shown) + len(word)
    return None, end


def _part_before(text: str) -> _Part | None:
    folded = text.lower()
    for word, part in _WORDS_BEFORE.items() if folded.endswith(_ENDS) else ():
        is_whole = _UNSPACED.match(word) or not folded[: -len(word)][-1:].isalpha()
        if folded.endswith(word) and is_whole and not (word in _SMALL and text.endswith(word)):
            return part
    return None


def _words(*tables: Mapping[_Part, str]) -> dict[str, _Part]:
    """Returns the part of the day by its word, the longest words first."""
    words = [(word.replace("_", " "), part) for table in tables for part, row in table.items() for word in row.split()]
    return dict(sorted(words, key=lambda named: -len(named[0])))


_UNIT: Final = re.compile(r"^\s?(?:Uhr|hrs?|h|시|時|时|分|분|বাজে|بجے)(?!\w)", re.IGNORECASE)
"""A word for hours or minutes between a time and the half of the day."""
_SMALL: Final = frozenset({"am"})
"""Words that mean something else in small letters before a time: "am 12.30"."""
_WORDS_AFTER: Final = _words(_AROUND, _AFTER)
_WORDS_BEFORE: Final = _words(_AROUND, _BEFORE)
_CAPITALS_AFTER: Final = _words(_IN_CAPITALS)
_STARTS: Final = tuple(_WORDS_AFTER)
_CAPITAL_STARTS: Final = tuple(_CAPITALS_AFTER)
_ENDS: Final = tuple(_WORDS_BEFORE)
