"""The middleware around the application: it lets a request through, or answers with a refusal. It decides about the
head of a request alone, and gives every answer the security headers.

A page of another site can send requests to 127.0.0.1 as well. A Host header that is not allowed is how DNS rebinding
shows: such a page is of the same origin as itself, so its other headers look right. Methods that act are accepted from
pages of this server only.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

if TYPE_CHECKING:
    from newscrawl.web.sessions import Logins

logger = logging.getLogger(__name__)

SAFE: Final = frozenset({"GET", "HEAD"})
METHODS: Final = SAFE | {"POST"}
MAX_BODY: Final = 65_536
"""Bytes that the body of a POST may have."""
ONCE: Final = ("authorization", "origin", "sec-fetch-site", "content-length")
"""Headers that decide, in lower case. A proxy in front may have read another one of two."""
HEALTH: Final = "/health"
OPEN: Final = frozenset({"/login", "/static/style.css", "/static/refresh.js", "/static/icon.svg", HEALTH})
"""Addresses that are served without a log-in: the page that asks for a log-in, the files that draw it, and whether the
server works."""
SECRET_FEEDS: Final = "/feed/"  # noqa: S105  a path
"""Begins the addresses of feeds whose last part is a secret (newscrawl.web.feeds): who knows it needs no log-in."""
WHO: Final = "newscrawl.who"
"""The key of the request's state under which the application finds who asks."""
TOKEN: Final = "token"  # noqa: S105  a name
"""The identity of a program that sends the token. It has no session."""
POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "frame-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types newscrawl",
    )
)
"""Content-Security-Policy of the pages: one style sheet and one script, both of this server; nothing of a publisher."""
HEADERS: Final = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"interest-cohort=(), geolocation=(), camera=(), microphone=()"),
    (b"cache-control", b"no-store"),
    (b"vary", b"Cookie, Authorization"),
)
"""Names in lower case. An answer that has one of them already keeps its own: the explained page has a stricter
policy."""
_HOST: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::\d{1,5})?")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is not answered: the status, and a sentence that says what to do."""

    status: int
    reason: str


WRONG_TOKEN: Final = Refusal(401, "this token is wrong: send the one in NEWSCRAWL_WEB_TOKEN of the server")
ONLY_SHOWS: Final = Refusal(403, "this server only shows: start `newscrawl web` with --actions to allow actions")
FOREIGN: Final = Refusal(403, "an action must come from a page of this server")

MakeRefusal = Callable[[Scope, Refusal], Response]
"""Makes the answer to a request that is refused."""


@dataclass(frozen=True, slots=True)
class Gate:
    """The application behind its gate. `hosts` are the names that a request may give, in lower case without ports.
    `origins` are those of the pages behind a reverse proxy, which may pass another Host header on. `cookie` is the name
    of the cookie of sessions."""

    app: ASGIApp
    logins: Logins
    hosts: frozenset[str]
    origins: Collection[str]
    cookie: str
    has_actions: bool
    refuse: MakeRefusal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return

        async def send_completed(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = list(message.get("headers", []))
                names = {name.lower() for name, _ in own}
                message = {**message, "headers": [*own, *(one for one in HEADERS if one[0] not in names)]}
            await send(message)

        headers = Headers(scope=scope)
        refusal = self._refused_head(scope["method"], headers) or self._refused_asker(scope, headers)
        if refusal is None:
            await self.app(scope, receive, send_completed)
            return
        if refusal is WRONG_TOKEN:
            await self.logins.slow_down()
        await self.refuse(scope, refusal)(scope, receive, send_completed)

    def _refused_head(self, method: str, headers: Headers) -> Refusal | None:
        """Returns why nobody may send such a head; None if it is accepted."""
        hosts = headers.getlist("host")
        if len(hosts) != 1:
            return Refusal(400, "a request needs exactly one Host header")
        host = _HOST.fullmatch(hosts[0])
        if host is None or host[1].lower() not in self.hosts:
            reason = "this server is not known by that name: start `newscrawl web` with --origin and the address in use"
            return Refusal(421, reason)
        twice = next((name for name in ONCE if len(headers.getlist(name)) > 1), None)
        if twice is not None:
            return Refusal(400, f"the header {twice} is there twice: a request must have it once")
        if "transfer-encoding" in headers:
            status = 400 if "content-length" in headers else 411
            return Refusal(status, "Transfer-Encoding is not used here: state the length of the body (Content-Length)")
        if method not in METHODS:
            return Refusal(405, f"the method {method[:20]} is not used here: use GET or POST")
        return None

    def _refused_asker(self, scope: Scope, headers: Headers) -> Refusal | None:
        """Returns why who asks is not answered; None if they are. Notes who asks. A wrong token is not forgiven for a
        cookie."""
        method, path, token = scope["method"], scope["path"], bearer_of(headers)
        if token is None:
            secret = cookie_of(headers.get("cookie", ""), self.cookie)
            who = self.logins.session(secret) if secret else None
        else:
            who = TOKEN if self.logins.accepts(token) else None
        scope.setdefault("state", {})[WHO] = who
        is_open = path in OPEN or (path.startswith(SECRET_FEEDS) and method in SAFE)  # feeds look at the secret
        if who is None and not is_open:
            if token is None:
                return Refusal(401, "log in first: open the address that `newscrawl web` printed, or send a token")
            note_refused_log_in(scope, "token of a program")
            return WRONG_TOKEN
        if method in SAFE:
            return None
        return self._refused_origin(headers, has_token=who == TOKEN) or self._refused_action(path, headers)

    def _refused_origin(self, headers: Mapping[str, str], *, has_token: bool) -> Refusal | None:
        """Returns why a POST is not accepted from where it comes; None if it is. Browsers send Sec-Fetch-Site or Origin
        with every POST. A request with neither is a program's, which has a token."""
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        if site is not None:
            return None if site == "same-origin" else FOREIGN
        if origin is not None:
            return None if origin in self.origins or _is_same(origin, headers.get("host", "")) else FOREIGN
        reason = "an action without Sec-Fetch-Site and Origin needs a token: send Authorization: Bearer TOKEN"
        return None if has_token else Refusal(403, reason)

    def _refused_action(self, path: str, headers: Mapping[str, str]) -> Refusal | None:
        if path not in {"/login", "/logout"} and not self.has_actions:
            return ONLY_SHOWS
        length = headers.get("content-length", "")
        if not (length.isascii() and length.isdigit()):
            return Refusal(411, "a POST must state the length of its body (Content-Length)")
        if int(length[:12]) > MAX_BODY:
            return Refusal(413, f"the body of a request may have {MAX_BODY:,} bytes")
        return None


def _is_same(origin: str, host: str) -> bool:
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and parts.netloc.lower() == host.lower()


def note_refused_log_in(scope: Scope, kind: str) -> None:
    """Logs that a log-in was refused, and from which address, without the secret."""
    client = scope.get("client")
    logger.warning("a log-in was refused: %s from %s", kind, client[0] if client else "an unknown address")


def bearer_of(headers: Mapping[str, str]) -> str | None:
    """Returns the token of `Authorization: Bearer`; None without one."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


def cookie_of(header: str, name: str) -> str | None:
    """Returns the value of a cookie; None without it. Cookies of other programs on this machine come along, because a
    browser keeps cookies of all ports of a host together. They may have any form, so only the wanted one is read."""
    for part in header.split(";"):
        found, _, value = part.partition("=")
        if found.strip() == name:
            return value.strip()
    return None
