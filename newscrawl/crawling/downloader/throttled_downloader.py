"""Scrapy's downloader with the host throttle and the address guard: every request to the network passes here."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final
from urllib.parse import urlsplit

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import CannotResolveHostError
from scrapy.http import Response
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred
from twisted.internet.error import DNSLookupError

from newscrawl.config.reading import config_of
from newscrawl.crawling.downloader import address_guard
from newscrawl.crawling.downloader.claims import ADDRESS
from newscrawl.crawling.downloader.scrapy_internals import PlainDownloader, is_closing
from newscrawl.crawling.downloader.throttle import (
    STOPPED,
    HostThrottle,
    RequestResult,
    Unanswered,
    host_key,
    policy_of,
)
from newscrawl.crawling.failures import SCHEME, not_sent
from newscrawl.crawling.refusals import Refused
from newscrawl.crawling.runtime.site_session import DAILY_BUDGET_REACHED, session_of
from newscrawl.crawling.runtime.summary import SENT_AGAIN
from newscrawl.crawling.scheduling.robots import DEFAULT_PORTS
from newscrawl.crawling.scheduling.site_state import NEW_PAGE_LIMIT_REACHED
from newscrawl.crawling.spider.limits import is_trapped
from newscrawl.storage.frontier.patterns import GIVEN_UP

logger = logging.getLogger(__name__)

PROXY: Final = "security/proxy"
NO_GUARD: Final = "security/no_guard"
LOOK_AGAIN: Final = 0.25
"""Seconds between two checks of whether an unreachable database answers again, or a lease is confirmed."""
STILL_NEEDED: Final = "newscrawl_still_needed"
"""Key in request.meta of a coroutine function that says whether the request is still needed when its host is claimed
for it, and the kind of the refusal if it is not."""
AT_ONCE: Final = 2
"""Requests that may begin in one iteration of the event loop."""
MAX_SENT_AGAIN: Final = 2
"""How often one request is sent again for that reason. The next attempt opens a new connection unless another request
has left one open, so a second repetition is rare. After these attempts the broken connection counts as a failure."""

Transmit = Callable[[Request], Awaitable[Response]]


class BlockedRequests:
    """The requests of a crawl that the address guard refused, for the log: the first one, and that all were refused.
    The reason of a refusal names the setting to change."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._first = ""
        self.is_answered = False
        """Whether some request was answered."""
        crawler.signals.connect(self.spider_closed, signal=signals.spider_closed)

    def add(self, reason: str) -> None:
        """Logs the first refusal of the crawl; `Refused` has counted it."""
        if not self._first:
            self._first = reason
            logger.info(
                "the address guard refused a request: %s; later ones are only counted as %s",
                reason,
                address_guard.BLOCKED,
            )

    def spider_closed(self, spider: Spider) -> None:
        """Logs it if the guard refused requests and nothing was fetched."""
        if self._first and not self.is_answered:
            number = self._crawler.stats.get_value(address_guard.BLOCKED, 0)
            logger.warning(
                "the address guard refused all requests of %s (%d), so nothing was fetched: %s",
                *(spider.name, number, self._first),
            )


