"""`newscrawl add-site` with sites on loopback: what it finds and writes, and its errors."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import replica_habits as habits
from replicas import Replica, Replicas, alternate, rss

from newscrawl.discovery.onboarding.survey_report import from_json
from newscrawl.testing.news_server import NewsServer

ROOT = Path(__file__).resolve().parents[2]
Run = Callable[..., "subprocess.CompletedProcess[str]"]


def test_a_site_is_written_as_a_file_that_lints_loads_and_crawls(replicas: Replicas, project: Path, run: Run) -> None:
    site = replicas.site("town", language="en")
    habits.wordpress_dates(site)
    done = run("newscrawl", "add-site", site.home, "--yes")
    assert done.returncode == 0, done.stderr
    assert site.stories[0].title in done.stdout
    assert "10 of 10 samples are articles" in done.stdout
    assert not list(project.glob("*.db*")), "nobody crawls yet: no database is made to share hosts"
    file = project / "spiders" / "town.py"
    assert 10 <= len(file.read_text().splitlines()) <= 25
    config = str(ROOT / "pyproject.toml")
    for check in (("check",), ("format", "--check")):
        linted = run("ruff", *check, "--no-cache", "--config", config, str(file))
        assert linted.returncode == 0, linted.stdout
    crawled = run("scrapy", "crawl", "town", "-a", "max_articles=3")
    assert crawled.returncode == 0, crawled.stderr
    with closing(sqlite3.connect(project / "newscrawl.db")) as database:
        assert database.execute("SELECT count(*) FROM articles").fetchone() == (3,)
    assert not [asked for asked in replicas.addresses if "comments" in asked]
    checked = run("newscrawl", "check", "town", "--live")
    assert checked.returncode == 0, checked.stdout


def test_lines_of_json_tell_each_request_and_the_result_and_no_file_is_written(
    replicas: Replicas, project: Path, run: Run
) -> None:
    site = replicas.site("town", language="en")
    habits.wordpress_dates(site)
    done = run("newscrawl", "add-site", site.home, "--json-lines")
    assert (done.returncode, done.stderr) == (0, "")
    *requests, last = map(json.loads, done.stdout.splitlines())
    assert requests[0] == {"requesting": site.home}
    assert all(line.keys() == {"requesting"} for line in requests)
    report = from_json(last["report"])
    assert (report.name, report.file, len(report.samples)) == ("town", "spiders/town.py", 10)
    assert not (project / report.file).exists()
    refused = run("newscrawl", "add-site", "http://127.0.0.2:9/", "--json-lines")
    assert (refused.returncode, refused.stderr) == (2, "")
    assert "127.0.0.2 is not a public address" in json.loads(refused.stdout.splitlines()[-1])["problem"]


def test_a_site_that_is_there_is_written_anew_only_by_force(replicas: Replicas, project: Path, run: Run) -> None:
    site = replicas.site("town")
    habits.home_made(site)
    file = project / "spiders" / "town.py"
    assert run("newscrawl", "add-site", site.home, "--no-fixtures").returncode == 0
    written = file.read_text()
    file.write_text(written + "    delay = 3.0\n")
    asked = len(replicas.addresses)
    again = run("newscrawl", "add-site", site.home)
    assert again.returncode == 2
    assert again.stderr.count("\n") == 1
    assert "--force" in again.stderr
    assert len(replicas.addresses) == asked
    assert "delay" in file.read_text()
    assert run("newscrawl", "add-site", site.home, "--force").returncode == 0
    assert file.read_text() == written
    assert not (project / "site-tests").exists()


def test_a_dry_run_writes_nothing(replicas: Replicas, project: Path, run: Run) -> None:
    site = replicas.site("town")
    habits.json_feed(site)
    done = run("newscrawl", "add-site", site.home, "--dry-run")
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines() == [
        "reading the front page ...",
        "reading feeds, sitemaps and sections ...",
        "reading articles, at most 10 ...",
    ]
    assert "class Town(NewsSpider):" in done.stdout
    assert sorted(path.name for path in (project / "spiders").glob("*.py")) == ["__init__.py", "demo.py", "generic.py"]


def bot_wall(site: Replica) -> None:
    site.put("/", "<html><title>Just a moment...</title><body>Checking your browser</body></html>", status=403)


def forbidden(site: Replica) -> None:
    site.put("/robots.txt", "User-agent: *\nDisallow: /\n", "text/plain")
    site.front([])


def scripts_only(site: Replica) -> None:
    site.put(
        "/",
        '<html><head><title>News</title></head><body><div id="app"></div><script src="/a.js"></script></body></html>',
    )


def scripted_articles(site: Replica) -> None:
    empty = (
        '<html><head><title>News</title></head><body><div id="app"></div><script src="/a.js"></script></body></html>'
    )
    links = [(site.put(f"/{story.slug}-{100000 + story.number}", empty), story) for story in site.stories]
    site.put("/feed/", rss(site, links))
    site.front([], head=alternate("/feed/"))


def nothing(site: Replica) -> None:
    site.put("/", "<html><title>A shop</title><body><p>We sell hats.</p><a href='/hats'>Hats</a></body></html>")


def leads_inside(site: Replica) -> None:
    site.put("/", "http://127.0.0.2:1/", status=302)


BROKEN = (
    (bot_wall, "bot wall"),
    (forbidden, "forbids"),
    (scripts_only, "JavaScript"),
    (scripted_articles, "JavaScript"),
    (nothing, "no feed, no sitemap and no links to articles"),
    (leads_inside, "127.0.0.2 is not a public address"),
)


def test_each_way_of_having_nothing_is_named(replicas: Replicas, project: Path, run: Run) -> None:
    sites = [replicas.site(f"town{number}") for number in range(len(BROKEN))]
    for site, (breaks, _) in zip(sites, BROKEN, strict=True):
        breaks(site)
    rows = [
        f"{site.home},{site.home}missing.xml\n" if breaks is nothing else f"{site.home},\n"
        for site, (breaks, _) in zip(sites, BROKEN, strict=True)
    ]
    (project / "sites.csv").write_text("url,feed\n" + "".join(rows))
    done = run("newscrawl", "import-sites", "sites.csv", COLUMNS="300")
    assert done.returncode == 1
    for site, (_, said) in zip(sites, BROKEN, strict=True):
        (line,) = [line for line in done.stdout.splitlines() if site.home in line]
        assert said in line
        assert ("missing.xml is not used: " in line) is said.startswith("no feed")
    assert not list((project / "spiders").glob("town*"))
    assert max(sum(asked.startswith(site.name) for asked in replicas.addresses) for site in sites) <= 35


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((), 1, "bot wall"),
        (("nonsense",), 2, "nonsense"),
        (("http://127.0.0.2:9/",), 2, "127.0.0.2 is not a public address"),
        (("http://[::1",), 2, "http://[::1"),
        (("http://[town]/",), 2, "http://[town]/"),
        (("ftp://town.example/",), 2, "ftp://town.example/"),
        (("https://town.example/", "--feed", "http://[::1"), 2, "http://[::1"),
    ],
)
def test_a_site_that_cannot_be_added_costs_one_line_below_the_phase(
    arguments: tuple[str, ...], code: int, said: str, replicas: Replicas, run: Run
) -> None:
    site = replicas.site("town")
    bot_wall(site)
    done = run("newscrawl", "add-site", *(arguments or (site.home,)), "--yes")
    assert done.returncode == code, done.stderr
    (line,) = (line for line in done.stderr.splitlines() if line != "reading the front page ...")
    assert line.startswith("newscrawl: ")
    assert said in line


def test_nothing_inside_is_asked_whatever_a_site_names(replicas: Replicas, project: Path, run: Run) -> None:
    """The canary of T1: another loopback address, named and led to in every way there is."""
    with NewsServer("127.0.0.2") as canary:
        inside = canary.url
        site = replicas.site("town")
        links = site.articles(lambda story: f"/{story.slug}-{100000 + story.number}")
        moved = [
            (site.put(f"/moved-story-of-the-town-{200000 + n}", f"{inside}/{n}", status=302), site.stories[n])
            for n in range(4)
        ]
        site.put("/feed/", rss(site, [*moved, *links, (f"{inside}/an-article-of-the-canary-300000", site.stories[0])]))
        site.put("/rss2", f"{inside}/feed", status=301)
        site.robots(f"Sitemap: {inside}/news-sitemap.xml")
        head = alternate(f"{inside}/feed.xml") + alternate("/rss2") + alternate("/feed/")
        site.front(links, head=head, nav=[f"{inside}/", f"{inside}/politics/"])
        done = run("newscrawl", "add-site", site.home, "--yes")
    assert done.returncode == 0, done.stderr
    assert canary.requests == []
    assert "127.0.0.2" not in (project / "spiders" / "town.py").read_text()
