"""Serves Atom and JSON Feed: to who has logged in, and under secret addresses to feed readers that cannot log in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from newscrawl.actions.choices import FeedChoice
from newscrawl.errors import NotFoundError
from newscrawl.publishing.deliver.feeds import Feed, atom, check_scope, feed_of_scope, json_feed, scope_of
from newscrawl.storage.feed import feed_addresses
from newscrawl.storage.feed.feed_addresses import FeedScope
from newscrawl.storage.reader import Connection, ReadDatabase
from newscrawl.web.answers import answer, read_query
from newscrawl.web.gate import SECRET_FEEDS

FORMATS: Final[dict[str, tuple[Callable[[Feed], bytes], str]]] = {
    "atom": (atom, "application/atom+xml; charset=utf-8"),
    "json": (json_feed, "application/feed+json; charset=utf-8"),
}
UNKNOWN: Final = "there is no feed at this address, or it was revoked"
SECRET_LENGTH: Final = 43
"""Characters of 32 bytes in base64 without padding."""


@dataclass(frozen=True, slots=True)
class Feeds:
    """Serves the feeds of a database. `base` is the address of the pages."""

    database: ReadDatabase
    base: str

    def routes(self) -> list[BaseRoute]:
        """Returns a route of each format, with and without a secret."""
        named: list[BaseRoute] = [Route(f"/feed.{kind}", partial(self._named, kind)) for kind in FORMATS]
        return named + [Route(f"{SECRET_FEEDS}{{secret}}.{kind}", partial(self._secret, kind)) for kind in FORMATS]

    def _named(self, kind: str, request: Request) -> Response:
        query = read_query(FeedChoice, request.query_params.multi_items())
        scope = scope_of(query.site, query.language, query.search)
        with self.database.reading() as connection:
            check_scope(connection, scope)
            own = f"?{urlencode([(scope.kind, scope.value)])}" if scope.value is not None else ""
            return self._answer(request, connection, scope, kind, f"/feed.{kind}{own}")

    def _secret(self, kind: str, request: Request) -> Response:
        secret = request.path_params["secret"]
        if len(secret) != SECRET_LENGTH:
            raise NotFoundError(UNKNOWN)
        with self.database.reading() as connection:
            scope = feed_addresses.scope_of(connection, secret)
            if scope is None:
                raise NotFoundError(UNKNOWN)
            return self._answer(request, connection, scope, kind, f"{SECRET_FEEDS}{secret}.{kind}")

    def _answer(self, request: Request, connection: Connection, scope: FeedScope, kind: str, path: str) -> Response:
        feed = feed_of_scope(connection, scope, f"{self.base}{path}")
        if feed is None:
            raise NotFoundError(UNKNOWN)
        write, media_type = FORMATS[kind]
        return answer(request, write(replace(feed, home=f"{self.base}{_home(scope)}")), media_type)


def _home(scope: FeedScope) -> str:
    """Returns the path of the screen with the articles of a feed."""
    if scope.kind == "search":
        return "/consumers"
    return "/articles" if scope.value is None else f"/articles?{urlencode([(scope.kind, scope.value)])}"
