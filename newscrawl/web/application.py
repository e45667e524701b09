"""The ASGI application: the routes of all screens, their JSON twins, and the log-in."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Final

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import Scope

from newscrawl.archive.read import Archived
from newscrawl.errors import NewscrawlError, UsageError
from newscrawl.explain.style import POLICY
from newscrawl.identity.masking import masked
from newscrawl.jsonable import to_bytes
from newscrawl.storage.reader import ReadDatabase
from newscrawl.web.access.gate import SECRET_FEEDS, WHO, Gate
from newscrawl.web.access.health import Health
from newscrawl.web.access.logins import Logins
from newscrawl.web.access.rules import Refusal
from newscrawl.web.access.session_pages import SessionPages
from newscrawl.web.actions.reextractions import Reextractions
from newscrawl.web.actions.surveys import Surveys
from newscrawl.web.answers import (
    HTML,
    JSON,
    TEXT,
    answer,
    is_navigation,
    refusal_answer,
    refusal_of,
    refusal_of_http,
    wants_json,
)
from newscrawl.web.captures import CaptureQuery, CaptureReader
from newscrawl.web.feeds import Feeds
from newscrawl.web.notices import Notices
from newscrawl.web.queries import NotFoundError, as_parameters, read_query
from newscrawl.web.recent import Recent
from newscrawl.web.rendering import compile_templates, render, static_file
from newscrawl.web.screen_list import SCREENS
from newscrawl.web.screens import sites
from newscrawl.web.screens.screen import Context, Screen
from newscrawl.web.screens.sites import SitesQuery
from newscrawl.web.settings import Clock, WebSettings

logger = logging.getLogger(__name__)

SANDBOX: Final = f"sandbox; {POLICY}; frame-ancestors 'self'"
"""Content-Security-Policy of an explained page: its own style sheet, no script, no request, an origin of its own."""

FILES: Final = {
    "style.css": "text/css; charset=utf-8",
    "refresh.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}


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
        self.notices = Notices()
        self.surveys = Surveys(settings.database_url, clock) if settings.actions else None
        project = settings.project if settings.actions else None
        self.reextractions = Reextractions(project, clock) if project is not None else None
        self.captures = CaptureReader(settings.archive_folder, settings.options, settings.review_chains)

    def context(self) -> Context:
        """Returns what the screens know of this request."""
        settings = self.settings
        return Context(
            self.clock(),
            settings.database_url,
            self.database.reading,
            settings.archive_folder,
            settings.actions,
            self.recent,
            self.surveys,
            self.reextractions,
        )

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
        self.captures.close()
        if self.surveys is not None:
            self.surveys.close()
        if self.reextractions is not None:
            self.reextractions.close()

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
            screens=SCREENS,
            has_actions=self.settings.actions,
            who=who,
            notice=self.notices.take(who) if is_navigation(request) else (),
        )
        return answer(request, page, HTML, 400 if problem else 200)

    def archived(self, request: Request) -> Archived:
        """Returns the place of the capture that an address names. Raises UsageError or NotFoundError."""
        query = read_query(CaptureQuery, request.query_params.multi_items())
        with self.database.reading() as connection:
            return self.captures.archived(connection, query.capture)

    async def explain(self, request: Request) -> Response:
        """Returns the page around an explained page."""
        archived = await run_in_threadpool(self.archived, request)
        return self._of_capture(request, "explain", archived=archived)

    def _of_capture(self, request: Request, template: str, **values: object) -> Response:
        """Returns a page about a capture that has a body."""
        capture = {"id": request.query_params["capture"], "has_body": True}
        frame = {"screens": SCREENS, "has_actions": self.settings.actions}
        return answer(request, render(template, self.clock(), capture=capture, **frame, **values), HTML)

    async def explained(self, request: Request) -> Response:
        """Returns the explained page alone. Its policy lets a browser treat it as the page of a stranger."""
        archived = await run_in_threadpool(self.archived, request)
        try:
            response = answer(request, (await self.captures.explain(archived)).encode("utf-8", "replace"), HTML)
        except NotFoundError as error:
            if wants_json(request.scope):
                raise
            response = Response(str(error), 404, media_type=TEXT)  # a frame shows it, unlike the page of an error
        response.headers["content-security-policy"] = SANDBOX
        response.headers["x-frame-options"] = "SAMEORIGIN"
        return response

    async def compare(self, request: Request) -> Response:
        """Returns what several chains make of a capture, as a page or as JSON."""
        return await self._read_from(request, "compare", self.captures.compare)

    async def fields(self, request: Request) -> Response:
        """Returns where a page states each field, as a page or as JSON."""
        return await self._read_from(request, "fields", self.captures.fields)

    async def headers(self, request: Request) -> Response:
        """Returns the headers with which a page was answered, as a page or as JSON."""
        return await self._read_from(request, "headers", self.captures.headers)

    async def _read_from(
        self, request: Request, template: str, read: Callable[[Archived], Awaitable[object]]
    ) -> Response:
        found = await read(await run_in_threadpool(self.archived, request))
        if request.url.path.endswith(".json"):
            return answer(request, to_bytes(found), JSON)
        return self._of_capture(request, template, value=found)

    def act_refused(self, request: Request) -> Response:
        """Refuses an action of a server that only shows."""
        reason = "this server only shows: start `newscrawl web` with --actions to allow actions"
        return self.refused(request.scope, Refusal(403, reason))

    def refused(self, scope: Scope, refusal: Refusal) -> Response:
        """Returns the answer to a request that is refused."""
        has_actions, has_token = self.settings.actions, self.logins.has_token
        return refusal_answer(scope, refusal, self.clock(), has_actions=has_actions, has_token=has_token)


def make_application(settings: WebSettings, logins: Logins, clock: Clock = utc_now, pages: Pages | None = None) -> Gate:
    """Returns the application over these pages. Raises StorageError for a database that cannot be opened,
    MissingDatabase without one."""
    pages = pages or Pages(settings, logins, clock)

    def on_error(request: Request, error: Exception) -> Response:
        if isinstance(error, HTTPException):
            return pages.refused(request.scope, refusal_of_http(error))
        if isinstance(error, NewscrawlError):
            is_known = request.scope["state"][WHO] is not None
            return pages.refused(request.scope, refusal_of(error, is_known=is_known))
        return pages.refused(
            request.scope, Refusal(500, "this page could not be made; the log of `newscrawl web` says why")
        )

    application = Starlette(
        routes=routes(pages),
        exception_handlers={HTTPException: on_error, NewscrawlError: on_error, Exception: on_error},
    )
    return Gate(
        application,
        logins=logins,
        hosts=settings.hosts,
        origins=settings.origins,
        cookie=pages.cookie,
        has_actions=settings.actions,
        refuse=pages.refused,
    )


def routes(pages: Pages) -> list[BaseRoute]:
    """Returns all routes: each screen with its JSON twin, the log-in and the files."""
    found: list[BaseRoute] = []
    for screen in SCREENS:
        found += [Route(path, _endpoint(pages, screen)) for path in (screen.path, screen.json_path)]
    found += [Route(f"/static/{name}", _file(name, kind)) for name, kind in FILES.items()]
    found += [Route("/explain", pages.explain), Route("/explained", pages.explained)]
    found += [Route(path, pages.headers) for path in ("/headers", "/headers.json")]
    found += [Route(path, pages.fields) for path in ("/fields", "/fields.json")]
    found += [Route(path, pages.compare) for path in ("/compare", "/compare.json")]
    found += _action_routes(pages)
    found += Feeds(pages.database, pages.settings.base).routes()
    found.append(Health(pages.database).route())
    found += SessionPages(pages.logins, pages.cookie, pages.clock, pages.refused, pages.settings.is_secure).routes()
    return found


def _action_routes(pages: Pages) -> list[BaseRoute]:
    """Returns the routes of actions; without `--actions` a route that refuses them all."""
    settings = pages.settings
    if not settings.actions or settings.open_store is None:
        return [Route("/act/{name}", pages.act_refused, methods=["GET", "POST"])]
    # only here, because what writes to the database takes 25 MB
    from newscrawl.actions.choices import Means
    from newscrawl.archive.writer import ArchiveSettings
    from newscrawl.web.actions.routes import Acting

    folder, machine, store_address = settings.archive_folder, settings.machine, settings.store_address
    means = Means(
        ArchiveSettings(folder, machine=machine, store_address=store_address) if folder is not None else None,
        machine,
        f"{settings.base}{SECRET_FEEDS}",
        pages.surveys.begin if pages.surveys is not None else None,
        pages.reextractions.begin if pages.reextractions is not None else None,
    )
    named = masked(settings.database_url) if settings.project is None else None
    acting = Acting(
        *(pages.database, settings.open_store, means, settings.base, named, pages.clock, pages.recent, pages.notices)
    )
    return acting.routes()


def _endpoint(pages: Pages, screen: Screen) -> Callable[[Request], Response]:
    return lambda request: pages.shown(screen, request)


def _file(name: str, kind: str) -> Callable[[Request], Response]:
    return lambda request: answer(request, static_file(name), kind)
