"""Scrapy's downloader behind the turnstile and the guard: nothing reaches the network but through here.

This is the only module that leans on Scrapy's inner names (`_enqueue_request`, `_delay`, the engine's slot); the
dependency on Scrapy is pinned to one minor version for that reason.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urlsplit

from scrapy import Request, Spider
from scrapy.core.downloader import Downloader
from scrapy.crawler import Crawler
from scrapy.exceptions import CannotResolveHostError
from scrapy.http import Response
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred
from twisted.internet.error import DNSLookupError

from newscrawl.crawling.downloader import address_guard
from newscrawl.crawling.downloader.download_handler import closed_while_idle
from newscrawl.crawling.downloader.host_state_store import KEY_PREFIX
from newscrawl.crawling.downloader.host_throttle import STOPPED, Answer, HostThrottle, Unanswered, host_key
from newscrawl.crawling.refusals import Refused
from newscrawl.crawling.runtime.closing import is_closing
from newscrawl.crawling.runtime.crawl_context import round_of
from newscrawl.crawling.runtime.host_state_writer import HostStateWriter
from newscrawl.crawling.runtime.interpreter_tuning import Sweeper
from newscrawl.crawling.spider.new_pages import REASON, new_pages_of
from newscrawl.crawling.spider.traps import is_trapped
from newscrawl.errors import ConfigurationError
from newscrawl.scheduling.host import FIRST_ERROR, HostPolicy
from newscrawl.scheduling.robots import DEFAULT_PORTS
from newscrawl.storage.frontier.patterns import GIVEN_UP
from newscrawl.storage.frontier.site_days import NEW_PAGES

SCHEME: Final = "security/scheme"
PROXY: Final = "security/proxy"
NO_GUARD: Final = "security/no_guard"
AT_ONCE: Final = 2
"""Requests begun between two looks at what the network has brought."""
BUDGET: Final = "politeness/budget_spent"
LOOK_AGAIN: Final = 0.25
"""Seconds between two looks at a database that is away."""
SENT_AGAIN: Final = "politeness/sent_again"
"""Counts requests that met a connection which the server was closing, and were sent again in the host's next turn."""
MAX_SENT_AGAIN: Final = 2
"""How often one request is sent again for that reason. The next attempt opens a new connection unless another request
has left one meanwhile, so more than one is rare; after these the broken connection counts as a failure."""


