"""The addresses that begin and end the session of a browser."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from newscrawl.web.access.gate import MakeRefusal, cookie_of, note_refused_log_in
from newscrawl.web.access.logins import SESSION_LIFE, Logins
from newscrawl.web.access.rules import Refusal, local_path
from newscrawl.web.answers import HTML, fields_of, redirect
from newscrawl.web.rendering import render
from newscrawl.web.settings import Clock


class SessionPages:
    """Logs browsers in and out. `cookie` is the name of the cookie; with `is_secure` it travels with TLS alone."""

    def __init__(self, logins: Logins, cookie: str, clock: Clock, refuse: MakeRefusal, is_secure: bool) -> None:
        self._logins = logins
        self._cookie = cookie
        self._clock = clock
        self._refuse = refuse
        self._is_secure = is_secure

    def routes(self) -> list[BaseRoute]:
        """Returns the routes of the log-in and the log-out."""
        return [
            Route("/login", self.log_in, methods=["GET", "POST"]),
            Route("/logout", self.log_out, methods=["POST"]),
        ]

    async def log_in(self, request: Request) -> Response:
        """Begins a session: with the key of the printed address, or with the token from the form. HEAD begins none,
        so that a program that only looks at the address does not use it up."""
        if request.method == "POST":
            fields = dict(await fields_of(request))
            kind, path, secret = "token", fields.get("next", ""), self._logins.use_token(fields.get("token", ""))
        else:
            path = request.query_params.get("next", "")
            key = request.query_params.get("key", "")
            if not key or request.method == "HEAD":
                return self._form(local_path(path))
            kind, secret = "address", self._logins.use_key(key)
        if secret is None:
            note_refused_log_in(request.scope, kind)
            await self._logins.slow_down()
            reason = "this log-in is not valid: an address works once and for ten minutes, a token must be complete"
            return self._refuse(request.scope, Refusal(403, reason))
        response = redirect(local_path(path))
        life = int(SESSION_LIFE.total_seconds())
        response.set_cookie(
            self._cookie, secret, life, httponly=True, samesite="strict", secure=self._is_secure, path="/"
        )
        return response

    def _form(self, path: str) -> Response:
        """Returns the page that asks for a log-in, which then leads to `path`."""
        return Response(render("login", self._clock(), has_token=self._logins.has_token, path=path), media_type=HTML)

    def log_out(self, request: Request) -> Response:
        """Ends the session of a browser."""
        self._logins.end(cookie_of(request.headers.get("cookie", ""), self._cookie) or "")
        response = redirect("/login")
        response.delete_cookie(self._cookie, path="/", httponly=True, samesite="strict")
        return response