class ThrottledDownloader(PlainDownloader):
    """Scrapy's downloader with the host throttle in place of the delays of its slots.

    A slot is a registrable domain, whatever request.meta says: Scrapy copies `download_slot` to redirects, so a request
    to a second host would be sent through the first host's queue.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        config = config_of(crawler.settings)
        self.policy = policy_of(config)
        self.session = session_of(crawler)
        """That of the crawl; None for a command that stores no pages."""
        self.throttle = self.session.services.throttle if self.session is not None else HostThrottle(self.policy)
        self._begun = 0
        self._by_address = config.politeness.share_limit_by_address
        self._proxies = crawler.settings.getbool("HTTPPROXY_ENABLED")
        self._blocked = BlockedRequests(crawler)

    def fetch(self, request: Request, spider: Spider | None = None) -> Deferred[Response | Request]:
        """Fetches as Scrapy does, and counts the request for `needs_backout`."""
        if not self._begun:
            asyncio.get_running_loop().call_soon(self._go_on)
        self._begun += 1
        return super().fetch(request)

    def needs_backout(self) -> bool:
        """Returns whether Scrapy must not begin another request now. At most `AT_ONCE` begin in one iteration of the
        event loop: after a pause Scrapy would begin all it may at once and block the loop for tens of milliseconds."""
        return self._begun >= AT_ONCE or super().needs_backout()

    def _go_on(self) -> None:
        was_enough = self._begun >= AT_ONCE
        self._begun = 0
        if was_enough:
            self.begin_next()

    def get_slot_key(self, request: Request) -> str:
        """Returns the registrable domain of the request's host."""
        return host_key(request.url)

    async def send(self, request: Request, transmit: Transmit) -> Response:
        """Sends a request in its host's turn. Raises Refused if it must not be sent."""
        key = self.get_slot_key(request)
        try:
            self._check(request)
            response = await self._send_in_turns(request, key, transmit)
        except Refused as refusal:
            self.crawler.stats.inc_value(refusal.code)
            if refusal.code == address_guard.BLOCKED:
                self._blocked.add(refusal.reason)
            raise
        self._blocked.is_answered = True
        return response

    async def _send_in_turns(self, request: Request, key: str, transmit: Transmit) -> Response:
        for _ in range(MAX_SENT_AGAIN):
            try:
                return await self._send(request, key, transmit)
            except Unanswered:
                self.crawler.stats.inc_value(SENT_AGAIN)
        return await self._send(request, key, transmit, last=True)

    async def _send(self, request: Request, key: str, transmit: Transmit, *, last: bool = False) -> Response:
        """Sends the request once, when the host throttle allows it. Raises Unanswered if the server was closing the
        connection; with `last`, that is a failure like any other."""
        async with self._slots(request, key) as answer:
            with self.throttle.measuring_own_wait(answer):
                await self._wait_while(self._is_storage_away, "its database or archive could not be written")
                await self._wait_while(lambda: not self._is_lease_in_force(), "its lease was not confirmed")
                await _check_needed(request)
            self._count(request)
            try:
                response = await transmit(request)
            except CannotResolveHostError as error:
                raise _explained(request, error) from error
            except Exception as error:
                if not last and not_sent(error):
                    raise Unanswered from error
                raise
            answer.status = response.status
            answer.retry_after = _header(response, "Retry-After")
            return response

    @asynccontextmanager
    async def _slots(self, request: Request, key: str) -> AsyncIterator[RequestResult]:
        """Waits for the domain's throttle and, if the settings ask for it, for that of its IP address: many small sites
        may share a server, which receives the requests to all of them. The order is always the same, so there is no
        deadlock."""
        async with self.throttle.slot(key, self.policy, self._closing) as answer:
            if not self._by_address:
                yield answer
                return
            address = await _address_of(request)
            async with self.throttle.slot(f"{ADDRESS}{address}", self.policy, self._closing) as shared:
                try:
                    yield answer
                finally:
                    shared.own_wait = answer.own_wait
                shared.status, shared.retry_after = answer.status, answer.retry_after

    def may_send(self, url: str, address: str) -> bool:
        """Returns whether the bytes of a request may be written now: this process still owns the site's lease and the
        turns of the host and, where addresses share a limit, of its IP address."""
        claims = self.throttle.claims
        return self._is_lease_in_force() and (
            claims is None
            or (claims.may_send(host_key(url)) and (not self._by_address or claims.may_send(f"{ADDRESS}{address}")))
        )

    def _is_lease_in_force(self) -> bool:
        return self.session is None or self.session.is_in_force()

    def _is_storage_away(self) -> bool:
        if self.session is not None:
            return self.session.is_storage_away()
        return self.throttle.claims is not None and self.throttle.claims.is_away

    async def _wait_while(self, is_hindered: Callable[[], bool], hindrance: str) -> None:
        """Waits while something hinders all requests. Raises Refused if the crawl ends before that is over."""
        while is_hindered():
            if self._closing():
                raise Refused(STOPPED, f"the crawl ended while {hindrance}")
            await asyncio.sleep(LOOK_AGAIN)

    def _count(self, request: Request) -> None:
        if self.session is not None and not self.session.has_budget():
            raise Refused(DAILY_BUDGET_REACHED, "today's request limit of the site is reached")
        self._check_new(request)
        if self.session is not None:
            self.session.note_request(request)

    def _check_new(self, request: Request) -> None:
        if self.session is not None and self.session.has_to_wait(request):
            raise Refused(NEW_PAGE_LIMIT_REACHED, "today's limit of addresses never fetched before is reached")

    def _check(self, request: Request) -> None:
        scheme = urlsplit(request.url).scheme
        if scheme not in DEFAULT_PORTS:
            raise Refused(SCHEME, f"{scheme}: addresses are not fetched")
        if request.meta.get("proxy") and not self._proxies:
            raise Refused(PROXY, "a proxy hides the address from the guard; set HTTPPROXY_ENABLED to allow it")
        if is_trapped(request, self.crawler.spider):
            raise Refused(GIVEN_UP, "the pattern of its address was given up after it was announced")
        self._check_new(request)
        if address_guard.installed_guard() is None:
            raise Refused(NO_GUARD, "this crawl has no address guard")

    def _closing(self) -> bool:
        return is_closing(self.crawler)


def _header(response: Response, name: str) -> str | None:
    value = response.headers.get(name)
    return value.decode("latin-1") if value else None


async def _check_needed(request: Request) -> None:
    """Raises Refused if the request is not needed any more: what it asks for came while it waited for its host."""
    is_needed, kind = request.meta.get(STILL_NEEDED, (None, ""))
    if is_needed is not None and not await is_needed():
        raise Refused(kind, f"{request.url} was read by another crawl while the request waited for its host")


async def _address_of(request: Request) -> str:
    """Returns the IP address that the guard gives for the request's host. Returns the host name if it gives none; the
    request will then be refused."""
    from twisted.internet import reactor

    host = urlsplit(request.url).hostname or ""
    try:
        address: Any = await maybe_deferred_to_future(reactor.resolve(host))  # type: ignore[arg-type]
    except DNSLookupError:
        return host
    return str(address)


def _explained(request: Request, error: CannotResolveHostError) -> Exception:
    """Returns the guard's refusal if that is why the name has no address, else the error itself."""
    parts = urlsplit(request.url)
    host, port = parts.hostname or "", parts.port or DEFAULT_PORTS[parts.scheme]
    resolver = address_guard.installed_guard()
    reason = resolver.refusal(host, port) if resolver else None
    if not reason:
        return error
    return Refused(address_guard.BLOCKED, reason if reason.startswith(f"{host} ") else f"{host}: {reason}")
