"""The stop lists of the package `justext`, by language code."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Final

LIST_NAMES: Final = MappingProxyType(
    {
        "af": "Afrikaans",
        "an": "Aragonese",
        "ar": "Arabic",
        "ast": "Asturian",
        "az": "Azerbaijani",
        "be": "Belarusian",
        "be-tarask": "Belarusian_Taraskievica",
        "bg": "Bulgarian",
        "bn": "Bengali",
        "bpy": "Bishnupriya_Manipuri",
        "br": "Breton",
        "bs": "Bosnian",
        "ca": "Catalan",
        "ceb": "Cebuano",
        "cs": "Czech",
        "cv": "Chuvash",
        "cy": "Welsh",
        "da": "Danish",
        "de": "German",
        "el": "Greek",
        "en": "English",
        "en-simple": "Simple_English",
        "eo": "Esperanto",
        "es": "Spanish",
        "et": "Estonian",
        "eu": "Basque",
        "fa": "Persian",
        "fi": "Finnish",
        "fr": "French",
        "fy": "West_Frisian",
        "ga": "Irish",
        "gl": "Galician",
        "gu": "Gujarati",
        "he": "Hebrew",
        "hi": "Hindi",
        "hr": "Croatian",
        "ht": "Haitian",
        "hu": "Hungarian",
        "hy": "Armenian",
        "id": "Indonesian",
        "ig": "Igbo",
        "io": "Ido",
        "is": "Icelandic",
        "it": "Italian",
        "jv": "Javanese",
        "ka": "Georgian",
        "kk": "Kazakh",
        "kn": "Kannada",
        "ko": "Korean",
        "ku": "Kurdish",
        "ky": "Kyrgyz",
        "la": "Latin",
        "lb": "Luxembourgish",
        "lmo": "Lombard",
        "lt": "Lithuanian",
        "lv": "Latvian",
        "mk": "Macedonian",
        "ml": "Malayalam",
        "mr": "Marathi",
        "ms": "Malay",
        "mt": "Maltese",
        "nap": "Neapolitan",
        "nb": "Norwegian_Bokmal",
        "nds": "Low_Saxon",
        "ne": "Nepali",
        "new": "Newar",
        "nl": "Dutch",
        "nn": "Norwegian_Nynorsk",
        "oc": "Occitan",
        "pl": "Polish",
        "pms": "Piedmontese",
        "pnb": "Western_Panjabi",
        "pt": "Portuguese",
        "qu": "Quechua",
        "ro": "Romanian",
        "ru": "Russian",
        "rup": "Aromanian",
        "scn": "Sicilian",
        "sgs": "Samogitian",
        "sh": "Serbo_Croatian",
        "sk": "Slovak",
        "sl": "Slovenian",
        "sq": "Albanian",
        "sr": "Serbian",
        "su": "Sundanese",
        "sv": "Swedish",
        "sw": "Swahili",
        "ta": "Tamil",
        "te": "Telugu",
        "tk": "Turkmen",
        "tl": "Tagalog",
        "tr": "Turkish",
        "uk": "Ukrainian",
        "ur": "Urdu",
        "uz": "Uzbek",
        "vi": "Vietnamese",
        "vo": "Volapuk",
        "wa": "Walloon",
        "war": "Waray_Waray",
        "yo": "Yoruba",
    }
)
"""Language tag (BCP 47, lower case) -> name of the package's list. The list of Serbian is in Cyrillic letters."""

_SAME_LANGUAGE: Final = MappingProxyType(
    {
        "bat-smg": "sgs",
        "cmn": "zh",
        "fil": "tl",
        "in": "id",
        "iw": "he",
        "ji": "yi",
        "jw": "jv",
        "kmr": "ku",
        "mo": "ro",
        "no": "nb",
        "prs": "fa",
        "roa-rup": "rup",
        "sr-latn": "sh",
        "yue": "zh",
        "wuu": "zh",
    }
)
"""Older and narrower tags of the languages above (the language subtag registry's preferred values and
macrolanguages)."""


def canonical_tag(language: str) -> str:
    """Returns a declared language as the shortest tag that the tables here have: `es_MX` is `es`, `sr-Latn-RS` is `sh`.

    A text that is no tag gives "".
    """
    subtags = [part for part in language.strip().lower().replace("_", "-").split("-") if part]
    if not subtags or not all(part.isascii() and part.isalnum() for part in subtags):
        return ""
    for length in (2, 1):
        tag = "-".join(subtags[:length])
        tag = _SAME_LANGUAGE.get(tag, tag)
        if tag in LIST_NAMES or length == 1:
            return tag if 2 <= len(tag.partition("-")[0]) <= 3 else ""
    return ""


@cache
def stop_words(tag: str) -> frozenset[str] | None:
    """Returns the stop words of a canonical tag, lower-cased; None if the package has no list.

    The file is read, and the package is not imported: it loads an HTTP client and a cleaner of HTML, which takes a
    sixteenth of the CPU of a first page.
    """
    name, package = LIST_NAMES.get(tag), find_spec("justext")
    if name is None or package is None or package.origin is None:
        return None
    words = (Path(package.origin).parent / "stoplists" / f"{name}.txt").read_text(encoding="utf-8")
    return frozenset(word.lower() for word in words.splitlines())
