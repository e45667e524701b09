"""A site with hostile feeds and sitemaps, under `scrapy crawl` and `newscrawl run`: it takes little, and no other
site gets a request."""

from __future__ import annotations

import gzip
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import warm

from newscrawl.testing.news_server import Answer, NewsServer
from newscrawl.testing.project import child_environment, write_project

COMMANDS = [("scrapy", "crawl", "harm"), ("newscrawl.cli", "run", "harm", "--once")]
HOST = "127.0.0.2"
HTML = {"Content-Type": "text/html"}
STORY = "<p>The council of the harbour town met on Tuesday and spoke for four hours about the new ferry.</p>" * 9


class HarmfulSite(NewsServer):
    """A server on an address of its own. `given` maps a path to its answer."""

    def __init__(self, given: Callable[[str], Answer]) -> None:
        self.given, self.sent = given, 0
        super().__init__(HOST)

    def answer(self, path: str, etag: str | None, host: str = "") -> Answer:
        found = self.given(path)
        self.sent += len(found[2])
        return found


@pytest.fixture
def canary() -> Iterator[NewsServer]:
    """Inside: nothing may ask it anything."""
    with NewsServer() as server:
        yield server


@pytest.fixture
def crawl(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """A project with one declared site, and a command in it; only 127.0.0.2 is open to it."""

    def run(words: tuple[str, ...], ports: list[str], **declared: Any) -> subprocess.CompletedProcess[str]:
        lines = ["from newscrawl.crawling.spider import NewsSpider", "class Harm(NewsSpider):", '    name = "harm"']
        lines += [f"    {name} = {value!r}" for name, value in declared.items()]
        write_project(tmp_path, "\n".join(lines))
        given = {
            "NEWSCRAWL_DATABASE_URL": f"sqlite:///{tmp_path / 'news.db'}",
            "NEWSCRAWL_ALLOWED_ADDRESSES": "127.0.0.2",
            "NEWSCRAWL_ALLOWED_PORTS": ",".join(ports),
            "NEWSCRAWL_DELAY": "0",
            "NEWSCRAWL_FIRST_BACKOFF": "0",
            "NEWSCRAWL_RUN_POLL_INTERVAL": "0.2",
            "NEWSCRAWL_ARCHIVE_URL": "off",
        }
        environment = child_environment(tmp_path, given)
        command = [sys.executable, "-m", *words]
        return warm.told(command, cwd=tmp_path, env=environment)

    return run


def ask(folder: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(folder / "news.db")) as connection:
        return connection.execute(query).fetchall()


def port(url: str) -> str:
    return url.rpartition(":")[2]


def index(number: int, home: str, inside: str) -> bytes:
    """An index whose forty children are such indexes; one child is inside."""
    children = [f"{home}/index-{40 * number + n}.xml" for n in range(40)]
    rows = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in [f"{inside}/child.xml", *children])
    return f"<sitemapindex>{rows}</sitemapindex>".encode()


@cache
def million() -> bytes:
    """A sitemap with a million entries."""
    rows = "".join(f"<url><loc>/a-story/{n:07d}</loc></url>" for n in range(1_000_000))
    return gzip.compress(f"<urlset>{rows}</urlset>".encode(), 1)


def elsewhere(home: str, inside: str) -> bytes:
    """A sitemap of another site's articles, but for one."""
    others = "".join(f"<url><loc>http://other.example/a-story/{n:07d}</loc></url>" for n in range(3_000))
    return f"<urlset>{others}<url><loc>{home}/a-story/0000777</loc></url></urlset>".encode()


def feed(home: str, inside: str) -> bytes:
    """Articles inside, under several names, and four that lead there."""
    links = [f"{spelling}/a-story/000000{n}" for n, spelling in enumerate(spellings(inside))]
    links += [f"{home}/a-story/led-inside-{n}" for n in range(4)]
    items = "".join(f"<item><title>A story</title><link>{link}</link></item>" for link in links)
    return f"<rss version='2.0'><channel>{items}</channel></rss>".encode()


