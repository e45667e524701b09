"""Without a contact, only sites on loopback are crawled."""

from __future__ import annotations

from typing import Any

import pytest
from scrapy import Spider
from scrapy.settings import Settings

from newscrawl.config import scrapy_defaults
from newscrawl.config.user_agent import user_agent
from newscrawl.crawling.fleet.declarations import Declarations
from newscrawl.crawling.runtime.contact import check_contact, is_loopback
from newscrawl.crawling.spider import NewsSpider
from newscrawl.errors import ConfigurationError

OTHERS = {"domains": ("example.org",)}
OURS = {"domains": ("site.localhost",), "home": "http://site.localhost:8765/", "feeds": ("http://127.0.0.1:1/feed",)}


def outside(**changed: Any) -> Settings:
    settings = Settings()
    settings.setmodule(scrapy_defaults, priority="project")
    settings.setdict({"USER_AGENT": user_agent(""), "NEWSCRAWL_CONTACT": "", **changed}, priority="project")
    return settings


def made(**attributes: Any) -> NewsSpider:
    return type("Made", (NewsSpider,), {"name": "made", **attributes})()


@pytest.mark.parametrize(
    "attributes",
    [OTHERS, {**OURS, "feeds": ("https://feeds.example.org/news",)}, {**OURS, "home": "http://192.0.2.1/"}],
    ids=["domain", "feed of another host", "address"],
)
def test_a_site_of_others_needs_a_contact(attributes: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match=r"NEWSCRAWL_CONTACT: is empty, and made crawls .*export NEWSCRAWL_CO"):
        check_contact(outside(), [made(**attributes)])


def test_a_site_of_this_machine_needs_none() -> None:
    check_contact(outside(), [made(**OURS)])


def test_a_spider_that_says_nothing_of_its_site_needs_one() -> None:
    with pytest.raises(ConfigurationError, match="plain crawls any site"):
        check_contact(outside(), [Spider("plain")])
    check_contact(outside(), [Spider("plain", start_urls=["http://127.0.0.1:8000/"])])


def test_a_user_agent_of_the_project_or_of_the_site_counts() -> None:
    check_contact(outside(USER_AGENT="OurBot/1.0 (+https://bot.example)"), [made(**OTHERS)])
    check_contact(outside(), [made(**OTHERS, custom_settings={"USER_AGENT": "OurBot/1.0 (+https://bot.example)"})])
    for agent in (user_agent(""), "Scrapy/2.19.0 (+https://scrapy.org)", " "):
        with pytest.raises(ConfigurationError):
            check_contact(outside(USER_AGENT=agent), [made(**OTHERS)])


def test_a_contact_gets_into_the_user_agent_wherever_it_is_set() -> None:
    settings = outside(NEWSCRAWL_CONTACT="me@example.org")
    check_contact(settings, [made(**OTHERS)])
    assert settings["USER_AGENT"] == user_agent("me@example.org")


def test_a_run_refuses_sites_of_others_without_a_contact() -> None:
    settings = outside(SPIDER_MODULES=["spiders"])
    with pytest.raises(ConfigurationError, match="NEWSCRAWL_CONTACT: is empty"):
        Declarations(settings)
    assert list(Declarations(settings, ["demo"]).sites) == ["demo"]


@pytest.mark.parametrize("host", ["localhost", "demo.localhost", "127.0.0.1", "127.8.8.8", "::1", "[::1]"])
def test_loopback_is_told_by_name_and_address(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["example.org", "10.0.0.1", "localhost.example.org", "0.0.0.0", ""])
def test_everything_else_is_of_others(host: str) -> None:
    assert not is_loopback(host)
