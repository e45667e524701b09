"""Downloader middleware that follows redirects: a limited number of hops, no hop twice, and each hop is a request like
any other.

The new request goes back to the engine, so the off-site rule, robots.txt, the throttle and the guard treat it like a
request of a spider. A redirect that cannot be followed is refused with a reason. Scrapy would drop it silently if its
duplicate filter knows the target, and give the 3xx answer to the spider if the Location is no web address.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import urljoin, urlsplit

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from w3lib.url import safe_url_string

from newscrawl.crawling.refusals import Refused
from newscrawl.identity import same_site
from newscrawl.identity.masking import without_user
from newscrawl.identity.urls import with_ascii_host
from newscrawl.scheduling.robots import DEFAULT_PORTS, authority_of

BAD_LOCATION: Final = "redirect/bad_location"
LOOP: Final = "redirect/loop"
TOO_MANY: Final = "redirect/too_many"

REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})

MAX_URL_CHARACTERS: Final = 2083
"""The limit of Scrapy's URLLENGTH_LIMIT, which is the longest address that older browsers accept."""


class NoTargetError(ValueError):
    """A redirect that cannot be followed; the message gives the reason."""


def redirect_target(response: Response) -> str:
    """Returns the absolute http(s) URL a redirect leads to, without user and password; raises NoTargetError."""
    location = (response.headers.get("Location") or b"").strip()
    if not location:
        raise NoTargetError("redirected without a Location")
    try:
        target = without_user(urljoin(response.url, safe_url_string(_with_ascii_host(location))))
        scheme = urlsplit(target).scheme
        if scheme in DEFAULT_PORTS:
            authority_of(target)
    except ValueError as error:
        raise NoTargetError(f"redirected to a broken address: {error}") from error
    if scheme not in DEFAULT_PORTS:
        raise NoTargetError(f"redirected to a {scheme or 'nameless'}: address")
    if len(target) > MAX_URL_CHARACTERS:
        raise NoTargetError(f"redirected to an address of {len(target)} characters")
    return target


def _with_ascii_host(location: bytes) -> str | bytes:
    """Returns the Location with its host in ASCII; unchanged if it is not UTF-8, since its host is then invalid."""
    try:
        return with_ascii_host(location.decode())
    except UnicodeDecodeError:
        return location


class Redirects:
    """Follows redirects. It sets `redirect_urls` and `redirect_times` in request.meta, as Scrapy's middleware does."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._max_hops = crawler.settings.getint("REDIRECT_MAX_TIMES")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Redirects:
        """Returns the middleware for a crawler, as Scrapy builds middlewares."""
        return cls(crawler)

    def process_response(self, request: Request, response: Response) -> Request | Response:
        """Returns the next hop's request, or the response if it is no redirect; raises Refused."""
        if response.status not in REDIRECTS or request.meta.get("dont_redirect"):
            return response
        try:
            target = redirect_target(response)
        except NoTargetError as error:
            raise self._refused(BAD_LOCATION, str(error)) from error
        seen = [*request.meta.get("redirect_urls", ()), request.url]
        if len(seen) > self._max_hops:
            raise self._refused(TOO_MANY, f"more than {self._max_hops} redirects, the last to {target}")
        following = request.replace(url=target, method="GET", body=b"", cookies={})
        if following.url in seen:
            raise self._refused(LOOP, f"redirected in a circle to {target}")
        return _prepared(following, request, seen, response.status)

    def _refused(self, kind: str, reason: str) -> Refused:
        self._crawler.stats.inc_value(kind)
        return Refused(kind, reason)


def _prepared(following: Request, request: Request, seen: list[str], status: int) -> Request:
    """Returns the next hop. It is never dropped as a duplicate, because it decides the outcome of the first request,
    and carries no secrets."""
    meta = following.meta
    meta["redirect_urls"] = seen
    meta["redirect_times"] = len(seen)
    meta["redirect_reasons"] = [*request.meta.get("redirect_reasons", ()), status]
    if not same_site(request.url, following.url):
        meta.pop("allow_offsite", None)  # the permission was for the declared address, not for the redirect target
    secrets = ["Cookie", "Referer"]
    if authority_of(request.url) != authority_of(following.url):
        secrets += ["Authorization", "If-None-Match", "If-Modified-Since"]
    for header in secrets:
        following.headers.pop(header, None)
    following.dont_filter = True
    return following
