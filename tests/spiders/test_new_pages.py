"""New pages: the newest first, up to the limit of the day, and announced edits."""

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
from crash_recovery import CrashSite, Crawls
from databases import sqlite_databases

from newscrawl.crawling.scheduling.announced_edits import LEAST_A_DAY
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


def asked(site: CrashSite) -> list[str]:
    """The articles that were asked for since the last look."""
    found = sorted(path for path, _ in site.requests if "bridge" in path)
    site.requests.clear()
    return found


def test_new_articles_go_before_those_left_waiting() -> None:
    with sqlite_databases() as databases, CrashSite(20) as site:
        crawls = Crawls(site, next(databases), arguments=("-a", "max_articles=3"))
        assert crawls.run() == 0
        assert asked(site) == [site.path(number) for number in (17, 18, 19)]
        assert crawls.run() == 0
        assert asked(site) == [site.path(number) for number in (14, 15, 16)], "304: what waits, newest first"
        site.publish(23)
        assert crawls.run() == 0
        assert asked(site) == [site.path(number) for number in (20, 21, 22)]


ARTICLES = (r"^/story/",)
LIES = 5
"""Entries of the source that stamps all of them with now; few enough not to be taken for a listing built anew."""


class Newsroom:
    """A site whose four sources name one page each, the liar five; `edited` says since when each page is another."""

    def __init__(self, server: Any) -> None:
        self.server = server
        self.began = datetime.now(UTC).replace(microsecond=0) - timedelta(hours=3)
        self.edited: dict[str, datetime] = {}
        self.stamped = self.began
        self.publish()

    def stamp(self) -> datetime:
        """A second ahead of now, as dates of sources have no fractions, and later than every stamp before."""
        now = datetime.now(UTC).replace(microsecond=0)
        self.stamped = max(now, self.stamped) + timedelta(seconds=1)
        return self.stamped

    def publish(self) -> None:
        """Build all pages and sources."""
        old, now = self.began, self.stamp()
        changed = {path: self.edited.get(path, old) for path in ("lastmod", "updated", "title")}
        title = "Ferry sinks" if "title" in self.edited else "Ferry opens"
        lies = "".join(self._item(f"liar{n}", "Ferry opens", now) for n in range(LIES))
        self.server.pages |= {
            "/news.xml": f"<urlset><url><loc>{self.server.url}/story/lastmod</loc>"
            f"<lastmod>{changed['lastmod'].isoformat()}</lastmod></url></urlset>",
            "/atom": '<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>Ferry opens</title>'
            f'<link href="/story/updated"/><published>{old.isoformat()}</published>'
            f"<updated>{changed['updated'].isoformat()}</updated></entry></feed>",
            "/rss": f'<rss version="2.0"><channel>{self._item("title", title, old)}</channel></rss>',
            "/liar": f'<rss version="2.0"><channel>{lies}</channel></rss>',
        }
        for path in ("lastmod", "updated", "title", *(f"liar{n}" for n in range(LIES))):
            version = "sinks" if path in self.edited else "opens"
            self.server.pages[f"/story/{path}"] = f"The {path} ferry {version}"

    @staticmethod
    def _item(path: str, title: str, when: datetime) -> str:
        return (
            f"<item><title>{title}</title><link>/story/{path}</link><pubDate>{format_datetime(when)}</pubDate></item>"
        )

    def edit(self) -> None:
        """Every honest source's page is edited."""
        self.edited = dict.fromkeys(("lastmod", "updated", "title"), self.stamp())

    def asked(self) -> dict[str, int]:
        """Requests for the pages of each source so far."""
        pages = {path: self.server.asked(f"/story/{path}") for path in ("lastmod", "updated", "title")}
        return {**pages, "liar": sum(self.server.asked(f"/story/liar{n}") for n in range(LIES))}


def test_announced_edits_are_fetched_at_the_next_reading_up_to_the_limit_of_the_day(
    server: Any, crawl: Crawl, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEWSCRAWL_TIME_SCALE", "5000")  # the least time between two fetches is 0.2 s
    newsroom = Newsroom(server)

    def crawled() -> dict[str, int]:
        before = newsroom.asked()
        newsroom.publish()
        crawl(
            sitemaps=[f"{server.url}/news.xml"],
            feeds=[f"{server.url}/{path}" for path in ("atom", "rss", "liar")],
            articles=ARTICLES,
        )
        return {name: number - before[name] for name, number in newsroom.asked().items()}

    assert crawled() == {"lastmod": 1, "updated": 1, "title": 1, "liar": LIES}
    assert database("select count(*) from pages where next_due is not null") == [(0,)], "no visit is due by itself"
    newsroom.edit()
    assert LEAST_A_DAY == 3 + LIES
    assert crawled() == {"lastmod": 1, "updated": 1, "title": 1, "liar": LIES}
    assert crawled() == {"lastmod": 0, "updated": 0, "title": 0, "liar": 0}
    texts = database("select text from articles join pages on pages.article_id = articles.id order by text")
    assert [text for (text,) in texts if "sinks" in text] == [
        "The lastmod ferry sinks",
        "The title ferry sinks",
        "The updated ferry sinks",
    ]
    reasons = dict(database("select substr(url, -3), reason from events where kind = 'revisit/announced'"))
    assert reasons["mod"] == f"the sitemap gives a newer lastmod: {server.url}/news.xml"
    assert reasons["ted"] == f"the feed gives a newer date: {server.url}/atom"
    assert reasons["tle"] == f"the feed gives another title: {server.url}/rss"
