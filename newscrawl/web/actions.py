"""The routes of the actions of `newscrawl.actions`, with --actions: GET shows what would be done, POST does it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from newscrawl.actions.choices import Action, Means
from newscrawl.actions.pages import ACTIONS
from newscrawl.archive.writer import ArchiveSettings
from newscrawl.model.identity.masking import masked
from newscrawl.storage import events
from newscrawl.storage.monitoring.alarms import FLEET
from newscrawl.storage.store import Store
from newscrawl.web.answers import HTML, JSON, answer, as_parameters, fields_of, read_query, redirect, wants_json
from newscrawl.web.application import Pages
from newscrawl.web.gate import SECRET_FEEDS, TOKEN, WHO
from newscrawl.web.rendering import address, render


def action_routes(pages: Pages, open_store: Callable[[], Store]) -> list[BaseRoute]:
    """Returns a route for each action. `open_store` opens the database for one action."""
    settings, folder = pages.settings, pages.settings.archive_folder
    archive = None
    if folder is not None:
        archive = ArchiveSettings(folder, machine=settings.machine, store_address=settings.store_address)
    means = Means(
        archive,
        settings.machine,
        f"{settings.base}{SECRET_FEEDS}",
        pages.surveys.begin if pages.surveys is not None else None,
        pages.reextractions.begin if pages.reextractions is not None else None,
    )
    acting = Acting(pages, open_store, means)
    return [Route(f"/act/{one.name}", partial(acting.respond, one), methods=["GET", "POST"]) for one in ACTIONS]


@dataclass(frozen=True, slots=True)
class Acting:
    """Shows and does actions."""

    pages: Pages
    open_store: Callable[[], Store]
    means: Means

    async def respond(self, action: Action, request: Request) -> Response:
        """Returns what an action would do, or does it."""
        if request.method == "POST":
            return await run_in_threadpool(self._done, action, request, await fields_of(request))
        return await run_in_threadpool(self._planned, action, request)

    def _planned(self, action: Action, request: Request) -> Response:
        choice = read_query(action.choice, request.query_params.multi_items())
        with self.pages.database.reading() as connection:
            plan = action.plan(connection, choice)
        back, command, settings = _back(action, plan.site), action.command(choice), self.pages.settings
        has_no_project = settings.project is None  # the database was named without a project
        if action.takes_base:
            command += f" --base {shlex.quote(settings.base)}"
        if has_no_project and action.takes_database:
            command += f" --database {shlex.quote(masked(settings.database_url))}"
        page = render(
            "confirm",
            self.pages.clock(),
            action=action,
            plan=plan,
            command=command,
            needs_project=has_no_project and not action.takes_database,
            parameters=as_parameters(choice),
            cancel=address("/article", url=plan.url) if plan.url is not None else back,
            has_actions=True,
        )
        return answer(request, page, HTML)

    def _done(self, action: Action, request: Request, fields: Sequence[tuple[str, str]]) -> Response:
        choice = read_query(action.choice, fields)
        with self.pages.database.reading() as connection:
            plan = action.plan(connection, choice)
        client = request.client.host if request.client is not None else "an unknown address"
        session = request.scope["state"][WHO]
        who, now = f"{session} from {client}", self.pages.clock()
        with self.open_store() as store:
            done = action.act(store, choice, self.means, who, now)
            if plan.site and done.has_changed:
                command = action.recorded or masked(action.command(choice))
                store.run(events.record_act, plan.site, action.kind, who, command, now).result()
        said = done.said
        self.pages.recent.clear()
        if wants_json(request.scope):
            return Response(json.dumps({"done": list(said)}), media_type=JSON)
        back = _back(action, plan.site)
        if session != TOKEN:
            self.pages.notices.put(session, said)
        if session != TOKEN or action.leads_to:
            return redirect(back)
        page = render("done", self.pages.clock(), said=said, back=back, has_actions=True)
        return Response(page, media_type=HTML)


def _back(action: Action, site: str) -> str:
    """The address of the page after the action."""
    of_site = address("/site", name=site) if site not in {"", FLEET} else "/"
    return action.leads_to or action.back_to or of_site
