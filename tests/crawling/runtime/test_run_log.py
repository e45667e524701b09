"""The settings that apply to a site, each with where it comes from."""

from __future__ import annotations

from typing import Any

import pytest
from scrapy.settings import Settings

from newscrawl.config import scrapy_defaults
from newscrawl.crawling.runtime.run_log import declaration_of
from newscrawl.crawling.spider import NewsSpider
from newscrawl.storage.frontier.sites import AppliedSetting


class Town(NewsSpider):
    """A site with settings of its own."""

    name = "town"
    domains = ("town.example",)
    language = "en"
    country = "gb"
    feeds = ("https://town.example/feed",)
    articles = (r"/\d{4}/",)
    delay = 7.5
    quiet_hours = "23:00-06:00"
    custom_settings = {"NEWSCRAWL_MIN_WORDS": 40}  # noqa: RUF012  as Scrapy declares it


def settings_of(spider: type[NewsSpider], **more: Any) -> Settings:
    """The settings of a crawl of this site."""
    settings = Settings()
    settings.setmodule(scrapy_defaults, priority="project")
    settings.setdict(more, priority="project")
    spider.update_settings(settings)
    return settings


def test_each_setting_says_where_it_comes_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEWSCRAWL_MAX_HOST_WAIT", "77")
    schedules = {"town": {"daily_requests": 50}}
    more = {"NEWSCRAWL_MAX_HOST_WAIT": 77, "NEWSCRAWL_CHAIN": "best", "NEWSCRAWL_SITE_SCHEDULES": schedules}
    settings = settings_of(Town, **more)
    settings.set("NEWSCRAWL_MIN_CHARACTERS", "200", priority="cmdline")
    declared = declaration_of(Town(), settings)
    assert (declared.home, declared.language, declared.country) == ("https://town.example/", "en", "gb")
    assert declared.patterns == (r"/\d{4}/",)
    found = {one.name: (one.value, one.origin) for one in declared.settings}
    assert found["delay"] == ("7.5", "the site's file")
    assert found["user_agent"] == (settings["USER_AGENT"], "default")
    assert found["quiet_hours"] == ("23:00-06:00", "the site's file")
    assert found["daily_requests"] == ("50", "NEWSCRAWL_SITE_SCHEDULES")
    assert found["cron"] == ("", "default")
    assert found["NEWSCRAWL_MIN_WORDS"] == ("40", "the site's file")
    assert found["NEWSCRAWL_MIN_CHARACTERS"] == ("200", "command line")
    assert found["NEWSCRAWL_MAX_HOST_WAIT"] == ("77.0", "environment")
    assert found["NEWSCRAWL_CHAIN"] == ("best", "settings of the project")
    assert found["NEWSCRAWL_FIRST_BACKOFF"] == ("5.0", "default")


def test_a_site_without_its_own_delay_has_that_of_the_project() -> None:
    class Valley(NewsSpider):
        """A site with nothing of its own."""

        name = "valley"
        domains = ("valley.example",)

    declared = declaration_of(Valley(), settings_of(Valley, DOWNLOAD_DELAY=4.0, USER_AGENT="AcmeNews/1.0"))
    assert declared.settings[1] == AppliedSetting("user_agent", "AcmeNews/1.0", "settings of the project")
    assert declared.settings[0].value == "4.0"
    assert declared.settings[0].origin == "settings of the project"
