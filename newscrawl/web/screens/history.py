"""The screen of a page's versions, with the difference between any two of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Final, Literal

from newscrawl.errors import NotFoundError, UsageError
from newscrawl.model.identity import url_key
from newscrawl.reports.history import CaptureLine, StoredVersion, best_capture, capture_lines, history
from newscrawl.storage.articles.deciding.differences import readable
from newscrawl.storage.reader import Connection
from newscrawl.web.screens.screen import Context, Screen

Kind = Literal["same", "removed", "added"]
_OPENING: Final = re.compile(r"\[-|\{\+")
_MARKS: Final[dict[str, tuple[str, Kind]]] = {"[-": ("-]", "removed"), "{+": ("+}", "added")}
"""The text that closes each mark of a difference, and the text between them."""


@dataclass(frozen=True, slots=True)
class HistoryQuery:
    """Which page, and which two of its versions are compared, by their numbers; by default the last two."""

    url: str
    older: int | None = None
    newer: int | None = None


@dataclass(frozen=True, slots=True)
class DiffPart:
    """Some words of a difference."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class VersionLine:
    """A version of the page, with its number from 1 on."""

    number: int
    article_id: int
    seen_at: datetime
    last_seen: datetime
    change_class: str
    verdict: str
    title: str | None
    authors: Sequence[str]
    published: datetime | None
    extractor: str
    words: int
    is_shown: bool
    new_entries: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class HistoryScreen:
    """The versions of a page, oldest first, and the paragraphs that differ between two of them. `difference` has one
    list of words for each paragraph. `capture` is the newest one whose bytes are kept."""

    url: str
    site: str
    versions: Sequence[VersionLine]
    older: int | None
    newer: int | None
    titles: Sequence[str | None]
    difference: Sequence[Sequence[DiffPart]]
    capture: CaptureLine | None = None


def load(connection: Connection, query: HistoryQuery, _context: Context) -> HistoryScreen:
    """Returns the versions of a page; none for one that has shown no article. Raises NotFoundError, and UsageError for
    a number that no version has."""
    past = history(connection, query.url)
    if past is None:
        raise NotFoundError(f"no page is stored for {query.url[:200]}")
    capture = best_capture(capture_lines(connection, [url_key(past.url)]))
    if not past.versions:
        return HistoryScreen(past.url, past.site, (), None, None, (), (), capture)
    number = len(past.versions)
    newer = query.newer or number
    older = query.older or max(1, newer - 1)
    if not (1 <= older <= number and 1 <= newer <= number):
        raise UsageError(f"this page has the versions 1 to {number}: compare two of them")
    a, b = past.versions[older - 1], past.versions[newer - 1]
    return HistoryScreen(
        past.url,
        past.site,
        tuple(_line(place, one, past.current) for place, one in enumerate(past.versions, 1)),
        older if number > 1 else None,
        newer if number > 1 else None,
        (a.title, b.title) if a.title != b.title else (),
        tuple(map(tuple, map(_parts, readable(a.text, b.text)))) if older != newer else (),
        capture,
    )


def _line(place: int, version: StoredVersion, current: int | None) -> VersionLine:
    own = {"number": place, "words": len(version.text.split()), "is_shown": version.article_id == current}
    return VersionLine(
        **own | {one.name: getattr(version, one.name) for one in fields(VersionLine) if one.name not in own}
    )


def _parts(line: str) -> Iterator[DiffPart]:
    """Yields the words of one line of a difference to read."""
    sign, text = line[:1], line[2:]
    if sign != "~":
        yield DiffPart("removed" if sign == "-" else "added", text)
        return
    end = position = 0
    closing = dict.fromkeys(_MARKS, True)  # an end that is missing is looked for once, however often its mark opens
    while found := _OPENING.search(text, position):
        position = found.end()
        mark, kind = _MARKS[found[0]]
        closed = text.find(mark, position) if closing[found[0]] else -1
        if closed < 0:
            closing[found[0]] = False
            continue
        if found.start() > end:
            yield DiffPart("same", text[end : found.start()])
        yield DiffPart(kind, text[position:closed])
        end = position = closed + len(mark)
    if end < len(text):
        yield DiffPart("same", text[end:])


SCREEN = Screen("history", "/history", "History", HistoryQuery, HistoryScreen, load, in_navigation=False)
