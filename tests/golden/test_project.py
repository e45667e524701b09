"""A project that `newscrawl new` wrote before the second edition, with a site, hints, settings and hooks of its own.

`project.txt` has its files, each after a line `=== NAME`; `newscrawl new` wrote all but spiders/town.py. `imports.txt`
has what such a project and the examples of README.md, docs/how-to and docs/reference import: each name is kept.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import warm
from golden import FOLDER
from patience import PATIENCE

from newscrawl.demo.keep_alive import KeepAliveHandler, KeepAliveServer

PORT: Final = "8080"
"""Of the town's server in the fixture."""
SENTENCE: Final = "The council of the harbour town spoke for four hours about the ferry and about its new pier. "
APPEAL: Final = "<div class=appeal><p>Stories such as this one are paid for by the readers of this paper.</p></div>"
HEAD: Final = '<title>A story</title><link rel=alternate type="application/rss+xml" href="/feed.xml">'
IMPORTS: Final = [
    line for line in (FOLDER / "imports.txt").read_text("utf-8").splitlines() if line and not line.startswith("#")
]

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def requests() -> list[tuple[str, str | None]]:
    """Path and header `X-Reader` of each request that the town's server gets."""
    return []


@pytest.fixture
def town(requests: list[tuple[str, str | None]]) -> Iterator[int]:
    """The port of a news site on loopback, with a feed of three articles and one that no source names."""

    class Handler(KeepAliveHandler):
        def do_GET(self) -> None:  # noqa: N802
            requests.append((self.path, self.headers["X-Reader"]))
            origin = f"http://{self.headers['Host']}"
            text = f"<p>{self.path} {SENTENCE * 6}</p>{APPEAL}<p class=who>By Anna Berg</p><p>{SENTENCE * 6}</p>"
            kind, body = "text/html", f"{HEAD}<main><h1>A story</h1>{text}</main>"
            if self.path == "/robots.txt":
                kind, body = "text/plain", "User-agent: *\nDisallow:\n"
            elif self.path == "/feed.xml":
                names = ("story-1", "story-2", "draft-3")
                items = "".join(f"<item><link>{origin}/news/2026/{name}</link></item>" for name in names)
                kind, body = "application/rss+xml", f'<rss version="2.0"><channel>{items}</channel></rss>'
            self.answer(200, {"Content-Type": kind}, body.encode())

    server = KeepAliveServer(("127.0.0.1", 0), Handler).start()
    yield server.server_address[1]
    server.stop()


@pytest.fixture
def project(tmp_path: Path, town: int) -> Path:
    """The project, with its site at the running server."""
    folder = tmp_path / "mynews"
    _, *parts = re.split(r"^=== (.+)\n", (FOLDER / "project.txt").read_text("utf-8"), flags=re.MULTILINE)
    for name, text in zip(parts[::2], parts[1::2], strict=True):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text.replace(f"localhost:{PORT}", f"localhost:{town}"), "utf-8")
    return folder


@pytest.fixture
def run(project: Path) -> Run:
    """`run("scrapy", "list")` in the project, whose packages come before the repository's."""

    def run(module: str, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("SCRAPY_", "NEWSCRAWL_"))}
        given = {"PYTHONPATH": str(project), "NEWSCRAWL_PROGRESS": "0", "NEWSCRAWL_ALLOWED_ADDRESSES": "127.0.0.0/8"}
        environment = {**kept, **given, **variables}
        command = [sys.executable, "-m", module, *words]
        return warm.run(
            command, cwd=project, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
        )

    return run


def replace(file: Path, old: str, new: str) -> int:
    """Replaces a text that is once in the file, and returns the number of its line."""
    before, found, after = file.read_text("utf-8").partition(old)
    assert found
    assert old not in after
    file.write_text(before + new + after, "utf-8")
    return before.count("\n") + 1


def test_the_project_lists_its_sites(run: Run) -> None:
    done = run("scrapy", "list")
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, ["demo", "generic", "town"], "")


