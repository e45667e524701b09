"""The log-in address that works once, the sessions of browsers, the token of programs, and the pages that log in and
out. Kept in memory only."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from newscrawl.web.answers import HTML, fields_of, local_path, redirect
from newscrawl.web.gate import MakeRefusal, Refusal, cookie_of, note_refused_log_in
from newscrawl.web.rendering import render
from newscrawl.web.settings import Clock

KEY_LIFE: Final = timedelta(minutes=10)
"""The time for which a log-in address works."""
SESSION_LIFE: Final = timedelta(hours=12)
"""The time for which a session lasts after its log-in."""
MAX_SESSIONS: Final = 100
"""Sessions at a time, and sessions whose notice waits. The oldest ends when another one begins."""
SECRET_BYTES: Final = 32
FIRST_PAUSE: Final = 0.1
MAX_PAUSE: Final = 2.0
"""Seconds before the answer to the first wrong secret, and to each after many. The pause doubles with each one."""
CALM: Final = timedelta(minutes=1)
"""The time without a wrong secret after which the next one counts as the first."""
MAX_PAUSED: Final = 16
"""Wrong secrets whose answers wait at a time. Others are answered at once: a stranger must not use up the connections
(newscrawl.web.server.CONNECTIONS)."""


class Logins:
    """The log-in address, the sessions and the token. Secrets are kept as hashes, and compared in constant time."""

    def __init__(
        self, token: str, clock: Callable[[], datetime], sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self._token = _hash(token) if token else None
        self._clock = clock
        self._sleep = sleep
        self._wrong, self._wrong_at, self._paused = 0, datetime.min.replace(tzinfo=UTC), 0
        self._lock = Lock()
        self._keys: dict[bytes, datetime] = {}
        self._sessions: dict[bytes, tuple[str, datetime]] = {}
        """The name and the end of each session, by the hash of its secret."""

    @property
    def has_token(self) -> bool:
        """Whether a token gives access at all."""
        return self._token is not None

    def new_key(self) -> str:
        """Returns a key for a log-in address. It works once, within `KEY_LIFE`."""
        key = secrets.token_urlsafe(SECRET_BYTES)
        with self._lock:
            self._keys[_hash(key)] = self._clock() + KEY_LIFE
        return key

    def use_key(self, key: str) -> str | None:
        """Returns the secret of a new session; None for a key that was used, is too old, or was never given."""
        with self._lock:
            until = self._keys.pop(_hash(key), None)
        return self._begun() if until is not None and self._clock() < until else None

    def use_token(self, token: str) -> str | None:
        """Returns the secret of a new session for the token; None for another one."""
        return self._begun() if self.accepts(token) else None

    def accepts(self, token: str) -> bool:
        """Returns whether this is the token."""
        return self._token is not None and hmac.compare_digest(self._token, _hash(token))

    def session(self, secret: str) -> str | None:
        """Returns the name of the session with this secret, which is for events and says nothing of the secret; None if
        there is none, or if it has ended."""
        with self._lock:
            name, ends = self._sessions.get(_hash(secret), (None, self._clock()))
        return name if self._clock() < ends else None

    def end(self, secret: str) -> None:
        """Ends a session."""
        with self._lock:
            self._sessions.pop(_hash(secret), None)

    async def slow_down(self) -> None:
        """Waits before a wrong secret is answered, so that nobody tries many over a few connections. It holds back no
        other request: the right secret is answered at once meanwhile."""
        now = self._clock()
        self._wrong = self._wrong + 1 if now - self._wrong_at < CALM else 1
        self._wrong_at = now
        if self._paused >= MAX_PAUSED:
            return
        self._paused += 1
        try:
            await self._sleep(min(FIRST_PAUSE * 2 ** min(self._wrong - 1, 10), MAX_PAUSE))
        finally:
            self._paused -= 1

    def _begun(self) -> str:
        secret, now = secrets.token_urlsafe(SECRET_BYTES), self._clock()
        with self._lock:
            self._sessions = {key: one for key, one in self._sessions.items() if now < one[1]}
            while len(self._sessions) >= MAX_SESSIONS:
                del self._sessions[next(iter(self._sessions))]
            self._sessions[_hash(secret)] = (f"log-in {secrets.token_hex(3)}", now + SESSION_LIFE)
        return secret


class Notices:
    """The result of an action, which waits for the next page of the session that asked for it, by the session's name. A
    POST is answered with a redirect, so that loading the page again does not repeat the action. Sentences are kept in
    memory only: one may hold the secret address of a feed."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: dict[str, tuple[str, ...]] = {}

    def put(self, session: str, sentences: Sequence[str]) -> None:
        """Keeps the sentences of an action for the next page of a session."""
        with self._lock:
            self._waiting.pop(session, None)
            while len(self._waiting) >= MAX_SESSIONS:
                del self._waiting[next(iter(self._waiting))]
            self._waiting[session] = tuple(sentences)

    def take(self, session: str) -> tuple[str, ...]:
        """Returns the sentences that wait for a session, which are then gone."""
        with self._lock:
            return self._waiting.pop(session, ())


@dataclass(frozen=True, slots=True)
class SessionPages:
    """Logs browsers in and out. `cookie` is the name of the cookie; with `is_secure` it travels with TLS alone."""

    logins: Logins
    cookie: str
    clock: Clock
    refuse: MakeRefusal
    is_secure: bool

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
            kind, path, secret = "token", fields.get("next", ""), self.logins.use_token(fields.get("token", ""))
        else:
            path, key = request.query_params.get("next", ""), request.query_params.get("key", "")
            if not key or request.method == "HEAD":
                form = render("login", self.clock(), has_token=self.logins.has_token, path=local_path(path))
                return Response(form, media_type=HTML)
            kind, secret = "address", self.logins.use_key(key)
        if secret is None:
            note_refused_log_in(request.scope, kind)
            await self.logins.slow_down()
            reason = "this log-in is not valid: an address works once and for ten minutes, a token must be complete"
            return self.refuse(request.scope, Refusal(403, reason))
        response = redirect(local_path(path))
        life = int(SESSION_LIFE.total_seconds())
        response.set_cookie(
            self.cookie, secret, life, httponly=True, samesite="strict", secure=self.is_secure, path="/"
        )
        return response

    def log_out(self, request: Request) -> Response:
        """Ends the session of a browser."""
        self.logins.end(cookie_of(request.headers.get("cookie", ""), self.cookie) or "")
        response = redirect("/login")
        response.delete_cookie(self.cookie, path="/", httponly=True, samesite="strict")
        return response


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()
