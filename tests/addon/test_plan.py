"""Which settings the add-on changes, and what a project keeps."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, ClassVar

import pytest
from scrapy import Spider
from scrapy.crawler import AsyncCrawlerRunner, Crawler
from scrapy.settings import Settings

from newscrawl.addon.loading import LOST, OVERRIDDEN, OVERRIDES, PIPELINE, Newscrawl
from newscrawl.config import scrapy_defaults
from newscrawl.config.catalogue import CATALOGUE
from newscrawl.config.reading import config_of
from newscrawl.errors import ConfigurationError, NewscrawlError

SERVICES = "newscrawl.crawling.runtime.services.Services"


class Local(Spider):
    name = "local"
    start_urls: ClassVar = ["http://127.0.0.1:1/"]


class Remote(Spider):
    name = "remote"
    start_urls: ClassVar = ["https://example.org/"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = mine.settings\n")
    return tmp_path


@pytest.fixture(autouse=True)
def _new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process logs each overridden setting once."""
    monkeypatch.setattr("newscrawl.addon.loading._logged", set())


def written(**values: Any) -> Settings:
    """Settings as a project writes them, after the add-on changed those of the process."""
    settings = Settings()
    settings.setdict({"ADDONS": {"newscrawl.addon.Newscrawl": 500}, **values}, priority="project")
    AsyncCrawlerRunner(settings)
    return settings


def crawl_settings(settings: Settings, spider: type[Spider] = Local) -> Settings:
    """The settings of one crawl, after the add-on saw them."""
    crawler = Crawler(spider, settings)
    Newscrawl.from_crawler(crawler).update_settings(crawler.settings)
    return crawler.settings


def test_every_setting_of_newscrawl_has_its_default(folder: Path) -> None:
    settings = written()
    config = config_of(settings)
    assert config.extraction.min_words == CATALOGUE["NEWSCRAWL_MIN_WORDS"].default > 0
    assert config.storage.database_url == f"sqlite:///{folder / 'newscrawl.db'}"


