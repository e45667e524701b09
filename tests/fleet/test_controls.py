"""Commands that pause a site or change its budget reach processes that are crawling, and outlive a restart."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import warm
from patience import PATIENCE, wait_until

from newscrawl.config.catalogue import Config
from newscrawl.crawling.fleet.declarations import with_control
from newscrawl.scheduling.site_control import SiteControl
from newscrawl.scheduling.site_selection import SitePlan
from newscrawl.testing.fleet.process import FleetProcess
from newscrawl.testing.fleet.serving import read_log

MakeFleet = Callable[..., FleetProcess]
NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)


def command(fleet: FleetProcess, *arguments: str) -> subprocess.CompletedProcess[str]:
    return warm.run(
        [sys.executable, "-m", *arguments],
        cwd=fleet.folder,
        env=fleet.environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


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
    assert command(fleet, "newscrawl.cli", "pause", "site0").returncode == 0
    assert command(fleet, "newscrawl.cli", "run", "--once").returncode == 0
    assert hosts() == {"site1.localhost"}
    refused = command(fleet, "scrapy", "crawl", "site0")
    assert refused.returncode == 2
    assert "site 'site0' is paused: `newscrawl resume site0` ends the pause" in refused.stderr
    assert hosts() == {"site1.localhost"}
    assert command(fleet, "newscrawl.cli", "resume", "site0").returncode == 0
    assert command(fleet, "newscrawl.cli", "run", "--once").returncode == 0
    assert hosts() == {"site0.localhost", "site1.localhost"}


def test_a_pause_reaches_a_running_fleet_and_lasts_over_a_restart(make_fleet: MakeFleet, tmp_path: Path) -> None:
    fleet = make_fleet(sites=1, world={"mean_gap": 2.0, "pleas": 0.0})
    asked = lambda: len(read_log(tmp_path / "requests.jsonl"))  # noqa: E731
    fleet.start()
    wait_until(lambda: asked() >= 5)
    assert command(fleet, "newscrawl.cli", "pause", "site0").returncode == 0
    time.sleep(10)
    after = asked()
    time.sleep(4)
    assert asked() == after
    fleet.kill()
    fleet.start()
    time.sleep(6)
    assert asked() == after
    assert command(fleet, "newscrawl.cli", "resume", "site0").returncode == 0
    wait_until(lambda: asked() > after)
    fleet.stop()
