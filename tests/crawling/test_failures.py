"""Every failure of a request has a stable name and one line for people. Those of pages with one reason are logged a
few times."""

from __future__ import annotations

import logging
import zlib

import pytest
from scrapy import Request, exceptions
from scrapy.http import Response
from scrapy.spidermiddlewares.httperror import HttpError
from twisted.internet import error as internet
from twisted.python.failure import Failure as TwistedFailure
from twisted.web.client import ResponseFailed

from newscrawl.crawling.failures import MAX_REASON, failure_of
from newscrawl.crawling.refusals import Refused
from newscrawl.crawling.spider.limits import LOGGED_ALIKE, MAX_REASONS, FailureLog
from newscrawl.errors import DatabaseUnavailable
from newscrawl.model import Failure
from newscrawl.model.walls import wall_in


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (Refused("robots/forbidden", "robots.txt forbids it"), "robots/forbidden"),
        (HttpError(Response("https://a.example/", status=410)), "http/410"),
        (DatabaseUnavailable("cannot write to database"), "storage/unavailable"),
        (exceptions.DownloadTimeoutError("slow"), "download/timeout"),
        (internet.TimeoutError(), "download/timeout"),
        (exceptions.DownloadCancelledError(), "download/too_large"),
        (exceptions.CannotResolveHostError("x"), "download/dns"),
        (exceptions.DownloadConnectionRefusedError(), "download/connection"),
        (internet.ConnectionLost(), "download/connection"),
        (internet.NoRouteError(), "download/connection"),
        (exceptions.ResponseDataLossError(), "download/incomplete"),
        (exceptions.NotSupported("x"), "security/scheme"),
        (exceptions.IgnoreRequest("another middleware"), "download/ignored"),
        (zlib.error("x"), "download/bad_encoding"),
        (EOFError(), "download/bad_encoding"),
        (exceptions.DownloadFailedError("x"), "download/connection"),
        (
            caused(exceptions.DownloadFailedError("x"), ResponseFailed([TwistedFailure(internet.ConnectionAborted())])),
            "download/too_large",
        ),
        (UnicodeError("invalid hostname: a;b"), "security/bad_url"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "a bug"), "download/error"),
        (RuntimeError("a bug"), "download/error"),
    ],
)
def test_each_error_has_its_name(error: Exception, kind: str) -> None:
    assert failure_of(error).code == kind
    assert failure_of(TwistedFailure(error)).code == kind


def test_a_reason_is_one_short_line_whatever_a_server_wrote_into_it() -> None:
    reason = failure_of(RuntimeError("a\r\n2026-11-01 INFO fake\x1b[2J" + "x" * 9999)).reason
    assert reason.isprintable()
    assert len(reason) <= MAX_REASON


def test_causes_that_go_in_a_circle_come_to_an_end() -> None:
    first, second = RuntimeError("one"), RuntimeError("two")
    first.__cause__, second.__cause__ = second, first
    assert failure_of(first).code == "download/error"


def test_an_error_of_a_request_is_told_without_its_address() -> None:
    """The address is in its own column; a reason that repeats it cannot be counted."""
    error = exceptions.DownloadTimeoutError(f"Getting {Request('https://a.example/secret').url} took longer than 3 s")
    assert "secret" not in failure_of(error).reason


@pytest.mark.parametrize(
    ("status", "headers", "named"),
    [
        (503, {"cf-mitigated": "challenge"}, "Cloudflare (cf-mitigated: challenge)"),
        (202, {"x-amzn-waf-action": "challenge"}, "AWS WAF (x-amzn-waf-action: challenge)"),
        (429, {"x-vercel-mitigated": "challenge"}, "Vercel (x-vercel-mitigated: challenge)"),
        (403, {"server": "AkamaiGHost", "x-datadome-cid": "abc"}, "DataDome (x-datadome-cid: abc)"),
        (403, {"set-cookie": "a=1; Path=/, datadome=SECRET; Max-Age=1"}, "DataDome (set-cookie)"),
        (429, {"x-kpsdk-ct": "TOKEN"}, "Kasada (x-kpsdk-ct: TOKEN)"),
        (403, {"x-px-captcha": "1"}, "HUMAN (PerimeterX) (x-px-captcha: 1)"),
        (403, {"x-cdn": "Imperva"}, "Imperva (Incapsula) (x-cdn: Imperva)"),
        (403, {"server": "AkamaiGHost"}, "Akamai (server: AkamaiGHost)"),
        (403, {"x-sucuri-block": "SBL01"}, "Sucuri (x-sucuri-block: SBL01)"),
        (403, {"server": "ddos-guard"}, "a service against bots (server: ddos-guard)"),
        (403, {"server": "cloudflare", "cf-ray": "1"}, None),
        (404, {"server": "AkamaiGHost", "x-iinfo": "1", "x-datadome": "protected"}, None),
        (500, {"x-iinfo": "1"}, None),
        (403, {}, None),
    ],
)
def test_the_wall_that_answered_is_named(status: int, headers: dict[str, str], named: str | None) -> None:
    failure = failure_of(HttpError(Response("https://a.example/", status=status, headers=headers)))
    assert failure.code == f"http/{status}"
    assert failure.reason == f"the server answered {status}" + (f": a bot wall answered: {named}" if named else "")
    found = wall_in(f"one sign; {failure.reason}")
    assert (found is not None and f"{found.name} ({found.sign})") == (named or False)


def test_a_header_cannot_say_more_than_a_sign() -> None:
    value = "x); a bot wall answered: Other (" + "y" * 500
    reason = failure_of(HttpError(Response("https://a.example/", status=403, headers={"cf-mitigated": value}))).reason
    found = wall_in(reason)
    assert found is not None
    assert found.name == "Cloudflare"
    assert len(reason) <= MAX_REASON


def test_reasons_that_many_pages_share_are_logged_at_debug(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    log = FailureLog(logging.getLogger("harbour"))
    closed, slow = Failure("robots/unreachable", "connection refused"), Failure("fetch/timeout", "30 s")
    for number in range(3 * LOGGED_ALIKE):
        log.add(f"https://harbour.example/{number}", closed)
    log.add("https://harbour.example/slow", slow)
    shown = [record.getMessage() for record in caplog.records if record.levelno >= logging.INFO]
    assert len(shown) == LOGGED_ALIKE + 2
    assert "at DEBUG: connection refused" in shown[LOGGED_ALIKE]
    assert "/slow" in shown[-1]
    assert len(caplog.records) == 3 * LOGGED_ALIKE + 2


def test_reasons_that_name_the_address_do_not_pile_up(caplog: pytest.LogCaptureFixture) -> None:
    log = FailureLog(logging.getLogger("harbour"))
    caplog.set_level(logging.INFO)
    for number in range(2 * MAX_REASONS):
        log.add("https://harbour.example/", Failure("fetch/redirect", f"leads to {number}"))
    assert len(log._seen) == MAX_REASONS
    assert len(caplog.records) == 2 * MAX_REASONS
