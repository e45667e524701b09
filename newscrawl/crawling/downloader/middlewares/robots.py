"""Downloader middleware that obeys robots.txt for every request: pages, feeds, sitemaps and redirect targets. Files are
kept in the database, so that a site that is crawled every few minutes gets one request for robots.txt a day.

Scrapy's own middleware lets the third of several simultaneous first requests through, treats every failure as
permission and never fetches robots.txt again (measured on 2.19). newscrawl.crawling.scheduling.robots decides what an
answer means. Obeyed are the groups of the user agent that is sent (ROBOTSTXT_USER_AGENT, if it is set) and those of
newscrawl.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any, Final
from weakref import WeakValueDictionary

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import StopDownload
from scrapy.http.request import NO_CALLBACK
from scrapy.settings import BaseSettings

from newscrawl.crawling.downloader.middlewares.redirects import NoTargetError, redirect_target
from newscrawl.crawling.downloader.middlewares.retry import FAILED_BEFORE
from newscrawl.crawling.downloader.throttle import RESTING, host_key
from newscrawl.crawling.downloader.throttled_downloader import STILL_NEEDED, ThrottledDownloader
from newscrawl.crawling.failures import BAD_URL, failure_of
from newscrawl.crawling.refusals import Refused, RefusedAnswer
from newscrawl.crawling.runtime.site_session import session_of
from newscrawl.crawling.scheduling.host import MAX_CRAWL_DELAY
from newscrawl.crawling.scheduling.robots import (
    MAX_REDIRECTS,
    MAX_ROBOTS_BYTES,
    MAX_RULES,
    MAX_WILDCARD_CHARACTERS,
    Robots,
    authority_of,
    read_answer,
    read_failure,
)
from newscrawl.discovery.proposals.find_sources import robots_sitemaps
from newscrawl.errors import StorageError
from newscrawl.model import Failure
from newscrawl.model.times import SteadyClock
from newscrawl.storage.frontier import hosts
from newscrawl.storage.reader import Transactions

FORBIDDEN: Final = "robots/forbidden"
TOO_COSTLY: Final = "robots/too_costly"
UNREACHABLE: Final = "robots/unreachable"
DELAY_CAPPED: Final = "robots/delay_capped"
FETCHED: Final = "robots/fetched"
READ_MEANWHILE: Final = "robots/read_meanwhile"

ROBOTS_REQUEST: Final = "newscrawl_robots"
"""Key in request.meta of a request for robots.txt itself; its value counts the bytes received so far."""

PRIORITY: Final = 1000
"""Higher than all others, because the other requests of a host wait for its robots.txt."""


class RobotsMiddleware:
    """Refuses requests that robots.txt forbids. It fetches the file first, once for each authority, however many
    requests wait for it."""

    def __init__(
        self, crawler: Crawler, memory: RobotsStore | None = None, now: Callable[[], datetime] | None = None
    ) -> None:
        self.memory = memory or RobotsStore()
        """Keeps the files from one crawl to the next, if it has a database."""
        self._crawler = crawler
        self._now = now or SteadyClock()
        self._honoured: WeakValueDictionary[str, Robots] = WeakValueDictionary()
        """The files whose Crawl-delay the throttle knows, by authority."""
        self._max_unpacked = crawler.settings.getint("DOWNLOAD_MAXSIZE") or 20 * MAX_ROBOTS_BYTES
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """One lock for each authority whose robots.txt is being looked up."""
        self.agent: str = crawler.settings["ROBOTSTXT_USER_AGENT"] or ""
        """The user agent whose groups are obeyed whatever a request sends; empty: that of each request."""
        self.usual_agent: str = self.agent or sent_agent(crawler.settings)
        """The user agent of a request that has none of its own; also that of the Crawl-delay."""
        crawler.signals.connect(self._bytes_received, signal=signals.bytes_received)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RobotsMiddleware:
        """Returns the middleware for a crawler, as Scrapy builds middlewares."""
        session = session_of(crawler)
        return cls(crawler, session.services.robots if session is not None else None)

    async def process_request(self, request: Request) -> None:
        """Lets an allowed request pass; raises Refused for others."""
        if ROBOTS_REQUEST in request.meta:
            return
        try:
            robots = await self.robots_of(request.url)
        except ValueError as error:
            raise self._refused(BAD_URL, str(error)) from error
        agent = self.agent or (request.headers.get("User-Agent") or b"").decode("latin-1") or self.usual_agent
        await _parse(robots, agent)
        unread = f"robots.txt of {authority_of(request.url)} could not be read: {robots.reason}"
        if robots.allows(request.url, agent):
            if robots.failures:  # its host may rest for that, and the request is then not sent
                request.meta.setdefault(FAILED_BEFORE, (Failure(UNREACHABLE, unread), robots.status))
            return
        if robots.is_too_costly(agent):
            raise self._refused(
                TOO_COSTLY,
                f"robots.txt of {authority_of(request.url)} has more than {MAX_RULES:,} rules for us, or more than "
                f"{MAX_WILDCARD_CHARACTERS:,} characters of rules with wildcards: ask the site's owner",
            )
        if robots.reading == "rules":
            raise self._refused(FORBIDDEN, f"robots.txt of {authority_of(request.url)} forbids it")
        raise self._refused(UNREACHABLE, unread)

    async def sitemaps_of(self, url: str) -> tuple[str, ...]:
        """Returns the sitemaps that the robots.txt of a URL's authority names; raises the errors of `robots_of`."""
        robots = await self.robots_of(url)
        return tuple(robots_sitemaps(robots.body, f"{authority_of(url)}/robots.txt"))

    async def robots_of(self, url: str) -> Robots:
        """Returns the robots.txt of a URL's authority, from memory or the network.

        Raises ValueError for a URL without a host, and Refused or StorageError if no request may be sent now.
        """
        authority = authority_of(url)
        lock = self._locks.setdefault(authority, asyncio.Lock())
        async with lock:
            robots = await self.memory.load(authority)
            if robots is not None:
                await self._honour_delay(authority, robots)  # also while it is fetched again
            if robots is None or not robots.fresh(self._now()):
                robots = await self._renewed(authority, robots)
                await self._honour_delay(authority, robots)
            return robots

    async def _renewed(self, authority: str, previous: Robots | None) -> Robots:
        """Fetches and saves the file, unless another crawl has saved it while the request waited for its host."""
        newest = previous

        async def is_needed() -> bool:
            nonlocal newest
            with suppress(StorageError):
                newest = await self.memory.load(authority, newest=True)
            return newest is None or not newest.fresh(self._now())

        try:
            robots = await self._fetch(authority, previous, is_needed)
        except Refused as refusal:
            if refusal.code == READ_MEANWHILE and newest is not None:
                return newest
            raise
        await self.memory.save(authority, robots)
        return robots

    async def _fetch(self, authority: str, previous: Robots | None, is_needed: Callable[[], Awaitable[bool]]) -> Robots:
        request = _robots_request(f"{authority}/robots.txt")
        request.meta[STILL_NEEDED] = (is_needed, READ_MEANWHILE)
        for hop in range(MAX_REDIRECTS + 1):
            try:
                response = await self._crawler.engine.download_async(request)
            except Exception as error:
                if isinstance(error, Refused) and error.code == RESTING and FAILED_BEFORE in request.meta:
                    failure, status = request.meta[FAILED_BEFORE]  # of the request that is not repeated
                    return read_failure(failure.reason, self._now(), previous, status)
                if hop == 0 and isinstance(error, Refused | StorageError) and not isinstance(error, RefusedAnswer):
                    raise  # no request was sent, so robots.txt is unknown and the page is refused for the same reason
                return read_failure(failure_of(error).reason, self._now(), previous)
            if not (300 <= response.status < 400 and "Location" in response.headers):
                self._crawler.stats.inc_value(FETCHED)
                return read_answer(response.status, response.body, self._now(), previous)
            try:
                request = _robots_request(redirect_target(response))
            except NoTargetError as error:
                return read_failure(str(error), self._now(), previous, response.status)
        return read_failure(f"more than {MAX_REDIRECTS} redirects", self._now(), previous)

    async def _honour_delay(self, authority: str, robots: Robots) -> None:
        """Tells the throttle the Crawl-delay of a file that it does not know yet."""
        if self._honoured.get(authority) is robots:
            return
        await _parse(robots, self.usual_agent)
        self._honoured[authority] = robots
        if robots.reading == "disallow":
            return  # it could not be read: the Crawl-delay known so far stays in force
        crawl_delay = robots.crawl_delay(self.usual_agent)
        if crawl_delay is not None and crawl_delay > MAX_CRAWL_DELAY:
            self._crawler.stats.inc_value(DELAY_CAPPED)
        downloader = self._crawler.engine.downloader
        if isinstance(downloader, ThrottledDownloader):
            downloader.throttle.set_crawl_delay(host_key(authority), crawl_delay, authority)

    def _bytes_received(self, data: bytes, request: Request, **_: Any) -> None:
        """Stops reading a robots.txt that is longer than `MAX_ROBOTS_BYTES`, and keeps the part that was read."""
        received = request.meta.get(ROBOTS_REQUEST)
        if received is None:
            return
        request.meta[ROBOTS_REQUEST] = received + len(data)
        request.meta["download_maxsize"] = self._max_unpacked  # limits an answer that is compressed all the same
        if request.meta[ROBOTS_REQUEST] > MAX_ROBOTS_BYTES:
            raise StopDownload(fail=False)

    def _refused(self, kind: str, reason: str) -> Refused:
        self._crawler.stats.inc_value(kind)
        return Refused(kind, reason)


