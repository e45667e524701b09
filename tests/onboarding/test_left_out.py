"""`check --live` and the weekly check report articles that no declared source of a site names."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from paper import Here, Paper, bilingual
from replicas import Replica, Replicas, alternate, index, make_stories, rss, sitemap

from newscrawl.crawling.spider.site_declaration import Site
from newscrawl.crawling.spider.sources.site_reader import SiteReader
from newscrawl.discovery.onboarding.live import LEFT_OUT, look
from newscrawl.extraction.article.make import ArticleOptions

NOW = datetime.now(UTC)
Run = Callable[..., "subprocess.CompletedProcess[str]"]
SPIDER = """from newscrawl.crawling.spider import NewsSpider


class Town(NewsSpider):
    name = "town"
    domains = ("localhost",)
    home = "{home}"
    feeds = ({feeds})
"""


def left_out(replica: Replica, **declared: Any) -> list[str]:
    """What a live look says of articles that no source names."""
    site = Site.declared("town", domains=("localhost",), home=replica.home, **declared)
    found = asyncio.run(look(Paper(replica), SiteReader(Here()), site, None, ArticleOptions(), NOW))
    return [change.detail for change in found.changes if change.kind == LEFT_OUT]


@pytest.mark.parametrize("rule", [(), (r"^/en/[^/]+/$",), (r"-[a-z]{3}-\d+/$",)], ids=["none", "English", "all"])
def test_check_live_says_which_half_of_a_bilingual_site_no_source_names(rule: tuple[str, ...]) -> None:
    site = bilingual()
    (said,) = left_out(site, feeds=(f"{site.origin}/en/index.xml",), articles=rule)
    assert said.startswith("20 articles that no chosen source names, such as http://town.localhost:8080/de/")


def test_check_live_has_nothing_to_say_where_the_sitemap_is_declared() -> None:
    site = bilingual()
    assert left_out(site, feeds=(f"{site.origin}/en/index.xml",), sitemaps=(f"{site.origin}/sitemap.xml",)) == []


def test_check_live_reads_the_children_of_a_declared_index() -> None:
    site = bilingual()
    site.put("/index.xml", index([(f"{site.origin}/sitemap.xml", NOW)]))
    assert left_out(site, sitemaps=(f"{site.origin}/index.xml",)) == []


def test_check_live_has_nothing_to_say_of_links_that_are_older_than_the_feed() -> None:
    site = Replica("town", "http://town.localhost:8080")
    site.stories = make_stories(1, 30, "en", NOW)
    links = site.articles(lambda story: f"/{story.slug}-{100000 + story.number}.html")
    site.put("/feed", rss(site, links[:8]))
    site.put("/sitemap.xml", sitemap(links))
    site.robots(f"Sitemap: {site.origin}/sitemap.xml")
    site.front(links, head=alternate("/feed"))
    assert left_out(site, feeds=(f"{site.origin}/feed",)) == []


def test_the_weekly_look_opens_an_alarm_and_closes_it(replicas: Replicas, project: Path, run: Run) -> None:
    site = bilingual(replicas.site("town"))
    file = project / "spiders" / "town.py"
    file.write_text(SPIDER.format(home=site.home, feeds=f'"{site.origin}/en/index.xml",'))

    def crawl() -> list[dict[str, Any]]:
        past = (NOW - timedelta(days=1)).strftime("%Y-%m-%d %H:%M:%S.%f")
        if (project / "newscrawl.db").exists():
            with closing(sqlite3.connect(project / "newscrawl.db")) as database, database:
                assert database.execute(
                    "SELECT coverage_due IS NOT NULL FROM sites WHERE site = 'town'"
                ).fetchone() == (1,)
                database.execute("UPDATE sites SET coverage_due = ?, last_started = ?", (past, past))
                database.execute("UPDATE sources SET next_due = ?", (past,))
        done = run("newscrawl", "run", "town", "--once")
        assert done.returncode == 0, done.stderr
        (status,) = json.loads(run("newscrawl", "status", "--json").stdout)
        return list(status["alarms"])

    assert crawl() == []
    assert f"town.localhost:{replicas.port}/" not in replicas.addresses
    (alarm,) = crawl()
    assert (alarm["kind"], alarm["details"]["missing"]) == ("coverage", 20)
    assert "20 articles that no chosen source names, such as http://town.localhost" in alarm["message"]
    assert "20 articles that no chosen source names" in run("newscrawl", "status").stdout
    file.write_text(file.read_text() + f'    sitemaps = ("{site.origin}/sitemap.xml",)\n')
    assert crawl() == []
