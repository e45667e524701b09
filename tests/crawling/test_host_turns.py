"""Two processes with one database: the sites' log shows one owner of each host, whatever the processes do.

Each process crawls a site of its own. The feeds of every two sites are on one host, so both send requests to it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from fleet_judgement import MannersReport, answered, check, stored_rests
from fleet_process import FleetProcess, Request, fresh_folder, read_log, served
from fleet_stories import SHARED, WorldOptions
from patience import wait_until

from newscrawl.testing.project import child_environment, write_project

FEEDS = f"{SHARED}0.localhost"
"""The host of the feeds of `anna` and `bert`."""
DELAY = 0.4
SLOW = 0.5
"""Seconds that the requests of `anna` take: so long that `bert` claims the host again meanwhile."""
WORLD = WorldOptions(
    sites=4,
    seed=4363,
    seconds=3600.0,
    delay=DELAY,
    mean_gap=1e9,
    initial=0,
    edited=0.0,
    pleas=0.05,
    rests=(1, 4),
    hang=SLOW,
    hangs="/site0.xml",
)
"""Sites that publish nothing. With this seed `FEEDS` asks for a pause of four seconds in its first answer, for one of
a second in its fifth, and for no other in its first 60 answers."""
RUN = ("newscrawl.cli", "run")
SHORT_TURNS = """
DOWNLOAD_TIMEOUT = 2

from newscrawl.crawling.downloader import claims

claims.TURN, claims.LATE = 1.0, 0.5
"""
"""Settings with which a process soon notices that another one wants a host, and nobody waits for long for the turn of a
process that is stopped."""
NAMES = ("anna", "bert", "carl", "dora")
MANNERS = ("overlapping", "too close", "before Retry-After")


class World:
    """Four sites, their log, and the processes that crawl one each. Every two have their feeds on one host."""

    def __init__(self, folder: Path, database: str, stack: ExitStack) -> None:
        self.log = folder / "log.jsonl"
        self.database = database
        self._folder = folder
        self._stack = stack
        self.log.touch()
        self._port, _ = stack.enter_context(served(replace(WORLD, log=str(self.log))))
        self._logs: list[Path] = []
        self._killed: list[tuple[str, float]] = []

    def start(self, name: str, *command: str, **settings: Any) -> FleetProcess:
        """Starts a command of `name`, whose site has many feeds on the shared host."""
        number = NAMES.index(name)
        folder = fresh_folder(self._folder, number)
        host = f"http://site{number}.localhost:{self._port}"
        feeds = f"http://{SHARED}{number // 2}.localhost:{self._port}"
        names = [f"{feeds}/site{number}.xml?part={part}" for part in range(60)]
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
            file.write(SHORT_TURNS)
        given = {
            "NEWSCRAWL_DATABASE_URL": self.database,
            "NEWSCRAWL_ALLOWED_ADDRESSES": "127.0.0.0/8",
            "NEWSCRAWL_CONTACT": f"{name}@example.org",
            "NEWSCRAWL_DELAY": DELAY,
            "NEWSCRAWL_FIRST_BACKOFF": 0.5,
            "NEWSCRAWL_EXTRACT_WORKERS": 1,
            "NEWSCRAWL_TIME_SCALE": 60,
            "NEWSCRAWL_RUN_MIN_SITE_INTERVAL": 1,
            "NEWSCRAWL_RUN_POLL_INTERVAL": 0.5,
            **settings,
        }
        process = FleetProcess(folder, child_environment(folder, given))
        self._stack.callback(process.kill)
        self._logs.append(folder / "run.log")
        process.launch(*command)
        return process

    def kill(self, name: str, fleet: FleetProcess) -> None:
        self._killed.append((name, time.time()))
        fleet.kill()

    def requests(self) -> list[Request]:
        """Returns the requests so far. Those of a process that was killed have ended with it."""
        found = answered(read_log(self.log))
        for name, killed_at in self._killed:
            found = [
                {**one, "ended": killed_at} if name in one["agent"] and one["begun"] < killed_at < one["ended"] else one
                for one in found
            ]
        return found

    def asked(self, name: str = "", host: str = FEEDS) -> list[Request]:
        """Returns the requests of `name` to a host so far."""
        return [one for one in self.requests() if one["host"] == host and name in one["agent"]]

    def is_waiting(self, name: str, seconds: float = 0.0) -> bool:
        """Returns whether `name` has waited so long for an answer of the host of the feeds."""
        return any(one["ended"] == float("inf") and time.time() > one["begun"] + seconds for one in self.asked(name))

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
    names = [one["agent"] for one in sorted(log, key=lambda one: one["begun"])]
    return sum(before != after for before, after in pairwise(names))


def test_processes_ask_hosts_as_one_process_would(world: World) -> None:
    """Also after kill -9 in a pause and during a request, and while one of them is stopped. Two further processes share
    the limit of the address of all hosts."""
    anna = world.start("anna", *RUN)
    world.wait_until(lambda: is_pause_stored(world))
    world.kill("anna", anna)
    anna.launch(*RUN)

    asked = stop_between_requests(anna, world)
    world.start("bert", *crawl(1))
    for number in (2, 3):
        world.start(NAMES[number], *crawl(number), NEWSCRAWL_SHARE_LIMIT_BY_ADDRESS=1)
    world.wait_until(lambda: len(world.asked("bert")) >= 2)
    assert len(world.asked("anna")) == asked
    anna.resume()
    world.wait_until(lambda: turns(world.asked()) >= 4 and len(answers(world)) > 5)

    world.wait_until(lambda: world.is_waiting("anna", 0.7 * SLOW))
    world.kill("anna", anna)
    asked = len(world.asked("bert"))
    world.wait_until(lambda: len(world.asked("bert")) > asked)
    assert violations(world.asked()) == {}
    assert sum(bool(one["rest"]) for one in world.asked()) == 2

    world.wait_until(lambda: turns(of_address(world)) >= 4 and len(hosts(of_address(world))) == 3)
    assert violations(of_address(world)) == {}


def answers(world: World) -> list[Request]:
    """Returns the answers of the host of the feeds, without that of robots.txt."""
    return [one for one in world.asked() if one["status"] and one["path"] != "/robots.txt"]


def is_pause_stored(world: World) -> bool:
    """Returns whether the database has the pause that the host has asked for."""
    pleas = [one["ended"] for one in world.asked() if one["rest"]]
    until = stored_rests(world.database, world.asked())[FEEDS] if pleas else None
    return until is not None and until.timestamp() > pleas[-1]


def stop_between_requests(anna: FleetProcess, world: World) -> int:
    """Stops `anna`, which crawls alone, after a request, in its turn. Returns the number of its requests so far."""

    def answered_again() -> None:
        seen = len(answers(world))
        world.wait_until(lambda: len(answers(world)) > seen)

    anna.suspend(world.database, answered_again)
    return len(world.asked("anna"))


def of_address(world: World) -> list[Request]:
    """Returns the requests of the processes that share the limit of an address, as those to one host."""
    return [
        {**one, "path": f"/{one['host']}{one['path']}", "host": "127.0.0.1"}
        for one in world.requests()
        if any(name in one["agent"] for name in ("carl", "dora"))
    ]


def hosts(log: Sequence[Request]) -> set[str]:
    """Returns the hosts of the requests to one address."""
    return {one["path"].split("/")[1] for one in log}
