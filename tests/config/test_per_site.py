"""Settings of a site, and what is derived from settings: requests a day, and a faster clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.settings import BaseSettings, Settings

from newscrawl.config.catalogue import CATALOGUE, Config, SchedulingSettings
from newscrawl.config.derived.article_options import options_of_sites
from newscrawl.config.derived.daily_requests import budget_of, checked, declared_of, least_new_pages, read
from newscrawl.config.derived.intervals import check_time_scale, faster_next_due, faster_sources
from newscrawl.config.reading import config_of
from newscrawl.crawling.fleet.declarations import plan_of
from newscrawl.crawling.fleet.main import fleet_settings
from newscrawl.crawling.runtime.setting_checks import check_site_settings
from newscrawl.crawling.runtime.site_session import NEW_PAGE, SiteSession
from newscrawl.crawling.scheduling import revisit, sources
from newscrawl.crawling.scheduling.site_state import MIN_BOUND, Allowance
from newscrawl.crawling.spider import NewsSpider
from newscrawl.errors import ConfigurationError, UsageError
from newscrawl.extraction.article.make import ArticleOptions
from newscrawl.extraction.site_hints import SiteHints
from newscrawl.model import SourceVisit
from newscrawl.storage.frontier.crawls import Begun
from newscrawl.storage.frontier.leases import Lease
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


class Paper(NewsSpider):
    name = "paper"
    domains = ("paper.example",)


def schedules(said: Any) -> dict[str, Any]:
    return {"paper": {"daily_requests": said}, "other": {"daily_requests": 1}}


def over(said: Any) -> BaseSettings:
    return BaseSettings({"NEWSCRAWL_SITE_SCHEDULES": schedules(said)})


@pytest.mark.parametrize(
    "value", [-1, 2.5, "500", "many", "Unlimited", True, ["unlimited"]], ids=lambda value: f"{type(value).__name__}"
)
def test_a_wrong_value_is_told_with_the_site_wherever_it_stands(value: Any) -> None:
    told = "site 'paper': daily_requests is .*, write a whole number from 0 on, or \"unlimited\""
    with pytest.raises(UsageError, match=told):
        checked("paper", value)
    with pytest.raises(UsageError, match=told):
        Paper.update_settings(over(value))
    with pytest.raises(UsageError, match=told):
        plan_of("paper", {"daily_requests": value}, Config())
    with pytest.raises(UsageError, match=told):
        type("Wrong", (Paper,), {"daily_requests": value})()


def test_the_settings_win_over_the_declaration() -> None:
    assert declared_of("paper", 500, {}) == 500
    assert declared_of("paper", 500, schedules("unlimited")) == "unlimited"
    assert declared_of("paper", 500, schedules(None)) is None
    assert declared_of("third", 500, schedules("unlimited")) == 500


@pytest.mark.parametrize(
    ("said", "budget", "least"), [(None, None, MIN_BOUND), (0, 0, None), (500, 500, None), ("unlimited", None, None)]
)
def test_a_site_has_a_budget_or_a_bound_on_new_pages_or_neither(said: Any, budget: Any, least: Any) -> None:
    assert (budget_of(said), least_new_pages(said, Config())) == (budget, least)
    plan = plan_of("paper", {"daily_requests": said}, Config(scheduling=SchedulingSettings(daily_new_pages=7)))
    assert (plan.budget, plan.least_new) == (budget, 7 if least else None)


@pytest.mark.parametrize(("text", "said"), [("", None), ("500", 500), ("unlimited", "unlimited")])
def test_a_list_of_sites_says_the_same(text: str, said: Any) -> None:
    assert read("paper", text) == said
    with pytest.raises(UsageError, match="site 'paper': daily_requests is 'lots'"):
        read("paper", "lots")


def test_only_the_first_sending_of_a_new_page_counts() -> None:
    counted: list[str | None] = []
    now = datetime.now(UTC)
    services: Any = SimpleNamespace(counts=SimpleNamespace(note=lambda _site, name: counted.append(name)))
    session = SiteSession(services, "paper", now)
    lease = Lease("paper", "anna", 1, now)
    session.begun = Begun(lease, 1, Allowance(now.date(), bound=1, left=1))
    request, visit, second = (Request(f"https://paper.example/{number}") for number in (1, 2, 3))
    request.meta[NEW_PAGE] = second.meta[NEW_PAGE] = True
    for one in (visit, request, request):
        session.note_request(one)
    assert counted == [None, "paper", None]
    assert [session.has_to_wait(one) for one in (request, visit, second)] == [False, False, True]
    assert not session.has_to_wait(request.copy()), "a retry"


NOW = datetime(2026, 11, 28, 20, 0, tzinfo=UTC)
OLD = datetime(1998, 5, 1, tzinfo=UTC)


def test_a_scale_whose_clock_passes_the_last_year_is_refused_with_the_greatest_one() -> None:
    assert CATALOGUE["NEWSCRAWL_TIME_SCALE"].range.endswith("10,000")
    check_time_scale(5_000, NOW)
    with pytest.raises(ConfigurationError, match=r"setting NEWSCRAWL_TIME_SCALE: 10000 .* give at most 7,6\d\d$"):
        check_time_scale(10_000, NOW)


@pytest.mark.parametrize("scale", [60.0, 5_000.0, 10_000.0])
def test_dates_that_the_faster_clock_cannot_reach_raise_nothing(scale: float) -> None:
    due = faster_next_due(revisit.next_due, scale)(OLD, OLD, OLD, NOW, 1, 0)
    assert due is None or due > OLD
    visit = SourceVisit("https://a.example/feed", NOW, fresh=(OLD,), previous=NOW - timedelta(minutes=5), status=200)
    assert faster_sources(sources.plan, scale)(None, visit).next_due is not None
