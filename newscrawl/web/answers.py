"""Reads the parameters of an address into a frozen value, and makes answers: a page or JSON of a value, and a page or
JSON that says why there is none. Parameters that cannot be meant are an error that says what."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, fields
from datetime import date, datetime
from types import NoneType
from typing import Annotated, Any, Final, Literal, TypeVar, get_args, get_origin, get_type_hints
from urllib.parse import parse_qsl, quote

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Scope

from newscrawl.errors import (
    DatabaseUnavailable,
    MissingDatabase,
    NewscrawlError,
    NotFoundError,
    StorageError,
    UsageError,
)
from newscrawl.web.gate import SAFE, WHO, Refusal
from newscrawl.web.rendering import render

HTML: Final = "text/html; charset=utf-8"
JSON: Final = "application/json"
TEXT: Final = "text/plain; charset=utf-8"
TITLES: Final = {
    400: "The request cannot be read",
    401: "Log in",
    404: "Not found",
    500: "An error",
    503: "Not available at the moment",
}
FORM: Final = "application/x-www-form-urlencoded"
MAX_FIELDS: Final = 50
"""Fields of a form."""
MAX_REASON: Final = 500
MAX_PATH: Final = 4_000
"""Characters of a path with its query to which a log-in may lead."""


def answer(request: Request, body: bytes, media_type: str, status: int = 200) -> Response:
    """Returns the body with an ETag; 304 without it where the asking program has it already. Programs and browsers may
    keep all but pages, and ask each time whether it is still current."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
    headers = {"etag": tag} if media_type == HTML else {"etag": tag, "cache-control": "private, no-cache"}
    asked = [one.strip().removeprefix("W/") for one in request.headers.get("if-none-match", "").split(",")]
    if status == 200 and (tag in asked or "*" in asked):
        return Response(status_code=304, headers=headers)
    return Response(body, status, headers, media_type)


def refusal_answer(scope: Scope, refusal: Refusal, now: datetime, *, has_actions: bool, has_token: bool) -> Response:
    """Returns the page, or for programs the JSON, that says why a request was refused. After a log-in the page has the
    navigation, without one the links to log in and to go on."""
    headers = {"www-authenticate": "Bearer"} if refusal.status == 401 else {}
    headers |= {"allow": "GET, HEAD, POST"} if refusal.status == 405 else {}
    reason = refusal.reason[:MAX_REASON]
    if wants_json(scope):
        body = json.dumps({"error": reason, "status": refusal.status}).encode()
        return Response(body, refusal.status, headers, JSON)
    asked, query = quote(scope.get("path", "/")), scope.get("query_string", b"").decode("latin-1")
    page = render(
        "refused",
        now,
        title=TITLES.get(refusal.status, "Refused"),
        reason=reason,
        status=refusal.status,
        is_known=scope.get("state", {}).get(WHO) is not None,
        path=local_path(f"{asked}?{query}" if query else asked) if scope.get("method") in SAFE else "/",
        has_actions=has_actions,
        has_token=has_token,
    )
    return Response(page, refusal.status, headers, HTML)


def refusal_of(error: Exception, *, is_known: bool) -> Refusal:
    """Returns the status and the sentence of an error: an address or a method without a route, or what newscrawl raised
    deliberately. A stranger (not `is_known`) does not learn the place and the state of the database."""
    if isinstance(error, HTTPException):
        reasons = {404: "there is no page at this address", 405: "this address is not used with this method"}
        return Refusal(error.status_code, reasons.get(error.status_code, error.detail))
    if isinstance(error, NotFoundError):
        return Refusal(404, str(error))
    if isinstance(error, DatabaseUnavailable | MissingDatabase | StorageError):
        return Refusal(503, str(error) if is_known else "the database cannot be read now: ask again later")
    if isinstance(error, NewscrawlError):
        return Refusal(400, str(error))
    return Refusal(500, "this page could not be made; the log of `newscrawl web` says why")


def local_path(text: str) -> str:
    """Returns a path of this server to go on to; "/" for what leads elsewhere or cannot be a path."""
    is_local = text.startswith("/") and not text.startswith("//") and len(text) <= MAX_PATH
    return text if is_local and text.isprintable() and "\\" not in text else "/"


