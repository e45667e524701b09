"""The screen of pages that wait for review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from newscrawl.storage import Connection
from newscrawl.storage.monitoring import review_queue
from newscrawl.storage.overview import review_lines
from newscrawl.storage.overview.review_lines import ReviewLine
from newscrawl.web.screens.screen import Context, Screen

SIZE: Final = 50


@dataclass(frozen=True, slots=True)
class ReviewQuery:
    """Which pages: of a site, and those after a part (`next`)."""

    site: str | None = None
    after: int | None = None


@dataclass(frozen=True, slots=True)
class ReviewScreen:
    """Pages that wait for review, the newest first. `counts` are their numbers by site. `next` is the parameter `after`
    of the following part, None at the end."""

    counts: Mapping[str, int]
    pages: Sequence[ReviewLine]
    next: int | None


def load(connection: Connection, query: ReviewQuery, _context: Context) -> ReviewScreen:
    """Returns a part of the pages that wait for review."""
    counts = review_queue.counts(connection)
    pages = review_lines.part(connection, query.site, SIZE + 1, query.after)
    following = pages[SIZE - 1].id if len(pages) > SIZE else None
    return ReviewScreen(counts, tuple(pages[:SIZE]), following)


SCREEN = Screen("review", "/review", "Review", ReviewQuery, ReviewScreen, load)
