"""A database that keeps refusing ends the crawl, and no page is reported as stored that is not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import warm
from patience import PATIENCE

from newscrawl.reports import articles
from newscrawl.reports.sites import totals
from newscrawl.storage.frontier.sites import declaration
from newscrawl.storage.store import open_store

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 700_000
"""Bytes a file may have: enough for the schema, too few for the demo's articles."""

LIMITED = f"""
import resource, sys
from scrapy.cmdline import execute
from newscrawl.workers.processes.forkserver import FOR_CRAWLS, prepare
if __name__ == "__main__":
  prepare(FOR_CRAWLS)  # workers read their models through files of their own, which are not what is full
  resource.setrlimit(resource.RLIMIT_FSIZE, ({LIMIT}, {LIMIT}))
  import signal
  signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
  execute(["scrapy", "crawl", "demo"])
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


def test_a_full_disk_ends_the_crawl_and_the_next_one_gets_what_is_missing(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/news.db"
    environment = {**os.environ, "NEWSCRAWL_DATABASE_URL": database, "NEWSCRAWL_BATCH_SIZE": "5"}

    def crawl(*command: str) -> subprocess.CompletedProcess[str]:
        return warm.run(
            [sys.executable, *command],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    full = crawl("-c", LIMITED)
    assert full.returncode == 2, full.stderr
    assert "the crawl was ended because the database refused pages" in full.stderr
    with open_store(database, upgrade=False) as store, store.reading() as connection:
        assert len(list(articles(connection))) < 60
        assert totals(connection)[0].dead_letters == 0

    again = crawl("-m", "scrapy", "crawl", "demo")
    assert again.returncode == 0, again.stderr
    with open_store(database, upgrade=False) as store, store.reading() as connection:
        assert len(list(articles(connection))) == 60
        assert totals(connection)[0].pending == 0


def test_a_single_error_of_a_read_does_not_end_a_crawl_that_has_begun(tmp_path: Path) -> None:
    """What the site declares is compared with what is stored when the spider opens."""
    environment = {**os.environ, "NEWSCRAWL_DATABASE_URL": f"sqlite:///{tmp_path}/news.db"}
    done = warm.run(
        [sys.executable, "-c", REFUSED_ONCE],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    with open_store(environment["NEWSCRAWL_DATABASE_URL"], upgrade=False) as store, store.reading() as connection:
        assert declaration(connection, "demo") is not None
        assert len(list(articles(connection))) >= 2
