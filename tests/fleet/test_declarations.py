"""A wrong declaration affects its own site only: the others are crawled, and the wrong one is named."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from scrapy import Spider
from scrapy.settings import Settings
from scrapy.spiderloader import get_spider_loader

from newscrawl.config.reading import config_of
from newscrawl.crawling.fleet.board import Board, health, metrics
from newscrawl.crawling.fleet.declarations import Declarations, problems_of
from newscrawl.errors import ConfigurationError, UnknownSiteError, UsageError
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.store import open_store

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
HEAD = "import sys\nfrom newscrawl.crawling.spider import NewsSpider\n\nclass Site(NewsSpider):\n    name = 'NAME'\n"
GOOD = HEAD + "    domains = ('NAME.localhost',)\n"
WRONG = {
    "regex": "    articles = ('/(',)",
    "misspelt": "    feed = ('http://x.localhost/f',)",
    "one_text": "    feeds = 'http://x.localhost/f'",
    "delay": "    delay = 'fast'",
    "domains": "    domains = 42",
    "timetable": "    cron = 'now and then'",
    "short interval": "    interval = 5",
    "interval": "    interval = 'often'",
    "two timetables": "    interval = 900\n    cron = '* * * * *'",
    "quiet hours": "    quiet_hours = 7",
    "budget": "    daily_requests = -1",
    "budget in words": "    daily_requests = 'many'",
    "hours": "    quiet_hours = '25:00-06:00'",
    "zone": "    time_zone = 'Europe/Madird'",
    "country": "    country = 'uk'",
    "settings": "    custom_settings = {'NEWSCRAWL_CHAIN': 'clasic'}",
    "exit": "    def __init__(self, **given):\n        sys.exit()",
    "raises": "    def __init__(self, **given):\n        raise RuntimeError('no')",
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package of spiders with one good file."""
    folder = tmp_path / "some_spiders"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "good.py").write_text(GOOD.replace("NAME", "good"))
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder
    for name in [name for name in sys.modules if name.startswith("some_spiders")]:
        del sys.modules[name]


def settings(**changed: object) -> Settings:
    base = {
        "SPIDER_MODULES": ["some_spiders"],
        "SPIDER_LOADER_CLASS": "newscrawl.crawling.spider.loader.Sites",
        "NEWSCRAWL_SITE_SCHEDULES": {},
        "NEWSCRAWL_CHAINS": {},
        "NEWSCRAWL_CHAIN": "classic",
        "DOWNLOAD_DELAY": 1,
    }
    return Settings(base | changed)


def declared(*named: str, **changed: object) -> Declarations:
    return Declarations(settings(**changed), named)


def loaded(name: str) -> type[Spider]:
    found: type[Spider] = get_spider_loader(settings()).load(name)
    return found


@pytest.mark.parametrize("kind", WRONG)
def test_a_wrong_declaration_is_named_and_the_others_are_crawled(
    package: Path, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    (package / "wrong.py").write_text(GOOD.replace("NAME", "wrong") + WRONG[kind] + "\n")
    found = declared()
    assert list(found.sites) == ["good"]
    assert list(found.problems) == ["wrong"]
    spiders = {name: site.spider for name, site in found.sites.items()} | {"wrong": loaded("wrong")}
    assert problems_of(spiders, settings(), config_of(settings())) == found.problems  # those of sites and doctor
    assert len([line for line in caplog.messages if "wrong" in line]) == 1
    with pytest.raises(UsageError, match="wrong"):
        declared("wrong")
    (package / "wrong.py").write_text(GOOD.replace("NAME", "wrong") + "    country = 'xx'\n")
    assert found.changed()
    assert found.reload() == ["wrong"]
    assert not found.problems


def test_a_file_that_cannot_be_read_is_named_by_its_name(package: Path) -> None:
    (package / "odd.py").write_text("import sys\nsys.exit()\n")
    found = declared()
    assert list(found.sites) == ["good"]
    assert "sys.exit" in found.problems["odd"]
    with pytest.raises(UsageError, match=r"sys\.exit"):
        declared("odd")
    with pytest.raises(UnknownSiteError):
        declared("nobody")


def test_a_fleet_of_broken_declarations_waits_for_a_mended_one(package: Path) -> None:
    (package / "good.py").write_text("this is no Python\n")
    found = declared()
    assert not found.sites
    (package / "good.py").write_text(GOOD.replace("NAME", "good") + "    country = 'xx'\n")
    assert found.reload() == ["good"]


def test_a_declaration_that_comes_back_wrong_does_not_end_a_fleet_that_has_no_other(package: Path) -> None:
    found = declared("good")
    (package / "good.py").unlink()  # as editors do that write a file anew
    assert found.reload() == []
    (package / "good.py").write_text(GOOD.replace("NAME", "good") + WRONG["delay"] + "\n")
    assert found.reload() == []
    assert list(found.problems) == ["good"]


def test_a_mended_site_without_a_contact_does_not_end_a_fleet_that_waits(package: Path) -> None:
    (package / "good.py").write_text("this is no Python\n")
    found = declared()
    (package / "good.py").write_text(GOOD.replace("NAME.localhost", "example.org").replace("NAME", "good"))
    assert found.reload() == []
    assert "NEWSCRAWL_CONTACT" in found.problems["good"]


def test_settings_that_name_no_site_are_an_error_unless_a_file_is_broken(package: Path) -> None:
    with pytest.raises(ConfigurationError, match="nobody"):
        declared(NEWSCRAWL_SITE_SCHEDULES={"nobody": {}})
    (package / "nobody.py").write_text("this is no Python\n")
    assert list(declared(NEWSCRAWL_SITE_SCHEDULES={"nobody": {}}).sites) == ["good"]


def test_a_broken_declaration_is_told_by_health_and_metrics() -> None:
    board = Board()
    board.last_tick = NOW
    board.record("good")
    board.show_broken({"wrong": "site 'wrong': delay is 'fast'"})
    assert health(board, 0, NOW)["broken_declarations"] == {"wrong": "site 'wrong': delay is 'fast'"}
    assert 'newscrawl_declaration_broken{site="wrong"} 1' in list(metrics(board, 0, NOW))
    assert board.record("wrong").state == "broken"
    board.show_broken({})
    assert board.record("wrong").state == "idle"


def test_an_alarm_opens_for_each_broken_declaration_and_closes_when_it_is_mended(database: str) -> None:
    with open_store(database, upgrade=False) as store:
        for minute, problems in enumerate([{"a": "one"}, {"a": "two", "b": "three"}, {"b": "three"}]):
            at = NOW + timedelta(minutes=minute)
            store.run(alarms.replace_open, "declaration", "critical", problems, at).result()
            with store.reading() as connection:
                assert {alarm.site: alarm.message for alarm in alarms.open_alarms(connection)} == problems
