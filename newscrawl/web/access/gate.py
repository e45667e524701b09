"""The middleware around the application: host, method, log-in, origin, size of a body, and the headers of answers."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from newscrawl.web.access import health
from newscrawl.web.access.headers import completed
from newscrawl.web.access.logins import Logins
from newscrawl.web.access.rules import (
    SAFE,
    Refusal,
    bearer_of,
    refused_headers,
    refused_host,
    refused_method,
    refused_origin,
)

logger = logging.getLogger(__name__)

MAX_BODY: Final = 65_536
"""Bytes that the body of a POST may have."""
OPEN: Final = frozenset({"/login", "/static/style.css", "/static/refresh.js", "/static/icon.svg", health.PATH})
"""Addresses that are served without a log-in: the page that asks for a log-in, the files that draw it, and whether the
server works."""
SECRET_FEEDS: Final = "/feed/"  # noqa: S105  a path
"""Begins the addresses of feeds whose last part is a secret (newscrawl.web.feeds): who knows it needs no log-in."""
WHO: Final = "newscrawl.who"
"""The key of the request's state under which the application finds who asks."""

TOKEN: Final = "token"  # noqa: S105  a name
"""The identity of a program that sends the token. It has no session."""

WRONG_TOKEN: Final = Refusal(401, "this token is wrong: send the one in NEWSCRAWL_WEB_TOKEN of the server")

MakeRefusal = Callable[[Scope, Refusal], Response]
"""Makes the answer to a request that is refused."""


class Gate:
    """Lets a request through to the application, or answers it with a refusal."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        logins: Logins,
        hosts: frozenset[str],
        origins: Collection[str] = (),
        cookie: str,
        has_actions: bool,
        refuse: MakeRefusal,
    ) -> None:
        self._app = app
        self._logins = logins
        self._hosts = hosts
        self._origins = origins
        self._cookie = cookie
        self._has_actions = has_actions
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return

        async def send_completed(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": completed(list(message.get("headers", [])))}
            await send(message)

        refusal = self._decide(scope)
        if refusal is not None:
            if refusal is WRONG_TOKEN:
                await self._logins.slow_down()
            await self._refuse(scope, refusal)(scope, receive, send_completed)
        else:
            await self._app(scope, receive, send_completed)

    def _decide(self, scope: Scope) -> Refusal | None:
        headers = Headers(scope=scope)
        refusal = refused_host(headers.getlist("host"), self._hosts) or refused_headers(headers)
        refusal = refusal or refused_method(scope["method"])
        if refusal is not None:
            return refusal
        who = self._who(headers)
        scope.setdefault("state", {})[WHO] = who
        if who is None and not is_open(scope["path"], scope["method"]):
            return self._stranger(scope, headers)
        return None if scope["method"] in SAFE else self._refused_action(scope, headers, who)

    def _stranger(self, scope: Scope, headers: Headers) -> Refusal:
        if bearer_of(headers) is None:
            return Refusal(401, "log in first: open the address that `newscrawl web` printed, or send a token")
        note_refused_log_in(scope, "token of a program")
        return WRONG_TOKEN

    def _refused_action(self, scope: Scope, headers: Headers, who: str | None) -> Refusal | None:
        has_bearer = who is not None and bearer_of(headers) is not None
        refusal = refused_origin(headers, has_bearer=has_bearer, origins=self._origins)
        if refusal is not None:
            return refusal
        if scope["path"] not in {"/login", "/logout"} and not self._has_actions:
            return Refusal(403, "this server only shows: start `newscrawl web` with --actions to allow actions")
        length = headers.get("content-length", "")
        if not (length.isascii() and length.isdigit()):
            return Refusal(411, "a POST must state the length of its body (Content-Length)")
        if int(length[:12]) > MAX_BODY:
            return Refusal(413, f"the body of a request may have {MAX_BODY:,} bytes")
        return None

    def _who(self, headers: Headers) -> str | None:
        """Returns who asks, for events; None for a stranger. A wrong token is not forgiven for a cookie."""
        token = bearer_of(headers)
        if token is not None:
            return TOKEN if self._logins.accepts(token) else None
        secret = cookie_of(headers.get("cookie", ""), self._cookie)
        session = self._logins.session(secret) if secret else None
        return session.name if session is not None else None


def note_refused_log_in(scope: Scope, kind: str) -> None:
    """Logs that a log-in was refused, and from which address, without the secret."""
    client = scope.get("client")
    logger.warning("a log-in was refused: %s from %s", kind, client[0] if client else "an unknown address")


def is_open(path: str, method: str) -> bool:
    """Returns whether a stranger may ask for this address. The application looks at the secret of a feed."""
    return path in OPEN or (path.startswith(SECRET_FEEDS) and method in SAFE)


def cookie_of(header: str, name: str) -> str | None:
    """Returns the value of a cookie; None without it. Cookies of other programs on this machine come along, because a
    browser keeps cookies of all ports of a host together. They may have any form, so only the wanted one is read."""
    for part in header.split(";"):
        found, _, value = part.partition("=")
        if found.strip() == name:
            return value.strip()
    return None
