"""Reading one source: its result, the limits of its cost, and how its body is recognised and opened.

A result has candidates, further sources, update hints and problems. A body is recognised by its first bytes, because
the Content-Type of servers is often wrong.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

from newscrawl.errors import BadAnswer, NewscrawlError
from newscrawl.model import Candidate, content_encoding

CUT: Final = "more entries than are read of one source"
"""The problem of a source with more entries than its limit."""

EMPTY: Final = "empty body"
HTML_INSTEAD: Final = "an HTML page instead of a feed"
ENTITIES: Final = "declares entities"
NO_FEED: Final = "neither RSS nor Atom nor JSON Feed"
TOO_COSTLY: Final = "more tags or longer ones than a feed has"
CUT_JSON: Final = "broken JSON, read as far as it goes"

MAX_TITLE: Final = 500
"""Characters of a title that are kept."""


@dataclass(frozen=True, slots=True)
class ChildSitemap:
    """A sitemap that a sitemap index names, and the date of its last change according to the index."""

    url: str
    lastmod: datetime | None = None


@dataclass(frozen=True, slots=True)
class UpdateHints:
    """How often a source asks to be read.

    `interval` is from ttl or the syndication module's period, zero if there is none. `skip_hours` are hours of the day
    in UTC and `skip_days` days of the week (0 = Monday) in which no news is published (RSS 2.0).
    """

    interval: timedelta = timedelta(0)
    skip_hours: frozenset[int] = frozenset()
    skip_days: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class SourceContents:
    """The contents of a source. An unreadable one has no candidates, and `problems` says why; nothing is raised."""

    candidates: tuple[Candidate, ...] = ()
    children: tuple[ChildSitemap, ...] = ()
    problems: tuple[str, ...] = ()
    update_hints: UpdateHints = field(default_factory=UpdateHints)
    announced: tuple[str, ...] = ()
    """The feeds that an HTML page in the source's place announces."""
    title: str | None = None
    home: str | None = None
    """The page that a feed belongs to, as it states."""
    language: str | None = None

    @property
    def entries(self) -> int:
        """The number of addresses that it names, of all kinds."""
        return len(self.candidates) + len(self.children)


DEPTH: Final = "discovery/over_depth"
DOCUMENTS: Final = "discovery/over_documents"
BYTES: Final = "discovery/over_bytes"
ENTRIES: Final = "discovery/over_entries"
CPU: Final = "discovery/over_cpu"
SEEN: Final = "discovery/seen"

BODY_SECONDS: Final = 10.0
"""CPU seconds that reading one body may take. The largest sitemap that the protocol allows, 50,000 entries in 48 MB,
takes 3.6 s (docs/explanation/discovery.md). Feeds and front pages take milliseconds. The rest is for slower
machines."""

TREE_SECONDS: Final = 30.0
"""CPU seconds for one source and everything below it. The 100,000 entries of `Budget` take 7 s in the largest sitemaps;
the rest allows three bodies that use up `BODY_SECONDS`."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of one source and everything below it, because sitemaps may name further ones without end.

    `depth` is the number of indexes above a document: the protocol allows one, sites use two. `documents` and `entries`
    are numbers, `bytes` counts decompressed bytes, `seconds` is CPU time.
    """

    depth: int = 3
    documents: int = 50
    bytes: int = 200_000_000
    entries: int = 100_000
    seconds: float = TREE_SECONDS
    """CPU time for reading."""


