"""The parts of a title between separators, and the removal of those that are the site's name."""

from __future__ import annotations

import re
from typing import Final

from newscrawl.metadata.text import caseless_nfkc_cached

SEPARATOR: Final = re.compile(
    r"(?<!\s)\s++(?:[-–—|·•:/~<>]|::)\s+|(?:(?<!\s)\s++)?+(?:[|»«‹›｜]\s*+|_(?=\S+$))|:\s+(?=\S+$)"
)
"""A match begins at the first of several blanks, so that many blanks take linear time."""

PARTS: Final = re.compile(rf"{SEPARATOR.pattern}|(?:(?<!\s)\s++)?+:\s+")
MIN_PART: Final = 4
"""Folded characters. A shorter name of a site may be part of a headline's word by chance."""
MAX_SITE_WORDS: Final = 5


def without_site(title: str, site: frozenset[str]) -> str:
    """Returns `title` without parts at its end or beginning that are the site's name."""
    while separator := last_separator(title):
        if not _is_site(title[separator.end() :], site):
            break
        title = title[: separator.start()].rstrip()
    while separator := SEPARATOR.search(title):
        if (
            not separator.start()
            or not _is_site(title[: separator.start()], site)
            or not title[separator.end() :].strip()
        ):
            break
        title = title[separator.end() :].lstrip()
    return title


def last_separator(title: str) -> re.Match[str] | None:
    """Returns the last separator that has text on both sides; None without one."""
    last = None
    for match in SEPARATOR.finditer(title):
        if match.start() and match.end() < len(title):
            last = match
    return last


def _is_site(part: str, site: frozenset[str]) -> bool:
    folded = caseless_nfkc_cached(part)
    if folded in site or folded.removeprefix("the") in site:
        return True
    if len(folded) < MIN_PART or len(part.split()) > MAX_SITE_WORDS:
        return False
    return any(len(name) >= MIN_PART and (name in folded or folded in name) for name in site)
