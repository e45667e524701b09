"""`status`, `why`, `export` and `db` with a database that is missing, empty or filled."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from source_items import record_failure

from newscrawl.storage.frontier import crawls
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.store import open_store

Run = Callable[..., subprocess.CompletedProcess[str]]

FEED = "https://harbour.example/feed.xml"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@pytest.fixture
def crawled(tmp_path: Path) -> None:
    """A site with a run and a feed that fails."""
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True) as store:
        store.run(crawls.add_run, "harbour", NOW).result()
        store.run(record_failure, "harbour", FEED, "feed", "http/503", 503, NOW).result()


def test_a_database_that_is_not_there_is_named_and_not_made(run: Run, tmp_path: Path) -> None:
    shown = run("newscrawl", "status")
    assert shown.returncode == 0
    assert shown.stdout == f"no database at {tmp_path}/news.db yet: a crawl creates it, `scrapy crawl SITE`\n"
    assert json.loads(run("newscrawl", "status", "--json").stdout) == []
    assert run("newscrawl", "export").returncode == 2
    assert not list(tmp_path.iterdir())


def test_upgrade_makes_the_schema_and_says_what_it_was(run: Run, tmp_path: Path) -> None:
    assert "was upgraded from none to" in run("newscrawl", "db", "upgrade").stdout
    assert "up to date" in run("newscrawl", "db", "upgrade").stdout
    assert run("newscrawl", "status").stdout == "nothing has been crawled yet\n"
    assert run("newscrawl", "export").stdout == ""
    known = run("newscrawl", "why", "https://example.org/never")
    assert known.returncode == 1
    assert "nothing is known about" in known.stdout


def test_an_older_schema_is_refused_with_what_to_do(run: Run, tmp_path: Path) -> None:
    sqlite3.connect(tmp_path / "news.db").close()
    (tmp_path / "news.db").touch()
    done = run("newscrawl", "status")
    assert done.returncode == 2
    assert "run `newscrawl db upgrade`" in done.stderr
    assert (tmp_path / "news.db").read_bytes() == b""


@pytest.fixture
def alarmed(crawled: None, tmp_path: Path) -> None:
    """An alarm of that site, one of the whole fleet, and one that is over."""
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True) as store:
        for site, kind, message in (("harbour", "extraction", "old"), ("*", "quiet", "the whole fleet is quiet")):
            begun = store.run(alarms.begin, alarms.Alarm(site, kind, "critical", NOW, NOW, message, {})).result()
            if message == "old":
                store.run(alarms.end, begun.id, NOW).result()
        store.run(alarms.begin, alarms.Alarm("harbour", "quiet", "warning", NOW, NOW, "no new article", {})).result()


@pytest.mark.usefixtures("alarmed")
def test_an_operator_can_accept_what_an_alarm_says(run: Run) -> None:
    done = run("newscrawl", "status", "--accept", "harbour")
    assert (done.returncode, done.stdout) == (0, "closed: harbour: no new article\n")
    assert "harbour: no new article" not in run("newscrawl", "status").stdout
    again = run("newscrawl", "status", "--accept", "harbour")
    assert again.returncode == 2
    assert again.stderr == "newscrawl: no alarm of 'harbour' is open: `newscrawl status` lists the open ones\n"


@pytest.mark.usefixtures("crawled")
def test_backup_writes_a_database_that_opens_and_replaces_nothing(run: Run, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    done = run("newscrawl", "backup", str(copy))
    assert (done.returncode, done.stdout) == (0, f"{copy}: {copy.stat().st_size / 1_000_000:.1f} MB, checked\n")
    assert "harbour" in run("newscrawl", "status", NEWSCRAWL_DATABASE_URL=f"sqlite:///{copy}").stdout
    again = run("newscrawl", "backup", str(copy))
    assert again.returncode == 2
    assert "the file exists already" in again.stderr
