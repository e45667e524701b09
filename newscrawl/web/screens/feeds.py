"""The screen of feeds: what can be read as Atom and JSON Feed, and the secret addresses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from newscrawl.deliver.feeds import title_of
from newscrawl.storage.feed import feed_addresses, standing_searches
from newscrawl.storage.feed.feed_addresses import FeedAddress, ScopeType
from newscrawl.storage.reader import Connection
from newscrawl.web.screens.screen import Context, Screen

SIZE: Final = 100


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


def load(connection: Connection, query: FeedsQuery, _context: Context) -> FeedsScreen:
    """Returns a part of the addresses."""
    found = feed_addresses.listed(connection, SIZE + 1, query.after)
    names = tuple(one.name for one in standing_searches.everything(connection))
    following = found[SIZE - 1].id if len(found) > SIZE else None
    return FeedsScreen(tuple(map(_line, found[:SIZE])), names, following)


def _line(one: FeedAddress) -> AddressLine:
    scope = one.scope
    return AddressLine(one.id, title_of(scope), scope.kind, scope.value, one.made_at, one.made_by, one.revoked_at)


SCREEN = Screen("feeds", "/feeds", "Feeds", FeedsQuery, FeedsScreen, load)