def sent_agent(settings: BaseSettings) -> str:
    """Returns the User-Agent that requests without one of their own get, "" for none."""
    default: Mapping[str, object] = settings.getdict("DEFAULT_REQUEST_HEADERS")
    of_headers = next((value for name, value in default.items() if name.lower() == "user-agent"), None)
    return str(of_headers or settings["USER_AGENT"] or "")


async def _parse(robots: Robots, agent: str) -> None:
    """Parses the rules for a user agent off the event loop, if they are not."""
    if robots.rules is not None and not robots.rules.knows(agent):
        await asyncio.to_thread(robots.rules.rules, agent)


def _robots_request(url: str) -> Request:
    """Returns the request. This middleware follows its redirects itself, also off-site ones, within the limits of RFC
    9309. Compression is declined because a compressed file that is cut at the limit cannot be read."""
    return Request(
        url,
        callback=NO_CALLBACK,
        priority=PRIORITY,
        headers={"Accept": "text/plain,*/*;q=0.5", "Accept-Encoding": "identity"},
        meta={
            ROBOTS_REQUEST: 0,
            "allow_offsite": True,
            "dont_redirect": True,
            "handle_httpstatus_all": True,
            "download_maxsize": 0,  # _bytes_received stops the reading and keeps what was read, instead of nothing
        },
        dont_filter=True,
    )


