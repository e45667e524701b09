"""A project that `newscrawl new` of commit a4b86e7 wrote, with a site of its own, and the line on what to change."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
import warm
from patience import PATIENCE

from newscrawl.keep_alive import KeepAliveHandler, KeepAliveServer
from newscrawl.onboarding.project import make_project

FIXTURE = Path(__file__).with_name("project_a4b86e7.txt")
"""The files as they were written, each after a line `=== NAME`; spiders/town.py is what `newscrawl add-site` wrote."""
PORT = "8080"
"""Of the town's server in the fixture."""
SENTENCE = "The council of the harbour town spoke for four hours about the ferry and its new pier. "

LOCAL = {"NEWSCRAWL_ALLOWED_ADDRESSES": "127.0.0.0/8"}

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def files() -> dict[str, str]:
    """The project's files by name."""
    _, *parts = re.split(r"^=== (.+)\n", FIXTURE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


@pytest.fixture
def town() -> Iterator[int]:
    """The port of a news site on loopback with a feed of two articles."""

    class Handler(KeepAliveHandler):
        def do_GET(self) -> None:  # noqa: N802
            origin = f"http://{self.headers['Host']}"
            kind, body = "text/html", f"<title>A story</title><h1>A story</h1><p>{self.path} {SENTENCE * 12}</p>"
            if self.path == "/robots.txt":
                kind, body = "text/plain", "User-agent: *\nDisallow:\n"
            elif self.path == "/feed.xml":
                items = "".join(f"<item><link>{origin}/news/2026/story-{n}</link></item>" for n in (1, 2))
                kind, body = "application/rss+xml", f'<rss version="2.0"><channel>{items}</channel></rss>'
            self.answer(200, {"Content-Type": kind}, body.encode())

    server = KeepAliveServer(("127.0.0.1", 0), Handler).start()
    yield server.server_address[1]
    server.stop()


@pytest.fixture
def project(tmp_path: Path, town: int) -> Path:
    """The project, its site at the running server."""
    folder = tmp_path / "mynews"
    for name, text in files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text.replace(f"localhost:{PORT}", f"localhost:{town}"), encoding="utf-8")
    return folder


@pytest.fixture
def run(project: Path) -> Run:
    """`run("scrapy", "list")` in the project, whose packages come before the repository's (docs/onboarding.md)."""

    def run(module: str, *words: str) -> subprocess.CompletedProcess[str]:
        inherited = {
            name: value for name, value in os.environ.items() if not name.startswith(("SCRAPY_", "NEWSCRAWL_"))
        }
        return warm.run(
            [sys.executable, "-m", module, *words],
            cwd=project,
            env={**inherited, "PYTHONPATH": str(project), "NEWSCRAWL_PROGRESS": "0", **LOCAL},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    return run


@pytest.fixture
def refreshed(project: Path, tmp_path: Path) -> Path:
    """The project after what the line says was done."""
    new = tmp_path / "new"
    make_project(new)
    for name in ("settings", "pipelines", "spiders/demo.py", "spiders/generic.py"):
        if (new / name).is_dir():
            shutil.copytree(new / name, project / name, dirs_exist_ok=True)
        else:
            shutil.copy(new / name, project / name)
    return project


def test_the_project_says_in_one_line_what_to_change(run: Run) -> None:
    for words in (("scrapy", "crawl", "town"), ("scrapy", "list"), ("newscrawl.cli", "status")):
        done = run(*words)
        assert done.returncode == 2, done.stderr
        (line,) = done.stderr.splitlines()
        assert "`newscrawl new DIR`" in line
        assert "copy its settings/, pipelines/, spiders/demo.py and spiders/generic.py over yours" in line


def test_the_project_crawls_its_own_site(run: Run, refreshed: Path) -> None:
    done = run("scrapy", "crawl", "town", "-s", "DOWNLOAD_DELAY=0.05")
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "DeprecationWarning" not in done.stderr
    with closing(sqlite3.connect(refreshed / "newscrawl.db")) as database:
        shown = database.execute("SELECT url FROM pages WHERE state = 'fetched' ORDER BY url").fetchall()
        assert [url.rpartition("/")[2] for (url,) in shown] == ["story-1", "story-2"], done.stderr
        assert database.execute("SELECT count(*) FROM articles").fetchone() == (2,)
    assert list((refreshed / "newscrawl.archive").glob("*.warc.gz"))


@pytest.mark.usefixtures("refreshed")
def test_the_commands_work_in_the_project(run: Run) -> None:
    listed = run("scrapy", "list")
    assert listed.stdout.split() == ["demo", "generic", "town"], listed.stderr
    for words in (("sites",), ("db", "upgrade"), ("status",)):
        done = run("newscrawl.cli", *words)
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
