"""Notes what a site declares, with each crawl of it: also its settings as they apply, each with where it comes from.
The name of the extension is that in the settings of projects."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final, Self

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings

from newscrawl.config.catalogue import CATALOGUE, PER_SITE
from newscrawl.config.reading import config_of, value_of
from newscrawl.config.user_agent import PRODUCT
from newscrawl.crawling.downloader.middlewares.robots import sent_agent
from newscrawl.crawling.runtime.site_session import session_of
from newscrawl.crawling.spider.news_spider import NewsSpider
from newscrawl.errors import StorageError
from newscrawl.model.identity.masking import masked
from newscrawl.storage.frontier import sites
from newscrawl.storage.frontier.sites import AGENT, AppliedSetting, SiteDeclaration
from newscrawl.storage.records import GENERIC_SITE
from newscrawl.storage.store import Store

DEFAULT: Final = "default"
OF_SITE: Final = "the site's file"
OF_PROJECT: Final = "settings of the project"
OF_ENVIRONMENT: Final = "environment"
OF_COMMAND: Final = "command line"
OF_SCHEDULES: Final = "NEWSCRAWL_SITE_SCHEDULES"
SCHEDULE: Final = ("cron", "interval", "quiet_hours", "time_zone", "daily_requests", "republishes")
"""The attributes that a site declares besides its sources and its rule."""
DELAY: Final = "DOWNLOAD_DELAY"
MAX_VALUE: Final = 500


class RunLog:
    """Scrapy extension that stores the declaration of the site if it has changed."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        log = cls(crawler)
        crawler.signals.connect(log._open, signal=signals.spider_opened)
        return log

    async def _open(self, spider: Spider) -> None:
        session = session_of(self._crawler)
        if session is None or not isinstance(spider, NewsSpider) or spider.name == GENERIC_SITE:
            return
        declared, store = declaration_of(spider, self._crawler.settings), session.services.store
        if await asyncio.to_thread(_is_new, store, declared):
            with suppress(StorageError):  # logged by the writer, and the crawl ends
                await session.committed(store.run(sites.declare, declared, datetime.now(UTC)))


def _is_new(store: Store, declared: SiteDeclaration) -> bool:
    """Returns whether the stored declaration is another one, or cannot be read: the writer tries again. Read without
    the lock of writers, because it seldom is."""
    try:
        with store.reading() as connection:
            known = sites.declaration(connection, declared.site)
    except StorageError:
        return True
    return known is None or known[0] != declared


def declaration_of(spider: NewsSpider, settings: BaseSettings) -> SiteDeclaration:
    """Returns what a site declares."""
    return SiteDeclaration(
        site=spider.name,
        home=spider.site.home,
        language=spider.language,
        country=spider.country,
        patterns=tuple(pattern.pattern for pattern in spider.site.rule.patterns),
        settings=tuple(_applied(spider, settings)),
        republishes=spider.republishes,
    )


def _applied(spider: NewsSpider, settings: BaseSettings) -> Iterator[AppliedSetting]:
    yield _setting("delay", settings.getfloat(DELAY), _origin_of_delay(spider, settings))
    yield _setting(AGENT, settings["ROBOTSTXT_USER_AGENT"] or sent_agent(settings), _origin_of_agent(settings))
    schedules = config_of(settings).scheduling.site_schedules.get(spider.name)
    over: Mapping[str, Any] = schedules if isinstance(schedules, Mapping) else {}
    for name in SCHEDULE:
        declared = getattr(spider, name)
        value, origin = (over[name], OF_SCHEDULES) if name in over else (declared, OF_SITE)
        yield _setting(name, value, origin if value not in {None, False} else DEFAULT)
    for name in sorted(PER_SITE):
        yield _setting(name, value_of(settings, name), _origin(settings, name))


def _setting(name: str, value: Any, origin: str) -> AppliedSetting:
    if isinstance(value, str):
        text = value
    else:
        text = "" if value is None else json.dumps(value, default=_plain, ensure_ascii=False)
    return AppliedSetting(name, masked(text)[:MAX_VALUE], origin)


def _origin_of_delay(spider: NewsSpider, settings: BaseSettings) -> str:
    if spider.delay is not None and spider.delay == settings.getfloat(DELAY):
        return OF_SITE
    return _origin(settings, "NEWSCRAWL_DELAY")


def _origin_of_agent(settings: BaseSettings) -> str:
    if not settings["ROBOTSTXT_USER_AGENT"] and sent_agent(settings).startswith(f"{PRODUCT}/"):
        return _origin(settings, "NEWSCRAWL_CONTACT")
    name = "ROBOTSTXT_USER_AGENT" if settings["ROBOTSTXT_USER_AGENT"] else "USER_AGENT"
    priority = settings.getpriority(name) or 0
    if priority >= SETTINGS_PRIORITIES["cmdline"]:
        return OF_COMMAND
    return OF_SITE if priority >= SETTINGS_PRIORITIES["spider"] else OF_PROJECT


def _origin(settings: BaseSettings, name: str) -> str:
    """Returns where a setting comes from, by Scrapy's priority of the place that set it."""
    declared = CATALOGUE[name]
    priority = settings.getpriority(declared.stored_as or name) or 0
    if priority >= SETTINGS_PRIORITIES["cmdline"]:
        return OF_COMMAND
    if priority >= SETTINGS_PRIORITIES["spider"]:
        return OF_SITE
    if name in os.environ:
        return OF_ENVIRONMENT
    return DEFAULT if value_of(settings, name) == declared.default else OF_PROJECT


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else list(value)
