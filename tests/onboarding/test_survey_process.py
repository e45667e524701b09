"""The survey for `newscrawl web`: a process of `newscrawl add-site`, whose requests need the turn of the host as a
crawl's do."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
import replica_habits as habits
import warm
from patience import PATIENCE
from replicas import Replicas
from stored_rows import host_row, is_wanted

from newscrawl.crawling.downloader.claims import row_key
from newscrawl.crawling.downloader.throttle import host_key
from newscrawl.storage.frontier import hosts
from newscrawl.storage.frontier.hosts import HostNote
from newscrawl.storage.reader import open_reader
from newscrawl.storage.store import open_store
from newscrawl.web import background as surveying
from newscrawl.web.background import Survey, Surveys

pytestmark = pytest.mark.process

HELD = 3_000.0
"""Seconds of a turn."""
OTHER = "ada/1/boot"


@pytest.fixture
def allowed(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    monkeypatch.setenv("NEWSCRAWL_ALLOWED_ADDRESSES", "127.0.0.1/32")
    monkeypatch.setenv("NEWSCRAWL_DELAY", "0")
    monkeypatch.setattr(surveying, "subprocess", warm.AS_SUBPROCESS)


def until(happens: Callable[[], bool]) -> None:
    """Waits until something holds."""
    end = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.05)


def begun(url: str, database: str) -> Surveys:
    """Surveys of which one, of this site, has begun."""
    found = Surveys(database, lambda: datetime.now(UTC))
    found.begin(url, None, "ada")
    return found


def ended(found: Surveys) -> Survey:
    """The survey, once it has ended."""
    until(lambda: found.newest_first()[0].ended_at is not None)
    found.close()
    return found.newest_first()[0]


@pytest.mark.postgresql
@pytest.mark.usefixtures("allowed")
def test_a_survey_waits_for_the_turn_of_its_host_and_writes_no_file(
    replicas: Replicas, project: Path, empty_postgresql: str
) -> None:
    site = replicas.site("town", language="en")
    habits.wordpress_dates(site)
    key = row_key(host_key(site.home))
    before = sorted(project.rglob("*.py"))
    with open_store(empty_postgresql, upgrade=True) as store:
        claim = store.at_once(hosts.exchange, OTHER, [], {key: 0.0}, HELD, lambda _: False)
        assert key in claim.result(PATIENCE)
        surveys = begun(site.home, empty_postgresql)
        until(lambda: store.run(is_wanted, key).result(PATIENCE))
        assert replicas.addresses == []
        release = HostNote(key, 0.0, None, is_released=True)
        store.at_once(hosts.exchange, OTHER, [release], {}, HELD, lambda _: False).result(PATIENCE)
        one = ended(surveys)
    assert one.state == "done", one.problem
    assert one.report is not None
    assert one.report.file == "spiders/town.py"
    assert "class Town(NewsSpider):" in one.report.text
    assert len(one.report.samples) == 10
    assert sorted(project.rglob("*.py")) == before
    with open_reader(empty_postgresql) as connection:
        robots = hosts.load_robots(connection, site.origin)
        row = host_row(connection, key)
    assert robots is not None
    assert row is not None


@pytest.mark.usefixtures("allowed")
def test_an_address_inside_is_not_surveyed(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/news.db"
    open_store(url, upgrade=True).close()
    one = ended(begun("http://127.0.0.2:9/", url))
    assert one.state == "failed"
    assert "127.0.0.2 is not a public address" in str(one.problem)
