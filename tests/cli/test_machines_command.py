"""`newscrawl machines`, and the lines of `status` about machines."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import Result

from newscrawl.storage import machines, migrations
from newscrawl.storage.frontier import crawls, leases
from newscrawl.storage.machines import CrawlingProcess
from newscrawl.storage.store import Store, open_store

Call = Callable[..., Result]

LIVING = CrawlingProcess("anna/17/boot.1", "anna", "run", "0.1.0", migrations.HEAD)
LOST = CrawlingProcess("bert/4/boot.1", "bert", "crawl meadow", "0.1.0", migrations.HEAD)


@pytest.fixture(autouse=True)
def _machines(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True) as store:
        put(store, machines.register, LIVING)
        put(store, machines.register, LOST, now=now - timedelta(hours=1))
        put(store, crawls.add_run, "harbour", now)
        put(store, leases.acquire, "harbour", LIVING.process, None, timedelta(hours=1))


def put(store: Store, function: Callable[..., object], *args: object, **named: object) -> None:
    store.run(function, *args, **named).result()


def test_the_check_for_monitors_notices_a_machine_that_is_gone(call: Call) -> None:
    checked = call("status", "--check")
    assert checked.exit_code == 2
    assert "1 machine is gone: bert" in checked.stdout
    call("machines", "remove", "bert")
    assert "gone" not in call("status", "--check").stdout


def test_a_machine_that_is_out_of_reach_is_removed_and_a_living_one_is_not(call: Call) -> None:
    assert call("machines", "remove", "bert").stdout.startswith("removed: bert, by ")
    states = [machine["state"] for machine in json.loads(call("machines", "--json").stdout)]
    assert states == ["crawling", "removed"]
    refused = call("machines", "remove", "anna")
    assert refused.exit_code == 2
    assert "machine 'anna' is alive: run (anna/17/boot.1) was seen at" in refused.stderr
    unknown = call("machines", "remove", "berd")
    assert unknown.exit_code == 2
    assert "unknown machine 'berd': is bert meant?" in unknown.stderr