KEPT_BYTES: Final = 64 << 20
"""About the most memory that the files of a process take, the latest used ones: thousands of usual files or three of
the largest. Without them each crawl of a site every few minutes would read and parse its file again, and without a
limit a site that answers for any subdomain could fill the memory."""
MIN_BYTES: Final = 1024
"""The least that a file counts for."""
LINE_BYTES: Final = 300
"""What a parsed rule takes (measured with Protego 0.7)."""


class RobotsStore:
    """The latest used robots.txt files of a process, and, with a database, all of them in the table `hosts`."""

    def __init__(self, store: Transactions | None = None) -> None:
        self._store = store
        self._kept: OrderedDict[str, Robots] = OrderedDict()
        self._bytes = 0

    async def load(self, authority: str, *, newest: bool = False) -> Robots | None:
        """Returns the robots.txt last saved for an authority such as `https://example.com`, None if none was. With
        `newest`, the database is read in any case, because another process may have saved the file meanwhile."""
        kept = self._kept.get(authority)
        if self._store is None or (kept is not None and not newest):
            if kept is not None:
                self._kept.move_to_end(authority)
            return kept
        robots = await asyncio.wrap_future(self._store.run(hosts.load_robots, authority))
        if robots is not None:
            self._keep(authority, robots)
        return robots

    async def save(self, authority: str, robots: Robots) -> None:
        """Stores the file. Returns after the commit."""
        self._keep(authority, robots)
        if self._store is None:
            return
        await asyncio.wrap_future(self._store.run(hosts.save_robots, authority, robots))

    def _keep(self, authority: str, robots: Robots) -> None:
        before = self._kept.pop(authority, None)
        self._kept[authority] = robots
        self._bytes += _weight(robots) - (_weight(before) if before else 0)
        while self._bytes > KEPT_BYTES:
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= _weight(oldest)


def _weight(robots: Robots) -> int:
    """Returns about the memory that it takes when it is parsed: its bytes, its text, its rules."""
    return max(MIN_BYTES, 2 * len(robots.body) + LINE_BYTES * robots.body.count(b"\n"))
