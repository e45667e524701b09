"""The screens of work that waits and of what operators decided: review, queue and hosts, feeds, what was forgotten."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from newscrawl.errors import UsageError
from newscrawl.publishing.deliver.feeds import title_of
from newscrawl.reports import fleet
from newscrawl.reports.fleet import Due, Work
from newscrawl.reports.review import InReview, Place, in_review
from newscrawl.reports.sources import Host, resting_hosts
from newscrawl.reports.views import LEASE_SCREEN, RESTING_SCREEN, REVIEW_SCREEN
from newscrawl.storage.captures import archive_files
from newscrawl.storage.captures.archive_files import Removal
from newscrawl.storage.feed import feed_addresses, standing_searches
from newscrawl.storage.feed.feed_addresses import FeedAddress, ScopeType
from newscrawl.storage.frontier.leases import Lease
from newscrawl.storage.monitoring import review_queue
from newscrawl.storage.reader import Connection
from newscrawl.storage.removal import blocklist, register
from newscrawl.storage.removal.blocklist import BlockedKey
from newscrawl.storage.removal.register import ForgottenEntry
from newscrawl.web.background import Reextraction
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
