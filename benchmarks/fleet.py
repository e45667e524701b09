"""`newscrawl run` over local sites at compressed intervals, judged by the server's log.

    python -m benchmarks.fleet --minutes 20                 # 200 sites
    python -m benchmarks.fleet --minutes 15 --kill 50       # with kill -9 at 50 random moments
    python -m benchmarks.fleet --processes 2 --postgresql   # two processes on one PostgreSQL

Exits with 1 when something that must hold does not.
"""

from __future__ import annotations

import contextlib
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import click

from benchmarks.fleet_announced import announced_edits
from benchmarks.fleet_checks import check, coverage
from benchmarks.fleet_process import (
    LONGEST_STOP,
    ROOT,
    SCALE,
    Fleet,
    Trial,
    cpu_seconds,
    databases,
    fresh_folder,
    make_project,
)
from benchmarks.fleet_world import WorldOptions, stories_of
from newscrawl.scheduling.announced_edits import DEFAULT
from newscrawl.storage import open_store
from newscrawl.storage.reports import articles

PATIENCE: Final = 75.0
"""Seconds for which an article must have been listed to be missed: an hour and a quarter of the compressed clock."""
TO_STOP: Final = 30.0
ORDER: Final = 99.9
QUIET: Final = 300.0
"""Seconds that a run with kills goes on behind the last news and kill: what is missing then is lost, not late."""
LATE: Final = 0.05
"""Part of the announced edits that may be fetched late: the host asked for rest, or the source was not trusted yet."""
GROWTH_MB: Final = 40.0
"""Memory that a process may have gained between the first third of a run and its end: allocators are no clocks."""


@contextlib.contextmanager
def served(options: WorldOptions) -> Iterator[tuple[int, float]]:
    """The world in its process: port and moment of its beginning."""
    command = [sys.executable, "-m", "benchmarks.fleet_world", json.dumps(asdict(options))]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
    try:
        assert server.stdout is not None
        told = json.loads(server.stdout.readline())
        yield told["port"], told["began"]
    finally:
        server.terminate()
        server.wait(LONGEST_STOP)
        if server.stdout is not None:
            server.stdout.close()


def try_fleet(options: WorldOptions, folder: Path, database: str, *, kills: int = 0, processes: int = 1) -> Trial:
    """Run the fleet for `options.seconds`, killing it `kills` times, and judge it."""
    with served(options) as (port, began):
        fleets = [make_project(fresh_folder(folder, n), port, options.sites, database) for n in range(processes)]
        try:
            for fleet in fleets:
                fleet.start()
            moments = _moments(kills, time.time(), began + options.seconds, random.Random(options.seed))
            _pass_time(fleets, began + options.seconds + (QUIET if kills else 0), moments, random.Random(options.seed))
            until = time.time() - began
            used = sum(cpu_seconds(fleet.process.pid) for fleet in fleets if fleet.process is not None)
            ends = [fleet.stop() for fleet in fleets]
        finally:
            for fleet in fleets:
                fleet.kill()
    trial = judge(options, database, (began, until), ends, kills=kills, memory=[fleet.memory for fleet in fleets])
    trial.figures["CPU seconds, without workers"] = used
    return trial


def judge(
    options: WorldOptions,
    database: str,
    times: tuple[float, float],
    ends: Sequence[tuple[int, float]],
    *,
    kills: int = 0,
    patience: float = PATIENCE,
    to_stop: float = TO_STOP,
    memory: Sequence[Sequence[tuple[float, float]]] = (),
) -> Trial:
    """What the server's log and the database say of a run. `times` are the moment in which the world began and the
    seconds until the run was told to end; `ends` are its processes' exit codes and the seconds they took for that."""
    log = read_log(Path(options.log))
    manners = check(log, options.delay)
    stories = {f"site{n}.localhost": stories_of(n, options) for n in range(options.sites)}
    seen = coverage(log, stories, *times, patience)
    told = announced_edits(log, stories, *times, patience, DEFAULT.gap.total_seconds() / SCALE)
    figures = {**manners.numbers, **seen.numbers, **told.numbers, **_stored(database, log), **_memory(memory)}
    figures["sites asked"] = len({request["host"] for request in log})
    figures["seconds to stop"] = max(seconds for _, seconds in ends)
    problems = [f"{name}: {example}" for found in (manners, seen, told) for name, example in found.examples.items()]
    return Trial(figures, _failed(figures, [code for code, _ in ends], problems, kills, to_stop))


