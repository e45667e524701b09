"""A wall with status 200 at thirty addresses that had articles changes nothing that an ingest or a crawl has stored."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from newscrawl.cli.main import main
from newscrawl.testing.news_server import NewsServer
from newscrawl.testing.project import write_project
from newscrawl.testing.site_crawl import crawl_site

pytestmark = pytest.mark.process

NUMBERS = range(30)
NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
WORDS = "harbour council ferry school winter market bridge river report minister budget season player garden".split()
STORIES = {f"https://www.harbour.example/2026/{number}": f"Story {number}" for number in NUMBERS}
Entry = tuple[str, bytes, dict[str, Any]]
SPIDER = """
from newscrawl.crawling.spider import NewsSpider

class Harbour(NewsSpider):
    name = "harbour"
    domains = ("harbour.example",)
    feeds = ("https://www.harbour.example/news.xml",)
"""


def html(title: str, seed: object, byline: str = "By Ada Example") -> str:
    chance = random.Random(str(seed))
    text = "".join(f"<p>The {' '.join(chance.choices(WORDS, k=14))}.</p>" for _ in range(30))
    shown = f"<p class=byline>{byline}</p>" if byline else ""
    return f"<html><title>{title}</title><body><article><h1>{title}</h1>{shown}{text}</article></body></html>"


def story(number: int) -> str:
    return html(f"Story {number}", number)


def notice(number: int) -> str:
    return html("Read on", "notice", byline="")


def newscrawl(database: str, *words: object) -> str:
    done = CliRunner().invoke(main, [*map(str, words), "--database", database], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def shown(database: str) -> dict[str, str]:
    return {row["url"]: row["title"] for row in map(json.loads, newscrawl(database, "export").splitlines())}


def waiting(database: str) -> dict[str, list[str]]:
    return {page["url"]: page["reasons"] for page in json.loads(newscrawl(database, "review", "list", "--json"))}


def test_an_ingest(warc: Callable[..., Path], database: str) -> None:
    for day, page in enumerate((story, notice)):
        at = NOW + timedelta(days=day)
        entries = [(url, page(n).encode(), {"at": at + timedelta(seconds=n)}) for n, url in enumerate(STORIES)]
        newscrawl(database, "ingest", warc(entries, f"{day}.warc.gz"))
    assert shown(database) == STORIES
    assert waiting(database).keys() == STORIES.keys()
    assert all(reasons[:2] == ["text replaced", "authors missing"] for reasons in waiting(database).values())


def test_a_crawl(tmp_path: Path) -> None:
    write_project(tmp_path / "project", SPIDER)
    file = tmp_path / "news.db"
    with NewsServer() as site:
        site.feed("/news.xml", *((url, "") for url in STORIES))
        for page in (story, notice):
            site.pages |= {f"/2026/{number}": page(number) for number in NUMBERS}
            done = crawl_site(tmp_path / "project", "harbour", site, database=file)
            assert {article.url: article.title for article in done.articles} == STORIES
            with closing(sqlite3.connect(file)) as connection, connection:
                connection.execute("UPDATE pages SET next_due = first_seen")
        assert site.asked("/2026/0") == 2
    assert waiting(f"sqlite:///{file}").keys() == STORIES.keys()


def test_the_owner_is_not_asked_for_pages_that_newscrawl_did_not_request(
    warc: Callable[..., Path], database: str
) -> None:
    wall = b"<title>Just a moment...</title><p>Checking your browser before accessing the site.</p>"
    url = next(iter(STORIES))
    told = newscrawl(database, "ingest", warc([(url, wall, {"headers": ["X-Iinfo: 9-1-0"]})]))
    assert {"verdict/bot_wall", "wall/imperva"} <= set(told.split())
    why = newscrawl(database, "why", url)
    assert "a bot wall answered: Imperva (Incapsula) (x-iinfo: 9-1-0)" in why
    assert "to ask the owner" not in why
