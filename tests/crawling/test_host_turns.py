"""Two processes with one database: the sites' log shows one owner of each host, whatever the processes do.

Each process crawls a site of its own. Their feeds are on one host, so both send requests to it.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import warm
from fleet_judgement import MannersReport, check, stored_rests
from fleet_process import FleetProcess, Request, fresh_folder, read_log, served
from fleet_stories import SHARED, WorldOptions
from patience import wait_until
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

from newscrawl.testing.project import child_environment, write_project

FEEDS = f"{SHARED}0.localhost"
"""The host of the feeds of all sites."""
DELAY = 0.3
QUIET = {"sites": 2, "seconds": 3600.0, "delay": DELAY, "mean_gap": 1e9, "edited": 0.0, "pleas": 0.0, "initial": 2}
"""Sites that publish nothing new and never ask for a pause."""
TIMEOUT = 2
"""Seconds of DOWNLOAD_TIMEOUT, so that nobody waits for long for the requests of a process that is stopped."""
RUN = ("newscrawl.cli", "run")
"""This process has turns of a second, as its leases are short, so it soon notices that the other one wants a host."""
NAMES = ("anna", "bert")
WITHOUT_WAITING = ({"options": "-c lock_timeout=500"}, {"timeout": 0.5})
"""What a connection to PostgreSQL is opened with, and one to SQLite, that waits for no lock."""
MANNERS = ("overlapping", "too close", "before Retry-After")


class World:
    """Two sites, their log, and the processes that crawl them: `anna` crawls site0, `bert` site1."""

    def __init__(self, folder: Path, database: str, stack: ExitStack) -> None:
        self.log = folder / "log.jsonl"
        self.database = database
        self._folder = folder
        self._stack = stack
        self._port = 0
        self._logs: list[Path] = []

    def serve(self, **options: Any) -> None:
        self.log.touch()
        self._port, _ = self._stack.enter_context(served(WorldOptions(log=str(self.log), **QUIET | options)))

    def start(self, name: str, *command: str, feeds: int = 60, **settings: Any) -> FleetProcess:
        """Starts a command of `name`, whose site has so many feeds on the shared host."""
        number = NAMES.index(name)
        folder = fresh_folder(self._folder, number)
        host = f"http://site{number}.localhost:{self._port}"
        names = [f"http://{FEEDS}:{self._port}/site{number}.xml?part={part}" for part in range(feeds)]
        lines = [
            "from newscrawl.crawling.spider import NewsSpider",
            "",
            "class Site(NewsSpider):",
            f'    name, domains, home = "site{number}", ("site{number}.localhost",), "{host}/"',
            f"    feeds, sitemaps = {tuple(names)!r}, ()",
            '    daily_requests = "unlimited"',
            "",
        ]
        write_project(folder, "\n".join(lines))
        with (folder / "settings" / "base.py").open("a") as file:
            file.write(f"\nDOWNLOAD_TIMEOUT = {TIMEOUT}\n")
        given = {
            "NEWSCRAWL_DATABASE_URL": self.database,
            "NEWSCRAWL_ALLOWED_ADDRESSES": "127.0.0.0/8",
            "NEWSCRAWL_CONTACT": f"{name}@example.org",
            "NEWSCRAWL_DELAY": DELAY,
            "NEWSCRAWL_FIRST_BACKOFF": 0.5,
            "NEWSCRAWL_WORKERS": 1,
            "NEWSCRAWL_TIME_SCALE": 60,
            "NEWSCRAWL_RUN_MIN_SITE_INTERVAL": 1,
            "NEWSCRAWL_RUN_POLL_INTERVAL": 0.5,
            "NEWSCRAWL_RUN_LEASE_SECONDS": 3,
            **settings,
        }
        process = FleetProcess(folder, child_environment(folder, given))
        self._stack.callback(process.kill)
        self._logs.append(folder / "run.log")
        with (folder / "run.log").open("ab") as log:
            process.process = warm.Popen(
                [sys.executable, "-m", *command], cwd=folder, env=process.environment, stdout=log, stderr=log
            )
        return process

    def asked(self, name: str = "", host: str = FEEDS) -> list[Request]:
        """Returns the requests of `name` to a host so far."""
        return [one for one in read_log(self.log) if one["host"] == host and name in (one["agent"] or "")]

    def wait_until(self, condition: Callable[[], Any]) -> None:
        wait_until(condition, logs=self._logs)


@pytest.fixture
def world(tmp_path: Path, database: str) -> Iterator[World]:
    with ExitStack() as stack:
        yield World(tmp_path, database, stack)


def crawl(number: int) -> tuple[str, ...]:
    return "scrapy", "crawl", f"site{number}"


def violations(log: Sequence[Request]) -> Mapping[str, object]:
    """Returns what must be empty, with an example of each kind."""
    found: MannersReport = check(log, DELAY)
    return {name: example for name, example in found.examples.items() if name in MANNERS}


def turns(log: Sequence[Request]) -> int:
    """Returns how often a request was of another process than the one before."""
    names = ["anna" in (one["agent"] or "") for one in sorted(log, key=lambda one: one["begun"])]
    return sum(before != after for before, after in pairwise(names))


def test_two_processes_ask_a_host_as_one_process_would(world: World) -> None:
    world.serve(pleas=0.2, rests=(1,))
    world.start("anna", *RUN)
    world.wait_until(lambda: world.asked("anna"))
    world.start("bert", *crawl(1))
    world.wait_until(lambda: turns(world.asked()) >= 5 and sum(bool(one["rest"]) for one in world.asked()) >= 2)
    assert violations(read_log(world.log)) == {}


def test_a_pause_holds_after_a_kill_and_in_another_process(world: World) -> None:
    world.serve(pleas=1.0, rests=(4,))
    anna = world.start("anna", *crawl(0))
    world.wait_until(lambda: is_stored(world))
    anna.kill()
    world.start("bert", *crawl(1))
    world.wait_until(lambda: world.asked("bert"))
    assert violations(world.asked()) == {}


def is_stored(world: World) -> bool:
    """Returns whether the database has the pause that the host has asked for."""
    pleas = [one["ended"] for one in world.asked() if one["rest"]]
    until = stored_rests(world.database, world.asked())[FEEDS] if pleas else None
    return until is not None and until.timestamp() > pleas[-1]


def test_a_process_that_was_stopped_sends_nothing_while_another_has_the_host(world: World) -> None:
    world.serve()
    anna = world.start("anna", *RUN)
    world.wait_until(lambda: len(world.asked("anna")) >= 3)
    seen = stop_between_transactions(anna, world)
    world.start("bert", *crawl(1))
    world.wait_until(lambda: len(world.asked("bert")) >= 2)
    assert len(world.asked("anna")) == seen
    signal_to(anna, signal.SIGCONT)
    world.wait_until(lambda: len(world.asked("anna")) >= seen + 2)
    seen = len(world.asked("bert"))
    world.wait_until(lambda: len(world.asked("bert")) >= seen + 2)
    assert violations(read_log(world.log)) == {}


def signal_to(fleet: FleetProcess, number: signal.Signals) -> None:
    assert fleet.process is not None
    os.kill(fleet.process.pid, number)


def stop_between_transactions(fleet: FleetProcess, world: World) -> int:
    """Stops a process at a moment at which it has no transaction that writes: others would have to wait for that as
    well. Returns the number of requests of `anna` so far."""
    engine = create_engine(world.database, connect_args=WITHOUT_WAITING[world.database.startswith("sqlite")])
    while True:
        seen = len(world.asked("anna"))
        world.wait_until(lambda: len(world.asked("anna")) > seen)  # noqa: B023  called at once
        signal_to(fleet, signal.SIGSTOP)
        try:
            with engine.begin() as connection:
                connection.execute(text("UPDATE hosts SET failures = failures"))
        except OperationalError:
            signal_to(fleet, signal.SIGCONT)
        else:
            engine.dispose()
            return len(world.asked("anna"))


def test_sites_of_one_address_share_its_limit_in_two_processes(world: World) -> None:
    world.serve(delay=0.1)
    world.start("anna", *RUN, NEWSCRAWL_SHARE_LIMIT_BY_ADDRESS=1)
    world.wait_until(lambda: world.asked("anna"))
    world.start("bert", *crawl(1), NEWSCRAWL_SHARE_LIMIT_BY_ADDRESS=1)
    world.wait_until(lambda: turns(of_address(world)) >= 5 and len({one["host"] for one in read_log(world.log)}) == 3)
    assert violations(of_address(world)) == {}


def of_address(world: World) -> list[Request]:
    """Returns all requests, as those to one host."""
    return [{**one, "path": f"/{one['host']}{one['path']}", "host": "127.0.0.1"} for one in read_log(world.log)]
