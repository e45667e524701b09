"""Which settings the add-on changes. Scrapy gives an add-on a lower priority (15) than a settings module (20).

Most of the add-on's values are defaults, and values of the project override them. `OVERRIDDEN` names the settings in
which the project's value would switch off the address guard or the delay of a host, and `startproject` writes some of
them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal

from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings

from newscrawl.config import scrapy_defaults
from newscrawl.config.catalogue import Config
from newscrawl.errors import ConfigurationError, meant

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


@dataclass(frozen=True, slots=True)
class Change:
    """One setting that the add-on sets, with its priority, and for an override the reason."""

    name: str
    value: Any
    priority: int
    kind: Literal["default", "component", "override"]
    reason: str = ""


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
                yield Change(name, value, PROJECT, "override", OVERRIDDEN[name])
        elif name not in OVERRIDDEN:
            yield Change(name, value, ADDON, "default")
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
    return Change(name, merged, max(ADDON, settings.getpriority(name) or 0), "component")


def _of_component(value: Any) -> Any:
    return dict(value) if isinstance(value, BaseSettings) else value
