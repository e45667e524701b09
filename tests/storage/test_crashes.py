"""A process killed at any moment and started again stores every article once, and leaves the database intact."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import warm
from patience import PATIENCE
from sqlalchemy import text

from newscrawl import reports
from newscrawl.reports.sites import totals
from newscrawl.storage.store import open_store
from newscrawl.workers.processes import failpoints

CRAWL = Path(__file__).parents[1] / "support" / "crawl_until_killed.py"
PAGES, DUPLICATES = 200, 10


def start(database, failpoint=None):
    environment = {name: value for name, value in os.environ.items() if name != "NEWSCRAWL_FAILPOINT"}
    if failpoint:
        environment["NEWSCRAWL_FAILPOINT"] = failpoint
    command = [sys.executable, str(CRAWL), database, str(PAGES), str(DUPLICATES)]
    return warm.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process):
    _, errors = process.communicate(timeout=PATIENCE)
    assert errors == ""
    return process.returncode


def check(database):
    """Everything is stored, once, and nothing is pending, orphaned or doubled."""
    with open_store(database, upgrade=False) as store, store.reading() as connection:
        articles = list(reports.articles(connection))
        (site,) = totals(connection)
        assert len(articles) == PAGES - DUPLICATES
        assert sum(len(article.pages) for article in articles) == PAGES
        assert (site.pages, site.pending, site.failed, site.dead_letters) == (PAGES, 0, 0, 0)
        for query, expected in (
            ("SELECT count(*) FROM articles", PAGES - DUPLICATES),
            ("SELECT count(*) FROM versions", PAGES),
            ("SELECT count(*) FROM urls", PAGES),
            ("SELECT count(*) FROM events WHERE kind = 'found'", PAGES),
            ("SELECT count(*) FROM events WHERE kind IN ('stored/inserted', 'stored/joined')", PAGES),
        ):
            assert connection.execute(text(query)).scalar_one() == expected, query
        if connection.dialect.name == "sqlite":
            assert connection.execute(text("PRAGMA integrity_check")).scalar_one() == "ok"
            assert connection.execute(text("PRAGMA foreign_key_check")).first() is None


@pytest.mark.parametrize(
    ("name", "hits"),
    [
        (failpoints.MID_TRANSACTION, (1, 2, 3, 14)),
        (failpoints.AFTER_COMMIT, (1, 1, 4)),
        (failpoints.AFTER_SOURCE_ANSWER, (1,)),
    ],
)
def test_a_kill_at_a_failpoint_loses_and_doubles_nothing(database, name, hits):
    for hit in hits:
        assert finish(start(database, f"{name}:{hit}")) == -signal.SIGKILL
    assert finish(start(database)) == 0
    check(database)


def test_kills_at_random_moments_lose_and_double_nothing(database):
    moments = random.Random(20261121)
    for _ in range(5):
        process = start(database)
        assert process.stdout.readline() == "open\n"
        time.sleep(moments.uniform(0.0, 0.2))
        process.kill()
        process.communicate(timeout=PATIENCE)
    assert finish(start(database)) == 0
    check(database)
