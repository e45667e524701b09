"""Names of the months in the languages of news sites, in full and abbreviated."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
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

_ONLY_FULL: Final = {
    "fi": "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta "
    "marraskuuta joulukuuta",
    "fi, named": "tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu heinäkuu elokuu syyskuu lokakuu marraskuu "
    "joulukuu",
    "hu": "január február március április május június július augusztus szeptember október november december",
    "hu, short": "jan febr márc ápr máj jún júl aug szept okt nov dec",
    "sk": "januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra",
    "sl": "januarja februarja marca aprila maja junija julija avgusta septembra oktobra novembra decembra",
    "hr": "siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna - studenoga -",
    "sr": "januara februara marta aprila maja juna jula avgusta septembra oktobra novembra decembra",
    "sr, Cyrillic": "јануар фебруар март април мај јун јул август септембар октобар новембар децембар",
    "bg": "януари февруари март април май юни юли август септември октомври ноември декември",
    "et": "jaanuar veebruar märts aprill mai juuni juuli august september oktoober november detsember",
    "lv": "janvārī februārī martā aprīlī maijā jūnijā jūlijā augustā septembrī oktobrī novembrī decembrī",
    "lv, named": "janvāris februāris marts aprīlis maijs jūnijs jūlijs augusts septembris oktobris novembris decembris",
    "lt": "sausio vasario kovo balandžio gegužės birželio liepos rugpjūčio rugsėjo spalio lapkričio gruodžio",
    "ru, named": "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь",
    "ru, short": "янв фев мар апр май июн июл авг сен окт ноя дек",
    "uk, named": "січень лютий березень квітень травень червень липень серпень вересень жовтень листопад грудень",
    "pl, named": "styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień",
    "cs, named": "leden únor březen duben květen červen červenec srpen září říjen listopad prosinec",
    "el, named": "ιανουάριος φεβρουάριος μάρτιος απρίλιος μάιος ιούνιος ιούλιος αύγουστος σεπτέμβριος οκτώβριος "
    "νοέμβριος δεκέμβριος",
    "ar": "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
    "ar, as often spelled": "جانفي فيفري مارس ابريل ماي يونيه يوليه اغسطس شتنبر اكتوبر نونبر دجنبر",
    "ar, Maghreb": "- - - أفريل ماي جوان جويلية أوت - - - -",
    "ar, Levant": "- شباط آذار نيسان أيار حزيران تموز - أيلول - - -",
    "fa, Gregorian": "ژانویه فوریه مارس آوریل - ژوئن ژوئیه اوت سپتامبر اکتبر نوامبر دسامبر",
    "fa": "فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند",
    "ar, Levant, as often spelled": "- - اذار - ايار - - - ايلول - - -",
    "fa, with Arabic letters": "فروردين ارديبهشت - تير - شهريور - - - دي - -",
    "ur": "جنوری فروری مارچ اپریل مئی جون جولائی اگست ستمبر اکتوبر نومبر دسمبر",
    "he": "ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר",
    "he, in": "בינואר בפברואר במרץ באפריל במאי ביוני ביולי באוגוסט בספטמבר באוקטובר בנובמבר בדצמבר",
    "ms": "januari februari mac april mei jun julai ogos september oktober november disember",
}
"""Names that are not abbreviated, because many begin like another month's name in another language. "-" stands for a
name that is listed above, or that means another month elsewhere (Croatian October is Polish November)."""

_SHORT: Final = {
    "sept": 9, "set": 9, "setiembre": 9, "avr": 4,
    "juil": 7, "janv": 1, "févr": 2, "déc": 12, "mrz": 3, "mrt": 3, "okt": 10,
    "dez": 12, "dic": 12, "ene": 1, "abr": 4, "ago": 8, "gen": 1, "mag": 5, "giu": 6, "lug": 7, "ott": 10,
    "fev": 2, "out": 10, "marz": 3,
}  # fmt: skip

_SHORTEST: Final = 3

OTHER_SCRIPTS: Final = {
    "hi": "जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
    "hi, as often spelled": "- फरवरी - - - - - - सितम्बर अक्तूबर नवम्बर दिसम्बर",
    "mr": "जानेवारी फेब्रुवारी - एप्रिल मे - जुलै ऑगस्ट सप्टेंबर ऑक्टोबर नोव्हेंबर डिसेंबर",
    "bn": "জানুয়ারি ফেব্রুয়ারি মার্চ এপ্রিল মে জুন জুলাই আগস্ট সেপ্টেম্বর অক্টোবর নভেম্বর ডিসেম্বর",
    "bn, as often spelled": "জানুয়ারী ফেব্রুয়ারী - - - - - আগষ্ট - - - -",
    "ta": "ஜனவரி பிப்ரவரி மார்ச் ஏப்ரல் மே ஜூன் ஜூலை ஆகஸ்ட் செப்டம்பர் அக்டோபர் நவம்பர் டிசம்பர்",
    "th": "มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม",
    "th, short": "ม.ค. ก.พ. มี.ค. เม.ย. พ.ค. มิ.ย. ก.ค. ส.ค. ก.ย. ต.ค. พ.ย. ธ.ค.",
    "ar, Levant": "كانون_الثاني - - - - - - - - تشرين_الأول تشرين_الثاني كانون_الأول",
    "ar, Levant, without article": "كانون_ثاني - - - - - - - - تشرين_أول تشرين_ثاني كانون_أول",
    "ar, Levant, as often spelled": "كانون_ثان - - - - - - - - تشرين_اول تشرين_ثان كانون_اول",
    "ar, Levant, with article, as often spelled": "- - - - - - - - - تشرين_الاول - كانون_الاول",
    "ar, two letters": "- - - - - - - آب - - - -",
    "fa, two letters": "- - - - مه - - - - - - -",
    "vi": "tháng_1 tháng_2 tháng_3 tháng_4 tháng_5 tháng_6 tháng_7 tháng_8 tháng_9 tháng_10 tháng_11 tháng_12",
    "vi, in two figures": "tháng_01 tháng_02 tháng_03 tháng_04 tháng_05 tháng_06 tháng_07 tháng_08 tháng_09 - - -",
}
"""Names that are no sequence of letters: with vowel signs, of two words ("_" is a blank), or very short."""

PERSIAN: Final = tuple(_ONLY_FULL["fa"].split())
"""The months of the solar Hijri calendar."""
ENGLISH: Final = tuple(name.capitalize() for name in _FULL["en"].split())


def numbered(languages: Iterable[str]) -> dict[str, int]:
    """Returns the number of the month by its name, as written and without accents."""
    table: dict[str, int] = {}
    for names in languages:
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
    full = numbered(_FULL.values())
    starts: dict[str, set[int]] = {}
    for name, number in full.items():
        for end in range(_SHORTEST, len(name)):
            starts.setdefault(name[:end], set()).add(number)
    short = {start: numbers.pop() for start, numbers in starts.items() if len(numbers) == 1}
    return numbered(_ONLY_FULL.values()) | short | full | _SHORT


MONTHS: Final = _table()
"""The number of a month by its casefolded name."""

WEEKDAYS: Final = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun montag "
    "dienstag mittwoch donnerstag freitag samstag sonntag lunes martes miércoles jueves viernes sábado domingo lundi "
    "mardi mercredi jeudi vendredi samedi dimanche lunedì martedì mercoledì giovedì venerdì sabato domenica "
    "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira maandag dinsdag woensdag donderdag vrijdag "
    "zaterdag zondag poniedziałek wtorek środa czwartek piątek sobota niedziela pondělí úterý středa čtvrtek pátek "
    "neděle måndag tisdag onsdag torsdag fredag lördag söndag mandag tirsdag lørdag søndag pazartesi salı çarşamba "
    "perşembe cuma cumartesi pazar понедельник вторник среда четверг пятница суббота воскресенье".split()
)
"""Casefolded names of weekdays in bylines."""
