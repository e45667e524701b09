"""`daily_requests` in a declaration, in NEWSCRAWL_SITE_SCHEDULES and in a list of sites."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.settings import BaseSettings

from newscrawl.config.catalogue import Config, SchedulingSettings
from newscrawl.config.derived.daily_requests import budget_of, checked, declared_of, least_new_pages, read
from newscrawl.crawling.fleet.declarations import plan_of
from newscrawl.crawling.runtime.site_session import NEW_PAGE, SiteSession
from newscrawl.crawling.scheduling.site_state import MIN_BOUND, Allowance
from newscrawl.crawling.spider import NewsSpider
from newscrawl.errors import UsageError
from newscrawl.storage.frontier.crawls import Begun
from newscrawl.storage.frontier.leases import Lease


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