def test_the_environment_wins_over_a_default_and_the_project_over_both(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEWSCRAWL_MIN_WORDS", "7")
    assert config_of(written()).extraction.min_words == 7
    assert config_of(written(NEWSCRAWL_MIN_WORDS=9)).extraction.min_words == 9


@pytest.mark.parametrize(
    ("name", "value"), [("ROBOTSTXT_OBEY", True), ("CONCURRENT_REQUESTS_PER_DOMAIN", 8), ("DOWNLOADER", "a.B")]
)
def test_what_would_undo_throttle_and_guard_is_overridden_with_a_line(
    name: str, value: object, caplog: pytest.LogCaptureFixture
) -> None:
    settings = written(**{name: value})
    assert settings[name] == getattr(scrapy_defaults, name)
    crawl_settings(settings)
    (line,) = [record.message for record in caplog.records if "overrides" in record.message]
    assert f"overrides {name}: {OVERRIDDEN[name]}" in line
    assert f"NEWSCRAWL_ADDON_KEEP = ['{name}']" in line


def test_a_kept_setting_stays_the_projects() -> None:
    settings = written(ROBOTSTXT_OBEY=True, NEWSCRAWL_ADDON_KEEP=["ROBOTSTXT_OBEY"])
    assert settings["ROBOTSTXT_OBEY"] is True
    assert settings.getlist(OVERRIDES) == []


def test_all_other_settings_of_the_project_win(caplog: pytest.LogCaptureFixture) -> None:
    settings = written(
        DOWNLOAD_DELAY=7, DOWNLOAD_TIMEOUT=5, USER_AGENT="mine (+https://example.org)", LOG_LEVEL="ERROR"
    )
    assert [settings["DOWNLOAD_DELAY"], settings["DOWNLOAD_TIMEOUT"], settings["LOG_LEVEL"]] == [7, 5, "ERROR"]
    assert settings["USER_AGENT"].startswith("mine")
    crawl_settings(settings)
    assert "overrides" not in caplog.text


def test_components_of_the_project_stay_beside_those_of_the_add_on() -> None:
    settings = written(ITEM_PIPELINES={"mine.P": 300}, EXTENSIONS={"mine.E": 1}, DOWNLOADER_MIDDLEWARES={"mine.M": 2})
    assert settings.getdict("ITEM_PIPELINES") == {"mine.P": 300, PIPELINE: 900}
    assert {"mine.E", SERVICES} <= settings.getdict("EXTENSIONS").keys()
    middlewares = settings.getdict("DOWNLOADER_MIDDLEWARES")
    assert middlewares["mine.M"] == 2
    left = {"scrapy.downloadermiddlewares.httpauth.HttpAuthMiddleware": None}
    assert scrapy_defaults.DOWNLOADER_MIDDLEWARES.items() - left.items() <= middlewares.items()


def test_without_the_downloader_only_storing_is_added(caplog: pytest.LogCaptureFixture) -> None:
    settings = written(NEWSCRAWL_ADDON_DOWNLOADER=False, ROBOTSTXT_OBEY=True, DOWNLOADER="mine.D")
    assert settings["DOWNLOADER"] == "mine.D"
    assert settings["ROBOTSTXT_OBEY"] is True
    assert settings["TWISTED_DNS_RESOLVER"] == Settings()["TWISTED_DNS_RESOLVER"]
    assert settings.getdict("DOWNLOADER_MIDDLEWARES") == {}
    assert "newscrawl.crawling.downloader.address_guard.GuardCheck" not in settings.getdict("EXTENSIONS")
    assert SERVICES in settings.getdict("EXTENSIONS")
    crawl_settings(settings, Remote)
    assert LOST in caplog.text


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"ITEM_PIPELINES": {PIPELINE: None}}, "ITEM_PIPELINES"),
        ({"EXTENSIONS": {SERVICES: None}}, "EXTENSIONS"),
        ({"TWISTED_REACTOR": "twisted.internet.selectreactor.SelectReactor"}, "TWISTED_REACTOR"),
        ({"NEWSCRAWL_DATABASE_URL": "news.db"}, "NEWSCRAWL_DATABASE_URL"),
        ({"NEWSCRAWL_DATABASE_URL": ""}, "NEWSCRAWL_DATABASE_URL"),
        ({"NEWSCRAWL_MIN_WORD": 3}, "is NEWSCRAWL_MIN_WORDS meant"),
        ({"NEWSCRAWL_ADDON_KEEP": ["DOWNLOADERS"]}, "is DOWNLOADER meant?"),
    ],
)
def test_settings_with_which_nothing_can_be_stored_end_the_process_with_one_line(
    values: dict[str, Any], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        written(**values)
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert named in line


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"NEWSCRAWL_CHAIN": "clasic"}, "unknown chain 'clasic'"),
        ({"NEWSCRAWL_VERDICT_RULES": ["house:typo"]}, "No module named 'house'"),
        ({"DOWNLOADER": "scrapy.core.downloader.Downloader"}, "setting DOWNLOADER: a crawl needs"),
    ],
    ids=["chain", "verdict rule", "downloader"],
)
def test_what_only_a_started_crawl_would_find_is_found_before_it(values: dict[str, Any], told: str) -> None:
    class Own(Local):
        custom_settings: ClassVar = values

    with pytest.raises(NewscrawlError, match=re.escape(told)):
        Newscrawl.check_crawl(Crawler(Own, written()))


def test_a_login_of_the_project_works_as_before() -> None:
    settings = written()
    assert settings.getbool("COOKIES_ENABLED")
    assert settings.getbool("REFERER_ENABLED")
    assert "scrapy.downloadermiddlewares.httpauth.HttpAuthMiddleware" not in settings.getdict("DOWNLOADER_MIDDLEWARES")


def test_a_misspelt_variable_of_the_environment_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NEWSCRAWL_BATCHSIZE", "3")
    written()
    assert "is NEWSCRAWL_BATCH_SIZE meant?" in capsys.readouterr().err


def test_a_spiders_own_settings_are_checked_as_well() -> None:
    class Own(Local):
        custom_settings: ClassVar = {"NEWSCRAWL_MIN_WORDS": "many"}

    with pytest.raises(ConfigurationError, match="MIN_WORDS"):
        crawl_settings(written(), Own)


def test_a_crawl_of_others_needs_a_contact() -> None:
    with pytest.raises(ConfigurationError, match=r"remote crawls example\.org"):
        crawl_settings(written(), Remote)
    settings = crawl_settings(written(NEWSCRAWL_CONTACT="you@example.org"), Remote)
    assert "you@example.org" in settings["USER_AGENT"]
