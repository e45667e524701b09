"""Articles a minute that one, two and three machines fetch of the same sites.

    python -m benchmarks.machines.throughput
    python -m benchmarks.machines.throughput --sites 24 --at-once 4 --seconds 40

The delay of the sites limits the speed: a machine crawls some of them at once, so more machines crawl more of them,
until all are crawled. The articles of the sites are there from the beginning.
"""

from __future__ import annotations

import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
from databases import with_schema
from fleet_judgement import check
from fleet_process import Request, read_log, served
from fleet_stories import LISTED, WorldOptions
from rich.table import Table

from benchmarks.machines.__main__ import NAMES
from benchmarks.machines.machine import make_machine
from newscrawl.console import SafeConsole
from newscrawl.testing.services import postgresql

DELAY: Final = 1.0
"""Seconds between two requests to a site."""
TO_START: Final = 60.0
"""Seconds, at most, until the first article is fetched."""


@dataclass(frozen=True, slots=True)
class Throughput:
    """What some machines did: articles a minute, and requests that were sent at once or too close."""

    machines: int
    articles: float
    impolite: float


def measure(server: str, folder: Path, machines: int, sites: int, at_once: int, seconds: float) -> Throughput:
    """Measures from the first article on. Each machine crawls `at_once` sites at once."""
    database = with_schema(postgresql.new_database(server))
    folder.mkdir()
    log = folder / "requests.jsonl"
    world = {"delay": DELAY, "initial": LISTED, "mean_gap": 1e9, "edited": 0.0, "pleas": 0.0}
    with served(WorldOptions(sites, 7, str(log), **world)) as (port, _), ExitStack() as stack:
        started = []
        for name in NAMES[:machines]:
            machine = make_machine(folder, name, port, sites, database, NEWSCRAWL_RUN_CONCURRENT_SITES=at_once)
            stack.callback(machine.proxy.close)
            stack.callback(machine.kill)
            started.append(machine)
        for machine in started:
            machine.start()
        until = time.monotonic() + TO_START
        while not _articles(read_log(log)) and time.monotonic() < until:
            time.sleep(0.2)
        time.sleep(seconds)
        requests = read_log(log)
    fetched = _articles(requests)
    if not fetched:
        raise click.ClickException(f"no article was fetched within {TO_START:g} s, see run.log in {folder}")
    begin = min(request["ended"] for request in fetched)
    number = sum(request["ended"] < begin + seconds for request in fetched)
    found = check(requests, DELAY).numbers
    return Throughput(machines, 60 * number / seconds, found["overlapping"] + found["too close"])


def _articles(log: list[Request]) -> list[Request]:
    return [request for request in log if request["path"].endswith(".html") and request["status"] == 200]


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--sites", default=24, show_default=True)
@click.option("--at-once", default=4, show_default=True, help="Sites that a machine crawls at once.")
@click.option("--seconds", default=40.0, show_default=True, help="Length of each measurement.")
def main(*, sites: int, at_once: int, seconds: float) -> None:
    console, table = SafeConsole(highlight=False), Table("machines", "articles a minute", "at once or too close")
    with tempfile.TemporaryDirectory() as folder, postgresql.server() as server:
        for machines in range(1, len(NAMES) + 1):
            found = measure(server, Path(folder) / str(machines), machines, sites, at_once, seconds)
            table.add_row(str(machines), f"{found.articles:,.0f}", f"{found.impolite:g}")
    console.print(table)


if __name__ == "__main__":
    main()
