"""The survey for `newscrawl web`: a process of its own, whose requests need the grant of the host as a crawl's do."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import replica_habits as habits
import warm
from patience import PATIENCE
from replicas import Replicas
from sqlalchemy import select

from newscrawl.crawling.downloader.hosts.sqlite_states import KEY_PREFIX
from newscrawl.crawling.downloader.hosts.throttle import host_key
from newscrawl.storage import open_reader, open_store
from newscrawl.storage.frontier import hosts
from newscrawl.storage.machines import host_grants
from newscrawl.storage.machines.host_grants import Claim, GrantDurations, Release
from newscrawl.storage.tables.frontier import hosts as hosts_table
from newscrawl.web.actions import surveys as surveying
from newscrawl.web.actions.surveys import Survey, Surveys

pytestmark = pytest.mark.process

HELD = GrantDurations(timedelta(hours=1), timedelta(hours=1))
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
def test_a_survey_waits_for_the_grant_of_its_host_and_writes_no_file(
    replicas: Replicas, project: Path, empty_postgresql: str
) -> None:
    site = replicas.site("town", language="en")
    habits.wordpress_dates(site)
    key = KEY_PREFIX + host_key(site.home)
    before = sorted(project.rglob("*.py"))
    with open_store(empty_postgresql, upgrade=True) as store:

        def exchange(*releases: Release, claims: Sequence[Claim] = ()) -> Any:
            return store.run(host_grants.exchange, OTHER, releases, claims, HELD).result(PATIENCE)

        def is_wanted() -> bool:
            with store.reading() as connection:
                query = select(hosts_table.c.wanted_at).where(hosts_table.c.key == key)
                return connection.execute(query).scalar_one() is not None

        assert exchange(claims=[Claim(key, 0.0)])[key].is_granted
        surveys = begun(site.home, empty_postgresql)
        until(is_wanted)
        assert replicas.asked == []
        exchange(Release(key))
        one = ended(surveys)
    assert one.state == "done", one.problem
    assert one.report is not None
    assert one.report.file == "spiders/town.py"
    assert "class Town(NewsSpider):" in one.report.text
    assert len(one.report.samples) == 10
    assert sorted(project.rglob("*.py")) == before
    with open_reader(empty_postgresql) as connection:
        robots = hosts.load_robots(connection, site.origin)
        row = hosts.load(connection, key)
    assert robots is not None
    assert row is not None


@pytest.mark.usefixtures("allowed")
def test_an_address_inside_is_not_surveyed(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/news.db"
    open_store(url, upgrade=True).close()
    one = ended(begun("http://127.0.0.2:9/", url))
    assert one.state == "failed"
    assert "127.0.0.2 is not a public address" in str(one.problem)
