"""The result of reading one source: candidates, further sources, update hints and problems."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from newscrawl.model import Candidate

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
