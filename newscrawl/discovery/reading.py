"""What reading one source gives: candidates, further sources, how often it asks to be read, what was wrong with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from newscrawl.model import Candidate

CUT: Final = "more entries than are read of one source"
"""Problem of a source that goes on after its limit."""

EMPTY: Final = "empty body"
HTML_INSTEAD: Final = "an HTML page instead of a feed"
ENTITIES: Final = "declares entities"
NO_FEED: Final = "neither RSS nor Atom nor JSON Feed"
TOO_COSTLY: Final = "more tags or longer ones than a feed has"
CUT_JSON: Final = "broken JSON, read as far as it goes"

MAX_TITLE: Final = 500
"""Characters kept of a title."""


@dataclass(frozen=True, slots=True)
class ChildSitemap:
    """A sitemap that a sitemap index names, and when the index says it last changed."""

    url: str
    lastmod: datetime | None = None


@dataclass(frozen=True, slots=True)
class UpdateHints:
    """How often a source asks to be read.

    `interval` is zero where it says nothing. `skip_hours` are hours of the day in UTC, `skip_days` days of the week
    (0 = Monday) in which nothing new comes (RSS 2.0; the interval from ttl or the syndication module's period).
    """

    interval: timedelta = timedelta(0)
    skip_hours: frozenset[int] = frozenset()
    skip_days: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Reading:
    """A source after reading. An unreadable one has no candidates and says why in `problems`; nothing is raised."""

    candidates: tuple[Candidate, ...] = ()
    children: tuple[ChildSitemap, ...] = ()
    problems: tuple[str, ...] = ()
    pace: UpdateHints = field(default_factory=UpdateHints)
    announced: tuple[str, ...] = ()
    """Feeds that an HTML page in the source's place announces."""
    mentions: tuple[Candidate, ...] = ()
    """Articles of other sites that a page links: to be remembered, not crawled."""
    title: str | None = None
    home: str | None = None
    """The page a feed says it belongs to."""
    language: str | None = None

    @property
    def entries(self) -> int:
        """How many addresses it names, of whatever kind."""
        return len(self.candidates) + len(self.children) + len(self.mentions)
