"""The extensions of docs/how-to/extend.md in a project, with its settings, under every command that extracts."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import warm
from distribution import write_package
from patience import PATIENCE

from newscrawl.testing.news_server import NewsServer
from newscrawl.testing.project import child_environment, write_project

ROOT = Path(__file__).parents[2]
HOW_TO = ROOT / "docs" / "how-to" / "extend.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", HOW_TO.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
HOUSE = "\n\n".join(block for block in BLOCKS if "\ndef " in block)
SETTINGS = "\n".join(block for block in BLOCKS if block.startswith("NEWSCRAWL_"))
RAISING = """

def suspicious(signals):
    raise ValueError("not today")
"""
SPIDERS = """
from newscrawl.crawling.spider import NewsSpider

class Boxed(NewsSpider):
    name = "boxed"
    domains = ("boxed.localhost",)
    home = "http://boxed.localhost:{port}/"
    feeds = ("http://boxed.localhost:{port}/feed.xml",)
    articles = (r"^/20[0-9]{{2}}/", r"^/sponsored/")
    custom_settings = {{"NEWSCRAWL_CHAIN": "publisher"}}

class Plain(NewsSpider):
    name = "plain"
    domains = ("plain.localhost",)
    home = "http://plain.localhost:{port}/"
    feeds = ("http://plain.localhost:{port}/feed.xml",)
    articles = (r"^/20[0-9]{{2}}/",)

class Raising(NewsSpider):
    name = "raising"
    domains = ("raising.localhost",)
    home = "http://raising.localhost:{port}/"
    feeds = ("http://raising.localhost:{port}/feed.xml",)
    articles = (r"^/20[0-9]{{2}}/",)
    custom_settings = {{"NEWSCRAWL_VERDICT_RULES": ["house:suspicious"]}}

class Broken(NewsSpider):
    name = "broken"
    domains = ("broken.localhost",)
    home = "http://broken.localhost:{port}/"
    feeds = ("http://broken.localhost:{port}/feed.xml",)
    custom_settings = {{"NEWSCRAWL_EXTRACTORS": {{"lost": "no_such_module:lost"}}, "NEWSCRAWL_CHAIN": "lost"}}
