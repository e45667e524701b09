"""The modules that commands load at their start: each import makes operators and tests wait."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import warm
from patience import PATIENCE
from source_items import record_failure

from newscrawl.cli.ingest import FOR_ONE_SPAN
from newscrawl.storage import migrations
from newscrawl.storage.store import open_store

ROOT = Path(__file__).resolve().parents[2]
PAGE = "<html><head><title>Title</title></head><body><p>" + "It rains on the hills, and the river rises. " * 40

FEED = "https://harbour.example/feed.xml"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)

COMMAND = """
import json, sys
from newscrawl.cli import main
try:
    main(sys.argv[1:])
except SystemExit as ended:
    code = ended.code
print(json.dumps({"code": code, "loaded": sorted(sys.modules)}), file=sys.stderr)
"""

LIST = """
import json, sys
from scrapy.cmdline import execute
try:
    execute(["scrapy", "list"])
except SystemExit:
    print(json.dumps(sorted(sys.modules)))
"""

SCRAPY = {"scrapy", "twisted"}
SQL = {"sqlalchemy", "alembic", "psycopg"}
PAGES = {
    "newscrawl.page",
    "newscrawl.extraction",
    "newscrawl.extraction.metadata",
    "newscrawl.extraction.article",
    "lxml_html_clean",
}
LANGUAGE = {"py3langid", "numpy"}
WORK = {"newscrawl.workers", "newscrawl.crawling.runtime.process", "newscrawl.crawling.downloader", "feedparser"}
ARCHIVE = {"newscrawl.archive.writer", "newscrawl.archive.recover"}
NOT_TO_SHOW = {
    *("sqlalchemy.dialects.postgresql", "multiprocessing", "urllib.request", "protego"),
    *("newscrawl.storage.frontier.sources", "newscrawl.storage.articles.deciding", "newscrawl.reports.one_url"),
}
"""What only writing, another database or another command needs."""
STORE = {"newscrawl.storage.store", "newscrawl.storage.engine.writer", "newscrawl.storage.engine.batch"}

ARTICLES = {f"newscrawl.extraction.article.{name}" for name in ("make", "extracted", "verdict", "signals")}
"""The modules that make articles. `--version` loads only those modules of this package that are references of the
compiled core."""
EXTRACTING = (ARTICLES | {"newscrawl.extraction.article.from_page", "newscrawl.extraction.chain"}) - {
    "newscrawl.extraction.article.make"
}
EXTRACTING |= {"newscrawl.page", "newscrawl.extraction.metadata"}
"""The modules that extract. `newscrawl.extraction.article.make` has only the names of the work."""
CRAWLING = {
    *("newscrawl.crawling.runtime.crawl_services", "newscrawl.crawling.spider.sources.source_reader"),
    *("newscrawl.workers.source_task", "newscrawl.crawling.monitoring"),
}
"""What a crawl loads when it begins. Declarations need none of it."""
SENDING = {"scrapy.core.downloader.contextfactory", "scrapy.core.downloader.handlers.http11"}
UNUSED = {"justext", "lxml_html_clean", "http", "newscrawl.extraction.literature"}
"""What the first page needs nothing of: the package `justext` is read for its lists alone."""
EXTRACTORS = ARTICLES | {"newscrawl.extraction", "newscrawl.extraction.metadata"}
NEVER = {
    "--help": SCRAPY | SQL | PAGES | LANGUAGE | WORK | {"lxml", "rich", "asyncio", "multiprocessing"},
    "--version": SCRAPY | SQL | WORK | ARTICLES | {"py3langid", "newscrawl.extraction.metadata", "rich", "asyncio"},
    "status": SCRAPY | PAGES | LANGUAGE | WORK | STORE | ARCHIVE | NOT_TO_SHOW | {"alembic", "psycopg"},
    "search": SCRAPY | PAGES | LANGUAGE | WORK | STORE | {"alembic", "psycopg"},
    "why": SCRAPY | PAGES | LANGUAGE | WORK | STORE | {"alembic", "psycopg"},
    "history": SCRAPY | PAGES | LANGUAGE | WORK | STORE | {"alembic", "psycopg"},
    "export": SCRAPY | PAGES | LANGUAGE | WORK | STORE | {"alembic", "psycopg"},
    "web": SCRAPY | STORE | {"numpy", "alembic", "psycopg"},
    "extract": SCRAPY | SQL | WORK | STORE | LANGUAGE | {"rich", "newscrawl.storage"} | UNUSED,
    "batch": {"dask", "distributed"},
    "add-site": EXTRACTORS | {"newscrawl.discovery.onboarding.survey"},
    "scrapy list": EXTRACTORS | CRAWLING,
    "ingest": EXTRACTING | LANGUAGE | CRAWLING | {"newscrawl.archive.batch.load", "psycopg", *SENDING},
    "ingest --database": EXTRACTING | LANGUAGE | SCRAPY | {"lxml", "newscrawl.archive.batch.load", "psycopg"},
    "worker of an ingest": SCRAPY | SQL | STORE | SENDING | {"py3langid", "rich", "newscrawl.storage"},
}
"""Modules that a command does not load, with all that is in them."""


def loaded(
    tmp_path: Path, *arguments: str, codes: tuple[int, ...] = (0,), run: Callable[..., Any] | None = None
) -> set[str]:
    """The modules that a command has loaded by its end, in a process of its own."""
    done = (run or subprocess.run)(
        [sys.executable, "-c", COMMAND, *arguments],
        cwd=ROOT,
        env={**os.environ, "NEWSCRAWL_DATABASE_URL": f"sqlite:///{tmp_path}/news.db"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    told = json.loads(done.stderr.splitlines()[-1])
    assert told["code"] in codes, done.stderr
    return set(told["loaded"])


def of(modules: set[str], names: set[str]) -> list[str]:
    """Those of the modules that are among the names, or in them."""
    return sorted(module for module in modules if any(f"{module}.".startswith(f"{name}.") for name in names))


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_options_load_little(option: str, tmp_path: Path) -> None:
    assert of(loaded(tmp_path, option), NEVER[option]) == []


def test_status_of_a_database_loads_what_reads_it(tmp_path: Path, database: Path) -> None:
    assert of(loaded(database.parent, "status"), NEVER["status"]) == []


def test_the_option_database_loads_no_more(tmp_path: Path, database: Path) -> None:
    named = loaded(tmp_path, "status", "--database", f"sqlite:///{database}")
    assert of(named, NEVER["status"]) == []


def test_pages_that_only_show_load_nothing_that_writes() -> None:
    served = "import json, sys, newscrawl.web.server; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", served], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert of(set(json.loads(done.stdout)), NEVER["web"]) == []


def test_search_loads_what_reads_the_database_and_the_index(tmp_path: Path, database: Path) -> None:
    assert of(loaded(database.parent, "search", "harbour", codes=(0, 1)), NEVER["search"]) == []


def test_why_and_history_load_what_reads_the_database(tmp_path: Path, database: Path) -> None:
    with open_store(f"sqlite:///{database}", upgrade=False) as store:
        store.run(record_failure, "harbour", FEED, "feed", "http/503", 503, NOW).result(timeout=PATIENCE)
    assert of(loaded(tmp_path, "why", FEED), NEVER["why"]) == []
    assert of(loaded(tmp_path, "history", FEED, codes=(1,)), NEVER["history"]) == []


def test_export_loads_what_reads_the_database(tmp_path: Path, database: Path) -> None:
    assert of(loaded(tmp_path, "export"), NEVER["export"]) == []


def test_batch_needs_no_dask_on_this_machine(tmp_path: Path) -> None:
    """Nor 0.7 s of CPU to load it where it is installed."""
    words = ("batch", str(tmp_path / "no.warc"), "--to", str(tmp_path / "parts"))
    modules = loaded(tmp_path, *words, codes=(2,), run=warm.run)  # its template has no Dask either
    assert "newscrawl.archive.batch.local" in modules
    assert of(modules, NEVER["batch"]) == []


def test_extract_loads_no_database(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(PAGE, encoding="utf-8")
    assert of(loaded(tmp_path, "extract", str(page)), NEVER["extract"]) == []


def test_ingest_loads_the_spiders_and_neither_what_sends_nor_what_extracts(tmp_path: Path) -> None:
    modules = loaded(tmp_path, "ingest", str(one_page(tmp_path)))
    assert "newscrawl.crawling.spider.news_spider" in modules
    assert of(modules, NEVER["ingest"]) == []


def test_ingest_with_the_option_database_loads_no_scrapy(tmp_path: Path) -> None:
    modules = loaded(tmp_path, "ingest", str(one_page(tmp_path)), "--database", f"sqlite:///{tmp_path}/other.db")
    assert of(modules, NEVER["ingest --database"]) == []


def test_the_worker_of_a_single_span_loads_no_database_and_no_model_of_languages() -> None:
    preloaded = "import json, sys\n" + "".join(f"import {name}\n" for name in FOR_ONE_SPAN)
    shown = f"{preloaded}print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", shown], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert of(set(json.loads(done.stdout)), NEVER["worker of an ingest"]) == []


def test_add_site_checks_its_arguments_before_it_loads_what_reads_pages(tmp_path: Path) -> None:
    modules = loaded(tmp_path, "add-site", "https://elpais.com/", codes=(2,))
    assert of(modules, NEVER["add-site"]) == []


def test_listing_sites_loads_no_extractors() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIST], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    *sites, told = done.stdout.splitlines()
    assert "elpais" in sites
    assert of(set(json.loads(told)), NEVER["scrapy list"]) == []


def one_page(folder: Path) -> Path:
    """A WARC file with one page, whose language its text shows."""
    body = PAGE.replace("<html>", '<html lang="en">').encode()
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://harbour.example/2026/rain\r\n"
        f"WARC-Date: 2026-11-01T12:00:00Z\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    file = folder / "page.warc.gz"
    file.write_bytes(gzip.compress(head.encode() + block + b"\r\n\r\n"))
    return file


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database with all tables and no rows."""
    file = tmp_path / "news.db"
    migrations.upgrade(f"sqlite:///{file}")
    return file