def test_the_settings_of_production_name_the_operator(run: Run) -> None:
    done = run("scrapy", "list", SCRAPY_PROJECT="production")
    assert (done.returncode, done.stderr) == (2, done.stderr.splitlines()[0] + "\n")
    assert "NEWSCRAWL_CONTACT" in done.stderr
    done = run("scrapy", "list", SCRAPY_PROJECT="production", NEWSCRAWL_CONTACT="desk@example.org")
    assert (done.returncode, done.stderr) == (0, "")


def exported(run: Run) -> dict[str, dict[str, Any]]:
    """Returns the stored articles by the last part of their address."""
    done = run("newscrawl.cli", "export", "--format", "jsonl")
    assert done.returncode == 0, done.stderr
    articles = [json.loads(line) for line in done.stdout.splitlines()]
    return {article["url"].rpartition("/")[2]: article for article in articles}


def test_the_project_crawls_its_site_with_its_hints_settings_and_hooks(
    run: Run, requests: list[tuple[str, str | None]]
) -> None:
    done = run("scrapy", "crawl", "town")
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert {header for path, header in requests if "/news/" in path} == {"town"}
    assert {header for path, header in requests if "/news/" not in path} == {None}
    articles = exported(run)
    assert sorted(articles) == ["story-1", "story-2", "story-9"]
    for name, article in articles.items():
        assert article["extractor"] == "justext"
        assert article["authors"] == ["Anna Berg"]
        assert f"/news/2026/{name} The council" in article["text"]
        assert "paid for by the readers" not in article["text"]
    for words in (("sites",), ("status",), ("doctor",)):
        assert "Traceback" not in run("newscrawl.cli", *words).stderr


def test_the_spiders_that_newscrawl_wrote_crawl(run: Run, town: int) -> None:
    given = ("-a", f"url=http://localhost:{town}/", "-a", "max_articles=1", "-s", "DOWNLOAD_DELAY=0.05")
    done = run("scrapy", "crawl", "generic", *given)
    assert (done.returncode, len(exported(run))) == (0, 1), done.stderr
    done = run("scrapy", "crawl", "demo", "-a", "max_articles=2")
    assert (done.returncode, len(exported(run))) == (0, 3), done.stderr


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("pipelines/archive.py", "newscrawl.crawling.pipelines.archive", "newscrawl.pipelines.gone"),
        ("settings/base.py", "newscrawl.crawling.runtime.run_log.RunLog", "newscrawl.crawling.runtime.gone.RunLog"),
        ("settings/base.py", "newscrawl.crawling.runtime.run_log.RunLog", "newscrawl.crawling.runtime.run_log.Gone"),
        ("settings/base.py", "from newscrawl.config.scrapy_defaults import *", "from newscrawl.config.gone import *"),
        ("spiders/town.py", "from newscrawl.model import Discovery", "from newscrawl.model import Gone"),
    ],
)
def test_a_line_that_names_what_is_gone_is_named(run: Run, project: Path, name: str, old: str, new: str) -> None:
    number = replace(project / name, old, new)
    done = run("scrapy", "crawl", "town")
    assert done.returncode == 2
    first, *more = done.stderr.splitlines()
    assert first.startswith(f"newscrawl: {name}, line {number}: ")
    assert [line for line in more if not line.startswith("newscrawl: unknown site 'town'")] == []


def test_a_continuous_crawl_names_the_line_as_well(run: Run, project: Path) -> None:
    old, new = "newscrawl.crawling.pipelines.archive", "newscrawl.pipelines.gone"
    number = replace(project / "pipelines" / "archive.py", old, new)
    done = run("newscrawl.cli", "run", "town", "--once")
    assert done.returncode == 1
    assert f"town cannot be crawled: pipelines/archive.py, line {number}: " in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", IMPORTS)
def test_a_name_that_users_import_is_kept(name: str) -> None:
    module, _, attribute = name.partition(":")
    found = __import__(module, fromlist=[attribute or "*"])  # as `from MODULE import NAME` does, also for a module
    assert not attribute or hasattr(found, attribute)
