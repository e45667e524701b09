"""The features that distinguish the address of an article from that of a list, each as an expression of `articles`.

Hard features (a number, a date, a code, a number in the query) are rare in addresses of lists. Soft ones (a slug of
several words, with or without a fixed beginning) are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, urlsplit

ID_DIGITS: Final = 5
"""Digits of a running number, as in `article_urls`."""

SHORT_ID_DIGITS: Final = 3
"""Digits of a running number after a separator, if every sample has one."""

SLUG_WORDS: Final = 3
"""Words of a slug. Fewer are a section's name."""

LONG_SLUG: Final = 4
"""Words that make a slug longer than a section's name (`article_urls.SLUG_WORDS`), required if the samples have
them."""

_ENDINGS: Final = re.compile(r"\.(?:html?|shtml|xhtml|php|aspx?|jsp|ece|cfm|stm|story)$", re.IGNORECASE)
_NUMBER_AT_END: Final = re.compile(rf"(^|[-_.,~a-zA-Z])(\d{{{SHORT_ID_DIGITS},}})$")
_NUMBER_AT_START: Final = re.compile(rf"^([a-zA-Z]{{0,8}}[-_]?)(\d{{{ID_DIGITS},}})([-_.,])")
_NUMBERED_SEGMENT: Final = re.compile(rf"^([a-zA-Z]{{0,8}}[-_]?)(\d{{{ID_DIGITS},}})$")
_LETTERS_AND_NUMBER: Final = re.compile(rf"(?:^|[-_.,~])([a-zA-Z]{{1,8}}|[a-zA-Z][-_])(\d{{{ID_DIGITS},}})$")
_DATE: Final = re.compile(
    r"/((?:19|20)\d\d)([-/_]?)(0?[1-9]|1[0-2]|[a-z]{3})\2(0?[1-9]|[12]\d|3[01])(?=[-/_T])", re.IGNORECASE
)
_MONTH: Final = re.compile(r"/(?:19|20)\d\d([-/])(?:0?[1-9]|1[0-2])/(?=[^/]*[a-zA-Z])")
CODE: Final = r"(?=[0-9a-zA-Z]{0,23}\d)(?=[0-9a-zA-Z]{0,23}[a-z])[0-9a-zA-Z]{10,24}"
"""Digits and letters mixed, as in identifiers. All repeats are limited, so that no address makes a search slow."""

_UUID: Final = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_CODES: Final = tuple(
    (expression, re.compile(rf"(?:^|[-_/.]){expression}$"))
    for expression in (_UUID, "[0-9a-f]{24,40}", "[A-Z2-7]{26}", CODE)
)
_PARAMETER: Final = re.compile(r"(?:id|nid|p|story|\w*id|\w*name|article|news|pid|a|no|idx|aid)$", re.IGNORECASE)
_WORDS: Final = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class UrlFeature:
    """A feature of an address: its expression, whether it is hard, and its description for people."""

    expression: str
    hard: bool
    meaning: str


def marks(url: str) -> Iterator[UrlFeature]:
    """Yields all features of an article's address, the most significant first."""
    parts = urlsplit(url)
    path = parts.path
    segments = [segment for segment in path.split("/") if segment]
    if parts.query:
        yield from _in_query(path, parts.query)
    if not segments:
        return
    ending = _ENDINGS.search(segments[-1])
    stem = segments[-1][: ending.start()] if ending else segments[-1]
    close = f"{re.escape(ending.group())}$" if ending else "/?$"
    hard = [*_numbers(segments, stem, close), *_dates(path), *_code(stem, close)]
    yield from hard
    if len(segments) > 1 and segments[0].replace("-", "").isalpha():
        first = re.escape(segments[0])
        for mark in hard:  # if lists have numbers too, the first part distinguishes them
            yield UrlFeature(f"^/{first}(?=/).*{mark.expression}", mark.hard, f"{mark.meaning}, below /{segments[0]}/")
    yield from _slugs(segments, stem, close)


def _code(stem: str, close: str) -> Iterator[UrlFeature]:
    expression = next((expression for expression, found in _CODES if found.search(stem)), None)
    if expression:
        yield UrlFeature(f"[-_/.]{expression}{close}", True, "a code at the end")


