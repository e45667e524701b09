"""The screens of work that waits and of what operators decided: review, queue and hosts, standing searches and
consumers, feeds, what was forgotten, new sites."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from newscrawl.discovery.onboarding.survey_report import SurveyReport
from newscrawl.errors import NotFoundError, UsageError
from newscrawl.model.identity.masking import masked
from newscrawl.publishing.deliver.feeds import problem_of, title_of
from newscrawl.publishing.deliver.places import shown_place
from newscrawl.reports import fleet, shown_articles
from newscrawl.reports.fleet import Due, Work
from newscrawl.reports.publishing import Consumer, consumers
from newscrawl.reports.review import InReview, Place, in_review
from newscrawl.reports.shown_articles import ShownArticle
from newscrawl.reports.sources import Host, resting_hosts
from newscrawl.reports.views import LEASE_SCREEN, RESTING_SCREEN, REVIEW_SCREEN
from newscrawl.storage import deliveries
from newscrawl.storage.captures import archive_files
from newscrawl.storage.captures.archive_files import Removal
from newscrawl.storage.deliveries import SEARCHES, Delivery
from newscrawl.storage.feed import changes, feed_addresses, standing_searches
from newscrawl.storage.feed.feed_addresses import FeedAddress, ScopeType
from newscrawl.storage.feed.standing_searches import StandingSearch, StoryHit
from newscrawl.storage.frontier.leases import Lease
from newscrawl.storage.monitoring import review_queue
from newscrawl.storage.reader import Connection
from newscrawl.storage.removal import blocklist, register
from newscrawl.storage.removal.blocklist import BlockedKey
from newscrawl.storage.removal.register import ForgottenEntry
from newscrawl.web.background import MAX_SECONDS, Reextraction, Survey
from newscrawl.web.screens.screen import Context, NoParameters, Screen, check_site

REVIEWED: Final = 50
"""Pages in review of a part."""
BLOCKED: Final = 200
"""Blocked addresses and sites of a part."""
ADDRESSES: Final = 100
"""Secret addresses of feeds of a part."""
LATEST: Final = 100
"""Entries of the register, and requests to remove pages from archives."""

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


def load_review(connection: Connection, query: ReviewQuery, context: Context) -> ReviewScreen:
    """Returns a part of the pages that wait for review. Raises UsageError for an unknown site."""
    counts = review_queue.counts(connection)
    if query.site not in counts:
        check_site(connection, query.site)
    after = _place(query.after) if query.after is not None else None
    pages = in_review(connection, query.site, after=after, limit=REVIEWED + 1)
    following = _parameter(pages[REVIEWED - 1].place) if len(pages) > REVIEWED else None
    work = context.reextractions
    return ReviewScreen(
        counts,
        pages[:REVIEWED],
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


REVIEW = Screen("review", "/review", "Review", ReviewQuery, ReviewScreen, load_review, views={"pages": REVIEW_SCREEN})


@dataclass(frozen=True, slots=True)
class QueueScreen:
    """The work that is due first, at most 100 of each kind, without paused sites."""

    work: Work
    sources: Sequence[Due]
    pages: Sequence[Due]
    leases: Sequence[Lease]
    hosts: Sequence[Host]


def load_queue(connection: Connection, _query: NoParameters, context: Context) -> QueueScreen:
    """Returns what is due."""
    return QueueScreen(
        fleet.work(connection, context.now),
        fleet.due_sources(connection, context.now),
        fleet.due_pages(connection, context.now),
        fleet.leases_in_force(connection, context.now),
        resting_hosts(connection, context.now),
    )


_OF_QUEUE: Final = {"leases": LEASE_SCREEN, "hosts": RESTING_SCREEN}
QUEUE = Screen("queue", "/queue", "Queue", NoParameters, QueueScreen, load_queue, views=_OF_QUEUE)


@dataclass(frozen=True, slots=True)
class FeedsQuery:
    """Which secret addresses: those after a part (`next`)."""

    after: int | None = None


@dataclass(frozen=True, slots=True)
class AddressLine:
    """A secret address, without its secret. `revoked_at` is null while it works."""

    id: int
    title: str
    scope: ScopeType
    value: str | None
    made_at: datetime
    made_by: str
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True)
class FeedsScreen:
    """The secret addresses of feeds, the newest first, and the names of the standing searches. `next` is the parameter
    `after` of the following part, None at the end."""

    addresses: Sequence[AddressLine]
    searches: Sequence[str]
    next: int | None


def load_feeds(connection: Connection, query: FeedsQuery, _context: Context) -> FeedsScreen:
    """Returns a part of the addresses."""
    found = feed_addresses.listed(connection, ADDRESSES + 1, query.after)
    names = tuple(one.name for one in standing_searches.everything(connection))
    following = found[ADDRESSES - 1].id if len(found) > ADDRESSES else None
    return FeedsScreen(tuple(map(_line, found[:ADDRESSES])), names, following)


def _line(one: FeedAddress) -> AddressLine:
    scope = one.scope
    return AddressLine(one.id, title_of(scope), scope.kind, scope.value, one.made_at, one.made_by, one.revoked_at)


FEEDS = Screen("feeds", "/feeds", "Feeds", FeedsQuery, FeedsScreen, load_feeds)


@dataclass(frozen=True, slots=True)
class ForgottenQuery:
    """Which blocked addresses and sites: those after a part (`next`)."""

    after: str | None = None


@dataclass(frozen=True, slots=True)
class ForgottenScreen:
    """The latest entries of the register, what is blocked, sites first, and the latest requests to remove pages from
    archives. `next` is the parameter `after` of the following part of `blocked`, None at the end."""

    register: Sequence[ForgottenEntry]
    blocked: Sequence[BlockedKey]
    removals: Sequence[Removal]
    next: str | None


def load_forgotten(connection: Connection, query: ForgottenQuery, _context: Context) -> ForgottenScreen:
    """Returns what was forgotten."""
    found = blocklist.listed(connection, BLOCKED + 1, query.after)
    last = found[BLOCKED - 1] if len(found) > BLOCKED else None
    return ForgottenScreen(
        tuple(register.latest(connection, LATEST)),
        tuple(found[:BLOCKED]),
        tuple(archive_files.requests(connection, LATEST)),
        f"{last.kind}:{last.name}" if last is not None else None,
    )


FORGOTTEN = Screen("forgotten", "/forgotten", "Forgotten", ForgottenQuery, ForgottenScreen, load_forgotten)


SEARCHES_SHOWN: Final = 50
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


def load_consumers(connection: Connection, query: ConsumersQuery, _context: Context) -> ConsumersScreen:
    """Returns a part of the searches, and all consumers by name. Raises UsageError."""
    destinations: dict[str, list[Delivery]] = defaultdict(list)
    for destination in deliveries.of_stream(connection, SEARCHES):
        destinations[destination.subject].append(destination)
    failing = {name for name, own in destinations.items() if any(destination.attempts for destination in own)}
    wanted = sorted(standing_searches.everything(connection), key=lambda one: _search_place(one.name, failing))
    if query.after is not None:
        place = _read_search_place(query.after)
        wanted = [one for one in wanted if _search_place(one.name, failing) > place]
    part = wanted[:SEARCHES_SHOWN]
    following = ":".join(map(str, _search_place(part[-1].name, failing))) if len(wanted) > SEARCHES_SHOWN else None
    found = _searches(connection, part, destinations)
    return ConsumersScreen(changes.newest(connection), len(failing), found, shown_consumers(connection), following)


def _search_place(name: str, failing: Collection[str]) -> tuple[int, str]:
    return (0 if name in failing else 1), name


def _read_search_place(text: str) -> tuple[int, str]:
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


CONSUMERS = Screen("consumers", "/consumers", "Searches and consumers", ConsumersQuery, ConsumersScreen, load_consumers)


@dataclass(frozen=True, slots=True)
class AddQuery:
    """Which survey, by its number; by default the newest."""

    survey: int | None = None


@dataclass(frozen=True, slots=True)
class AddScreen:
    """Surveys of new sites, the newest first. `can_add` is False for a server without --actions. `shown` is the chosen
    survey, `report` what it found. A survey may take `max_seconds`."""

    can_add: bool
    max_seconds: int
    surveys: Sequence[Survey]
    shown: Survey | None
    report: SurveyReport | None


def load_add(_connection: Connection, query: AddQuery, context: Context) -> AddScreen:
    """Returns the surveys of this server. Raises NotFoundError."""
    found = context.surveys.newest_first() if context.surveys is not None else ()
    chosen = next((one for one in found if query.survey in {None, one.number}), None)
    if chosen is None and query.survey is not None:
        raise NotFoundError(f"no survey with the number {query.survey} is known; a server forgets them when it stops")
    return AddScreen(
        can_add=context.surveys is not None,
        max_seconds=int(MAX_SECONDS),
        surveys=tuple(map(_masked_survey, found)),
        shown=_masked_survey(chosen) if chosen is not None else None,
        report=chosen.report if chosen is not None else None,
    )


def _masked_survey(one: Survey) -> Survey:
    """Returns a survey without secrets in its addresses."""
    return replace(one, url=masked(one.url), requesting=_masked(one.requesting), problem=_masked(one.problem))


_OF_SURVEY: Final = "number url who state asked_at started_at ended_at requests requesting problem"
_OF_ADD: Final = {"surveys": _OF_SURVEY, "shown": _OF_SURVEY}
ADD = Screen("add", "/add", "Add a site", AddQuery, AddScreen, load_add, needs_actions=True, views=_OF_ADD)
