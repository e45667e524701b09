"""A database that keeps refusing ends the crawl, and no page is reported as stored that is not."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import warm
from crash_recovery import CrashSite

from newscrawl.reports import articles
from newscrawl.reports.sites import totals
from newscrawl.storage.frontier.sites import declaration
from newscrawl.storage.store import open_store

ROOT = Path(__file__).resolve().parents[2]
ROOM = 50_000
"""Bytes by which the files of the database may grow: too few for all articles."""
ARTICLES = 40

LIMITED = """
import resource, signal, sys
from scrapy.cmdline import execute
from newscrawl.workers.processes.forkserver import FOR_CRAWLS, prepare
if __name__ == "__main__":
  limit, url = int(sys.argv[1]), sys.argv[2]
  prepare(FOR_CRAWLS)  # workers read their models through files of their own, which are not what is full
  resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
  signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
  execute(["scrapy", "crawl", "generic", "-a", f"url={url}"])
"""

REFUSED_ONCE = """
import sqlite3
from scrapy.cmdline import execute
from sqlalchemy.exc import OperationalError
from newscrawl.workers.processes.forkserver import FOR_CRAWLS, prepare
from newscrawl.storage.frontier import sites
known = sites.declaration
def refused(*_):
    sites.declaration = known
    raise OperationalError("SELECT", {}, sqlite3.OperationalError("disk I/O error"))
if __name__ == "__main__":
  prepare(FOR_CRAWLS)
  sites.declaration = refused
  execute(["scrapy", "crawl", "demo", "-a", "max_articles=2"])
"""


@pytest.fixture
def site() -> Iterator[CrashSite]:
    made = CrashSite(ARTICLES)
    yield made
    made.close()


def crawl(database: str, *command: str) -> subprocess.CompletedProcess[str]:
    given = {"NEWSCRAWL_DATABASE_URL": database, "NEWSCRAWL_BATCH_SIZE": "5", "NEWSCRAWL_DELAY": "0"}
    environment = {**os.environ, **given, "NEWSCRAWL_ALLOWED_ADDRESSES": "127.0.0.0/8"}
    return warm.told([sys.executable, *command], cwd=ROOT, env=environment)


def test_a_full_disk_ends_the_crawl_and_the_next_one_gets_what_is_missing(tmp_path: Path, site: CrashSite) -> None:
    file = tmp_path / "news.db"
    database = f"sqlite:///{file}"
    open_store(database, upgrade=True).close()
    full = crawl(database, "-c", LIMITED, str(file.stat().st_size + ROOM), site.url)
    assert full.returncode == 2, full.stderr
    assert "the crawl was ended because the database refused pages" in full.stderr
    with open_store(database, upgrade=False) as store, store.reading() as connection:
        assert len(list(articles(connection))) < ARTICLES
        assert totals(connection)[0].dead_letters == 0

    again = crawl(database, "-m", "scrapy", "crawl", "generic", "-a", f"url={site.url}")
    assert again.returncode == 0, again.stderr
    with open_store(database, upgrade=False) as store, store.reading() as connection:
        assert len(list(articles(connection))) == ARTICLES
        assert totals(connection)[0].pending == 0


def test_a_single_error_of_a_read_does_not_end_a_crawl_that_has_begun(tmp_path: Path) -> None:
    """What the site declares is compared with what is stored when the spider opens."""
    database = f"sqlite:///{tmp_path}/news.db"
    done = crawl(database, "-c", REFUSED_ONCE)
    assert done.returncode == 0, done.stderr
    with open_store(database, upgrade=False) as store, store.reading() as connection:
        assert declaration(connection, "demo") is not None
        assert len(list(articles(connection))) >= 2
