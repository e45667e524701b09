"""Finds the language and country of a site, from what it states and from its domain."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from newscrawl.identity.domains import host_of

_TAG: Final = re.compile(r"([a-z]{2,3})(?:[-_](?:[A-Za-z]{4}[-_])?([A-Za-z]{2})\b)?", re.IGNORECASE)
_SOLD: Final = frozenset("tv io me ai fm am to cc ly gg co ws nu vc la sh st eu".split())
"""Two-letter domains that are sold world-wide, so that they do not show a country."""

_SECOND_LEVEL: Final = frozenset({"com", "co", "org", "net", "gov", "edu", "ac", "or", "ne"})


def language_of(declared: Iterable[str | None]) -> str | None:
    """Returns the most frequent of the declared languages (html lang, feed's language, news:language) as ISO 639-1."""
    languages = Counter(match.group(1).lower() for text in declared if text and (match := _TAG.fullmatch(text.strip())))
    return next((language for language, _ in languages.most_common() if len(language) == 2), None)


def country_of(url: str, declared: Iterable[str | None] = ()) -> str | None:
    """Returns the country (ISO 3166-1, small letters) of the host's top-level domain, else of the regions in declared
    languages ("es-MX")."""
    labels = host_of(url).split(".")
    top = labels[-1]
    # "eldiario.co" is a name in the .co zone, which is sold world-wide; "eldiario.com.co" is Colombian.
    own = len(labels) > 2 and labels[-2] in _SECOND_LEVEL
    if len(top) == 2 and top.isalpha() and (top not in _SOLD or own):
        return "gb" if top == "uk" else top
    regions = Counter(
        match.group(2).lower()
        for text in declared
        if text and (match := _TAG.fullmatch(text.strip())) and match.group(2)
    )
    region = next((region for region, _ in regions.most_common()), None)
    return "gb" if region == "uk" else region
