"""A crawl does not start with a setting that cannot be used, nor at sites of others without a contact."""

from __future__ import annotations

from typing import Any

import pytest
from scrapy import Spider
from scrapy.settings import Settings

from newscrawl.config import names, scrapy_defaults
from newscrawl.config.catalogue import CATALOGUE
from newscrawl.config.derived.article_options import DEFAULT_CHAINS
from newscrawl.config.names import warn_of_unknown
from newscrawl.config.user_agent import user_agent
from newscrawl.crawling.fleet.declarations import Declarations
from newscrawl.crawling.runtime.setting_checks import check_contact, check_settings, is_loopback
from newscrawl.crawling.spider import NewsSpider
from newscrawl.errors import ConfigurationError
from newscrawl.extraction.chain import resolve
from settings import base


def project() -> Settings:
    settings = Settings()
    settings.setmodule(base, priority="project")
    return settings


def test_a_wrong_value_is_named_with_what_is_allowed() -> None:
    settings = project()
    settings.set("NEWSCRAWL_EXTRACT_MEMORY_MB", 10, priority="cmdline")
    said = "setting NEWSCRAWL_EXTRACT_MEMORY_MB: 10 cannot be used: give a whole number from 512 to 10,000,000"
    with pytest.raises(ConfigurationError, match=said):
        check_settings(settings, {})


def test_the_settings_that_come_with_the_project_are_let_pass() -> None:
    check_settings(project(), {})
    outside = Settings()
    outside.setmodule(scrapy_defaults)
    check_settings(outside, {})
    assert {one.name for one in CATALOGUE.values() if project().get(one.stored_as or one.name) is None} == set()


def test_no_variable_of_another_program_ends_a_command() -> None:
    kubernetes = {"NEWSCRAWL_PORT": "tcp://10.0.0.1:80", "NEWSCRAWL_SERVICE_HOST": "10.0.0.1"}
    check_settings(project(), {"NEWSCRAWL_DELAY": "3", "NEWSCRAWL_MIN_WORD": "3", "HOME": "/", **kubernetes})


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("NEWSCRAWL_MIN_WORD", "setting NEWSCRAWL_MIN_WORD: there is no setting of this name: is NEWSCRAWL_MIN_WORDS"),
        ("NEWSCRAWL_COLOUR", "setting NEWSCRAWL_COLOUR: there is no setting of this name"),
    ],
)
def test_an_unknown_name_in_a_settings_module_is_an_error(name: str, words: str) -> None:
    settings = project()
    settings.set(name, 3, priority="project")
    with pytest.raises(ConfigurationError, match=words):
        check_settings(settings, {})


def test_the_list_of_names_is_that_of_the_settings_modules() -> None:
    written = {str(name) for name in project() if str(name).startswith("NEWSCRAWL_")}
    assert written | {"NEWSCRAWL_DELAY"} == names.SETTINGS


def test_what_an_operator_wrote_is_what_is_named() -> None:
    settings = project()
    settings.set("DOWNLOAD_DELAY", -3.0, priority="project")
    with pytest.raises(ConfigurationError, match=r"setting NEWSCRAWL_DELAY: -3\.0 cannot be used"):
        check_settings(settings, {"NEWSCRAWL_DELAY": "-3"})
    with pytest.raises(ConfigurationError, match="setting DOWNLOAD_DELAY"):
        check_settings(settings, {})
    settings.set("DOWNLOAD_DELAY", -2.0, priority="cmdline")
    with pytest.raises(ConfigurationError, match="setting DOWNLOAD_DELAY"):
        check_settings(settings, {"NEWSCRAWL_DELAY": "1"})


def test_a_database_that_cannot_be_read_is_named_with_its_setting() -> None:
    settings = project()
    settings.set("NEWSCRAWL_DATABASE_URL", "foo", priority="cmdline")
    with pytest.raises(ConfigurationError, match=r"setting NEWSCRAWL_DATABASE_URL: .* write sqlite:///FILE"):
        check_settings(settings, {})


def test_variables_that_do_nothing_are_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    warn_of_unknown({"NEWSCRAWL_DELAY": "3", "NEWSCRAWL_CORPORA": "/", "HOME": "/"})
    assert capsys.readouterr().err == ""
    warn_of_unknown({"NEWSCRAWL_PORT": "tcp://10.0.0.1:80", "NEWSCRAWL_CHIAN": "best"})
    told = "newscrawl: NEWSCRAWL_CHIAN (is NEWSCRAWL_CHAIN meant?), NEWSCRAWL_PORT in the environment are no settings"
    assert capsys.readouterr().err == f"{told} and without effect\n"


def test_the_chains_that_are_not_looked_at_in_the_settings_are_always_there() -> None:
    for name in DEFAULT_CHAINS:
        resolve(name, {})


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
