"""Reads the entries of a feed that is too broken for a parser, by regular expressions."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from newscrawl.discovery.dates import from_text
from newscrawl.discovery.feeds.entries import Entries

_ENTRY: Final = re.compile(r"<(?:\w+:)?(?:item|entry)[\s>]", re.IGNORECASE)
_LINK: Final = re.compile(
    r"""<(?:link|guid|id)\b[^<>]{0,300}?(?:\bhref\s*=\s*["']([^"'<>]+)["']|>\s*+(?:<!\[CDATA\[)?+\s*+(https?://[^<>\]\s]+))""",
    re.IGNORECASE,
)
_TITLE: Final = re.compile(r"<title\b[^<>]{0,300}>\s*(?:<!\[CDATA\[)?([^<]+)", re.IGNORECASE)
_DATE: Final = re.compile(r"<(?:pubdate|published|issued|updated|\w+:date)>\s*(?:<!\[CDATA\[)?([^<\]]+)", re.IGNORECASE)
_MODIFIED: Final = re.compile(r"<(?:\w+:)?(?:updated|modified)>\s*(?:<!\[CDATA\[)?([^<\]]+)", re.IGNORECASE)

MAX_ENTRY: Final = 20_000
"""Characters of an entry that are searched."""


def read_rough(text: str, entries: Entries, base: str, limit: int) -> None:
    """Adds an entry for each piece that begins like one, with its first address, title and date."""
    starts = [match.end() for match, _ in zip(_ENTRY.finditer(text), range(limit), strict=False)]
    for start, end in pairwise([*starts, len(text)]):
        piece = text[start : min(end, start + MAX_ENTRY)]
        title, date, modified = _TITLE.search(piece), _DATE.search(piece), _MODIFIED.search(piece)
        entries.add(
            base,
            [first or second for first, second in _LINK.findall(piece)[:3]],
            title.group(1) if title else None,
            from_text(date.group(1)) if date else None,
            from_text(modified.group(1)) if modified else None,
        )
