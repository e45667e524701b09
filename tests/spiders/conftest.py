"""The spiders as Scrapy loads them, and addresses of articles that were public in August 2026."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
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
from newscrawl.testing.news_server import NewsServer

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
