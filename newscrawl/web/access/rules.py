"""The decisions of the gate about the head of a request. Pure.

A page of another site can send requests to 127.0.0.1 as well. A Host header that is not allowed is how DNS rebinding
shows: such a page is of the same origin as itself, so its other headers look right. Methods that act are accepted from
pages of this server only.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers

SAFE: Final = frozenset({"GET", "HEAD"})
METHODS: Final = SAFE | {"POST"}
ONCE: Final = ("authorization", "origin", "sec-fetch-site", "content-length")
"""Headers that decide, in lower case. A proxy in front may have read another one of two."""
MAX_PATH: Final = 4_000
"""Characters of a path with its query to which a log-in may lead."""
_HOST: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::\d{1,5})?")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is not answered: the status, and a sentence that says what to do."""

    status: int
    reason: str


def refused_host(hosts: list[str], allowed: frozenset[str]) -> Refusal | None:
    """Returns why the Host headers are not accepted; None if they are."""
    if len(hosts) != 1:
        return Refusal(400, "a request needs exactly one Host header")
    found = _HOST.fullmatch(hosts[0])
    if found is None or found[1].lower() not in allowed:
        return Refusal(
            421, "this server is not known by that name: start `newscrawl web` with --origin and the address in use"
        )
    return None


def refused_headers(headers: Headers) -> Refusal | None:
    """Returns why the headers of a request are ambiguous; None if they are not. `headers` have lower-case names."""
    twice = next((name for name in ONCE if len(headers.getlist(name)) > 1), None)
    if twice is not None:
        return Refusal(400, f"the header {twice} is there twice: a request must have it once")
    if "transfer-encoding" in headers:
        status = 400 if "content-length" in headers else 411
        return Refusal(status, "Transfer-Encoding is not used here: state the length of the body (Content-Length)")
    return None


def refused_method(method: str) -> Refusal | None:
    """Returns why a method is not accepted; None if it is."""
    return None if method in METHODS else Refusal(405, f"the method {method[:20]} is not used here: use GET or POST")


def refused_origin(headers: Mapping[str, str], *, has_bearer: bool, origins: Collection[str] = ()) -> Refusal | None:
    """Returns why a POST is not accepted from where it comes; None if it is. `headers` have lower-case names. `origins`
    are those of the pages behind a reverse proxy, which may pass another Host header on.

    Browsers send Sec-Fetch-Site or Origin with every POST. A request with neither is a program's, which has a token.
    """
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None:
        return None if site == "same-origin" else _foreign()
    if origin is not None:
        return None if origin in origins or _is_same(origin, headers.get("host", "")) else _foreign()
    if has_bearer:
        return None
    return Refusal(403, "an action without Sec-Fetch-Site and Origin needs a token: send Authorization: Bearer TOKEN")


def _foreign() -> Refusal:
    return Refusal(403, "an action must come from a page of this server")


def _is_same(origin: str, host: str) -> bool:
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and parts.netloc.lower() == host.lower()


def local_path(text: str) -> str:
    """Returns a path of this server to go on to; "/" for what leads elsewhere or cannot be a path."""
    is_local = text.startswith("/") and not text.startswith("//") and len(text) <= MAX_PATH
    return text if is_local and text.isprintable() and "\\" not in text else "/"


def bearer_of(headers: Mapping[str, str]) -> str | None:
    """Returns the token of `Authorization: Bearer`; None without one."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None
