"""What reading one source gives: candidates, further sitemaps to read, and what was wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from newscrawl.model import Candidate

CUT: Final = "more entries than are read of one source"
"""Problem of a source that goes on after its limit."""


@dataclass(frozen=True, slots=True)
class ChildSitemap:
    """A sitemap that a sitemap index names, and when the index says it last changed."""

    url: str
    lastmod: datetime | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """A source after reading. An unreadable one has no candidates and says why in `problems`; nothing is raised."""

    candidates: tuple[Candidate, ...] = ()
    children: tuple[ChildSitemap, ...] = ()
    problems: tuple[str, ...] = ()
