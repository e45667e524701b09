"""A site whose sitemaps cannot be read in any bearable time, beside a good one, under `newscrawl run`.

One of them names an address for which the site's own expression takes for ever.
"""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import warm
from patience import PATIENCE, wait_until

from newscrawl.storage.store import open_store
from newscrawl.testing.news_server import NewsServer
from newscrawl.testing.project import child_environment, write_project

STORIES = 6
ENDLESS = "/" + "a" * 60 + "-1"
STORY = "<p>The council of the harbour town met on Tuesday and spoke for four hours about the new ferry.</p>" * 9
SPIDERS = """
from newscrawl.crawling.spider import NewsSpider
from newscrawl.crawling.spider.sources import source_reader
from newscrawl.workers import pool

pool.TRY_SECONDS = source_reader.BODY_SECONDS = {seconds}

class Good(NewsSpider):
    name = "good"
    domains = ("good.localhost",)
    home = "http://good.localhost:{port}/"
    feeds = ("http://good.localhost:{port}/feed.xml",)
    articles = (r"^/story-",)

class Hostile(NewsSpider):
    name = "hostile"
    domains = ("hostile.localhost",)
    home = "http://hostile.localhost:{port}/"
    sitemaps = ("http://hostile.localhost:{port}/index.xml",)
    articles = (r"^/(a+)+$",)
"""


def bodies(home: str) -> dict[str, str]:
    children = ("endless.xml", "feeds.xml", "prefixed.xml", "spaces.xml")
    stories = "".join(f"<item><title>Story {n}</title><link>{home}/story-{n}</link></item>" for n in range(STORIES))
    return {
        "/feed.xml": f"<rss version='2.0'><channel>{stories}</channel></rss>",
        "/index.xml": "".join(f"<sitemap><loc>{home}/{name}</loc></sitemap>" for name in children).join(
            ("<sitemapindex>", "</sitemapindex>")
        ),
        "/feeds.xml": "<feed " * 40_000,
        "/prefixed.xml": "<a:feed" * 34_000,
        "/spaces.xml": '<feed xmlns="http://e.example/" ' * 7_500,
        "/endless.xml": f"<urlset><url><loc>{home}{ENDLESS}</loc></url></urlset>",
    }


@pytest.fixture
def world() -> Iterator[NewsServer]:
    """A server for both sites."""
    with NewsServer() as server:
        for host in (f"good.localhost:{server.port}", f"hostile.localhost:{server.port}"):
            server.pages |= {f"{host}{path}": body for path, body in bodies(f"http://{host}").items()}
        server.pages |= {f"/story-{number}": STORY for number in range(STORIES)}
        yield server


@pytest.fixture
def command(tmp_path: Path, world: NewsServer) -> Callable[..., subprocess.Popen[str]]:
    """Starts a `newscrawl` command in a project with both sites, in which reading a source may take so many seconds."""
    write_project(tmp_path, SPIDERS.format(port=world.port, seconds=PATIENCE))
    open_store(f"sqlite:///{tmp_path / 'news.db'}", upgrade=True).close()
    given = {
        "NEWSCRAWL_DATABASE_URL": f"sqlite:///{tmp_path / 'news.db'}",
        "NEWSCRAWL_ALLOWED_ADDRESSES": "127.0.0.0/8",
        "NEWSCRAWL_DELAY": "0",
        "NEWSCRAWL_RUN_POLL_INTERVAL": "0.2",
        "NEWSCRAWL_RUN_DRAIN_TIMEOUT": str(PATIENCE),  # a process that ends sooner has not given up waiting
        "NEWSCRAWL_ARCHIVE_URL": "off",
    }
    environment = child_environment(tmp_path, given)

    def start(*words: str, seconds: float = PATIENCE) -> subprocess.Popen[str]:
        (tmp_path / "spiders" / "local.py").write_text(SPIDERS.format(port=world.port, seconds=seconds))
        line = [sys.executable, "-m", "newscrawl.cli", *words]
        pipe = subprocess.PIPE
        return warm.Popen(line, cwd=tmp_path, env=environment, stdout=pipe, stderr=pipe, text=True)

    return start


def ask(folder: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(folder / "news.db", timeout=PATIENCE)) as connection:
        return connection.execute(query).fetchall()


def test_the_good_site_is_crawled_and_sigterm_ends_the_process_while_a_sitemap_is_read_for_ever(
    command: Callable[..., subprocess.Popen[str]], tmp_path: Path, world: NewsServer
) -> None:
    run = command("run", "good", "hostile")
    try:
        wait_until(lambda: world.asked("/endless.xml"))
        wait_until(lambda: ask(tmp_path, "SELECT count(*) FROM pages WHERE state = 'fetched'") == [(STORIES,)])
        run.send_signal(signal.SIGTERM)
        _, errors = run.communicate(timeout=PATIENCE)
    finally:
        run.kill()
        run.wait()
    assert run.returncode == 0, errors
    assert "Traceback" not in errors
    assert ask(tmp_path, "SELECT failure_kind FROM sources WHERE url LIKE '%/endless.xml'") == []


def test_a_sitemap_that_costs_too_much_fails_rests_and_is_named_by_status_and_why(
    command: Callable[..., subprocess.Popen[str]], tmp_path: Path, world: NewsServer
) -> None:
    _, errors = (run := command("run", "good", "hostile", "--once", seconds=0.3)).communicate(timeout=PATIENCE)
    assert run.returncode == 0, errors
    assert ask(tmp_path, "SELECT count(*) FROM pages WHERE state = 'fetched'") == [(STORIES,)]
    endless = "SELECT failures, failure_kind, not_before > datetime('now') FROM sources WHERE url LIKE '%/endless.xml'"
    assert ask(tmp_path, endless) == [(1, "source/too_costly", 1)]
    url = f"http://hostile.localhost:{world.port}/endless.xml"
    status, _ = command("status").communicate(timeout=PATIENCE)
    (line,) = [line for line in status.splitlines() if url in line]
    assert "source/too_costly" in line
    told, _ = command("why", url).communicate(timeout=PATIENCE)
    assert "reading it took more than 0.3 s of CPU time" in told
    assert "paused until" in told