"""
NEWS = "The council of the harbour town met on {} and spoke for four hours about the ferry to the islands. "
NOTE = "Read the news of the harbour every morning in our letter to readers of this paper."
HOSTS = ("boxed.localhost", "plain.localhost", "raising.localhost", "broken.localhost")
PATHS = ("/2026/ferry", "/2026/bridge", "/sponsored/mattress")
STORM = "/2026/storm"

Command = Callable[..., subprocess.CompletedProcess[str]]


def body(path: str) -> str:
    story = "".join(f"<p>{NEWS.format(path) * 2}</p>" for _ in range(5))
    return f"<title>News of {path}</title><h1>News of {path}</h1><div class='story'>{story}</div><p>{NOTE}</p>"


@pytest.fixture
def server() -> Iterator[NewsServer]:
    with NewsServer() as site:
        site.pages = {path: body(path) for path in (*PATHS, STORM)}
        for host in HOSTS:
            paths = PATHS if host == "boxed.localhost" else [STORM]
            links = "".join(f"<item><link>http://{host}:{site.port}{path}</link></item>" for path in paths)
            site.pages[f"{host}:{site.port}/feed.xml"] = f"<rss version='2.0'><channel>{links}</channel></rss>"
        yield site


@pytest.fixture
def command(tmp_path: Path, server: NewsServer, request: pytest.FixtureRequest) -> Command:
    """Runs a command in the project of the how-to, with the module and the settings that the page shows, or with the
    module and other settings: `parametrize("command", [TEXT], indirect=True)`."""
    project = tmp_path / "project"
    write_project(project, SPIDERS.format(port=server.port))
    (project / "house.py").write_text(HOUSE + RAISING, encoding="utf-8")
    with (project / "settings" / "base.py").open("a", encoding="utf-8") as settings:
        settings.write(f"\n{getattr(request, 'param', SETTINGS)}")
    environment = child_environment(
        project,
        {
            "NEWSCRAWL_DATABASE_URL": f"sqlite:///{tmp_path / 'news.db'}",
            "NEWSCRAWL_ALLOWED_ADDRESSES": "127.0.0.0/8",
            "NEWSCRAWL_DELAY": 0,
            "NEWSCRAWL_EXTRACT_WORKERS": 1,
            "NEWSCRAWL_RUN_POLL_INTERVAL": 0.2,
        },
    )

    def run(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
        line = [sys.executable, "-m", {"newscrawl": "newscrawl.cli"}.get(words[0], words[0]), *words[1:]]
        done = warm.run(
            line, cwd=project, env={**environment, **more}, capture_output=True, timeout=PATIENCE, check=False
        )
        out, err = done.stdout.decode(), done.stderr.decode()
        return subprocess.CompletedProcess(line, done.returncode, out, err)

    return run


def ask(database: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(database, timeout=PATIENCE)) as connection:
        return connection.execute(query).fetchall()


EXTRACTED = "SELECT a.extractor, p.url FROM articles a JOIN pages p ON p.article_id = a.id ORDER BY p.url"


def test_sites_of_one_process_have_their_chains_and_rules_and_a_broken_one_stops_no_other(
    command: Command, server: NewsServer, tmp_path: Path
) -> None:
    done = command("newscrawl", "run", "boxed", "broken", "--once")
    assert done.returncode == 2, done.stderr
    done = command("newscrawl", "run", "--once")
    assert done.returncode == 1, "one site could not be crawled"
    assert "site 'broken': custom_settings: setting NEWSCRAWL_EXTRACTORS: extractor 'lost'" in done.stderr
    home = f"http://boxed.localhost:{server.port}"
    assert ask(tmp_path / "news.db", EXTRACTED) == [
        ("story_box", f"{home}/2026/bridge"),
        ("story_box", f"{home}/2026/ferry"),
        ("boilerpipe-wide+group", f"http://plain.localhost:{server.port}{STORM}"),
    ]
    why = command("newscrawl", "why", f"{home}/sponsored/mattress").stdout
    assert "verdict/advertorial" in why
    assert "its address has the part 'sponsored'" in why
    refused = command("newscrawl", "why", f"http://raising.localhost:{server.port}{STORM}").stdout
    assert "extraction/error" in refused
    assert "verdict rule 'suspicious' (house:suspicious) raised ValueError: not today" in " ".join(refused.split())
    assert not [path for path, _ in server.log if path.startswith("broken")]


def test_every_command_that_extracts_knows_them(command: Command, server: NewsServer, tmp_path: Path) -> None:
    done = command("scrapy", "crawl", "boxed")
    assert done.returncode == 0, done.stderr
    assert [row[0] for row in ask(tmp_path / "news.db", EXTRACTED)] == ["story_box", "story_box"]

    page = tmp_path / "page.html"
    page.write_text(body("/2026/ferry"), encoding="utf-8")
    paid = ("--url", "https://example.org/sponsored/ferry")
    found = json.loads(command("newscrawl", "extract", str(page), "--chain", "publisher", "--json", *paid).stdout)
    assert (found["extractor"], found["verdict"]) == ("story_box", "advertorial")
    assert NOTE not in found["text"]
    assert "advertorial" in command("newscrawl", "explain", str(page), "--chain", "publisher", *paid).stdout

    done = command("newscrawl", "reextract", "--workers", "1")
    assert done.returncode == 0, done.stderr
    assert "with publisher (nothing stored" in done.stdout
    assert re.search(r"boxed +3 +2 ", done.stdout), done.stdout  # the same twice, and no article as before

    warcs = [str(path) for path in tmp_path.rglob("*.warc.gz")]
    other = tmp_path / "other.db"
    environment = {"NEWSCRAWL_DATABASE_URL": f"sqlite:///{other}", "NEWSCRAWL_CHAIN": "publisher"}
    assert warcs
    done = command("newscrawl", "ingest", *warcs, "--workers", "1", **environment)
    assert done.returncode == 0, done.stderr
    assert {row[0] for row in ask(other, EXTRACTED)} == {"story_box"}

    folder = tmp_path / "articles"
    done = command("newscrawl", "feed", f"folder:{folder}")
    assert done.returncode == 0, done.stderr
    texts = [json.loads(file.read_text())["article"]["text"] for file in folder.iterdir()]
    assert len(texts) == 2
    assert all(NOTE not in text for text in texts)
    assert "0 changes sent" in command("newscrawl", "feed", f"folder:{folder}").stderr

    listed = command("newscrawl", "extensions")
    assert listed.returncode == 0, listed.stderr
    for name in ("story_box", "publisher", "folder", "house:advertorial"):
        assert name in listed.stdout


@pytest.mark.parametrize("command", [""], indirect=True, ids=["no settings"])
def test_a_package_needs_no_settings(command: Command, tmp_path: Path) -> None:
    points = re.findall(
        r'^\[project\.entry-points\."newscrawl\.(\w+)"\]\n(\w+) = "(.+)"$', HOW_TO.read_text(), re.MULTILINE
    )
    assert len(points) == 4
    write_package(tmp_path / "packages", {group: {name: path} for group, name, path in points})
    path = {"PYTHONPATH": f"{child_environment(tmp_path / 'project', {})['PYTHONPATH']}:{tmp_path / 'packages'}"}
    rules = {"NEWSCRAWL_VERDICT_RULES": "advertorial"}
    done = command("scrapy", "crawl", "boxed", **path, **rules)
    assert done.returncode == 0, done.stderr
    assert [row[0] for row in ask(tmp_path / "news.db", EXTRACTED)] == ["story_box", "story_box"]
    helped = command("newscrawl", "feed", "--help", **path).stdout
    assert "Sinks of installed packages: folder (house-rules)" in " ".join(helped.split())
    helped = command("newscrawl", "extract", "--help", **path).stdout
    assert "Extractors of installed packages: story_box (house-rules)" in " ".join(helped.split())
    assert command("newscrawl", "feed", f"folder:{tmp_path / 'out'}", **path).returncode == 0
    assert len(list((tmp_path / "out").iterdir())) == 2
    listed = command("newscrawl", "extensions", **path)
    assert listed.returncode == 0, listed.stderr
    assert listed.stdout.count("package house-rules") == 4


@pytest.mark.parametrize("command", [""], indirect=True, ids=["no settings"])
@pytest.mark.parametrize(
    ("words", "environment", "message"),
    [
        (
            "scrapy crawl plain",
            {"NEWSCRAWL_EXTRACTORS": '{"lost": "no_such_module:x"}'},
            "extractor 'lost' (no_such_module:x): importing no_such_module failed: ModuleNotFoundError: No module",
        ),
        (
            "newscrawl run plain --once",
            {"NEWSCRAWL_VERDICT_RULES": "house:nobody"},
            "setting NEWSCRAWL_VERDICT_RULES: verdict rule 'nobody' (house:nobody): house has no 'nobody'; correct",
        ),
        (
            "newscrawl feed shelf:x",
            {"NEWSCRAWL_SINKS": '{"shelf": "house:HOUSE"}'},
            "setting NEWSCRAWL_SINKS: sink 'shelf' (house:HOUSE): house has no 'HOUSE'; correct the setting",
        ),
        ("newscrawl feed nobody:x", {"NEWSCRAWL_SINKS": '{"shelf": "house:FolderSink"}'}, "ALIAS, shelf:PLACE"),
        ("newscrawl extensions", {"NEWSCRAWL_EXTRACTORS": '{"x": "house:PUBLISHER"}'}, "this is a tuple: it must be"),
    ],
)
def test_a_mistake_costs_one_line(command: Command, words: str, environment: dict[str, str], message: str) -> None:
    done = command(*words.split(), **environment)
    assert done.returncode in {1, 2}
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert message in done.stderr
