"""`Newscrawl`, the class that ADDONS names, and the settings that it changes. Scrapy gives an add-on a lower priority
(15) than a settings module (20).

Most of the add-on's values are defaults, and values of the project override them. `OVERRIDDEN` names the settings in
which the project's value would switch off the address guard or the delay of a host, and `startproject` writes some of
them.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any, Final, Self

from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings

from newscrawl.config import scrapy_defaults
from newscrawl.config.catalogue import Config
from newscrawl.config.derived.article_options import options_of
from newscrawl.config.derived.stores import reader_of
from newscrawl.config.environment import add_on_settings, errors_in_one_line
from newscrawl.config.names import warn_of_unknown
from newscrawl.config.reading import config_of
from newscrawl.config.scrapy_commands import set_event_loop
from newscrawl.crawling.downloader import address_guard
from newscrawl.crawling.runtime import setting_checks
from newscrawl.crawling.runtime.log_setup import set_up_log
from newscrawl.crawling.runtime.setting_checks import CONTACT, check_settings
from newscrawl.errors import ConfigurationError, MissingDatabase, meant

logger = logging.getLogger(__name__)

REACTOR: Final = "twisted.internet.asyncioreactor.AsyncioSelectorReactor"
OVERRIDES: Final = "ADDON_OVERRIDES_OF_NEWSCRAWL"
"""The setting with the names of overridden settings. They are logged later, because the process changes its settings
before its log is set up."""
_logged: Final[set[str]] = set()
"""The overridden settings that were logged: once in a process, which may run many crawls."""
LOST: Final = (
    "NEWSCRAWL_ADDON_DOWNLOADER is off: nothing of newscrawl refuses addresses of private networks, keeps the delay of "
    "a host over restarts, obeys Crawl-delay or robots.txt, or limits the size of answers; your downloader has to"
)


class Newscrawl:
    """Scrapy add-on. It stores the pages that spiders yield, and makes their crawl safe and polite.

    The settings are changed before the first crawler exists, because a process takes the resolver and the event loop
    from its own settings. A spider's `custom_settings` and `-s` override these changes.
    """

    def __init__(self, spider: type[Spider]) -> None:
        self._spider = spider

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Builds the add-on as Scrapy does."""
        return cls(crawler.spidercls)

    @classmethod
    def update_pre_crawler_settings(cls, settings: BaseSettings) -> None:
        """Changes the settings of the process. Ends it with one line for a value that cannot work."""
        with errors_in_one_line():
            _apply(settings)
            _check(settings)
            warn_of_unknown(os.environ)
        if "twisted.internet.reactor" not in sys.modules:  # Scrapy installs it next
            set_event_loop(settings)

    @classmethod
    def check_crawl(cls, crawler: Crawler) -> None:
        """Checks the settings of a crawl and its database before it starts; `scrapy crawl` calls it and prints an error
        on one line. Raises ConfigurationError, UnknownChainError, ExtensionError, StorageError or SchemaError."""
        settings = crawler.settings.copy()
        _apply(settings)
        _check(settings)
        config = config_of(settings)
        options_of(config)  # an unknown chain, and a verdict rule that cannot be imported
        if config.addon.downloader:
            address_guard.check_settings(settings)
            _check_contact(settings, crawler.spidercls)
        try:
            with reader_of(config):
                pass
        except MissingDatabase:
            if not config.storage.database_url.startswith("sqlite:"):  # the crawl makes a SQLite file
                raise

    def update_settings(self, settings: BaseSettings) -> None:
        """Checks the settings of one crawl, after its `custom_settings`, and logs what the add-on overrides. Changes
        the settings if the process did not.

        Raises ConfigurationError if nothing could be stored with them, or if they name no contact.
        """
        _apply(settings)
        _check(settings)
        config = config_of(settings)
        if config.addon.downloader:
            _check_contact(settings, self._spider)
        else:
            logger.warning(LOST)
        for name in settings.getlist(OVERRIDES):
            if name in _logged:
                continue
            _logged.add(name)
            logger.warning(
                "the add-on of newscrawl overrides %s: %s (to keep yours: NEWSCRAWL_ADDON_KEEP = [%r])",
                name,
                OVERRIDDEN[name],
                name,
            )


def _apply(settings: BaseSettings) -> None:
    for name, value in add_on_settings().items():
        settings.set(name, value, priority=ADDON)
    set_up_log(settings)
    overridden = set(settings.getlist(OVERRIDES))
    for name, value, priority in changes(settings, config_of(settings)):
        if name in OVERRIDDEN and settings.getpriority(name) == PROJECT:
            overridden.add(name)
        settings.set(name, value, priority=priority)
    settings.set(OVERRIDES, sorted(overridden), priority=ADDON)
    setting_checks.put_into_user_agent(settings)


def _check_contact(settings: BaseSettings, spider: type[Spider]) -> None:
    if setting_checks.names_contact(settings["USER_AGENT"]) or not (host := setting_checks.host_of_others(spider)):
        return
    raise ConfigurationError(
        CONTACT,
        f"is empty, and {spider.name} crawls {host}: set an address or URL at which the owner of a site can reach you, "
        f'like {CONTACT} = "you@example.org" in the settings, or a USER_AGENT of your own',
    )


