"""The pattern that many addresses of a site share, such as those of a calendar, a filter or a session id."""

from __future__ import annotations

import re
from hashlib import blake2b
from itertools import groupby
from typing import Final
from urllib.parse import urlsplit

SIGN: Final = "#"
"""The sign for a number or a code. No path contains it."""
ALL: Final = f"/{SIGN}{SIGN}"
"""The end of the pattern of a directory. Numbers beside each other are one, so no other pattern contains it."""
MAX_LENGTH: Final = 400
"""Characters of a pattern. The end of a longer one is replaced by its hash."""
MAX_EQUAL: Final = 3
"""This many equal segments in a row come from a link that is relative to itself, not from folders."""

_NUMBERS: Final = re.compile(r"[0-9a-f]{16,}|[0-9]+", re.IGNORECASE | re.ASCII)


def pattern_of(url: str) -> str:
    """Returns the pattern of an address: host, path with one sign for each number and each code of 16 or more
    hexadecimal digits, and the sorted names of its parameters. Returns "" for an address that cannot be split."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return ""
    names = sorted({part.partition("=")[0] for part in parts.query.split("&") if part})
    query = "?" + "&".join(_NUMBERS.sub(SIGN, name) for name in names) if names else ""
    pattern = f"{host}{_NUMBERS.sub(SIGN, parts.path) or '/'}{query}"
    if len(pattern) <= MAX_LENGTH:
        return pattern
    return f"{pattern[: MAX_LENGTH - 20]}~{blake2b(pattern.encode('utf-8', 'replace'), digest_size=8).hexdigest()}"


def directory_of(url: str) -> str:
    """Returns the pattern of all addresses beside this one: host and path without the last segment, with `SIGN` twice
    in its place, which no pattern of a single address has. Returns "" for an address that cannot be split."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return ""
    above = parts.path.rstrip("/").rpartition("/")[0]
    return f"{host}{_NUMBERS.sub(SIGN, above)}"[: MAX_LENGTH - len(ALL)] + ALL


def repeats_itself(url: str) -> bool:
    """Returns whether the path has three equal segments in a row that are not numbers: `/news/news/news/`."""
    try:
        segments = urlsplit(url).path.split("/")
    except ValueError:
        return False
    return any(
        segment and not segment.isdigit() and sum(1 for _ in equal) >= MAX_EQUAL for segment, equal in groupby(segments)
    )
