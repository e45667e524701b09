"""The spiders as Scrapy loads them, and addresses of articles that were public in August 2026."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import warm
from patience import PATIENCE
from scrapy.settings import Settings
from scrapy.spiderloader import SpiderLoader

from newscrawl.crawling.spider import NewsSpider
from newscrawl.keep_alive import KeepAliveHandler, KeepAliveServer

ROOT = Path(__file__).parent.parent.parent
SAMPLES = ROOT / "tests" / "data" / "site_samples.json"
CHILD = ROOT / "tests" / "support" / "spider_child.py"


@pytest.fixture(scope="session")
def samples() -> Mapping[str, list[str]]:
    """Site name to addresses of its articles."""
    loaded: dict[str, list[str]] = json.loads(SAMPLES.read_text(encoding="utf-8"))
    return loaded


@pytest.fixture(scope="session")
def spiders() -> Mapping[str, type[NewsSpider]]:
    """Every spider of the project that is a site's declaration."""
    loader = SpiderLoader.from_settings(Settings({"SPIDER_MODULES": ["spiders"]}))
    loaded = {name: loader.load(name) for name in loader.list()}
    return {name: spider for name, spider in loaded.items() if name not in {"generic", "demo"}}


Answer = tuple[int, dict[str, str], bytes]
Seen = tuple[str, dict[str, str]]


class NewsServer:
    """A news site on loopback: `pages` maps paths to bodies or whole answers, `requests` is what was asked.

    Every 200 has an ETag made of its body and answers 304 to it.
    """

    def __init__(self) -> None:
        self.pages: dict[str, bytes | str | Answer] = {}
        self.requests: list[Seen] = []
        site = self

        class Handler(KeepAliveHandler):
            def do_GET(self) -> None:  # noqa: N802
                site.requests.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
                self.answer(*site.answer(self.path, self.headers.get("If-None-Match")))

        self._server = KeepAliveServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def answer(self, path: str, etag: str | None) -> Answer:
        page = self.pages.get(path)
        if page is None:
            return 404, {}, b"not here"
        if isinstance(page, tuple):
            return page
        body = page.encode() if isinstance(page, str) else page
        own = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        if etag == own:
            return 304, {"ETag": own}, b""
        return 200, {"ETag": own, "Content-Type": "text/html; charset=utf-8"}, body

    def feed(self, path: str, *entries: tuple[str, str]) -> None:
        """An RSS feed of (link, publication date or "") at `path`."""
        items = "".join(
            f"<item><title>Title of {link}</title><link>{link}</link>"
            + (f"<pubDate>{date}</pubDate>" if date else "")
            + "</item>"
            for link, date in entries
        )
        self.pages[path] = f'<?xml version="1.0"?><rss version="2.0"><channel><title>x</title>{items}</channel></rss>'

    def asked(self, path: str) -> int:
        """How often `path` was asked for."""
        return sum(seen == path for seen, _ in self.requests)

    def close(self) -> None:
        self._server.stop()
        self._thread.join()


@pytest.fixture
def server() -> Iterator[NewsServer]:
    """A news site that is still empty."""
    running = NewsServer()
    yield running
    running.close()


Crawl = Callable[..., dict[str, Any]]


@pytest.fixture
def crawl(tmp_path: Path, server: NewsServer) -> Crawl:
    """Runs one crawl of `server` against the test's database: `crawl(feeds=..., arguments=..., environment=...)`."""

    def run(
        *,
        generic: bool = False,
        arguments: Mapping[str, str] | None = None,
        failpoint: str = "",
        settings: Mapping[str, Any] | None = None,
        **declared: Any,
    ) -> dict[str, Any]:
        spider = None if generic else {"name": "site", "domains": ["127.0.0.1"], "home": f"{server.url}/", **declared}
        order = {"spider": spider, "arguments": arguments or {}, "database": f"sqlite:///{tmp_path / 'crawl.db'}"}
        order["settings"] = settings or {}
        done = warm.run(
            [sys.executable, "-W", "error::DeprecationWarning:newscrawl", str(CHILD), json.dumps(order)],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT), "NEWSCRAWL_FAILPOINT": failpoint},
        )
        if failpoint:
            return {"returncode": done.returncode}
        assert done.returncode == 0, done.stderr
        answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        assert "Traceback" not in done.stderr, done.stderr
        answer["log"] = done.stderr
        return answer

    return run


@pytest.fixture
def database(tmp_path: Path) -> Callable[..., list[tuple[Any, ...]]]:
    """Asks the test's database."""

    def ask(query: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(tmp_path / "crawl.db")) as connection:
            return connection.execute(query).fetchall()

    return ask