def _in_query(path: str, query: str) -> Iterator[UrlFeature]:
    for name, value in parse_qsl(query):
        if _PARAMETER.match(name) and value.isdigit():
            yield UrlFeature(
                rf"^{re.escape(path)}\?(?:.*&)?{re.escape(name)}=\d+", True, f"a number in the parameter {name!r}"
            )


def _numbers(segments: list[str], stem: str, close: str) -> Iterator[UrlFeature]:
    found = _NUMBER_AT_END.search(stem)
    if found:
        before = found.group(1)
        digits = len(found.group(2))
        named = _LETTERS_AND_NUMBER.search(stem)
        if named:
            letters = re.escape(named.group(1))
            yield UrlFeature(
                rf"{letters}{_digits(digits)}{close}", True, f"a number behind {named.group(1)!r} at the end"
            )
        elif before and not before.isalpha():
            yield UrlFeature(
                rf"{re.escape(before)}{_digits(digits)}{close}", digits >= ID_DIGITS, "a number at the end"
            )
        elif not before and digits >= ID_DIGITS:
            yield UrlFeature(rf"/{_digits(digits)}{close}", True, "a number alone at the end")
    start = _NUMBER_AT_START.match(stem)
    if start:
        head = re.escape(start.group(1))
        yield UrlFeature(
            rf"/{head}{_digits(len(start.group(2)))}{re.escape(start.group(3))}[^/]+{close}",
            True,
            "a number before the slug",
        )
    for segment in segments[:-1]:
        alone = _NUMBERED_SEGMENT.match(segment)
        if alone and not re.match(r"(?:19|20)\d{4}(?:\d\d)?$", segment):
            head = re.escape(alone.group(1))
            yield UrlFeature(rf"/{head}{_digits(len(alone.group(2)))}/[^/]+/?", True, "a number as a part of its own")


def _digits(length: int) -> str:
    """Returns an expression for a number of this length, one digit less, or more: numbers grow."""
    return rf"\d{{{max(SHORT_ID_DIGITS, min(length - 1, 8))},}}"


def _dates(path: str) -> Iterator[UrlFeature]:
    found = _DATE.search(path)
    if found:
        separator = re.escape(found.group(2))
        month = "[a-z]{3}" if found.group(3).isalpha() else r"\d{1,2}" if separator else r"\d{2}"
        day = r"\d{1,2}" if separator else r"\d{2}"
        yield UrlFeature(rf"/\d{{4}}{separator}{month}{separator}{day}[-/_T].*[^/]", True, "a date in the path")
        return
    month_only = _MONTH.search(path)
    if month_only:
        yield UrlFeature(rf"/\d{{4}}{month_only.group(1)}\d{{1,2}}/[^/]*[a-zA-Z]", True, "a month in the path")


def _slugs(segments: list[str], stem: str, close: str) -> Iterator[UrlFeature]:
    pieces = len(re.split("[-_]+", stem.strip("-_")))
    if min(pieces, len(_WORDS.findall(stem))) < SLUG_WORDS:
        if not stem.isascii() and len(segments) > 1:
            yield UrlFeature(rf"^/{re.escape(segments[0])}/.*[^/]{{8,}}{close}", False, f"a name below /{segments[0]}/")
        return
    slug = rf"[^/\-_]+(?:[-_]+[^/\-_]+){{{min(pieces, LONG_SLUG) - 1},}}[-_]*"
    for depth in (2, 1):
        if len(segments) > depth:
            prefix = "/".join(re.escape(segment) for segment in segments[:depth])
            yield UrlFeature(
                rf"^/{prefix}/(?:[^/]+/)*{slug}{close}", False, f"a slug below /{'/'.join(segments[:depth])}/"
            )
    folders = rf"(?:[^/]+/){{{len(segments) - 1}}}" if len(segments) > 1 else ""
    yield UrlFeature(rf"^/{folders}{slug}{close}", False, f"a slug at depth {len(segments)}")
    yield UrlFeature(rf"/{slug}{close}", False, "a slug at the end")
