"""What many addresses of a site have in common: the pattern that a calendar, a filter or a session id repeats."""

from __future__ import annotations

import re
from hashlib import blake2b
from itertools import groupby
from typing import Final
from urllib.parse import urlsplit

SIGN: Final = "#"
"""Stands for a number or a code; no path holds it."""
LONGEST: Final = 400
"""Characters of a pattern; of a longer one the end is replaced by its hash."""
MOST_EQUAL: Final = 3
"""So many equal segments in a row are a link relative to itself, not a folder."""

_NUMBERS: Final = re.compile(r"[0-9a-f]{16,}|[0-9]+", re.IGNORECASE | re.ASCII)


def pattern_of(url: str) -> str:
    """Host, path with one sign for each number and each code of 16 and more hexadecimal digits, and the names of the
    parameters, each once and sorted."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return ""
    names = sorted({part.partition("=")[0] for part in parts.query.split("&") if part})
    query = "?" + "&".join(_NUMBERS.sub(SIGN, name) for name in names) if names else ""
    found = f"{host}{_NUMBERS.sub(SIGN, parts.path) or '/'}{query}"
    if len(found) <= LONGEST:
        return found
    return f"{found[: LONGEST - 20]}~{blake2b(found.encode('utf-8', 'replace'), digest_size=8).hexdigest()}"


def repeats_itself(url: str) -> bool:
    """Whether the path has three equal segments in a row that are not numbers: `/news/news/news/`."""
    try:
        segments = urlsplit(url).path.split("/")
    except ValueError:
        return False
    return any(
        segment and not segment.isdigit() and sum(1 for _ in equal) >= MOST_EQUAL
        for segment, equal in groupby(segments)
    )
