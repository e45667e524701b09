"""The ASGI application: the routes of all screens, their JSON twins, the captures, the actions and the log-in."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Scope

from newscrawl.archive.read import Archived
from newscrawl.errors import NewscrawlError, NotFoundError, UsageError
from newscrawl.extraction.explain.style import POLICY
from newscrawl.model.jsonable import to_bytes
from newscrawl.storage.reader import ReadDatabase
from newscrawl.web.answers import (
    HTML,
    JSON,
    TEXT,
    answer,
    as_parameters,
    is_navigation,
    read_query,
    refusal_answer,
    refusal_of,
    wants_json,
)
from newscrawl.web.background import Reextractions, Surveys
from newscrawl.web.captures import CaptureQuery, CaptureReader
from newscrawl.web.feeds import Feeds
from newscrawl.web.gate import HEALTH, ONLY_SHOWS, WHO, Gate, Refusal
from newscrawl.web.recent import Recent
from newscrawl.web.rendering import compile_templates, render, static_file
from newscrawl.web.screen_list import SCREENS
from newscrawl.web.screens import sites
from newscrawl.web.screens.screen import Context, Screen
from newscrawl.web.screens.sites import SitesQuery
from newscrawl.web.sessions import Logins, Notices, SessionPages
from newscrawl.web.settings import Clock, WebSettings

logger = logging.getLogger(__name__)

SANDBOX: Final = f"sandbox; {POLICY}; frame-ancestors 'self'"
"""Content-Security-Policy of an explained page: its own style sheet, no script, no request, an origin of its own."""
FILES: Final = {
    "style.css": "text/css; charset=utf-8",
    "refresh.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
HEALTH_LIFE: Final = timedelta(seconds=1)
"""The time for which an answer about the database holds. Strangers may ask for it as often as they like, and each
reading opens a connection."""


CONNECTING: Final = 60.0
"""Seconds that an answer of /health waits for the database at most, as long as a connection takes."""


def utc_now() -> datetime:
    """Returns the present time."""
    return datetime.now(UTC)


class Pages:
    """Answers requests for screens. `logins` gives access to them."""

    def __init__(self, settings: WebSettings, logins: Logins, clock: Clock) -> None:
        self.settings = settings
        self.logins = logins
        self.clock = clock
        self.cookie = f"newscrawl_{settings.listening.port}"
        self.database = ReadDatabase(settings.database_url)
        self.recent = Recent()
        self.alive = Recent(wait=CONNECTING)
        self.notices = Notices()
        self.surveys = Surveys(settings.database_url, clock) if settings.actions else None
        project = settings.project if settings.actions else None
        self.reextractions = Reextractions(project, clock) if project is not None else None
        self.captures = CaptureReader(settings.archive_folder, settings.options, settings.review_chains)

    def context(self) -> Context:
        """Returns what the screens know of this request."""
        url, folder = self.settings.database_url, self.settings.archive_folder
        return Context(self.clock(), url, self.database.reading, folder, self.recent, self.surveys, self.reextractions)

    def warm_up(self) -> None:
        """Makes what the first views would wait for: the templates, and the state of all sites."""
        compile_templates()
        try:
            with self.database.reading() as connection:
                sites.load(connection, SitesQuery(), self.context())
        except NewscrawlError as error:  # the first view tells whoever looks
            logger.warning("cannot read the state of the sites: %s", error)

    def close(self) -> None:
        """Ends what runs besides the server."""
        for one in (self.captures, self.surveys, self.reextractions):
            if one is not None:
                one.close()

    def health(self, _request: Request) -> Response:
        """Returns 200 if the database can be read, 503 if not, without details. Who asks needs no log-in. While one
        thread tries to read, the others give the last answer."""
        if self.alive.shared("health", self.clock(), HEALTH_LIFE, timedelta.max, self._is_readable):
            return JSONResponse({"status": "ok"})
        return JSONResponse({"status": "unavailable"}, 503)

    def _is_readable(self) -> bool:
        try:
            with self.database.reading():
                return True
        except NewscrawlError:
            return False

    def shown(self, screen: Screen, request: Request) -> Response:
        """Returns a screen as a page, or as JSON for its twin."""
        context, who = self.context(), request.scope["state"][WHO]
        query = read_query(screen.query, request.query_params.multi_items())
        as_json, problem = request.url.path.endswith(".json"), ""
        try:
            with self.database.reading() as connection:
                value = screen.load(connection, query, context)
        except UsageError as error:
            if as_json or screen.empty is None or isinstance(error, NotFoundError):
                raise
            value, problem = screen.empty, str(error)
        if as_json:
            return answer(request, to_bytes(screen.as_json(value)), JSON)
        page = render(
            screen.name,
            context.now,
            screen=screen,
            query=query,
            parameters=as_parameters(query),
            value=value,
            problem=problem,
            has_actions=self.settings.actions,
            who=who,
            notice=self.notices.take(who) if is_navigation(request) else (),
        )
        return answer(request, page, HTML, 400 if problem else 200)

    async def archived(self, request: Request) -> Archived:
        """Returns the place of the capture that an address names. Raises UsageError or NotFoundError."""

        def found() -> Archived:
            query = read_query(CaptureQuery, request.query_params.multi_items())
            with self.database.reading() as connection:
                return self.captures.archived(connection, query.capture)

        return await run_in_threadpool(found)

    async def explain(self, request: Request) -> Response:
        """Returns the page around an explained page."""
        return self._of_capture(request, "explain", archived=await self.archived(request))

    async def explained(self, request: Request) -> Response:
        """Returns the explained page alone. Its policy lets a browser treat it as the page of a stranger."""
        archived = await self.archived(request)
        try:
            response = answer(request, (await self.captures.explain(archived)).encode("utf-8", "replace"), HTML)
        except NotFoundError as error:
            if wants_json(request.scope):
                raise
            response = Response(str(error), 404, media_type=TEXT)  # a frame shows it, unlike the page of an error
        response.headers["content-security-policy"] = SANDBOX
        response.headers["x-frame-options"] = "SAMEORIGIN"
        return response

    async def read_from(
        self, template: str, read: Callable[[Archived], Awaitable[object]], request: Request
    ) -> Response:
        """Returns what is read from a capture, as a page or as JSON."""
        found = await read(await self.archived(request))
        if request.url.path.endswith(".json"):
            return answer(request, to_bytes(found), JSON)
        return self._of_capture(request, template, value=found)

    def _of_capture(self, request: Request, template: str, **values: object) -> Response:
        """Returns a page about a capture that has a body."""
        capture = {"id": request.query_params["capture"], "has_body": True}
        page = render(template, self.clock(), capture=capture, has_actions=self.settings.actions, **values)
        return answer(request, page, HTML)

    def refused(self, scope: Scope, refusal: Refusal) -> Response:
        """Returns the answer to a request that is refused."""
        has_actions, has_token = self.settings.actions, self.logins.has_token
        return refusal_answer(scope, refusal, self.clock(), has_actions=has_actions, has_token=has_token)

    def act_refused(self, request: Request) -> Response:
        """Refuses an action of a server that only shows."""
        return self.refused(request.scope, ONLY_SHOWS)

    def on_error(self, request: Request, error: Exception) -> Response:
        """Returns the answer to a request whose answer could not be made."""
        return self.refused(request.scope, refusal_of(error, is_known=request.scope["state"][WHO] is not None))

    def routes(self) -> list[BaseRoute]:
        """Returns all routes: each screen with its JSON twin, the captures, the actions, the log-in and the files."""
        found: list[BaseRoute] = []
        for screen in SCREENS:
            found += [Route(path, partial(self.shown, screen)) for path in (screen.path, screen.json_path)]
        found += [Route(f"/static/{name}", partial(_file, name, kind)) for name, kind in FILES.items()]
        found += [Route("/explain", self.explain), Route("/explained", self.explained)]
        of_captures = {
            "headers": self.captures.headers,
            "fields": self.captures.fields,
            "compare": self.captures.compare,
        }
        for name, read in of_captures.items():
            found += [Route(path, partial(self.read_from, name, read)) for path in (f"/{name}", f"/{name}.json")]
        found += self._action_routes()
        found += Feeds(self.database, self.settings.base).routes()
        found.append(Route(HEALTH, self.health))
        found += SessionPages(self.logins, self.cookie, self.clock, self.refused, self.settings.is_secure).routes()
        return found

    def _action_routes(self) -> list[BaseRoute]:
        """Returns the routes of actions; without `--actions` a route that refuses them all."""
        if not self.settings.actions or self.settings.open_store is None:
            return [Route("/act/{name}", self.act_refused, methods=["GET", "POST"])]
        from newscrawl.web.actions import action_routes  # only here: what writes to the database takes 25 MB

        return action_routes(self, self.settings.open_store)


def make_application(settings: WebSettings, logins: Logins, clock: Clock = utc_now, pages: Pages | None = None) -> Gate:
    """Returns the application over these pages. Raises StorageError for a database that cannot be opened,
    MissingDatabase without one."""
    pages = pages or Pages(settings, logins, clock)
    handlers = dict.fromkeys((HTTPException, NewscrawlError, Exception), pages.on_error)
    return Gate(
        Starlette(routes=pages.routes(), exception_handlers=handlers),
        logins=logins,
        hosts=settings.hosts,
        origins=settings.origins,
        cookie=pages.cookie,
        has_actions=settings.actions,
        refuse=pages.refused,
    )


def _file(name: str, kind: str, request: Request) -> Response:
    return answer(request, static_file(name), kind)