def is_navigation(request: Request) -> bool:
    """Returns whether a browser shows the answer as a page: not the script, which fetches parts of it."""
    return request.headers.get("sec-fetch-mode", "navigate") == "navigate"


def wants_json(scope: Scope) -> bool:
    """Returns whether a program asks: by an address that ends with .json, or by its Accept header."""
    if scope.get("path", "").endswith(".json"):
        return True
    accepted = next((value for name, value in scope.get("headers", ()) if name == b"accept"), b"")
    return b"application/json" in accepted and b"text/html" not in accepted


def redirect(path: str) -> Response:
    """Returns a redirect that is followed with GET."""
    return RedirectResponse(path, status_code=303)


async def fields_of(request: Request) -> Sequence[tuple[str, str]]:
    """Returns the fields of a form, as they were sent. Raises UsageError for a body that is no form, or of too many
    fields."""
    kind = request.headers.get("content-type", FORM).partition(";")[0].strip().lower()
    if kind != FORM:
        raise UsageError(f"the body of a POST is {kind[:50]!r} here: send the fields as a form, as {FORM}")
    try:
        body = (await request.body()).decode("utf-8", "replace")
    except ClientDisconnect as error:  # nobody reads the answer
        raise UsageError("the connection ended before the whole form was sent") from error
    if body.count("&") >= MAX_FIELDS:
        raise UsageError(f"the form has too many fields: send at most {MAX_FIELDS}")
    return parse_qsl(body, keep_blank_values=True)


Q = TypeVar("Q")

MAX_LENGTH: Final = 5_000
"""Characters of a parameter. An address has at most 4,096."""
NAMES: Final = frozenset({"site", "name", "language", "search"})
MAX_NAME: Final = 200
"""Characters of a name or a code that can be stored."""
NUMBER: Final = Annotated[int, msgspec.Meta(gt=0, le=(1 << 63) - 1)]
"""Every number is that of something stored."""
WANTED: Final[Mapping[Any, str]] = {int: "a number above 0", date: "a day like 2026-08-31"}


def read_query(kind: type[Q], given: Iterable[tuple[str, str]]) -> Q:
    """Returns the parameters as the dataclass `kind`: texts, numbers, dates and choices. An empty value counts as not
    given, as a form sends it. Raises UsageError for an unknown name, a repeated one, and a value that cannot be read.
    """
    hints = get_type_hints(kind)
    values: dict[str, Any] = {}
    for name, value in given:
        if name not in hints:
            known = ", ".join(hints) or "none"
            raise UsageError(f"there is no parameter {name[:50]!r} here: the parameters are {known}")
        if name in values:
            raise UsageError(f"the parameter {name} is given twice: give it once")
        if value:
            values[name] = _value(name, value, hints[name])
    for field in fields(kind):  # type: ignore[arg-type]
        if field.default is MISSING and field.name not in values:
            raise UsageError(f"the parameter {field.name} is missing")
    return kind(**values)


def as_parameters(query: object, **changes: str | None) -> Mapping[str, str]:
    """Returns the parameters that a query was read from, with changes; None removes one."""
    own = {field.name: getattr(query, field.name) for field in fields(query)}  # type: ignore[arg-type]
    return {name: str(value) for name, value in {**own, **changes}.items() if value not in {None, ""}}


def _value(name: str, value: str, hint: Any) -> Any:
    most = MAX_NAME if name in NAMES else MAX_LENGTH
    if len(value) > most:
        raise UsageError(f"the parameter {name} is too long: give at most {most:,} characters")
    if "\0" in value:  # PostgreSQL refuses it, which would look like trouble of the database
        raise UsageError(f"the parameter {name} has the character NUL: leave it out")
    if get_origin(hint) is not Literal:
        hint = next((kind for kind in get_args(hint) if kind is not NoneType), hint)
    is_odd = hint is int and not value.removeprefix("-").isdecimal()  # msgspec takes 1e3 for 1000
    try:
        return msgspec.convert("" if is_odd else value, NUMBER if hint is int else hint, strict=False)
    except msgspec.ValidationError as error:
        wanted = WANTED.get(hint) or f"one of {', '.join(get_args(hint))}"
        raise UsageError(f"{name}={value[:50]!r}: give {wanted}") from error
