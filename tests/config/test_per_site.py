"""The settings that a site may have in `custom_settings`, and those that all sites of a process share."""

from __future__ import annotations

from typing import Any

import pytest
from scrapy.settings import Settings

from newscrawl.config.catalogue import Config
from newscrawl.config.derived.article_options import options_of_sites
from newscrawl.config.reading import config_of
from newscrawl.crawling.fleet.main import fleet_settings
from newscrawl.crawling.runtime.setting_checks import check_site_settings
from newscrawl.crawling.spider import NewsSpider
from newscrawl.errors import UsageError
from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.extraction.site_hints import SiteHints
from settings import base


def declared(own: Any) -> type[NewsSpider]:
    return type("Made", (NewsSpider,), {"name": "made", "domains": ("example.org",), "custom_settings": own})


def project() -> Settings:
    settings = Settings()
    settings.setmodule(base, priority="project")
    return settings


@pytest.mark.parametrize(
    ("own", "words"),
    [
        ({"NEWSCRAWL_BATCH_SIZE": 9}, "has NEWSCRAWL_BATCH_SIZE, which all sites of a process share: set it in"),
        ({"NEWSCRAWL_DELAY": 9}, "NEWSCRAWL_DELAY, which all sites of a process share: declare `delay`"),
        ({"NEWSCRAWL_CHIAN": "best"}, "has NEWSCRAWL_CHIAN, which is no setting: is NEWSCRAWL_CHAIN meant"),
        ("NEWSCRAWL_CHAIN=best", "custom_settings is 'NEWSCRAWL_CHAIN=best', write a dict"),
    ],
    ids=["of the process", "has an attribute", "misspelt", "no dict"],
)
def test_what_a_site_cannot_have_is_refused(own: Any, words: str) -> None:
    with pytest.raises(UsageError, match=f"site 'made': .*{words}"):
        declared(own)()


def test_what_a_site_may_have_is_let_pass() -> None:
    own = {"NEWSCRAWL_CHAIN": "best", "NEWSCRAWL_MIN_WORDS": 5, "NEWSCRAWL_REVIEW": False, "DOWNLOAD_DELAY": 3}
    declared(own)()
    check_site_settings(project(), declared(own))
    check_site_settings(project(), declared(None))


@pytest.mark.parametrize(
    ("own", "words"),
    [
        ({"NEWSCRAWL_CHAIN": "nonsense"}, "unknown chain 'nonsense'"),
        ({"NEWSCRAWL_MIN_WORDS": -1}, "NEWSCRAWL_MIN_WORDS: -1 cannot be used"),
        ({"NEWSCRAWL_REVIEW_CHAINS": ["nobody"]}, "NEWSCRAWL_REVIEW_CHAINS"),
    ],
    ids=["chain", "number", "chains in doubt"],
)
def test_a_value_that_cannot_work_is_named_with_its_site(own: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=f"site 'made': custom_settings: .*{words}"):
        check_site_settings(project(), declared(own))


def test_a_site_has_options_of_its_own_where_it_declares_them(caplog: pytest.LogCaptureFixture) -> None:
    spiders = {
        "own": declared({"NEWSCRAWL_CHAIN": "best", "NEWSCRAWL_MIN_WORDS": 5}),
        "waiting": declared({"NEWSCRAWL_MAX_HOST_WAIT": 7.0}),
        "plain": declared(None),
        "broken": declared({"NEWSCRAWL_CHAIN": "nonsense"}),
        "no dict": declared("NEWSCRAWL_CHAIN=best"),
    }
    found = options_of_sites(project(), spiders)
    assert found.keys() == {"own"}
    assert (found["own"].chain, found["own"].limits.min_words) == ("best", 5)
    assert "site 'broken': custom_settings: unknown chain 'nonsense'" in caplog.text
    assert caplog.text.count("its pages are extracted as the project's settings say") == 2


def test_a_site_with_hints_has_options_of_its_own(caplog: pytest.LogCaptureFixture) -> None:
    hinted = declared(None)
    hinted.hints = {"drop": ".box"}
    broken = declared(None)
    broken.hints = {"drop": "div..box"}
    found = options_of_sites(project(), {"hinted": hinted, "broken": broken})
    assert found == {"hinted": ArticleOptions(hints=SiteHints.of({"drop": ".box"}))}
    assert "site 'broken': hints: drop 'div..box': it is no CSS selector" in caplog.text


def test_a_wrong_hint_is_refused_when_its_file_is_loaded() -> None:
    with pytest.raises(UsageError, match="site 'made': hints: there is no hint 'dorp': is drop meant"):
        type("Made", (NewsSpider,), {"name": "made", "domains": ("example.org",), "hints": {"dorp": ".box"}})


def test_a_sites_own_wait_goes_before_that_of_the_fleet() -> None:
    settings = project()
    fleet_settings(settings)
    assert config_of(settings).politeness.max_host_wait == Config().run.max_host_wait
    declared({"NEWSCRAWL_MAX_HOST_WAIT": 7.0}).update_settings(settings)
    assert config_of(settings).politeness.max_host_wait == 7.0
