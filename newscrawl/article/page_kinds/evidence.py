"""The evidence for a kind in words: those measures of a page that speak for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import expm1
from typing import Final

MAX_EVIDENCE: Final = 4
"""Largest number of measures that are named for one page."""


@dataclass(frozen=True, slots=True)
class Sign:
    """A measure that is evidence from a least value on, and its description with the value in it."""

    feature: str
    least: float
    description: str
    value: Callable[[float], float] = expm1
    """Turns the feature back into what it measures: counts are logarithms of 1 + count."""


def _as_is(value: float) -> float:
    return value


def _stated(feature: str, description: str) -> Sign:
    return Sign(feature, 1.0, description, _as_is)


def _count(feature: str, least: int, description: str) -> Sign:
    return Sign(feature, least, description)


def _share(feature: str, least: float, description: str) -> Sign:
    return Sign(feature, least, description, _as_is)


SIGNS: Final[Mapping[str, tuple[Sign, ...]]] = {
    "listing": (
        _stated("type listing", "its structured data declares a listing"),
        _stated("url home", "its address is a site's front page"),
        _stated("url word listing", "its address has a word of listings"),
        _count("linked headings", 3, "{:.0f} linked headings"),
        _count("links like headlines", 8, "{:.0f} links like headlines"),
        _count("articles side by side", 4, "{:.0f} article elements side by side"),
        _count("headings at the same place", 6, "{:.0f} headings at the same place of repeated boxes"),
        _share("linked share", 0.4, "{:.0%} of its words are linked"),
    ),
    "product": (
        _stated("type product", "its structured data declares a product"),
        _stated("og:type product", "its og:type is a product"),
        _stated("price in the head", "its head states a price"),
        _stated("software shop", "it is made by shop software"),
        _stated("url word product", "its address has a word of shops"),
        _count("prices", 2, "{:.0f} prices"),
        _count("<button>", 4, "{:.0f} buttons"),
    ),
    "forum": (
        _stated("type forum", "its structured data declares a thread or question"),
        _stated("software forum", "it is made by forum software"),
        _stated("url word forum", "its address has a word of forums"),
        _stated("host word forum", "its host has a word of forums"),
        _count("times at the same place", 3, "{:.0f} times at the same place of repeated posts"),
        _count("articles side by side", 3, "{:.0f} posts side by side"),
        _count("questions", 4, "{:.0f} questions"),
    ),
    "documentation": (
        _stated("type documentation", "its structured data declares documentation"),
        _stated("software documentation", "it is made by documentation software"),
        _stated("url word documentation", "its address has a word of documentation"),
        _stated("host word documentation", "its host has a word of documentation"),
        _count("<pre>", 2, "{:.0f} blocks of code"),
        _count("<code>", 5, "{:.0f} pieces of code"),
        _share("text in lists", 0.3, "{:.0%} of its text is in lists"),
    ),
    "service": (
        _stated("type service", "its structured data declares a service, place, job or event"),
        _stated("url home", "its address is a site's front page"),
        _stated("url word service", "its address has a word of services"),
        _count("<form>", 2, "{:.0f} forms"),
        _count("headings at the same place", 4, "{:.0f} headings at the same place of repeated boxes"),
        _share("labels within the text", 0.4, "{:.0%} of the runs within the text are labels"),
        _share("left out within the text", 0.4, "{:.0%} of the runs within the text were left out of it"),
    ),
}
"""The evidence for each kind, strongest first."""
MISSING: Final = (
    ("any date", "it has no date"),
    ("authors", "it names no author"),
)
"""What articles have, and the description of a page without it."""


def evidence(kind: str, measured: Mapping[str, float]) -> tuple[str, ...]:
    """Returns the evidence for `kind`, given a page's features by name; at most `MAX_EVIDENCE` pieces."""
    found = [
        sign.description.format(value)
        for sign in SIGNS[kind]
        if (value := sign.value(measured[sign.feature])) >= sign.least - 1e-9
    ]
    found += [description for feature, description in MISSING if not measured[feature]]
    return tuple(found[:MAX_EVIDENCE])
