"""Downloader middleware that follows redirects: a limited number of hops, no hop twice, and each hop is a request like
any other.

The new request goes back to the engine, so the off-site rule, robots.txt, the throttle and the guard treat it like a
request of a spider. A redirect that cannot be followed is refused with a reason. Scrapy would drop it silently if its
duplicate filter knows the target, and give the 3xx answer to the spider if the Location is no web address.

A page that leads on at once by a meta refresh is a redirect, too. A site that redirects in a circle until it gets its
cookie back is tried once more with the cookies that it has set; they are sent in this chain of redirects only.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urljoin, urlsplit

from lxml import etree
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding
from w3lib.url import safe_url_string

from newscrawl.crawling.refusals import Refused
from newscrawl.crawling.scheduling.robots import DEFAULT_PORTS, authority_of
from newscrawl.model.identity import same_site
from newscrawl.model.identity.masking import without_user
from newscrawl.model.identity.urls import with_ascii_host

BAD_LOCATION: Final = "redirect/bad_location"
COOKIE_WALL: Final = "redirect/cookie_wall"
LOOP: Final = "redirect/loop"
TOO_MANY: Final = "redirect/too_many"

REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})

MAX_URL_CHARACTERS: Final = 2083
"""The limit of Scrapy's URLLENGTH_LIMIT, which is the longest address that older browsers accept."""


REFRESH: Final = "meta refresh"
"""Stands for the status in `redirect_reasons`, as in Scrapy."""

MAX_REFRESH_DELAY: Final = 30
"""Seconds. After a longer delay the page was there to be read."""

_REFRESH: Final = re.compile(
    r"\s*(?P<delay>\d{1,9})[\d.]*(?:\s*[;,]|\s)\s*(?:url\s*=\s*)?(?P<quote>['\"]?)(?P<place>.*)",
    re.IGNORECASE | re.DOTALL,
)
"""The content of a meta refresh with an address (HTML standard, section 4.2.5.3)."""

REFRESH_START: Final = 8_192
"""Bytes at the start of a page in which a meta refresh is looked for."""

COOKIES: Final = "newscrawl_cookies"
"""Key in request.meta: the cookies that were set in this chain of redirects, by authority and name."""

COOKIES_SENT: Final = "newscrawl_cookies_sent"
"""Key in request.meta: how many hops there were before the cookies were sent."""

MAX_COOKIES: Final = 20
MAX_COOKIE_CHARACTERS: Final = 4_096
"""Of one authority, and of one of them; RFC 6265, section 6.1, asks browsers for at least 50 of 4,096 bytes."""


class NoTargetError(ValueError):
    """A redirect that cannot be followed; the message gives the reason."""


def redirect_target(response: Response) -> str:
    """Returns the absolute http(s) URL a redirect leads to, without user and password; raises NoTargetError."""
    location = (response.headers.get("Location") or b"").strip()
    if not location:
        raise NoTargetError("redirected without a Location")
    return _target(response.url, location)


def refresh_target(response: Response) -> str | None:
    """Returns where a meta refresh of a page leads to at once; None without one, and for one that leads nowhere.

    Those in `noscript` are for readers who allow no scripts, and lead to requests to allow them.
    """
    if response.status != 200 or b"html" not in (response.headers.get("Content-Type") or b"html").lower():
        return None
    start = response.body[:REFRESH_START]
    if b"refresh" not in start.lower():
        return None
    stated = (response.headers.get("Content-Type") or b"").decode("latin-1")
    encoding = http_content_type_encoding(stated) or html_body_declared_encoding(start) or "utf-8"
    try:
        tree = etree.HTML(start, etree.HTMLParser(encoding=encoding))
    except (etree.LxmlError, LookupError):
        tree = None
    for meta in tree.iter("meta") if tree is not None else ():
        refresh = _REFRESH.match(meta.get("content", ""))
        if meta.get("http-equiv", "").strip().lower() != "refresh" or refresh is None:
            continue
        if int(refresh["delay"]) > MAX_REFRESH_DELAY or next(meta.iterancestors("noscript"), None) is not None:
            return None
        base = next((href for element in tree.iter("base") if (href := element.get("href"))), "")
        quote = refresh["quote"]
        place = refresh["place"].partition(quote)[0] if quote else refresh["place"]
        try:
            return _target(urljoin(response.url, base), place.strip().encode()) if place.strip() else None
        except ValueError:
            return None
    return None


