"""A site without `daily_requests` has a daily limit on addresses that were never fetched."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from newscrawl.crawling.scheduling.site_state import NEW_PAGE_LIMIT_REACHED

Crawl = Callable[..., dict[str, Any]]
Database = Callable[[str], list[tuple[Any, ...]]]

pytestmark = pytest.mark.process

DAYS = 24
BOUND = {"NEWSCRAWL_DAILY_NEW_PAGES": 10}


@pytest.fixture
def calendar(server: Any) -> dict[str, Any]:
    """A calendar each of whose days has a text of its own, so that its pattern is never given up: the declaration."""
    now = datetime.now(UTC)
    days = [(f"/day/{number}", format_datetime(now - timedelta(hours=number))) for number in range(DAYS)]
    server.feed("/feed", *days)
    server.pages |= {path: f"the text of {path}" for path, _ in days}
    return {"feeds": [f"{server.url}/feed"], "articles": (r"^/day/",)}


@pytest.fixture
def change(tmp_path: Path) -> Callable[[str], None]:
    """Changes the test's database."""

    def execute(statement: str) -> None:
        with closing(sqlite3.connect(tmp_path / "crawl.db")) as connection, connection:
            connection.execute(statement)

    return execute


def days_asked(server: Any) -> list[int]:
    """The numbers of the days that were asked for, and forgets them."""
    found = [int(path.rpartition("/")[2]) for path, _ in server.requests if re.fullmatch(r"/day/\d+", path)]
    server.requests.clear()
    return sorted(found)


def test_the_rest_of_a_calendar_waits_the_newest_first_and_the_count_outlives_the_crawl(
    server: Any, crawl: Crawl, calendar: dict[str, Any], database: Database, change: Callable[[str], None]
) -> None:
    answer = crawl(settings=BOUND, **calendar)
    assert days_asked(server) == list(range(10))
    assert answer["stats"][NEW_PAGE_LIMIT_REACHED] == DAYS - 10
    assert answer["log"].count("alarm: site: the limit of 10 addresses never fetched before is reached") == 1
    waiting = "SELECT count(*) FROM pages WHERE state = 'found' AND failures = 0 AND failure_kind IS NULL"
    assert database(waiting) == [(DAYS - 10,)]
    numbers = (
        "SELECT kind, sum(number) FROM site_hours WHERE kind IN ('new_articles', 'new_pages_requested') GROUP BY 1"
    )
    assert database(numbers) == [("new_articles", 10), ("new_pages_requested", 10)]
    assert database("SELECT site, kind, closed_at FROM alarms") == [("site", "new_pages", None)]

    change("UPDATE pages SET next_due = '2026-01-01 00:00:00.000000' WHERE url LIKE '%/day/3'")
    answer = crawl(settings=BOUND, **calendar)
    assert server.asked("/feed") == 1, "the same day: sources are read"
    assert days_asked(server) == [3], "and known pages are visited"
    assert "alarm" not in answer["log"]

    change("UPDATE site_hours SET hour = strftime('%Y-%m-%d %H:%M:%f000', hour, '-40 days')")
    crawl(settings=BOUND, **calendar)
    assert days_asked(server) == list(range(10, 20)), "another day"

    crawl(settings=BOUND, daily_requests="unlimited", **calendar)
    assert days_asked(server) == list(range(20, DAYS))
    assert database("SELECT count(*) FROM alarms WHERE closed_at IS NULL") == [(0,)]


@pytest.mark.parametrize("said", [500, "unlimited"], ids=["a budget", "unlimited"])
def test_what_the_operator_says_lifts_the_bound(
    server: Any, crawl: Crawl, calendar: dict[str, Any], database: Database, said: int | str
) -> None:
    over = {"NEWSCRAWL_SITE_SCHEDULES": {"site": {"daily_requests": said}}}
    answer = crawl(settings=BOUND | over, **calendar)
    assert days_asked(server) == list(range(DAYS))
    assert NEW_PAGE_LIMIT_REACHED not in answer["stats"]
    assert database("SELECT count(*) FROM alarms") == [(0,)]


def test_a_redirect_counts_once_and_is_followed_when_nothing_is_left(server: Any, crawl: Crawl) -> None:
    server.feed("/feed", ("/story/1", ""))
    server.pages |= {"/story/1": (301, {"Location": "/story/2"}, b""), "/story/2": "the story"}
    answer = crawl(feeds=[f"{server.url}/feed"], articles=(r"^/story/",), settings={"NEWSCRAWL_DAILY_NEW_PAGES": 1})
    assert [item["final_url"] for item in answer["items"]] == [f"{server.url}/story/2"]
    assert NEW_PAGE_LIMIT_REACHED not in answer["stats"]
