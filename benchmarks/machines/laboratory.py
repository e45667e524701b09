"""What a round of the laboratory has: its machines, its sites' log and its database.

A simulated machine is a `newscrawl run` with its own host name, clock, archive and connection to the database.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from databases import DatabaseProxy
from fleet_judgement import Plea, ignored_back_offs, stored_rests
from fleet_process import FleetProcess, make_project, read_log
from fleet_stories import WorldOptions

CLOCK: Final = Path(__file__).parent / "clock"
LEASE_SECONDS: Final = 10
NO_SETTINGS: Final[Mapping[str, Any]] = MappingProxyType({})


@dataclass(slots=True)
class LabMachine:
    """One machine. Its process is started and ended by the rounds."""

    name: str
    fleet: FleetProcess
    proxy: DatabaseProxy

    def start(self) -> None:
        """Starts the process."""
        self.fleet.start()

    def stop(self) -> tuple[int, float]:
        """Ends the process with SIGTERM. Returns its exit code, and the seconds until the end."""
        return self.fleet.stop()

    def kill(self) -> None:
        """Ends the process with SIGKILL."""
        self.fleet.kill()

    @property
    def is_running(self) -> bool:
        """Whether its process runs."""
        return self.fleet.process is not None and self.fleet.process.poll() is None

    def run(self, *arguments: str, code: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Runs another command of newscrawl on the machine, with the newscrawl in the folder `code` if that is
        given."""
        environment = self.fleet.environment if code is None else _with_code(self.fleet.environment, code)
        command = [*self.fleet.before, sys.executable, "-m", "newscrawl.cli", *arguments]
        folder = self.fleet.folder
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)

    def use(self, code: Path) -> None:
        """Runs the newscrawl in the folder `code` from the next start on."""
        self.fleet.environment = _with_code(self.fleet.environment, code)

    def freeze(self, *, is_frozen: bool) -> None:
        """Stops the process, or continues it."""
        if self.fleet.process is not None:
            os.kill(self.fleet.process.pid, signal.SIGSTOP if is_frozen else signal.SIGCONT)

    @property
    def log(self) -> str:
        """Returns the log of the process."""
        return (self.fleet.folder / "run.log").read_text("utf-8", "replace")


def make_machine(
    folder: Path,
    name: str,
    port: int,
    sites: int,
    server: str,
    *,
    ahead: float = 0.0,
    scrapy: Mapping[str, Any] = NO_SETTINGS,
    **settings: Any,
) -> LabMachine:
    """A machine that crawls the sites at `port` with the database at `server`, an address with a socket's folder. Its
    wall clock is `ahead` by so many seconds. `scrapy` are settings of Scrapy."""
    path = folder / name
    path.mkdir()
    address, _, socket_folder = server.partition("?host=")
    proxy = DatabaseProxy(Path(socket_folder) / ".s.PGSQL.5432")
    url = address.replace("@/", f"@127.0.0.1:{proxy.port}/")
    given = {
        "NEWSCRAWL_MACHINE": name,
        "NEWSCRAWL_CONTACT": f"{name}@example.org",
        "NEWSCRAWL_RUN_LEASE_SECONDS": LEASE_SECONDS,
        "NEWSCRAWL_ARCHIVE_URL": str(path / "archive"),
        "NEWSCRAWL_EXTRACT_WORKERS": 1,
        **settings,
    }
    fleet = make_project(path, port, sites, url, share_feeds=True, **given)
    with (path / "settings" / "base.py").open("a", encoding="utf-8") as written:
        written.writelines(f"{setting} = {value!r}\n" for setting, value in scrapy.items())
    fleet.before = own_host_name(name)
    if ahead:
        fleet.environment["CLOCK_AHEAD"] = str(ahead)
        fleet.environment["PYTHONPATH"] = os.pathsep.join((str(CLOCK), fleet.environment["PYTHONPATH"]))
    return LabMachine(name, fleet, proxy)


def _with_code(environment: Mapping[str, str], code: Path) -> dict[str, str]:
    return {**environment, "PYTHONPATH": os.pathsep.join((str(code), environment["PYTHONPATH"]))}


def own_host_name(name: str) -> tuple[str, ...]:
    """What gives a command a host name of its own where this user may do so, so that no process knows another's by its
    process id."""
    command = ("unshare", "--uts", "sh", "-c", f'hostname {name} && exec "$@"', "sh")
    try:
        allowed = subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        allowed = False
    return command if allowed else ()


UNDER_WAY: Final = 0.3
"""Seconds in which the database ends what a killed process had sent."""


@dataclass(slots=True)
class Laboratory:
    """One round while it runs. `figures` are those of the round's own check, by name; those in `must_be_none` must be
    0. Articles of the sites `forgotten` need not be stored. `lost` are pleas for rest that no process knows."""

    machines: Sequence[LabMachine]
    seconds: float
    chance: random.Random
    options: WorldOptions
    database: str
    folder: Path
    figures: dict[str, float] = field(default_factory=dict)
    must_be_none: set[str] = field(default_factory=set)
    forgotten: set[str] = field(default_factory=set)
    lost: dict[Plea, float] = field(default_factory=dict)
    after: list[Callable[[], None]] = field(default_factory=list)
    """Checks to make when all machines have ended."""

    def kill(self, machine: LabMachine) -> None:
        """Kills the machine's process, and notes which pleas for rest are lost with it."""
        machine.kill()
        time.sleep(UNDER_WAY)
        log = self.log()
        self.lost |= ignored_back_offs(log, stored_rests(self.database, log), f"{machine.name}@", time.time())

    def log(self) -> list[dict[str, Any]]:
        """Returns the requests of the sites' log so far."""
        return read_log(Path(self.options.log))

    def check(self, name: str, wrong: float) -> None:
        """Adds a figure that must be 0."""
        self.figures[name] = self.figures.get(name, 0.0) + wrong
        self.must_be_none.add(name)
