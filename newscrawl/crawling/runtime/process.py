"""Starts crawls for commands, tests and `scrapy crawl`.

A process can start Scrapy's reactor once, so each of these functions that runs it can be called once a process.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, nullcontext, suppress
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, Final, Self

from scrapy import Request, Spider
from scrapy.crawler import AsyncCrawlerProcess, Crawler
from scrapy.http import Response
from scrapy.settings import BaseSettings, Settings

from newscrawl.config.derived.stores import database_of, store_of
from newscrawl.config.environment import errors_in_one_line
from newscrawl.config.logs.lines import print_line
from newscrawl.config.logs.terminal import guard_terminals
from newscrawl.config.project import project_settings, safe_settings
from newscrawl.config.reading import config_of
from newscrawl.crawling.downloader.address_guard import policy_of
from newscrawl.crawling.downloader.claims import HostClaims
from newscrawl.crawling.downloader.middlewares.robots import RobotsMiddleware, RobotsStore
from newscrawl.crawling.downloader.throttled_downloader import ThrottledDownloader
from newscrawl.crawling.failures import answered, failure_of
from newscrawl.crawling.runtime.interrupt import SignalRecorder, exit_code
from newscrawl.crawling.runtime.log_setup import set_up_log
from newscrawl.crawling.runtime.site_lease import DURATION
from newscrawl.crawling.spider.responses import raw_page
from newscrawl.errors import ConfigurationError, FetchError, NewscrawlError, ProjectError, UnknownSiteError
from newscrawl.model import RawPage
from newscrawl.model.identity.urls import with_ascii_host
from newscrawl.storage import migrations
from newscrawl.workers.processes.forkserver import remove_folder

__all__ = [
    "Interrupted",
    "fetch_one",
    "make_process",
    "project_settings",
    "run_spider",
    "run_work",
    "safe_settings",
]

Work = Callable[[Crawler], Awaitable[None]]

_NO_REQUESTS: Final[tuple[Request, ...]] = ()
NO_GUARD: Final = "no_address_guard"
"""The reason with which newscrawl.crawling.downloader.address_guard.GuardCheck closes a spider."""


class Interrupted(NewscrawlError):
    """A signal stopped the work of a command before its end. `exit_code` is that of the signal."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__("stopped before the end")
        self.exit_code = exit_code(crawler)


def command_settings() -> Settings:
    """Returns settings for commands that fetch: `safe_settings`, the project's settings on addresses and politeness,
    and a quiet log."""
    settings = safe_settings()
    settings.setdict(_of_newscrawl(project_settings()), priority="project")
    settings.setdict({"LOG_LEVEL": "ERROR", "STATS_DUMP": False, "LOG_VERSIONS": []}, priority="project")
    return settings


def make_process(
    overrides: Mapping[str, Any] | None = None, *, settings: Settings | None = None
) -> AsyncCrawlerProcess:
    """Returns a process with the address guard, ready for `run_spider`. Overrides win over files, as `scrapy crawl -s`.

    Raises ConfigurationError for settings without a guard.
    """
    settings = settings or project_settings()
    settings.setdict(dict(overrides or {}), priority="cmdline")
    policy_of(config_of(settings))
    quiet_start(settings)
    return AsyncCrawlerProcess(settings)


def close_event_loop() -> None:
    """Closes the current loop unless it runs. Call it where a command ends without running its loop."""
    loop = asyncio.get_event_loop_policy().get_event_loop()
    if not loop.is_running():
        loop.close()


def quiet_start(settings: BaseSettings) -> None:
    """Suppresses the lines about itself that Scrapy logs at the start of each crawl: versions, parts, settings. Errors
    are still logged, and with LOG_LEVEL=DEBUG all lines. Sets up the log as the settings say."""
    with errors_in_one_line():  # Scrapy calls this before it would report an error of its own
        set_up_log(settings)
    guard_terminals()
    if settings["LOG_LEVEL"] == "DEBUG":
        return
    for name in ("scrapy.addons", "scrapy.middleware", "scrapy.utils.log"):
        logging.getLogger(name).addFilter(_is_warning)  # a level would be lost when Scrapy sets up its logging
    logging.getLogger("scrapy.crawler").addFilter(_is_no_dump)


def _is_warning(record: logging.LogRecord) -> bool:
    return record.levelno >= logging.WARNING


def _is_no_dump(record: logging.LogRecord) -> bool:
    return not record.getMessage().startswith("Overridden settings:")


def run_spider(process: AsyncCrawlerProcess, spider: type[Spider] | str, **arguments: Any) -> Crawler:
    """Runs one spider to its end. The crawler that it returns has the statistics.

    Raises UnknownSiteError for an unknown name, and the error that kept the crawl from starting.
    """
    if isinstance(spider, str) and spider not in process.spider_loader.list():
        raise UnknownSiteError(spider, process.spider_loader.list())
    crawler = process.create_crawler(spider)
    task = process.crawl(crawler, **arguments)
    run_reactor(process)
    error = task.exception() if task.done() and not task.cancelled() else None
    if error is not None:
        raise error
    if crawler.stats.get_value("finish_reason") == NO_GUARD:
        raise ConfigurationError("TWISTED_DNS_RESOLVER", "the reactor has another resolver than the address guard")
    return crawler


