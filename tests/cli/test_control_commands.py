"""`newscrawl pause`, `resume`, `priority` and `budget`, and what `status` says of them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from newscrawl.storage.frontier import crawls
from newscrawl.storage.store import open_store

Run = Callable[..., subprocess.CompletedProcess[str]]

pytestmark = pytest.mark.process


@pytest.fixture
def site(tmp_path: Path) -> str:
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True) as store:
        store.run(crawls.add_run, "harbour", datetime.now(UTC)).result()
    return "harbour"


def control(run: Run) -> object:
    [status] = json.loads(run("newscrawl", "status", "--json").stdout)
    return status["control"]


def test_a_pause_is_in_status_until_it_is_resumed(run: Run, site: str) -> None:
    assert "harbour: paused until it is resumed" in run("newscrawl", "pause", site).stdout
    assert "harbour: paused until it is resumed; `newscrawl resume harbour`" in run("newscrawl", "status").stdout
    assert run("newscrawl", "pause", site, "--until", "12h").returncode == 0
    end = datetime.fromisoformat(control(run)["paused_until"])  # type: ignore[index]
    assert abs(end - datetime.now(UTC) - timedelta(hours=12)) < timedelta(minutes=5)
    assert "harbour: resumed" in run("newscrawl", "resume", site).stdout
    assert "was not paused" in run("newscrawl", "resume", site).stdout
    assert control(run) is None


def test_priority_and_budget_are_set_and_removed(run: Run, site: str) -> None:
    run("newscrawl", "priority", site, "high")
    run("newscrawl", "budget", site, "0500")
    told = run("newscrawl", "status").stdout
    assert "harbour: priority 4;" in told
    assert "harbour: budget of 500 requests a day;" in told
    for command in ("priority", "budget"):
        assert run("newscrawl", command, site, "--default").returncode == 0
    assert control(run) is None


def test_a_declared_site_can_be_paused_before_its_first_crawl(run: Run, site: str) -> None:
    assert run("newscrawl", "pause", "demo").returncode == 0
