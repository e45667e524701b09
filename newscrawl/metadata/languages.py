"""Reads the language that a page declares."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from newscrawl.metadata.structured import Structured
from newscrawl.metadata.text import clean
from newscrawl.page import Page

_SUBTAG: Final = re.compile(r"([a-z]{2,3})(?:[-_].*)?$")
_NONE: Final = frozenset({"und", "mul", "zxx", "mis", "xx", "xxx", "qaa"})
"""Subtags that name no language (BCP 47, section 4.1)."""

_OTHER_NAMES: Final = {
    # withdrawn codes (IANA subtag registry), three-letter codes with a two-letter equivalent, names in words
    "iw": "he", "in": "id", "ji": "yi", "mo": "ro", "nb": "no", "nn": "no",
    "eng": "en", "spa": "es", "deu": "de", "ger": "de", "fra": "fr", "fre": "fr", "por": "pt", "ita": "it", "nld": "nl",
    "dut": "nl", "pol": "pl", "rus": "ru", "zho": "zh", "chi": "zh", "jpn": "ja", "kor": "ko", "ara": "ar", "tur": "tr",
    "ell": "el", "gre": "el", "swe": "sv", "dan": "da", "nor": "no", "fin": "fi", "ces": "cs", "cze": "cs", "ukr": "uk",
    "hin": "hi", "ind": "id", "cat": "ca", "ron": "ro", "rum": "ro", "hun": "hu", "heb": "he", "fas": "fa", "per": "fa",
    "english": "en", "spanish": "es", "español": "es", "espanol": "es", "german": "de", "deutsch": "de", "french": "fr",
    "français": "fr", "portuguese": "pt", "português": "pt", "italian": "it", "italiano": "it", "dutch": "nl",
    "nederlands": "nl", "polish": "pl", "russian": "ru", "chinese": "zh", "japanese": "ja", "korean": "ko",
    "arabic": "ar", "turkish": "tr", "greek": "el", "swedish": "sv", "danish": "da", "norwegian": "no", "finnish": "fi",
    "cn": "zh", "jp": "ja", "gr": "el", "dk": "da", "se": "sv", "cz": "cs", "ua": "uk",
}  # fmt: skip
"""Norwegian is one language here, as in stop lists. The last line has country codes that sites use as language codes,
without those that are also language codes."""


def language_of(page: Page, structured: Structured) -> str | None:
    """Returns the declared language as a lower-case primary subtag: html lang, content-language, og:locale, JSON-LD."""
    in_language = structured.get("inLanguage")
    if isinstance(in_language, list):
        in_language = in_language[0]
    if isinstance(in_language, dict):
        in_language = in_language.get("alternateName") or in_language.get("name")
    stated = (
        page.hints.language,
        page.head.first("og:locale"),
        in_language,
        page.head.first("language", "dc.language"),
    )
    return next((language for raw in stated if (language := primary_subtag(raw))), None)


def primary_subtag(raw: object) -> str | None:
    """Returns "es" for "es-MX", "es_ES" or "Spanish"; None for a text that names no language."""
    text = (clean(raw, 40) or "").lower().partition(",")[0].strip()
    if text in _OTHER_NAMES:
        return _OTHER_NAMES[text]
    match = _SUBTAG.match(text)
    if not match or match.group(1) in _NONE:
        return None
    return _OTHER_NAMES.get(match.group(1), match.group(1))


_MONTH_FIRST: Final = re.compile(r"(?:en(?:[-_](?:us|ph))?|fil|tl)$")
_ENGLISH: Final = re.compile(r"\b(?:the|and|with|for)\b", re.IGNORECASE)
_AMERICAN_ENDINGS: Final = frozenset({"us", "gov", "mil", "edu", "ph"})
_OF_NO_COUNTRY: Final = frozenset({"ai", "ca", "cc", "co", "fm", "gg", "io", "ly", "me", "to", "tv", "us", "ph", "ws"})
"""Top-level domains that sites of any country use, and those of countries where the month may come first."""


def writes_day_first(page: Page) -> bool:
    """Returns whether 05/06/2024 is the fifth of June, as everywhere but in American English.

    Plain "en" counts as American, except under the top-level domain of another country, where "en-US" is the default of
    the site's software. A page that declares nothing is judged by its address, else by the words of its title.
    """
    declared = clean(page.hints.language, 40) or clean(page.head.first("og:locale"), 40) or ""
    ending = _ending(page.url)
    if ending in _AMERICAN_ENDINGS:
        return bool(declared) and _MONTH_FIRST.match(declared.lower()) is None
    if len(ending) == 2 and ending not in _OF_NO_COUNTRY:
        return True
    if declared:
        return _MONTH_FIRST.match(declared.lower()) is None
    return _ENGLISH.search(page.head.title or "") is None


def _ending(url: str | None) -> str:
    """Returns the last label of the address's host."""
    try:
        return (urlsplit(url or "").hostname or "").rsplit(".", 1)[-1]
    except ValueError:
        return ""
