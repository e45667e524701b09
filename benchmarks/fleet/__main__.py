"""`newscrawl run` over local sites at compressed intervals, judged by the server's log.

    python -m benchmarks.fleet --minutes 20                 # 200 sites
    python -m benchmarks.fleet --minutes 15 --kill 50       # with kill -9 at 50 random moments
    python -m benchmarks.fleet --processes 2 --postgresql   # two processes on one PostgreSQL

Exits with 1 when something that must hold does not.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import click
from databases import new_database
from fleet_judgement import Plea, Trial, ignored_back_offs, judge, stored_rests
from fleet_process import FleetProcess, cpu_seconds, fresh_folder, make_project, read_log, served
from fleet_stories import WorldOptions

QUIET: Final = 300.0
"""Seconds that a run with kills goes on behind the last news and kill: what is missing then is lost, not late."""


def try_fleet(options: WorldOptions, folder: Path, database: str, *, kills: int = 0, processes: int = 1) -> Trial:
    """Runs the fleet for `options.seconds`, kills it `kills` times, and checks the results."""
    with served(options) as (port, began):
        fleets = [
            make_project(fresh_folder(folder, n), port, options.sites, database, NEWSCRAWL_CONTACT=contact_of(n))
            for n in range(processes)
        ]
        lost: dict[Plea, float] = {}

        def kill(number: int) -> None:
            fleets[number].kill()
            log = read_log(Path(options.log))
            lost.update(ignored_back_offs(log, stored_rests(database, log), contact_of(number), time.time()))

        try:
            for fleet in fleets:
                fleet.start()
            moments = _moments(kills, time.time(), began + options.seconds, random.Random(options.seed))
            end = began + options.seconds + (QUIET if kills else 0)
            _pass_time(fleets, end, moments, random.Random(options.seed), kill)
            until = time.time() - began
            used = sum(cpu_seconds(fleet.process.pid) for fleet in fleets if fleet.process is not None)
            ends = [fleet.stop() for fleet in fleets]
        finally:
            for fleet in fleets:
                fleet.kill()
    memory = [fleet.memory for fleet in fleets]
    trial = judge(options, database, (began, until), ends, kills=kills, memory=memory, lost=lost)
    trial.figures["CPU seconds, without workers"] = used
    return trial


def _moments(kills: int, now: float, end: float, chance: random.Random) -> list[float]:
    """Returns the moments of the kills, in order."""
    return sorted(chance.uniform(now + 5, max(now + 6, end)) for _ in range(kills))


def contact_of(number: int) -> str:
    """The contact in the User-Agent of one of the processes."""
    return f"fleet{number}@example.org"


def _pass_time(
    fleets: list[FleetProcess],
    end: float,
    moments: list[float],
    chance: random.Random,
    kill: Callable[[int], None],
) -> None:
    """Wait until `end`, looking at memory; `kill` and restart one of the fleets at each of the moments."""
    next_look = time.time()
    while time.time() < end:
        if moments and time.time() >= moments[0]:
            moments.pop(0)
            number = chance.randrange(len(fleets))
            fleet = fleets[number]
            kill(number)
            fleet.memory.clear()
            fleet.start()
        if time.time() >= next_look:
            next_look = time.time() + 5
            for fleet in fleets:
                fleet.look()
                if fleet.process is not None and fleet.process.poll() is not None:
                    raise click.ClickException(f"the fleet ended by itself, see {fleet.folder / 'run.log'}")
        time.sleep(0.1)


@click.command(help=__doc__)
@click.option("--minutes", default=20.0, show_default=True)
@click.option("--sites", default=200, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--kill", "kills", default=0, show_default=True, help="Number of kill -9 at random moments.")
@click.option("--processes", default=1, show_default=True)
@click.option("--postgresql", is_flag=True)
@click.option("--keep", type=click.Path(path_type=Path), help="Keep log and database in this folder.")
def main(
    *, minutes: float, sites: int, seed: int, kills: int, processes: int, postgresql: bool, keep: Path | None
) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        options = WorldOptions(sites, seed, str(folder / "requests.jsonl"), 60 * minutes)
        with new_database(folder, on_postgresql=postgresql) as url:
            trial = try_fleet(options, folder, url, kills=kills, processes=processes)
    trial.report()


if __name__ == "__main__":
    main()