def run_reactor(process: AsyncCrawlerProcess, **options: Any) -> None:
    """Runs Scrapy's reactor until it is stopped.

    If an operator's code calls sys.exit() meanwhile, asyncio ends the loop. Then this process ends with one line and
    exit code 1, as after a kill: what was fetched and not stored yet is fetched again by the next one.
    """
    try:
        process.start(**options)
    except SystemExit as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        print_line(
            f"newscrawl: {os.path.relpath(place.filename)}, line {place.lineno} calls sys.exit({error.code!r}) in a "
            "crawl: let it return or raise an error instead"
        )
        leave_at_once(1)


def leave_at_once(code: int) -> None:
    """Ends this process without waiting for its crawls, threads and children."""
    with suppress(OSError, ValueError):  # a log or output that cannot be written does not matter
        logging.shutdown()
        sys.stdout.flush()
        sys.stderr.flush()
    remove_folder()
    os._exit(code)


def run_work(work: Work, overrides: Mapping[str, Any] | None = None) -> Crawler:
    """Runs a coroutine in a crawl of its own and returns the crawler, which has the statistics. Each of its requests
    may depend on the answer before, and passes address guard, robots.txt, the host's delay, limits and redirects as
    all others do. They share the hosts of the database with all crawls, if the settings name one.

    Raises the errors of `work`, Interrupted if a signal stopped it, ConfigurationError for settings that cannot work,
    and StorageError for a database that cannot be used.
    """
    errors: list[Exception | None] = []
    process = make_process(overrides, settings=command_settings())
    crawler = run_spider(process, WorkSpider, work=work, errors=errors)
    if errors == [None]:
        return crawler
    error = errors[0] if errors else None
    if error is None or exit_code(crawler):
        raise Interrupted(crawler)
    raise error


class WorkSpider(Spider):
    """Runs the work of `run_work` in `start`, and yields no requests."""

    name = "work"

    def __init__(self, work: Work, errors: list[Exception | None], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._work = work
        self._errors = errors

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """Makes the spider as Scrapy does. Its crawl records the signal that stops it, for `Interrupted`."""
        SignalRecorder.from_crawler(crawler)
        return super().from_crawler(crawler, *args, **kwargs)

    async def start(self) -> AsyncIterator[Any]:
        """Runs the work. Its error is kept for `run_work`, because the engine would only log it."""
        has_database = bool(config_of(self.crawler.settings).storage.database_url)
        try:
            async with shared_hosts(self.crawler) if has_database else nullcontext():
                await self._work(self.crawler)
            self._errors.append(None)
        except Exception as error:  # noqa: BLE001  raised again by `run_work`
            self._errors.append(error)
        for request in _NO_REQUESTS:
            yield request


@asynccontextmanager
async def shared_hosts(crawler: Crawler, *, with_robots: bool = True) -> AsyncIterator[None]:
    """While it is open, each request of the crawl claims its host in the database of the settings, as the requests of
    `newscrawl run` do. The host's delay and back-off come from there, and so does robots.txt, unless `with_robots` is
    false. The requests are not counted for any site.

    A database that does not exist yet, or has no schema, is not made: nobody crawls with it. Raises StorageError if
    the database cannot be used, ConfigurationError if the settings name none, and ProjectError for another downloader.
    """
    downloader = crawler.engine.downloader if crawler.engine is not None else None
    if not isinstance(downloader, ThrottledDownloader):
        raise ProjectError(f"DOWNLOADER must be {ThrottledDownloader.__module__}.ThrottledDownloader")
    config = config_of(crawler.settings)
    if migrations.current_revision(database_of(config)) is None:
        yield
        return
    with store_of(config) as store:
        seconds = crawler.settings.getfloat("DOWNLOAD_TIMEOUT")
        claims = downloader.throttle.claims = HostClaims(store, lease=DURATION.total_seconds(), request=seconds)
        robots = crawler.get_downloader_middleware(RobotsMiddleware)
        if robots is not None and with_robots:
            robots.memory = RobotsStore(store)
        try:
            yield
        finally:
            await claims.close()


def fetch_one(url: str, overrides: Mapping[str, Any] | None = None) -> RawPage:
    """Fetches one URL as a crawl would. The page's site is "". Raises FetchError with the reason if there is no page,
    and the errors of `run_work`."""
    pages: list[RawPage] = []

    async def fetch(crawler: Crawler) -> None:
        try:
            request = Request(with_ascii_host(url), dont_filter=True)
        except ValueError as error:
            raise FetchError(url, f"{error}; write it with http:// or https://") from error
        try:
            response: Response = await crawler.engine.download_async(request)
        # As in a spider's errback: every exception becomes a Failure, an unforeseen one download/error.
        except Exception as error:
            raise FetchError(url, failure_of(error).reason) from error
        if response.status != HTTPStatus.OK:
            raise FetchError(url, answered(response).reason)
        pages.append(raw_page(response, requested_url=url, site="", discovery=None, now=datetime.now(UTC)))

    run_work(fetch, overrides)
    return pages[0]


def _of_newscrawl(settings: Settings) -> dict[str, Any]:
    """Returns the project's settings on addresses and politeness. Commands that fetch need no pipelines or database."""
    agents = {"USER_AGENT", "ROBOTSTXT_USER_AGENT"}
    names = {*agents, "DOWNLOAD_DELAY", "DOWNLOAD_TIMEOUT", "DOWNLOAD_MAXSIZE", "HTTPPROXY_ENABLED"}
    return {name: settings[name] for name in settings if name.startswith("NEWSCRAWL_") or name in names}
