"""Names of the months in the main news languages, as written in full and cut short."""

from __future__ import annotations

from typing import Final

_FULL: Final = {
    "en": "january february march april may june july august september october november december",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "de": "januar februar märz april mai juni juli august september oktober november dezember",
    "at": "jänner feber märz april mai juni juli august september oktober november dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "sv": "januari februari mars april maj juni juli augusti september oktober november december",
    "da": "januar februar marts april maj juni juli august september oktober november december",
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    "cs": "ledna února března dubna května června července srpna září října listopadu prosince",
    "ca": "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre",
    "tr": "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    "id": "januari februari maret april mei juni juli agustus september oktober november desember",
    "ru": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "uk": "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
    "el": "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου "
    "δεκεμβρίου",
    "ro": "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
}

_SHORT: Final = {
    "sept": 9, "set": 9, "setiembre": 9, "avr": 4,
    "juil": 7, "janv": 1, "févr": 2, "déc": 12, "mrz": 3, "mrt": 3, "okt": 10,
    "dez": 12, "dic": 12, "ene": 1, "abr": 4, "ago": 8, "gen": 1, "mag": 5, "giu": 6, "lug": 7, "ott": 10,
    "fev": 2, "out": 10, "aout": 8, "fevrier": 2, "decembre": 12, "marco": 3, "marz": 3,
}  # fmt: skip

_SHORTEST: Final = 3


def _table() -> dict[str, int]:
    """Full names, and every beginning of three letters and more that means the same month in all these languages."""
    full = {name.casefold(): number for names in _FULL.values() for number, name in enumerate(names.split(), 1)}
    starts: dict[str, set[int]] = {}
    for name, number in full.items():
        for end in range(_SHORTEST, len(name)):
            starts.setdefault(name[:end], set()).add(number)
    return {start: numbers.pop() for start, numbers in starts.items() if len(numbers) == 1} | full | _SHORT


MONTHS: Final = _table()
"""Number of a month by its name, casefolded."""

WEEKDAYS: Final = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun montag "
    "dienstag mittwoch donnerstag freitag samstag sonntag lunes martes miércoles jueves viernes sábado domingo lundi "
    "mardi mercredi jeudi vendredi samedi dimanche".split()
)
"""Names of the days that stand in bylines, casefolded."""
