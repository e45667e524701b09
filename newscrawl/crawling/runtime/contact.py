"""Checks that the user agent names a contact before a site is crawled.

Sites on this machine's loopback, such as the demo, need none.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import urlsplit

from scrapy import Spider
from scrapy.settings import BaseSettings

from newscrawl.config.reading import value_of
from newscrawl.config.user_agent import user_agent
from newscrawl.crawling.spider.site_declaration import Site
from newscrawl.errors import ConfigurationError

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
    site = getattr(spider, "site", None)
    if isinstance(site, Site):
        yield from site.domains
        yield from (urlsplit(url).hostname or url for url in (site.home, *(source.url for source in site.sources)))
    else:
        yield from (urlsplit(url).hostname or url for url in getattr(spider, "start_urls", ()))