def section(home: str, inside: str) -> bytes:
    link = f"<a href='{inside}/a-story/of-the-harbour-that-is-linked'>A story of the harbour town and its new ferry</a>"
    return f"<main>{link}<img src='{inside}/picture.jpg'></main><link rel=canonical href='{inside}/c'>".encode()


def story(inside: str) -> bytes:
    refresh = f"<meta http-equiv=refresh content='60; url={inside}/refreshed'>"  # once it was there to be read
    head = f"{refresh}<link rel=canonical href='{inside}/canonical'>"
    return f"<title>A story</title>{head}<main>{STORY}</main>".encode()


def spellings(inside: str) -> list[str]:
    return [inside, *(inside.replace("127.0.0.1", name) for name in ("localhost", "2130706433"))]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_site_that_means_harm_costs_a_bounded_number_of_requests_and_nothing_inside_is_asked(
    words: tuple[str, ...], crawl: Callable[..., subprocess.CompletedProcess[str]], canary: NewsServer, tmp_path: Path
) -> None:
    """Endless indexes, a million entries, links to other sites (T10, T17); and the canary of T1 and T2: an address
    inside, named and led to in every way, though the site declares that its name is its own."""
    inside, packed = canary.url, million()
    site: HarmfulSite | None = None

    def answer(path: str) -> Answer:
        home = site.url if site is not None else ""
        if match := re.fullmatch(r"/index-(\d+)\.xml", path):
            return 200, {}, index(int(match[1]), home, inside)
        if path.endswith("/led-inside-3"):
            refresh = f"<meta http-equiv=refresh content='0; url={inside}/a-story/led-here'>"
            return 200, HTML, refresh.encode() + story(inside)
        if "/led-inside-" in path:
            return 302, {"Location": f"{spellings(inside)[int(path[-1])]}/a-story/led-here"}, b""
        answers: dict[str, Callable[[], Answer]] = {
            "/robots.txt": lambda: (200, {}, f"User-agent: *\nSitemap: {inside}/robots-sitemap.xml\n".encode()),
            "/million.xml.gz": lambda: (200, {}, packed),
            "/elsewhere.xml": lambda: (200, {}, elsewhere(home, inside)),
            "/feed.xml": lambda: (200, {}, feed(home, inside)),
            "/moved.xml": lambda: (301, {"Location": f"{inside}/feed.xml"}, b""),
            "/news/": lambda: (200, HTML, section(home, inside)),
        }
        return answers.get(path, lambda: (200, HTML, story(inside)))()

    site = HarmfulSite(answer)
    try:
        done = crawl(
            words,
            [port(site.url), port(inside)],
            domains=(HOST, "127.0.0.1", "localhost"),
            home=f"{site.url}/",
            feeds=(f"{site.url}/feed.xml", f"{site.url}/moved.xml", f"{inside}/declared.xml"),
            sitemaps=(f"{site.url}/index-1.xml", f"{site.url}/elsewhere.xml", f"{site.url}/million.xml.gz"),
            sections=(f"{site.url}/news/",),
            articles=(r"^/a-story/(000000\d|0000777|led-inside-\d|of-the-harbour.*)$",),
        )
    finally:
        site.close()
    assert done.returncode == 0, done.stderr
    hits = [path for path, _ in site.requests]
    asked = [path for path in hits if path.endswith((".xml", ".gz"))]
    assert len(asked) == len(set(asked)) <= 50
    assert sum(path.startswith("/index") for path in asked) >= 40
    assert {"/feed.xml", "/moved.xml", "/elsewhere.xml", "/million.xml.gz", "/news/"} <= set(hits)
    assert len(hits) <= 75
    assert site.sent < 30_000_000
    assert canary.requests == []
    assert ask(tmp_path, "SELECT count(*) FROM events WHERE kind = 'security/blocked_address'")[0][0] >= 3
    assert ask(tmp_path, "SELECT count(*) FROM pages WHERE url LIKE '%other.example%'") == [(0,)]
    fetched = ask(tmp_path, "SELECT url FROM pages WHERE state = 'fetched'")
    assert len(fetched) == 11
    assert "/a-story/led-inside-3" in hits
