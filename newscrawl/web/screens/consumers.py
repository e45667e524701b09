"""The screen of standing searches, with what they found last, and of all consumers of the change feed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from newscrawl.errors import UsageError
from newscrawl.model.identity.masking import masked
from newscrawl.publishing.deliver.feeds import problem_of
from newscrawl.publishing.deliver.places import shown_place
from newscrawl.reports import shown_articles
from newscrawl.reports.publishing import Consumer, consumers
from newscrawl.reports.shown_articles import ShownArticle
from newscrawl.storage import deliveries
from newscrawl.storage.deliveries import SEARCHES, Delivery
from newscrawl.storage.feed import changes, standing_searches
from newscrawl.storage.feed.standing_searches import StandingSearch, StoryHit
from newscrawl.storage.reader import Connection
from newscrawl.web.screens.screen import Context, Screen

SIZE: Final = 50
HITS: Final = 3
"""Stories that are shown of each search."""


@dataclass(frozen=True, slots=True)
class ConsumersQuery:
    """Which standing searches: those after a part (`next`)."""

    after: str | None = None


@dataclass(frozen=True, slots=True)
class HitLine:
    """A story that a search has found. `updated_at` is when it was found or corrected last. `url` and `title` are null
    if no page shows its article."""

    story_id: int
    article_id: int
    url: str | None
    title: str | None
    found_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class DestinationLine:
    """A destination of a search, without secrets. `is_behind` is whether it lacks an event. `attempts` is the number of
    failures in a row, `problem` why the last one failed, `next_at` when it is tried next."""

    place: str
    digest_hours: int
    is_behind: bool
    attempts: int
    problem: str | None
    next_at: datetime


@dataclass(frozen=True, slots=True)
class SearchLine:
    """A standing search with the stories that it found or that were corrected last. `problem` says why it is not
    evaluated: its query cannot be read."""

    name: str
    query: str
    problem: str | None
    saved_at: datetime
    hits: Sequence[HitLine]
    destinations: Sequence[DestinationLine]


@dataclass(frozen=True, slots=True)
class ConsumersScreen:
    """Standing searches by name, those with a failing destination first, and all consumers of the change feed.
    `failing` is the number of searches with such a destination; `newest` is the number of the last change of the feed.
    `next` is the parameter `after` of the following part of the searches, None at the end."""

    newest: int
    failing: int
    searches: Sequence[SearchLine]
    consumers: Sequence[Consumer]
    next: str | None


def load(connection: Connection, query: ConsumersQuery, _context: Context) -> ConsumersScreen:
    """Returns a part of the searches, and all consumers by name. Raises UsageError."""
    destinations: dict[str, list[Delivery]] = defaultdict(list)
    for destination in deliveries.of_stream(connection, SEARCHES):
        destinations[destination.subject].append(destination)
    failing = {name for name, own in destinations.items() if any(destination.attempts for destination in own)}
    wanted = sorted(standing_searches.everything(connection), key=lambda one: _place(one.name, failing))
    if query.after is not None:
        place = _read_place(query.after)
        wanted = [one for one in wanted if _place(one.name, failing) > place]
    part = wanted[:SIZE]
    following = ":".join(map(str, _place(part[-1].name, failing))) if len(wanted) > SIZE else None
    found = _searches(connection, part, destinations)
    return ConsumersScreen(changes.newest(connection), len(failing), found, shown_consumers(connection), following)


def _place(name: str, failing: Collection[str]) -> tuple[int, str]:
    return (0 if name in failing else 1), name


def _read_place(text: str) -> tuple[int, str]:
    first, between, name = text.partition(":")
    if first not in {"0", "1"} or not between:
        raise UsageError(f"after={text[:50]!r}: give the `next` of the part before")
    return int(first), name


def _searches(
    connection: Connection, part: Sequence[StandingSearch], destinations: Mapping[str, Sequence[Delivery]]
) -> Sequence[SearchLine]:
    hits = {one.name: standing_searches.newest(connection, one.name, HITS) for one in part}
    shown = shown_articles.by_article(connection, {hit.article_id for own in hits.values() for hit in own})
    searches = []
    for one in part:
        last = deliveries.newest(connection, SEARCHES, one.name)
        of_search = tuple(_destination(destination, last) for destination in destinations.get(one.name, ()))
        stories = tuple(_hit(hit, shown.get(hit.article_id)) for hit in hits[one.name])
        searches.append(SearchLine(one.name, one.query, problem_of(one.query), one.saved_at, stories, of_search))
    return tuple(searches)


def _hit(hit: StoryHit, shown: ShownArticle | None) -> HitLine:
    url, title = (shown.url, shown.title) if shown is not None else (None, None)
    return HitLine(hit.story_id, hit.article_id, url, title, hit.found_at, hit.updated_at)


def _destination(destination: Delivery, last: int) -> DestinationLine:
    is_behind, problem = last > destination.sent_upto, _masked(destination.last_error)
    known = (destination.digest_hours, is_behind, destination.attempts, problem, destination.next_at)
    return DestinationLine(shown_place(destination.place), *known)


def shown_consumers(connection: Connection) -> Sequence[Consumer]:
    """Returns all consumers of the change feed by name, without secrets."""
    found = consumers(connection)
    return [replace(one, name=masked(one.name), last_error=_masked(one.last_error)) for one in found]


def _masked(text: str | None) -> str | None:
    return masked(text) if text is not None else None


SCREEN = Screen("consumers", "/consumers", "Searches and consumers", ConsumersQuery, ConsumersScreen, load)
