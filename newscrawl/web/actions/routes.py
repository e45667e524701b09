"""The routes of actions: GET shows what would be done, POST does it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Sequence

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from newscrawl.actions.choices import Action, Means
from newscrawl.actions.pages import ACTIONS
from newscrawl.identity.masking import masked
from newscrawl.storage import events
from newscrawl.storage.monitoring.alarms import FLEET
from newscrawl.storage.reader import ReadDatabase
from newscrawl.storage.store import Store
from newscrawl.web.answers import HTML, JSON, answer, fields_of, redirect, wants_json
from newscrawl.web.gate import TOKEN, WHO
from newscrawl.web.queries import as_parameters, read_query
from newscrawl.web.recent import Recent
from newscrawl.web.rendering import address, render
from newscrawl.web.sessions import Notices
from newscrawl.web.settings import Clock


class Acting:
    """Shows and does actions. `open_store` opens the database for one action. `base` is the address of the pages,
    `named` that of the database, without its password, if it was named without a project."""

    def __init__(
        self,
        database: ReadDatabase,
        open_store: Callable[[], Store],
        means: Means,
        base: str,
        named: str | None,
        clock: Clock,
        recent: Recent,
        notices: Notices,
    ) -> None:
        self._database = database
        self._open_store = open_store
        self._means = means
        self._base = base
        self._named = named
        self._clock = clock
        self._recent = recent
        self._notices = notices

    def routes(self) -> list[BaseRoute]:
        """Returns a route for each action."""
        return [Route(f"/act/{one.name}", self._endpoint(one), methods=["GET", "POST"]) for one in ACTIONS]

    def _endpoint(self, action: Action) -> Callable[[Request], object]:
        async def endpoint(request: Request) -> Response:
            if request.method == "POST":
                return await run_in_threadpool(self._done, action, request, await fields_of(request))
            return await run_in_threadpool(self._planned, action, request)

        return endpoint

    def _planned(self, action: Action, request: Request) -> Response:
        choice = read_query(action.choice, request.query_params.multi_items())
        with self._database.reading() as connection:
            plan = action.plan(connection, choice)
        back = _back(action, plan.site)
        page = render(
            "confirm",
            self._clock(),
            action=action,
            plan=plan,
            command=self._equal_command(action, choice),
            needs_project=self._named is not None and not action.takes_database,
            parameters=as_parameters(choice),
            cancel=address("/article", url=plan.url) if plan.url is not None else back,
            has_actions=True,
        )
        return answer(request, page, HTML)

    def _equal_command(self, action: Action, choice: object) -> str:
        command = action.command(choice)
        if action.takes_base:
            command += f" --base {shlex.quote(self._base)}"
        if self._named is not None and action.takes_database:
            command += f" --database {shlex.quote(self._named)}"
        return command

    def _done(self, action: Action, request: Request, fields: Sequence[tuple[str, str]]) -> Response:
        choice = read_query(action.choice, fields)
        with self._database.reading() as connection:
            plan = action.plan(connection, choice)
        client = request.client.host if request.client is not None else "an unknown address"
        session = request.scope["state"][WHO]
        who, now = f"{session} from {client}", self._clock()
        with self._open_store() as store:
            done = action.act(store, choice, self._means, who, now)
            if plan.site and done.has_changed:
                command = action.recorded or masked(action.command(choice))
                store.run(events.record_act, plan.site, action.kind, who, command, now).result()
        said = done.said
        self._recent.clear()
        if wants_json(request.scope):
            return Response(json.dumps({"done": list(said)}), media_type=JSON)
        back = _back(action, plan.site)
        if session != TOKEN:
            self._notices.put(session, said)
        if session != TOKEN or action.leads_to:
            return redirect(back)
        page = render("done", self._clock(), said=said, back=back, has_actions=True)
        return Response(page, media_type=HTML)


def _back(action: Action, site: str) -> str:
    """The address of the page after the action."""
    of_site = address("/site", name=site) if site not in {"", FLEET} else "/"
    return action.leads_to or action.back_to or of_site
