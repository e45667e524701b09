"""Checks types and spelling of a site's class attributes before they are used."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from newscrawl.config.derived.daily_requests import checked
from newscrawl.config.per_site import check_own_settings, hints_of
from newscrawl.errors import UsageError

SEQUENCES: Final = ("domains", "feeds", "sitemaps", "sections", "articles")
TEXTS: Final = ("language", "country", "home", "cron", "quiet_hours", "time_zone")
NUMBERS: Final = ("delay", "interval", "daily_requests")
SWITCHES: Final = ("republishes",)
OTHERS: Final = ("hints",)
_COUNTRY: Final = re.compile("[a-z]{2}")
_LANGUAGE: Final = re.compile("[a-z]{2,3}")
CUTOFF: Final = 0.8
"""Similarity (difflib) from which a name is a misspelling of a declared one: `feed`, `sitemap`, `sectoins`."""


def check_attributes(spider: type, base: type) -> None:
    """Raises UsageError for the first invalid attribute of `spider`; `base` is the class that declares them."""
    site = f"site {getattr(spider, 'name', spider.__name__)!r}"
    for name in SEQUENCES:
        check_texts(site, name, getattr(spider, name), text_allowed=name == "articles")
    for name in TEXTS:
        value = getattr(spider, name)
        if value is not None and (not isinstance(value, str) or not value.strip()):
            raise UsageError(f"{site}: {name} is {value!r}, write a text or leave it out")
    check_domains(site, spider.domains)  # type: ignore[attr-defined]
    _check_country(site, spider.country)  # type: ignore[attr-defined]
    _check_language(site, spider.language)  # type: ignore[attr-defined]
    _check_delay(site, spider.delay)  # type: ignore[attr-defined]
    checked(getattr(spider, "name", spider.__name__), spider.daily_requests)  # type: ignore[attr-defined]
    check_own_settings(site, spider)
    hints_of(site, spider)
    for name in SWITCHES:
        if not isinstance(getattr(spider, name), bool):
            raise UsageError(f"{site}: {name} is {getattr(spider, name)!r}, write True or False")
    known = sorted({*SEQUENCES, *TEXTS, *NUMBERS, *SWITCHES, *OTHERS})
    for name in _own_names(spider, base):
        near = difflib.get_close_matches(name, known, n=1, cutoff=CUTOFF)
        if near:
            raise UsageError(f"{site}: there is no attribute {name}, is {near[0]} meant?")


def check_texts(site: str, name: str, value: Any, *, text_allowed: bool = False) -> None:
    """Raises UsageError unless `value` is a sequence of texts."""
    if isinstance(value, str):
        if text_allowed:
            return
        raise UsageError(f"{site}: {name} is one text, write a tuple of texts")
    if not isinstance(value, Sequence):
        raise UsageError(f"{site}: {name} is {value!r}, write a tuple of texts, () for none")
    for text in value:
        if not isinstance(text, str) or not text.strip():
            raise UsageError(f"{site}: {name} holds {text!r}, which is no text")


def check_domains(site: str, domains: Iterable[str]) -> None:
    """Raises UsageError for a domain that is an address or a path, because no page could be on it."""
    for domain in domains:
        if any(sign in domain for sign in "/:@?# ") or not ("." in domain.strip(".") or domain == "localhost"):
            raise UsageError(f"{site}: domains holds {domain!r}, write the bare name, like 'example.com'")


def _check_country(site: str, country: str | None) -> None:
    """Raises UsageError for a country that is no code of ISO 3166-1 in small letters: "uk" is a domain, its code is
    "gb"."""
    if country is None:
        return
    if country == "uk":
        raise UsageError(f"{site}: country is 'uk', write 'gb', the code of ISO 3166-1")
    if not _COUNTRY.fullmatch(country):
        raise UsageError(f"{site}: country is {country!r}, write the two small letters of ISO 3166-1, like 'gb'")


def _check_language(site: str, language: str | None) -> None:
    """Raises UsageError for a language that is no code of ISO 639 in small letters."""
    if language is not None and not _LANGUAGE.fullmatch(language):
        from newscrawl.metadata.languages import primary_subtag  # with all readers of metadata

        known = primary_subtag(language)
        meant = known if known and _LANGUAGE.fullmatch(known) else "en"
        raise UsageError(f"{site}: language is {language!r}, write the small letters of ISO 639, like {meant!r}")


def _check_delay(site: str, delay: Any) -> None:
    if delay is None:
        return
    if isinstance(delay, bool) or not isinstance(delay, int | float) or not math.isfinite(delay) or delay < 0:
        raise UsageError(f"{site}: delay is {delay!r}, write a number of seconds, like 2.5")


def _own_names(spider: type, base: type) -> Iterator[str]:
    """Yields the public names of values that the spider's classes add to those of `base`."""
    for cls in spider.__mro__:
        if cls is base:
            return
        for name, value in vars(cls).items():
            if not name.startswith("_") and not hasattr(base, name) and not callable(value):
                yield name
