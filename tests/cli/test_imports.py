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
from warc_files import page_record

from newscrawl.cli.ingest import FOR_ONE_SPAN
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

SCRAPY = {"scrapy", "twisted"}
SQL = {"sqlalchemy", "alembic", "psycopg"}
OF_STORED = {f"newscrawl.extraction.{name}" for name in ("markdown", "site_boilerplate", "site_hints")}
"""What works on declarations and stored texts; the other parts of extraction read pages."""
EXTRACTION = {
    f"newscrawl.extraction.{path.stem}"
    for path in (ROOT / "newscrawl" / "extraction").iterdir()
    if path.suffix == ".py" or (path / "__init__.py").is_file()
} - {"newscrawl.extraction.__init__", *OF_STORED}
PAGES = {"newscrawl.page", "lxml_html_clean"} | EXTRACTION
LANGUAGE = {"py3langid", "numpy"}
WORK = {
    "newscrawl.workers.pool",
    "newscrawl.workers.source_task",
    "newscrawl.crawling.runtime.process",
    "newscrawl.crawling.downloader",
    "feedparser",
}
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
EXTRACTORS = ARTICLES | EXTRACTION - {"newscrawl.extraction.article"}
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


RUNS = {
    "--help": ("--help",),
    "--version": ("--version",),
    "status": ("status",),
    "status --database": ("status", "--database", "sqlite:///{folder}/news.db"),
    "search": ("search", "harbour"),
    "why": ("why", FEED),
    "history": ("history", FEED),
    "export": ("export",),
    "extract": ("extract", "{folder}/page.html"),
    "batch": ("batch", "{folder}/no.warc", "--to", "{folder}/parts"),
    "add-site": ("add-site", "https://elpais.com/"),
    "ingest": ("ingest", "{folder}/page.warc.gz"),
    "ingest --database": ("ingest", "{folder}/page.warc.gz", "--database", "sqlite:///{folder}/other.db"),
}
"""What is run; a command's name is a key of NEVER."""
ENDS = {"search": 1, "history": 1, "batch": 2, "add-site": 2}
"""Exit codes other than 0: a database without articles, a file that is not there, a site that is declared already."""
MEANT = {"batch": "newscrawl.archive.batch.run", "ingest": "newscrawl.crawling.spider.news_spider"}
"""A module that shows that the command got as far as it is meant to."""
PROGRAMS = {
    "web": "import newscrawl.web.server",
    "worker of an ingest": "; ".join(f"import {name}" for name in FOR_ONE_SPAN),
    "scrapy list": "import contextlib, scrapy.cmdline\nwith contextlib.suppress(SystemExit):\n"
    "    scrapy.cmdline.execute(['scrapy', 'list'])",
}


def of(modules: set[str], names: set[str]) -> list[str]:
    """Those of the modules that are among the names, or in them."""
    return sorted(module for module in modules if any(f"{module}.".startswith(f"{name}.") for name in names))


def ended(tmp_path: Path, code: str, *arguments: str, run: Callable[..., Any] = subprocess.run) -> Any:
    """What a program in Python said last on standard error, in a process of its own."""
    done = run(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        env={**os.environ, "NEWSCRAWL_DATABASE_URL": f"sqlite:///{tmp_path}/news.db"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    return json.loads(done.stderr.splitlines()[-1])


@pytest.fixture
def files(tmp_path: Path) -> None:
    """A database with a source that failed, a page, and a WARC file with a page whose language its text shows."""
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True) as store:
        store.run(record_failure, "harbour", FEED, "feed", "http/503", 503, NOW).result(timeout=PATIENCE)
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    body = PAGE.replace("<html>", '<html lang="en">').encode()
    page = page_record("https://harbour.example/2026/rain", body)
    (tmp_path / "page.warc.gz").write_bytes(gzip.compress(page))


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("command", RUNS)
def test_a_command_loads_no_more_than_it_needs(command: str, tmp_path: Path) -> None:
    words = [word.format(folder=tmp_path) for word in RUNS[command]]
    run = warm.run if command == "batch" else subprocess.run  # the template has no Dask either
    told = ended(tmp_path, COMMAND, *words, run=run)
    modules = set(told["loaded"])
    assert told["code"] == ENDS.get(command, 0)
    assert of(modules, NEVER.get(command) or NEVER[RUNS[command][0]]) == []
    assert MEANT.get(command, "newscrawl.cli") in modules


@pytest.mark.process
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_loads_no_more_than_it_needs(program: str, tmp_path: Path) -> None:
    code = f"{PROGRAMS[program]}\nimport json, sys; print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    assert of(set(ended(tmp_path, code)), NEVER[program]) == []