def _check(settings: BaseSettings) -> None:
    check_settings(settings)
    config: Config = config_of(settings)
    reactor: Any = settings["TWISTED_REACTOR"]
    if settings.getbool("TWISTED_REACTOR_ENABLED") and reactor not in {None, REACTOR}:
        raise ConfigurationError("TWISTED_REACTOR", f"newscrawl stores pages with asyncio: remove it, or set {REACTOR}")
    if settings.getdict("ITEM_PIPELINES").get(PIPELINE) is None:
        raise ConfigurationError(
            "ITEM_PIPELINES", f"nothing is stored without {PIPELINE}: leave it on, or remove the add-on from ADDONS"
        )
    services = "newscrawl.crawling.runtime.services.Services"
    if settings.getdict("EXTENSIONS").get(services) is None:
        raise ConfigurationError("EXTENSIONS", f"nothing is stored without {services}: leave it on")
    check_kept(config)
    if not config.storage.database_url:
        raise ConfigurationError("NEWSCRAWL_DATABASE_URL", "is empty: give the address of a database")


ADDON: Final = SETTINGS_PRIORITIES["addon"]
PROJECT: Final = SETTINGS_PRIORITIES["project"]

KEEP: Final = "NEWSCRAWL_ADDON_KEEP"
PIPELINE: Final = "newscrawl.addon.pipeline.StorePages"
PIPELINE_ORDER: Final = 900
"""The order of the add-on's pipeline: after the pipelines of the project, which may drop or change an item."""

OVERRIDDEN: Final = MappingProxyType(
    {
        "DOWNLOADER": "the downloader of newscrawl keeps the delay of every host",
        "SCHEDULER_PRIORITY_QUEUE": "a host is asked one request at a time",
        "CONCURRENT_REQUESTS_PER_DOMAIN": "a host is asked one request at a time",
        "TWISTED_DNS_RESOLVER": "the address guard refuses addresses of private networks",
        "DOWNLOAD_HANDLERS": "the handlers of newscrawl limit the size of an answer's head",
        "HTTPPROXY_ENABLED": "behind a proxy the address guard sees only the proxy",
        "AUTOTHROTTLE_ENABLED": "AutoThrottle goes below the delay of newscrawl and a Crawl-delay",
        "ROBOTSTXT_OBEY": "newscrawl obeys robots.txt with a middleware of its own",
    }
)
"""Settings that the add-on sets even where the settings module has another value, each with the reason."""

STORAGE: Final = MappingProxyType(
    {
        "newscrawl.crawling.runtime.services.Services": 100,
        "newscrawl.crawling.runtime.run_log.RunLog": 200,
        "newscrawl.crawling.monitoring.watchdog.WatchAtEnd": 220,
    }
)
"""The extensions that store pages; those of `scrapy_defaults` are the downloader's."""

_PER_PROCESS: Final = frozenset({"BOT_NAME", "COMMANDS_MODULE", "LOG_LEVEL", "EXTENSIONS", "DOWNLOADER_MIDDLEWARES"})
_OF_PROJECT: Final = frozenset({"COOKIES_ENABLED", "REFERER_ENABLED", "TELNETCONSOLE_ENABLED"})
"""Settings of `scrapy_defaults` that the add-on leaves to the project: a spider that logs in needs cookies."""
_HTTP_AUTH: Final = "scrapy.downloadermiddlewares.httpauth.HttpAuthMiddleware"
"""Off in a newscrawl project, on with the add-on: a spider of the project may have a user and a password."""
_OF_STORAGE: Final = frozenset({"CONCURRENT_ITEMS", "SCRAPER_SLOT_MAX_ACTIVE_SIZE", "ASYNCIO_EVENT_LOOP"})
"""Settings of `scrapy_defaults` that are useful without its downloader."""


Change = tuple[str, Any, int]
"""A setting that the add-on sets: its name, value and priority."""


def check_kept(config: Config) -> None:
    """Raises ConfigurationError for a name in NEWSCRAWL_ADDON_KEEP that the add-on does not override."""
    for name in config.addon.keep:
        if name not in OVERRIDDEN:
            overridden = ", ".join(sorted(OVERRIDDEN))
            raise ConfigurationError(
                KEEP, f"the add-on does not override {name!r}: {meant(name, OVERRIDDEN)}it overrides {overridden}"
            )


def changes(settings: BaseSettings, config: Config) -> Iterator[Change]:
    """Yields the settings that the add-on sets besides the NEWSCRAWL_ settings."""
    with_downloader = config.addon.downloader
    for name, value in _defaults().items():
        if not (with_downloader or name in _OF_STORAGE):
            continue
        if name in OVERRIDDEN and name not in config.addon.keep:
            if _of_component(settings.get(name)) != value:
                yield name, value, PROJECT
        elif name not in OVERRIDDEN:
            yield name, value, ADDON
    if with_downloader:
        middlewares = {name: at for name, at in scrapy_defaults.DOWNLOADER_MIDDLEWARES.items() if name != _HTTP_AUTH}
        yield _merged(settings, "DOWNLOADER_MIDDLEWARES", middlewares)
    extensions = {**(scrapy_defaults.EXTENSIONS if with_downloader else {}), **STORAGE}
    yield _merged(settings, "EXTENSIONS", extensions)
    yield _merged(settings, "ITEM_PIPELINES", {PIPELINE: PIPELINE_ORDER})


def _defaults() -> dict[str, Any]:
    return {
        name: getattr(scrapy_defaults, name)
        for name in dir(scrapy_defaults)
        if name.isupper() and not name.startswith("NEWSCRAWL_") and name not in _PER_PROCESS | _OF_PROJECT
    }


def _merged(settings: BaseSettings, name: str, ours: dict[str, Any]) -> Change:
    """Returns the components of the project and of newscrawl. If both name one, the order (or None) of the project is
    used."""
    merged = {**ours, **settings.getdict(name)}
    return name, merged, max(ADDON, settings.getpriority(name) or 0)


def _of_component(value: Any) -> Any:
    return dict(value) if isinstance(value, BaseSettings) else value