class ThrottledDownloader(Downloader):
    """Scrapy's downloader with our turnstiles in place of its slots' delays.

    A slot is a registrable domain, whatever request.meta says: Scrapy copies `download_slot` to redirects, which would
    ask a second host in the first one's turn.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        round_ = round_of(crawler)
        self.policy = policy_of(crawler.settings)
        self.turnstiles = round_.shared.turnstiles if round_ else HostThrottle(self.policy)
        self._dates = round_.shared.dates if round_ else None
        self._begun = 0
        self._sweeper = Sweeper()
        self.ledger: HostStateWriter | None = None
        """Set when the crawl begins; without one, requests are not counted in the database."""
        self.is_storage_away: Callable[[], bool] = lambda: False
        """Set when the crawl begins: whether what is fetched now could not be stored."""
        self._requests_left = float("inf") if round_ is None or round_.requests_left is None else round_.requests_left
        self._delay = 0.0
        self._jitter = 0.0
        self.domain_concurrency = 1
        self.per_slot_settings = {}
        self._by_address = crawler.settings.getbool("NEWSCRAWL_SHARE_LIMIT_BY_ADDRESS")
        self._proxies = crawler.settings.getbool("HTTPPROXY_ENABLED")

    def fetch(self, request: Request, spider: Spider | None = None) -> Deferred[Response | Request]:
        """As Scrapy does, and notes for `needs_backout` that one more was begun."""
        if not self._begun:
            asyncio.get_running_loop().call_soon(self._go_on)
        self._begun += 1
        return super().fetch(request)

    def needs_backout(self) -> bool:
        """Whether no request may begin now. After a pause that crawl and storage forced on it, Scrapy begins as many
        requests as it may have at once, which keeps the event loop from all else for ten milliseconds and more."""
        return self._begun >= AT_ONCE or super().needs_backout()

    def _go_on(self) -> None:
        was_enough = self._begun >= AT_ONCE
        self._begun = 0
        engine = self.crawler._engine  # noqa: SLF001
        slot = engine._slot if engine else None  # noqa: SLF001
        if was_enough and slot is not None:
            slot.nextcall.schedule()

    def get_slot_key(self, request: Request) -> str:
        """The registrable domain of the request's host."""
        return host_key(request.url)

    async def _enqueue_request(self, request: Request) -> Response:
        key = self.get_slot_key(request)
        try:
            self._check(request)
            for _ in range(MAX_SENT_AGAIN):
                try:
                    return await self._in_turn(request, key)
                except Unanswered:
                    self.crawler.stats.inc_value(SENT_AGAIN)
            return await self._in_turn(request, key, last=True)
        except Refused as refusal:
            self.crawler.stats.inc_value(refusal.kind)
            raise

    async def _in_turn(self, request: Request, key: str, *, last: bool = False) -> Response:
        """Send the request once, in its host's turn. Raises Unanswered when the server had closed the connection
        meanwhile; if `last`, that is a failure as any other."""
        async with self._turns(request, key) as answer:
            with self.turnstiles.holding_up(answer):
                await self._storage_back()
            self._count(request, key)
            try:
                response = await super()._enqueue_request(request)
            except CannotResolveHostError as error:
                raise _explained(request, error) from error
            except Exception as error:
                if not last and closed_while_idle(error):
                    raise Unanswered from error
                raise
            self._sweeper.received(len(response.body))
            answer.status = response.status
            answer.retry_after = _header(response, "Retry-After")
            if self._dates is not None:
                self._dates.add(key, _header(response, "Date"), _header(response, "Age"), datetime.now(UTC))
            return response

    @asynccontextmanager
    async def _turns(self, request: Request, key: str) -> AsyncIterator[Answer]:
        """The domain's turn and, where the settings want it, that of the address it is served from: many small sites
        share a machine, which sees all of our requests. Always in this order, so nobody waits crosswise."""
        async with self.turnstiles.turn(key, self.policy, self._closing) as answer:
            if not self._by_address:
                yield answer
                return
            address = await _address_of(request)
            async with self.turnstiles.turn(f"address:{address}", self.policy, self._closing) as shared:
                try:
                    yield answer
                finally:
                    shared.held_up = answer.held_up
                shared.status, shared.retry_after = answer.status, answer.retry_after

    async def _storage_back(self) -> None:
        """Returns when what is fetched can be stored. Raises Refused when the crawl ends before."""
        while self.is_storage_away():
            if self._closing():
                raise Refused(STOPPED, "the crawl ended while its database was away")
            await asyncio.sleep(LOOK_AGAIN)

    def _count(self, request: Request, key: str) -> None:
        if self._requests_left <= 0:
            raise Refused(BUDGET, "the site's requests of today are spent")
        self._check_new(request)
        self._requests_left -= 1
        spider = self.crawler.spider
        new_pages = new_pages_of(spider)
        is_new = new_pages is not None and new_pages.take(request, datetime.now(UTC))
        if self.ledger is not None and spider is not None:
            self.ledger.note_request(spider.name, KEY_PREFIX + key)
            if is_new:
                self.ledger.note_new_page(getattr(spider, "lease_name", spider.name))

    def _check_new(self, request: Request) -> None:
        new_pages = new_pages_of(self.crawler.spider)
        if new_pages is not None and new_pages.refuses(request, datetime.now(UTC)):
            raise Refused(NEW_PAGES, REASON)

    def _check(self, request: Request) -> None:
        scheme = urlsplit(request.url).scheme
        if scheme not in DEFAULT_PORTS:
            raise Refused(SCHEME, f"{scheme}: addresses are not fetched")
        if request.meta.get("proxy") and not self._proxies:
            raise Refused(PROXY, "a proxy hides the address from the guard; set HTTPPROXY_ENABLED to allow it")
        if is_trapped(request, self.crawler.spider):
            raise Refused(GIVEN_UP, "the pattern of its address was given up since it was announced")
        self._check_new(request)
        if address_guard.installed_guard() is None:
            raise Refused(NO_GUARD, "this crawl has no address guard")

    def _closing(self) -> bool:
        return is_closing(self.crawler)


def _header(response: Response, name: str) -> str | None:
    value = response.headers.get(name)
    return value.decode("latin-1") if value else None


async def _address_of(request: Request) -> str:
    """The address that the guard gives for the request's host, the host's own name where it gives none: the request
    itself will then be refused."""
    from twisted.internet import reactor

    host = urlsplit(request.url).hostname or ""
    try:
        found: Any = await maybe_deferred_to_future(reactor.resolve(host))  # type: ignore[arg-type]
    except DNSLookupError:
        return host
    return str(found)


def policy_of(settings: Any) -> HostPolicy:
    """The host policy that Scrapy settings describe; raises ConfigurationError for a negative or senseless number."""
    first_rest = _seconds(settings, "NEWSCRAWL_FIRST_BACKOFF")
    return HostPolicy(
        delay=_seconds(settings, "DOWNLOAD_DELAY"),
        first_rest=first_rest,
        first_error=min(first_rest, FIRST_ERROR),
        longest_wait=_seconds(settings, "NEWSCRAWL_LONGEST_WAIT"),
    )


def _seconds(settings: Any, name: str) -> float:
    try:
        seconds = settings.getfloat(name)
    except (TypeError, ValueError) as error:
        raise ConfigurationError(name, f"{settings[name]!r} is not a number of seconds") from error
    if not 0 <= seconds < float("inf"):
        raise ConfigurationError(name, f"{seconds} is not a number of seconds from 0 on")
    return float(seconds)


def _explained(request: Request, error: CannotResolveHostError) -> Exception:
    """The guard's refusal where it is what left the name without an address, else the error as it came."""
    parts = urlsplit(request.url)
    host, port = parts.hostname or "", parts.port or DEFAULT_PORTS[parts.scheme]
    resolver = address_guard.installed_guard()
    reason = resolver.refusal(host, port) if resolver else None
    return Refused(address_guard.BLOCKED, f"{host}: {reason}") if reason else error
