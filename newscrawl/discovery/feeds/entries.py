"""The entries of a feed of any format as candidates: one for each address, with the data of its duplicates. A feed that
is too broken for a parser is read here by regular expressions."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from typing import Final

from newscrawl.discovery.links.article_urls import is_file
from newscrawl.discovery.links.resolve import key_of, resolve, unwrapped
from newscrawl.discovery.reading import MAX_TITLE
from newscrawl.model import Candidate, Discovery
from newscrawl.model.written_dates.parse_date import read_source_date

_TAG: Final = re.compile(r"<[^<>]*>")
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]+")

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


class Entries:
    """The entries of one feed that were read so far, in the feed's order."""

    def __init__(self, feed_url: str) -> None:
        self.feed_url = feed_url
        self.found: dict[str, Candidate] = {}

    def add(
        self,
        base: str,
        links: Iterable[str],
        title: str | None,
        published: datetime | None,
        modified: datetime | None = None,
    ) -> None:
        """Adds an entry under the first of `links` that is the address of a page. An entry without one is left out.

        `modified` is the date of the last change, if the feed states one beside or instead of the publication date.
        """
        url = next((u for link in links if (u := resolve(base, link)) and not is_file(u)), None)
        url = unwrapped(url) if url else None
        key = key_of(url) if url else None
        if url is None or key is None:
            return
        entry = Discovery("feed", self.feed_url, plain(title), published, modified)
        known = self.found.get(key)
        if known is not None:
            was = known.discovery
            entry = replace(
                was,
                title=was.title or entry.title,
                published=was.published or entry.published,
                modified=was.modified or entry.modified,
            )
        self.found[key] = Candidate(known.url if known else url, entry)

    def candidates(self) -> tuple[Candidate, ...]:
        """Returns the entries as candidates."""
        return tuple(self.found.values())


def plain(title: str | None) -> str | None:
    """Returns a title without mark-up. Entities that were escaped twice are decoded, too."""
    if not title:
        return None
    text = html.unescape(_TAG.sub(" ", html.unescape(title[: 4 * MAX_TITLE])))
    return " ".join(_CONTROLS.sub(" ", text).split())[:MAX_TITLE].strip() or None


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
            read_source_date(date.group(1)) if date else None,
            read_source_date(modified.group(1)) if modified else None,
        )
