"""Commands that pause a site or change its budget affect running crawls, and stay in force after a restart."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
import warm
from fleet_process import FleetProcess, read_log
from patience import PATIENCE, wait_until

from newscrawl.config.catalogue import Config
from newscrawl.crawling.fleet.declarations import with_control
from newscrawl.crawling.scheduling.site_selection import SitePlan
from newscrawl.crawling.scheduling.site_state import SiteControl
from newscrawl.reports.sites import totals
from newscrawl.storage.frontier import crawls
from newscrawl.storage.frontier import sites as site_rows
from newscrawl.storage.store import open_store

MakeFleet = Callable[..., FleetProcess]
NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
STILL = 3.0
"""Seconds in which a site that is not paused is asked several times."""


def test_what_a_command_decided_replaces_what_the_declaration_says() -> None:
    plan, config = SitePlan(budget=7, least_new=None), Config()
    assert with_control(plan, SiteControl("a"), config, NOW) == plan
    assert with_control(plan, SiteControl("a", paused=True), config, NOW).paused
    assert not with_control(plan, SiteControl("a", paused=True, paused_until=NOW), config, NOW).paused
    assert with_control(plan, SiteControl("a", priority=4.0), config, NOW).priority == 4.0
    assert with_control(plan, SiteControl("a", daily_requests="500"), config, NOW).budget == 500
    assert with_control(plan, SiteControl("a", daily_requests="unlimited"), config, NOW).budget is None


def test_a_paused_site_is_crawled_by_neither_command_until_it_is_resumed(make_fleet: MakeFleet, tmp_path: Path) -> None:
    fleet = make_fleet(sites=2, world={"mean_gap": 1e9, "pleas": 0.0}, NEWSCRAWL_TIME_SCALE=1)
    hosts = lambda: {request["host"].partition(":")[0] for request in read_log(tmp_path / "requests.jsonl")}  # noqa: E731
    assert fleet.command("newscrawl.cli", "pause", "site0").returncode == 0
    assert fleet.command("newscrawl.cli", "run", "--once").returncode == 0
    assert hosts() == {"site1.localhost"}
    refused = fleet.command("scrapy", "crawl", "site0")
    assert refused.returncode == 2
    assert "site 'site0' is paused: `newscrawl resume site0` ends the pause" in refused.stderr
    assert hosts() == {"site1.localhost"}
    assert fleet.command("newscrawl.cli", "resume", "site0").returncode == 0
    assert fleet.command("newscrawl.cli", "run", "--once").returncode == 0
    assert hosts() == {"site0.localhost", "site1.localhost"}


def test_a_pause_reaches_a_running_fleet_and_lasts_over_a_restart(make_fleet: MakeFleet, tmp_path: Path) -> None:
    fleet = make_fleet(sites=1, world={"initial": 30, "delay": 0.5, "mean_gap": 1e9, "pleas": 0.0})
    fleet.add_settings("from newscrawl.crawling.fleet import fleet", "fleet.CONTROL_SECONDS = 0.5")
    asked = lambda: len(read_log(tmp_path / "requests.jsonl"))  # noqa: E731
    starts = lambda: (fleet.folder / "run.log").read_text("utf-8").count("1 site, at most")  # noqa: E731
    fleet.start()
    wait_until(lambda: asked() >= 5)
    assert fleet.command("newscrawl.cli", "pause", "site0").returncode == 0
    time.sleep(2)
    after = asked()
    time.sleep(STILL)
    assert asked() == after
    fleet.kill()
    fleet.start()
    wait_until(lambda: starts() == 2)
    time.sleep(STILL)
    assert asked() == after
    assert fleet.command("newscrawl.cli", "resume", "site0").returncode == 0
    wait_until(lambda: asked() > after)
    fleet.stop()


def test_scrapy_crawl_keeps_the_budget_of_a_command(make_fleet: MakeFleet, tmp_path: Path) -> None:
    fleet = make_fleet(sites=1, world={"mean_gap": 5.0, "pleas": 0.0}, NEWSCRAWL_TIME_SCALE=1)
    asked = lambda: len(read_log(tmp_path / "requests.jsonl"))  # noqa: E731
    assert fleet.command("newscrawl.cli", "budget", "site0", "4").returncode == 0
    assert fleet.command("scrapy", "crawl", "site0").returncode == 0
    assert asked() == 4
    spent = fleet.command("scrapy", "crawl", "site0")
    assert spent.returncode == 75
    assert "site 'site0' has had its 4 requests of today (UTC)" in spent.stderr
    assert asked() == 4
    assert fleet.command("newscrawl.cli", "budget", "site0", "6").returncode == 0
    assert fleet.command("scrapy", "crawl", "site0").returncode == 0
    assert asked() == 6


def test_a_budget_that_changes_reaches_scrapy_crawl(make_fleet: MakeFleet, tmp_path: Path, database: str) -> None:
    """The crawl begins without a budget, and gets one of no requests."""
    fleet = make_fleet(sites=1, world={"mean_gap": 2.0, "pleas": 0.0}, NEWSCRAWL_DELAY="2", NEWSCRAWL_TIME_SCALE=1)
    fleet.add_settings("from newscrawl.crawling.runtime import site_session", "site_session.LOOK_SECONDS = 0.5")
    asked = lambda: len(read_log(tmp_path / "requests.jsonl"))  # noqa: E731
    words = [sys.executable, "-m", "scrapy", "crawl", "site0"]
    with warm.AS_SUBPROCESS.Popen(words, cwd=fleet.folder, env=fleet.environment, stderr=subprocess.DEVNULL) as crawl:
        wait_until(lambda: asked() >= 2)
        assert fleet.command("newscrawl.cli", "budget", "site0", "0").returncode == 0
        assert crawl.wait(PATIENCE) == 0
    with open_store(database, upgrade=False) as store, store.reading() as connection:
        (last,) = [status.last_run for status in totals(connection) if status.site == "site0"]
    assert last is not None
    assert last.counters.get("politeness/daily_budget_reached", 0) > 0


def test_a_budget_replaces_the_limit_on_new_addresses(database: str) -> None:
    with open_store(database, upgrade=False) as store:
        assert store.run(crawls.new_pages_left, "site0", 5, NOW).result(timeout=PATIENCE) is not None
        store.run(site_rows.set_daily_requests, "site0", "unlimited", NOW).result(timeout=PATIENCE)
        assert store.run(crawls.new_pages_left, "site0", 5, NOW).result(timeout=PATIENCE) is None


@pytest.mark.parametrize("least_free", ["0", "1"])
@pytest.mark.parametrize(
    ("words", "told"),
    [(("newscrawl.cli", "run", "--once"), "pages were refused"), (("scrapy", "crawl", "site0"), "/proc/nothing")],
    ids=["run --once", "scrapy crawl"],
)
def test_a_single_run_that_could_not_store_its_pages_fails(
    make_fleet: MakeFleet, words: tuple[str, ...], told: str, least_free: str
) -> None:
    """Its disk has no room; with "1", that is seen before a page is fetched."""
    settings = {"NEWSCRAWL_ARCHIVE_URL": "/proc/nothing", "NEWSCRAWL_ARCHIVE_MIN_FREE_GB": least_free}
    fleet = make_fleet(sites=1, world={"mean_gap": 1e9, "pleas": 0.0}, **settings)
    fleet.add_settings("from newscrawl.archive import writer", "writer.PATIENCE = 1.0")
    done = fleet.command(*words)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
