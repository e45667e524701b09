"""`Newscrawl`, the class that ADDONS names."""

from __future__ import annotations

import logging
import os
import sys
from typing import Any, Final, Self

from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings

from newscrawl.addon.plan import ADDON, OVERRIDDEN, PIPELINE, PROJECT, changes, check_kept
from newscrawl.config.catalogue import Config
from newscrawl.config.derived.article_options import options_of
from newscrawl.config.derived.stores import reader_of
from newscrawl.config.environment import add_on_settings, errors_in_one_line
from newscrawl.config.names import warn_of_unknown
from newscrawl.config.reading import config_of
from newscrawl.config.scrapy_commands import set_event_loop
from newscrawl.crawling.downloader import address_guard
from newscrawl.crawling.runtime import contact
from newscrawl.crawling.runtime.log_setup import set_up_log
from newscrawl.crawling.runtime.setting_checks import check_settings
from newscrawl.errors import ConfigurationError, MissingDatabase

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
    for change in changes(settings, config_of(settings)):
        if change.kind == "override" and settings.getpriority(change.name) == PROJECT:
            overridden.add(change.name)
        settings.set(change.name, change.value, priority=change.priority)
    settings.set(OVERRIDES, sorted(overridden), priority=ADDON)
    contact.put_into_user_agent(settings)


def _check_contact(settings: BaseSettings, spider: type[Spider]) -> None:
    if contact.names_contact(settings["USER_AGENT"]) or not (host := contact.host_of_others(spider)):
        return
    raise ConfigurationError(
        contact.CONTACT,
        f"is empty, and {spider.name} crawls {host}: set an address or URL at which the owner of a site can reach you, "
        f'like {contact.CONTACT} = "you@example.org" in the settings, or a USER_AGENT of your own',
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