def _target(base: str, location: bytes) -> str:
    """Returns an address relative to that of its answer, absolute and checked; raises NoTargetError."""
    try:
        target = without_user(urljoin(base, safe_url_string(_with_ascii_host(location))))
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
        if request.meta.get("dont_redirect"):
            return response
        target: str | None
        if response.status in REDIRECTS:
            try:
                target = redirect_target(response)
            except NoTargetError as error:
                raise self._refused(BAD_LOCATION, str(error)) from error
        else:
            target = refresh_target(response)
        if target is None:
            return response
        seen = [*request.meta.get("redirect_urls", ()), request.url]
        if len(seen) > self._max_hops:
            raise self._refused(TOO_MANY, f"more than {self._max_hops} redirects, the last to {target}")
        following = request.replace(url=target, method="GET", body=b"", cookies={})
        cookies = _cookies(request, response)
        sent = request.meta.get(COOKIES_SENT)
        if following.url in seen[sent or 0 :]:
            has_cookies = bool(cookies.get(authority_of(target)))
            if sent is None and has_cookies:
                sent = len(seen)
            elif response.status not in REDIRECTS and following.url == request.url:
                return response  # a page that loads itself again is a page
            elif has_cookies:
                raise self._refused(
                    COOKIE_WALL, f"redirected in a circle to {target}, also with the cookies it has set"
                )
            else:
                raise self._refused(LOOP, f"redirected in a circle to {target}")
        return _prepared(following, request, seen, response.status, cookies, sent)

    def _refused(self, kind: str, reason: str) -> Refused:
        self._crawler.stats.inc_value(kind)
        return Refused(kind, reason)


def _cookies(request: Request, response: Response) -> dict[str, dict[str, str]]:
    """Returns the cookies that were set in a chain of redirects so far, this answer included. Where they count is
    narrower than their attributes say: for the authority that has set them."""
    cookies: dict[str, dict[str, str]] = dict(request.meta.get(COOKIES, {}))
    authority = authority_of(request.url)
    own = dict(cookies.get(authority, {}))
    for line in response.headers.getlist("Set-Cookie"):
        pair = line.decode("latin-1").partition(";")[0].strip()
        name, equals, value = pair.partition("=")
        if equals and name and pair.isascii() and pair.isprintable() and len(pair) <= MAX_COOKIE_CHARACTERS:
            own[name.strip()] = value.strip()
    return {**cookies, authority: dict(list(own.items())[:MAX_COOKIES])} if own else cookies


def _prepared(
    following: Request,
    request: Request,
    seen: list[str],
    status: int,
    cookies: dict[str, dict[str, str]] | None = None,
    cookies_sent: int | None = None,
) -> Request:
    """Returns the next hop. It is never dropped as a duplicate, because it decides the outcome of the first request,
    and carries no secrets but, where they are needed, the cookies that this chain of redirects has set."""
    meta = following.meta
    meta["redirect_urls"] = seen
    meta["redirect_times"] = len(seen)
    reason = status if status in REDIRECTS else REFRESH
    meta["redirect_reasons"] = [*request.meta.get("redirect_reasons", ()), reason]
    if not same_site(request.url, following.url):
        meta.pop("allow_offsite", None)  # the permission was for the declared address, not for the redirect target
    secrets = ["Cookie", "Referer"]
    if authority_of(request.url) != authority_of(following.url):
        secrets += ["Authorization", "If-None-Match", "If-Modified-Since"]
    for header in secrets:
        following.headers.pop(header, None)
    if cookies:
        meta[COOKIES] = cookies
    if cookies_sent is not None:
        meta[COOKIES_SENT] = cookies_sent
        pairs = (cookies or {}).get(authority_of(following.url), {})
        if pairs:
            following.headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in pairs.items())
    following.dont_filter = True
    return following
