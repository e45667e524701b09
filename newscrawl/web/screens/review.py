"""The screen of pages that wait for review."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from newscrawl.errors import UsageError
from newscrawl.reports.review import InReview, Place, in_review
from newscrawl.reports.views import REVIEW_SCREEN
from newscrawl.storage.monitoring import review_queue
from newscrawl.storage.reader import Connection
from newscrawl.web.actions.reextractions import Reextraction
from newscrawl.web.screens.screen import Context, Screen, check_site

SIZE: Final = 50

_PLACE: Final = re.compile(r"(?P<confidence>[01]\.[0-9]{1,20})?-(?P<id>[0-9]{1,18})")


@dataclass(frozen=True, slots=True)
class ReviewQuery:
    """Which pages: of a site, and those after a part (`next`)."""

    site: str | None = None
    after: str | None = None


@dataclass(frozen=True, slots=True)
class ReviewScreen:
    """Pages that wait for review, the least confident first. `counts` are their numbers by site. `next` is the
    parameter `after` of the following part, None at the end. `can_reextract` is whether this server can extract them
    again, `reextractions` are the latest of these, the newest first."""

    counts: Mapping[str, int]
    pages: Sequence[InReview]
    next: str | None
    can_reextract: bool
    reextractions: Sequence[Reextraction]


def load(connection: Connection, query: ReviewQuery, context: Context) -> ReviewScreen:
    """Returns a part of the pages that wait for review. Raises UsageError for an unknown site."""
    counts = review_queue.counts(connection)
    if query.site not in counts:
        check_site(connection, query.site)
    after = _place(query.after) if query.after is not None else None
    pages = in_review(connection, query.site, after=after, limit=SIZE + 1)
    following = _parameter(pages[SIZE - 1].place) if len(pages) > SIZE else None
    work = context.reextractions
    return ReviewScreen(
        counts,
        pages[:SIZE],
        following,
        can_reextract=work is not None,
        reextractions=work.newest_first() if work is not None else (),
    )


def _parameter(place: Place) -> str:
    """Returns a place of the queue as a parameter, such as `0.4213-17`; `-17` without a confidence."""
    confidence, number = place
    return f"{confidence if confidence is not None else ''}-{number}"


def _place(parameter: str) -> Place:
    """Returns the place that a parameter names. Raises UsageError."""
    found = _PLACE.fullmatch(parameter)
    if found is None:
        raise UsageError(f"after={parameter[:50]!r}: give the value of `next`")
    return float(found["confidence"]) if found["confidence"] else None, int(found["id"])


SCREEN = Screen("review", "/review", "Review", ReviewQuery, ReviewScreen, load, views={"pages": REVIEW_SCREEN})
