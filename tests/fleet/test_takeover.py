"""A process that was stopped for longer than its leases, and another one that takes over its sites."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from fleet_judgement import check
from fleet_process import FleetProcess, Request, fresh_folder, make_project, read_log, served
from fleet_stories import WorldOptions
from patience import wait_until

from newscrawl.testing.services.postgresql import drop_database, new_database

SITES = 2
WORLD = {"sites": SITES, "seconds": 3600.0, "delay": 0.3, "initial": 30, "mean_gap": 1e9, "edited": 0.0, "pleas": 0.0}
"""A crawl of a site takes at least ten seconds, so the second process still crawls when the first one continues."""


@pytest.fixture
def shared(postgresql: str, migrated: str) -> Iterator[str]:
    address = new_database(postgresql, migrated)
    yield address
    drop_database(postgresql, address)


def requests_of(log: Path, name: str) -> list[Request]:
    return [request for request in read_log(log) if name in (request["agent"] or "")]


def test_a_process_that_was_stopped_sends_nothing_after_another_took_its_sites(shared: str, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.touch()

    with served(WorldOptions(log=str(log), **WORLD)) as (port, _), ExitStack() as stack:

        def process(number: int, name: str) -> FleetProcess:
            fleet = make_project(
                fresh_folder(tmp_path, number),
                port,
                SITES,
                shared,
                NEWSCRAWL_CONTACT=f"{name}@example.org",
                NEWSCRAWL_RUN_LEASE_SECONDS="3",
                NEWSCRAWL_TIME_SCALE="1",
            )
            fleet.add_settings("DOWNLOAD_TIMEOUT = 2")  # the hosts of a process that is stopped are free soon
            fleet.add_settings("from newscrawl.crawling.downloader import claims", "claims.LATE = 0.5")
            stack.callback(fleet.kill)
            fleet.start()
            return fleet

        first = process(0, "anna")
        wait_until(lambda: len(requests_of(log, "anna")) >= 10)
        first.suspend(shared)
        second = process(1, "bert")
        logs = [process.folder / "run.log" for process in (first, second)]
        wait_until(
            lambda: {request["host"] for request in requests_of(log, "bert")} == {"site0.localhost", "site1.localhost"},
            logs=logs,
        )
        continued_at = time.time()
        first.resume()
        seen = len(requests_of(log, "bert"))
        wait_until(lambda: len(requests_of(log, "bert")) >= seen + 10, logs=logs)
        assert [request["path"] for request in requests_of(log, "anna") if request["begun"] > continued_at] == []
        first.stop()
        second.stop()
    found = check(read_log(log), WORLD["delay"])
    assert found.examples == {}
    assert "is lost" in (first.folder / "run.log").read_text("utf-8")