@dataclass(frozen=True, slots=True)
class SourceUsage:
    """The resources that a source has used so far. Each method returns a new value."""

    documents: int = 0
    bytes: int = 0
    entries: int = 0
    seconds: float = 0.0
    seen: frozenset[str] = frozenset()
    """URL keys of the requested documents and, after redirects, of the addresses that answered."""
    flags: frozenset[str] = frozenset()
    """Why the last refused document was refused: some of the codes above (`discovery/...`)."""

    def with_request(self, key: str, depth: int, budget: Budget) -> tuple[SourceUsage, bool]:
        """Returns the new value, and whether the document with this URL key may be requested. If not, the `flags` of
        the new value say why."""
        if key in self.seen:
            return replace(self, flags=frozenset({SEEN})), False
        over = {
            DEPTH: depth > budget.depth,
            DOCUMENTS: self.documents >= budget.documents,
            BYTES: self.bytes >= budget.bytes,
            ENTRIES: self.entries >= budget.entries,
            CPU: self.seconds >= budget.seconds,
        }
        reached = frozenset(flag for flag, is_met in over.items() if is_met)
        if reached:
            return replace(self, flags=reached), False
        return replace(self, documents=self.documents + 1, seen=self.seen | {key}), True

    def with_answer(self, key: str, size: int, entries: int) -> SourceUsage:
        """Returns the value after an answer of `size` bytes with `entries` entries from the address with this key."""
        return replace(self, bytes=self.bytes + size, entries=self.entries + entries, seen=self.seen | {key})

    def with_cpu_time(self, seconds: float) -> SourceUsage:
        """Returns the value after `seconds` of CPU time, whether or not the body could be read."""
        return replace(self, seconds=self.seconds + seconds)

    def left(self, budget: Budget) -> Budget:
        """Returns the budget that is left for the next document."""
        return replace(
            budget,
            documents=max(0, budget.documents - self.documents),
            bytes=max(0, budget.bytes - self.bytes),
            entries=max(0, budget.entries - self.entries),
            seconds=max(0.0, budget.seconds - self.seconds),
        )


_HTML_START: Final = re.compile(rb"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_FEED_BEHIND: Final = re.compile(
    rb"[^<>]{0,200}>\s*(?:<\?xml[^>]{0,200}>\s*)?<(?:rss|feed|rdf:rdf)[\s>]", re.IGNORECASE
)
_SITEMAP: Final = re.compile(rb"<(?:\w{1,20}:)?(?:urlset|sitemapindex)[\s>]", re.IGNORECASE)
_START: Final = 10_000

MAX_LAYERS: Final = 2
"""Layers of gzip that are opened: a .xml.gz inside a gzip content. Deeper nesting is an attack."""
_MAGIC: Final = b"\x1f\x8b"


def starts_as_html(body: bytes) -> bool:
    """Returns whether a body is HTML after byte order mark, XML declaration and comments."""
    rest = body[:_START].removeprefix(b"\xef\xbb\xbf").lstrip()
    while rest.startswith((b"<!--", b"<?")):
        rest = rest.partition(b"-->" if rest.startswith(b"<!--") else b">")[2].lstrip()
    html = _HTML_START.match(rest)
    # A template's document type may stand before a feed.
    return html is not None and not _FEED_BEHIND.match(rest, html.end())


def is_sitemap(body: bytes) -> bool:
    """Returns whether the body has the root element of a sitemap."""
    return bool(_SITEMAP.search(body[:2_000]))


class UnpackError(NewscrawlError):
    """A compressed body is broken from the start, or larger than the limit."""


def gunzip(body: bytes, limit: int) -> bytes:
    """Returns `body` decompressed if it is gzip, at most `limit` bytes. Of a truncated archive, the readable part is
    returned.

    Raises UnpackError when the content is larger than the limit or nothing can be read.
    """
    for _ in range(MAX_LAYERS):
        if not body.startswith(_MAGIC):
            break
        body = _open(body, limit)
    if body.startswith(_MAGIC):
        raise UnpackError(f"gzip inside gzip more than {MAX_LAYERS} deep")
    if len(body) > limit:
        raise UnpackError(f"larger than {limit} bytes")
    return body


def _open(body: bytes, limit: int) -> bytes:
    try:
        opened = content_encoding.gunzip(body, limit + 1)
    except (zlib.error, BadAnswer) as error:
        raise UnpackError(f"broken gzip: {error}") from error
    if len(opened) > limit:
        raise UnpackError(f"larger than {limit} bytes when unpacked")
    return opened
