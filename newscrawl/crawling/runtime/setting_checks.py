"""Checks all newscrawl settings at the start; an error names the value and what is allowed. Before a site is crawled,
also that the user agent names a contact: sites on this machine's loopback, such as the demo, need none."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from newscrawl.config.catalogue import Config
from newscrawl.config.derived.article_options import options_of, review_chains_of
from newscrawl.config.derived.retention import retention_of
from newscrawl.config.names import DATABASE, check_names
from newscrawl.config.per_site import own_settings
from newscrawl.config.reading import SettingsValues, config_of, value_of
from newscrawl.config.user_agent import user_agent
from newscrawl.errors import ConfigurationError, StorageError, UsageError
from newscrawl.storage.engine.database import parse_url

if TYPE_CHECKING:  # every command checks its settings, and few need Scrapy
    from scrapy import Spider
    from scrapy.settings import BaseSettings


def check_settings(settings: SettingsValues, environment: Mapping[str, str] | None = None) -> None:
    """Raises ConfigurationError for the first invalid value and for an unknown name.

    Chains, networks and ports are checked elsewhere (`options_of`, `address_guard.policy_of`).
    """
    variables = os.environ if environment is None else environment
    check_names(settings)
    config = config_of(settings, variables)
    _check_database(config)
    wanted = config.monitoring
    if wanted.alert_webhook or wanted.alert_mail_host or wanted.alert_mail_to or wanted.alert_mail_from:
        from newscrawl.publishing.deliver.sender import receivers_of  # loads HTTP and SMTP, only if wanted

        receivers_of(config)
    if config.scheduling.time_scale != 1.0:
        from newscrawl.config.derived.intervals import check_time_scale  # loads all of scheduling, for trials only

        check_time_scale(config.scheduling.time_scale, datetime.now(UTC))
    review_chains_of(config)
    retention_of(config)


def check_site_settings(settings: BaseSettings, spider: type[Spider]) -> None:
    """Raises UsageError for the first invalid value in a spider's `custom_settings`; `per_site` checks the names."""
    if not own_settings(spider):
        return
    merged = settings.copy()
    spider.update_settings(merged)
    try:
        check_settings(merged, {})
        options_of(config_of(merged, {}))
    except UsageError as error:
        raise UsageError(f"site {spider.name!r}: custom_settings: {error}") from error


def _check_database(config: Config) -> None:
    address = config.storage.database_url
    if address:
        try:
            parse_url(address)
        except StorageError as error:
            raise ConfigurationError(DATABASE, str(error)) from error


CONTACT: Final = "NEWSCRAWL_CONTACT"


def check_contact(settings: BaseSettings, spiders: Iterable[Spider]) -> None:
    """Raises ConfigurationError if the settings name no contact and one of the spiders crawls a site beyond loopback.

    A USER_AGENT other than newscrawl's own, of the project or in a spider's `custom_settings`, counts as a contact. A
    contact that the user agent does not name yet (given by `-s` or in a settings module) is added to it.
    """
    put_into_user_agent(settings)
    for spider in spiders:
        own = (type(spider).custom_settings or {}).get("USER_AGENT")
        if not names_contact(str(own) if own else settings["USER_AGENT"]) and (host := host_of_others(spider)):
            raise ConfigurationError(
                CONTACT,
                f"is empty, and {spider.name} crawls {host}: set an address or URL at which the owner of a site can "
                f"reach you, like `export {CONTACT}=you@example.org`",
            )


def put_into_user_agent(settings: BaseSettings) -> None:
    """Adds the contact to newscrawl's own user agent, wherever the contact was set."""
    contact = value_of(settings, CONTACT)
    if contact and settings["USER_AGENT"] == user_agent(""):
        settings.set("USER_AGENT", user_agent(contact), priority=settings.getpriority("USER_AGENT") or 0)


def names_contact(agent: str | None) -> bool:
    """Returns whether a user agent is more than newscrawl's or Scrapy's name and version."""
    return bool(agent and agent.strip()) and agent != user_agent("") and not str(agent).startswith("Scrapy/")


def is_loopback(host: str) -> bool:
    """Returns whether the name or address of a host means this machine. Nothing is resolved."""
    name = host.strip("[]").rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def host_of_others(spider: Spider | type[Spider]) -> str | None:
    """Returns the first host that the spider names and that is not this machine, "any site" if it names none; None if
    all are this machine."""
    hosts = [*_hosts(spider)]
    return next((host for host in hosts if not is_loopback(host)), None) if hosts else "any site"


def _hosts(spider: Spider | type[Spider]) -> Iterator[str]:
    from newscrawl.crawling.spider.site_declaration import Site

    site = getattr(spider, "site", None)
    if isinstance(site, Site):
        yield from site.domains
        yield from (urlsplit(url).hostname or url for url in (site.home, *(source.url for source in site.sources)))
    else:
        yield from (urlsplit(url).hostname or url for url in getattr(spider, "start_urls", ()))