def read_log(path: Path) -> list[dict[str, Any]]:
    """The server's requests."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _failed(
    figures: dict[str, float], codes: Sequence[int], examples: list[str], kills: int, to_stop: float
) -> list[str]:
    """What must hold and does not, each with an example where there is one."""
    must = {
        f"in order at least {ORDER} %": figures["in order %"] >= ORDER,
        "Retry-After kept": not figures["before Retry-After"],
        "nothing forbidden fetched": not figures["forbidden"],
        "no request doubled": not figures["doubled"],
        "exit code 0": not any(codes),
        f"stopped within {to_stop:g} s": figures["seconds to stop"] <= to_stop,
        "no article missed": not figures["missed"],
        "no article stored twice": not figures["stored twice"],
        "all that was fetched is stored": not figures["fetched, not stored"],
        "no article fetched again unchanged": kills > 0 or not figures["fetched again"],
        "unchanged answered 304": kills > 0 or not figures["unchanged and not 304"],
        "edits picked up": figures["edits missed"] <= 0.02 * figures["edits"],
        f"announced edits fetched within one reading, but {LATE:.0%}": kills > 0
        or figures["announced, fetched late"] <= LATE * figures["edits announced"],
        f"memory grew by at most {GROWTH_MB:g} MB": figures.get("memory growth MB", 0) <= GROWTH_MB,
    }
    wrong = [f"not so: {name}" for name, holds in must.items() if not holds]
    return [*wrong, *(f"for example {example}" for example in examples)] if wrong else []


def _moments(kills: int, now: float, end: float, chance: random.Random) -> list[float]:
    """When to kill, in order."""
    return sorted(chance.uniform(now + 5, max(now + 6, end)) for _ in range(kills))


def _pass_time(fleets: list[Fleet], end: float, moments: list[float], chance: random.Random) -> None:
    """Wait until `end`, looking at memory; kill and restart one of the fleets at each of the moments."""
    next_look = time.time()
    while time.time() < end:
        if moments and time.time() >= moments[0]:
            moments.pop(0)
            fleet = chance.choice(fleets)
            fleet.kill()
            fleet.memory.clear()
            fleet.start()
        if time.time() >= next_look:
            next_look = time.time() + 5
            for fleet in fleets:
                fleet.look()
                if fleet.process is not None and fleet.process.poll() is not None:
                    raise click.ClickException(f"the fleet ended by itself, see {fleet.folder / 'run.log'}")
        time.sleep(0.1)


def _stored(database: str, log: Sequence[dict[str, Any]]) -> dict[str, float]:
    """What the database holds, beside what was fetched."""
    fetched = {
        f"http://{request['host']}{request['path']}"
        for request in log
        if request["status"] == 200 and request["path"].endswith(".html")
    }
    with open_store(database, upgrade=False) as store, store.reading() as connection:
        urls = [_without_port(article.url) for article in articles(connection)]
    return {
        "stored": len(urls),
        "stored twice": len(urls) - len(set(urls)),
        "fetched, not stored": len(fetched - set(urls)),
    }


def _without_port(url: str) -> str:
    scheme, _, rest = url.partition("://")
    host, _, path = rest.partition("/")
    return f"{scheme}://{host.partition(':')[0]}/{path}"


def _memory(looks: Sequence[Sequence[tuple[float, float]]]) -> dict[str, float]:
    """Megabytes of the largest process, and what it gained after the first third."""
    most, growth = 0.0, 0.0
    for of_one in looks:
        sizes = [size for _, size in of_one]
        if len(sizes) >= 6:
            third = len(sizes) // 3
            growth = max(growth, max(sizes[-third:]) - max(sizes[third : 2 * third]))
            most = max(most, *sizes)
    return {"memory MB": most, "memory growth MB": growth} if most else {}


@click.command(help=__doc__)
@click.option("--minutes", default=20.0, show_default=True)
@click.option("--sites", default=200, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--kill", "kills", default=0, show_default=True, help="Kill -9 so many times at random moments.")
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
        with databases(folder, on_postgresql=postgresql) as url:
            trial = try_fleet(options, folder, url, kills=kills, processes=processes)
    trial.report()


if __name__ == "__main__":
    main()
