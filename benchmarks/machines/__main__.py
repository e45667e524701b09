"""Three machines on one PostgreSQL database, checked by the sites' log and the database alone.

    python -m benchmarks.machines                          # all rounds, half an hour
    python -m benchmarks.machines --round "kill -9"        # one of them
    python -m benchmarks.machines --sites 12 --seconds 45  # smaller

Each machine is a `newscrawl run` with its own host name, archive and way to the database. Two sites each share a feed
host. A machine's wall clock is moved within Python, since not every system can move it for one process.

Exits with 1 when a request was sent at once with another, too close to it or inside a pause, when an address was
requested twice within the delay (robots.txt too), when an article was missed, stored twice, or fetched and not stored,
or when a round's own check failed.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Final

import click
from databases import with_schema
from fleet_judgement import PATIENCE, Trial, judge
from fleet_process import served
from fleet_stories import WorldOptions
from rich.table import Table

from benchmarks.machines.laboratory import LabMachine, Laboratory, make_machine
from benchmarks.machines.rounds import ROUNDS, Round
from newscrawl.config.logs.console import SafeConsole
from newscrawl.testing.services import postgresql

NAMES: Final = ("anna", "bert", "cora")
MUST_BE_NONE: Final = (
    *("overlapping", "too close", "before Retry-After"),
    *("missed", "stored twice", "fetched, not stored"),
)
SHOWN: Final = (
    *("requests", "hosts of several machines", "pleas", "pleas lost by kills", *MUST_BE_NONE),
    *("fetched again", "doubled", "tracebacks", "ended by itself"),
)
SETTLING: Final = 60.0
"""Seconds, at most, after the last news in which what was published is fetched."""
MAX_START: Final = 60.0
"""Seconds, at most, until a machine sends its first request."""
LOOK: Final = 4.0
"""Seconds between two looks at whether it is."""


def run_round(
    wanted: Round, sites: int, seconds: float, folder: Path, server: str, settling: float = SETTLING
) -> dict[str, float]:
    """Runs a round and returns its figures."""
    database = with_schema(postgresql.new_database(server))
    world = {"mean_gap": 60.0, "edited": 0.0, **wanted.world}
    options = WorldOptions(sites, 7, str(folder / "requests.jsonl"), seconds, **world)
    with served(options) as (port, began), ExitStack() as stack:
        machines: list[LabMachine] = []
        lab = Laboratory(machines, seconds, random.Random(options.seed), options, database, folder)
        for name, ahead in list(zip(NAMES, wanted.ahead, strict=True))[: wanted.machines]:
            machine = make_machine(folder, name, port, sites, database, ahead=ahead, scrapy=wanted.scrapy)
            stack.callback(machine.proxy.close)
            stack.callback(machine.kill)
            machines.append(machine)
        for machine in machines:
            machine.start()
        _wait_for_requests(lab)
        wanted.act(lab)
        patience = wanted.patience or PATIENCE
        _settle(lab, began, settling, patience)
        ended = sum(not machine.is_running for machine in machines)
        until = time.time() - began
        ends = [machine.stop() for machine in machines]
    for check in lab.after:
        check()
    trial = _judged(lab, (began, until), ends, patience)
    figures = {name: trial.figures.get(name, 0.0) for name in SHOWN}
    figures["hosts of several machines"] = _shared_hosts(lab)
    figures["tracebacks"] = sum(machine.log.count("Traceback") for machine in machines)
    figures["ended by itself"] = ended
    figures["wrong"] = sum(lab.figures[name] for name in lab.must_be_none)
    figures["wrong"] += sum(figures[must] for must in (*MUST_BE_NONE, "doubled", "tracebacks", "ended by itself"))
    _keep_examples(folder, trial.problems, machines)
    return figures | lab.figures


def _judged(lab: Laboratory, times: tuple[float, float], ends: list[tuple[int, float]], patience: float) -> Trial:
    return judge(
        lab.options,
        lab.database,
        times,
        ends,
        kills=1,
        patience=patience,
        lost=lab.lost,
        forgotten=lab.forgotten,
    )


def _wait_for_requests(lab: Laboratory) -> None:
    """Waits until a machine has sent a request: the time of a round begins then, however long the start takes."""
    until = time.monotonic() + MAX_START
    while time.monotonic() < until and not lab.log():
        time.sleep(0.5)


def _settle(lab: Laboratory, began: float, seconds: float, patience: float) -> None:
    """Waits until what was published is fetched and stored, at most so many seconds."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(LOOK)
        trial = _judged(lab, (began, time.time() - began), [(0, 0.0)], patience)
        if not any(trial.figures.get(must) for must in MUST_BE_NONE):
            return


def _shared_hosts(lab: Laboratory) -> int:
    """Returns how many hosts were asked by more than one machine."""
    agents: defaultdict[str, set[str]] = defaultdict(set)
    for request in lab.log():
        agents[request["host"]].add(str(request.get("agent")).partition("@")[0])
    return sum(len(names - {"None"}) > 1 for names in agents.values())


def _keep_examples(folder: Path, problems: list[str], machines: list[LabMachine]) -> None:
    lines = [*problems, *(f"{machine.name}: {machine.fleet.folder / 'run.log'}" for machine in machines)]
    (folder / "problems.txt").write_text("\n".join(lines), encoding="utf-8")


@click.command(help=__doc__)
@click.option("--round", "names", multiple=True, type=click.Choice(list(ROUNDS)), help="Only these rounds.")
@click.option("--sites", default=40, show_default=True)
@click.option("--seconds", default=90.0, show_default=True, help="Length of a round.")
@click.option("--keep", type=click.Path(path_type=Path), help="Keep logs in this folder.")
def main(*, names: tuple[str, ...], sites: int, seconds: float, keep: Path | None) -> None:
    console, table = SafeConsole(highlight=False), Table("round", *SHOWN)
    wrong = False
    with tempfile.TemporaryDirectory() as temporary, postgresql.server() as server:
        for name in names or ROUNDS:
            wanted = ROUNDS[name]
            folder = (keep or Path(temporary)) / name.replace(" ", "-")
            folder.mkdir(parents=True)
            length = wanted.seconds * seconds / 90.0
            figures = run_round(replace(wanted, seconds=length), sites, length, folder, server)
            wrong = wrong or bool(figures["wrong"])
            table.add_row(name, *(f"{figures[column]:,.0f}" for column in SHOWN))
            console.print(name, {column: round(number) for column, number in figures.items()})
    console.print(table)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
