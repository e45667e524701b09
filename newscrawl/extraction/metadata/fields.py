"""Reads the fields that need no choice among many statements: names of the site, section, tags, language."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from newscrawl.extraction.metadata.structured import Structured
from newscrawl.extraction.metadata.text import MAX_NAME, caseless_nfkc_cached, clean, clean_all
from newscrawl.model.identity import registrable_domain
from newscrawl.page import Page

MAX_TAG: Final = 100
MAX_TAGS: Final = 50

_SECTION_META: Final = (
    "article:section", "og:article:section", "parsely-section", "og:section", "section", "articlesection",
    "cxenseparse:articlesection", "dcsext.section", "sailthru.section", "category",
)  # fmt: skip
_TAG_META: Final = ("article:tag", "og:article:tag", "news_keywords", "parsely-tags", "sailthru.tags")
_WEAK_TAG_META: Final = ("keywords",)

_NAME_META: Final = (
    "og:site_name",
    "application-name",
    "apple-mobile-web-app-title",
    "dc.publisher",
    "citation_journal_title",
)

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

_MONTH_FIRST: Final = re.compile(r"(?:en(?:[-_](?:us|ph))?|fil|tl)$")
_ENGLISH: Final = re.compile(r"\b(?:the|and|with|for)\b", re.IGNORECASE)
_AMERICAN_ENDINGS: Final = frozenset({"us", "gov", "mil", "edu", "ph"})
_OF_NO_COUNTRY: Final = frozenset({"ai", "ca", "cc", "co", "fm", "gg", "io", "ly", "me", "to", "tv", "us", "ph", "ws"})
"""Top-level domains that sites of any country use, and those of countries where the month may come first."""


def site_name_of(page: Page, structured: Structured) -> str | None:
    """Returns og:site_name, else the publisher in JSON-LD, else another element that names the site."""
    publisher = [name for value in structured.resolved("publisher") for name in clean_all(value)]
    stated = (
        clean(page.head.first("og:site_name"), MAX_NAME),
        *publisher,
        clean(page.head.first(*_NAME_META), MAX_NAME),
    )
    title = caseless_nfkc_cached(clean(page.head.first("og:title")) or "")
    return next((n for n in stated if n and not n.startswith(("http", "@")) and caseless_nfkc_cached(n) != title), None)


def site_names(page: Page, structured: Structured) -> frozenset[str]:
    """Returns all folded forms of the site's names in titles: its names, its domain with and without ending."""
    names = [clean(page.head.first(key), MAX_NAME) for key in (*_NAME_META, "twitter:site", "al:ios:app_name")]
    names.extend(name for value in structured.resolved("publisher") for name in clean_all(value))
    names.extend(clean_all([v.get("name") for v in structured.by_id.values() if v.get("@type") == "WebSite"]))
    domain = registrable_domain(page.url or "")
    if domain:
        names.extend((domain, domain.partition(".")[0]))
    # Some content systems put the article's title into og:site_name.
    folded = {caseless_nfkc_cached(name) for name in names if name} - {
        caseless_nfkc_cached(clean(page.head.first("og:title")) or "")
    }
    return frozenset(form for name in folded for form in (name, name.removeprefix("the")) if len(form) > 1)


def section_of(page: Page, structured: Structured) -> str | None:
    """Returns the section of the article; the first one if the page names several."""
    stated = [*clean_all(structured.get("articleSection"), MAX_TAG), clean(page.head.first(*_SECTION_META), MAX_TAG)]
    return next((section for section in stated if section and not section.startswith("http")), None)


def tags_of(page: Page, structured: Structured) -> tuple[str, ...]:
    """Returns the subjects that the editors chose, in the page's order, without repetitions. The old keywords meta is
    used only if there is no other, because it mostly has the site's own subjects."""
    stated = clean_all(structured.get("keywords"), MAX_TAG * MAX_TAGS)
    for key in _TAG_META:
        stated.extend(text for raw in page.head.all(key)[:MAX_TAGS] if (text := clean(raw, MAX_TAG * MAX_TAGS)))
    if not stated:
        stated = [text for key in _WEAK_TAG_META if (text := clean(page.head.first(key), MAX_TAG * MAX_TAGS))]
    return _distinct(piece for text in stated for piece in text.replace(";", ",").split(","))


def _distinct(pieces: Iterable[str]) -> tuple[str, ...]:
    tags: dict[str, str] = {}
    for piece in pieces:
        tag = piece.strip(" #\"'")
        if tag and len(tag) <= MAX_TAG and (key := caseless_nfkc_cached(tag)):
            tags.setdefault(key, tag)
            if len(tags) == MAX_TAGS:
                break
    return tuple(tags.values())


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
