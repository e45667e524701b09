"""A site whose sitemaps are costly to parse, beside good ones, under `newscrawl run`: what the good ones lose.

    python -m benchmarks.hostile_site            # five rounds with the hostile site and five without, in turn
    python -m benchmarks.hostile_site --quick    # one of each, shorter

Prints medians of the rounds: requests of the good sites, the event loop's lag, how long /health takes to answer and
SIGTERM to end the process. Exits with 1 when a goal is missed.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from statistics import median
from typing import Final

import click
from databases import with_schema
from fleet_process import SCALE, STOP_TIMEOUT, FleetProcess
from rich.console import Console
from rich.table import Table

from benchmarks.hostile_site.lag_probe import lags
from newscrawl.testing.project import child_environment, write_project
from newscrawl.testing.services.local import free_port

ROOT: Final = Path(__file__).resolve().parents[2]
MIN_SHARE: Final = 0.90
"""Of the good sites' requests without a hostile site, so many are made beside it."""
MAX_LAG: Final = 0.050
"""Seconds that the 99th percentile of the loop's lag may grow by."""
MAX_HEALTH: Final = 1.0
"""Seconds in which /health answers, at the median of the rounds' slowest answers."""
MAX_STOP: Final = 30.0
"""Seconds in which SIGTERM ends the process (docs/how-to/run.md)."""
DELAY: Final = 0.5


@dataclass(frozen=True, slots=True)
class Round:
    """What was seen in one round; seconds."""

    requests: float
    lag_p50: float
    lag_p99: float
    lag_max: float
    health_median: float
    health_slowest: float
    stop: float
    hostile_requests: float


def median_of(rounds: Sequence[Round]) -> Round:
    """Each figure's median."""
    return Round(*(median(getattr(one, field.name) for one in rounds) for field in fields(Round)))


def missed(hostile: Round, alone: Round) -> list[str]:
    """The goals that the medians miss."""
    goals = {
        f"at least {MIN_SHARE:.0%} of the requests": hostile.requests >= MIN_SHARE * alone.requests,
        f"p99 of the lag at most {1_000 * MAX_LAG:.0f} ms more": hostile.lag_p99 - alone.lag_p99 <= MAX_LAG,
        f"/health answers within {MAX_HEALTH:g} s": hostile.health_slowest <= MAX_HEALTH,
        f"SIGTERM ends the process within {MAX_STOP:g} s": hostile.stop <= MAX_STOP,
        "the hostile site received requests": hostile.hostile_requests > 1,
    }
    return [goal for goal, is_met in goals.items() if not is_met]


@contextlib.contextmanager
def served(sites: int, log: Path) -> Iterator[int]:
    """The world in its process; its port."""
    command = [sys.executable, "-m", "benchmarks.hostile_site.world", json.dumps({"sites": sites, "log": str(log)})]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
    try:
        assert server.stdout is not None
        yield json.loads(server.stdout.readline())["port"]
    finally:
        server.terminate()
        server.wait(STOP_TIMEOUT)
        if server.stdout is not None:
            server.stdout.close()


def project(folder: Path, port: int, sites: int, *, hostile: bool) -> FleetProcess:
    """A project with the good sites and, if wanted, the hostile one; the probe is among its extensions."""
    names = [f"good{number}" for number in range(sites)] + ["hostile"] * hostile
    lines = ["from newscrawl.crawling.spider import NewsSpider"]
    for name in names:
        home = f"http://{name}.localhost:{port}"
        source = f'sitemaps = ("{home}/index.xml",)' if name == "hostile" else f'feeds = ("{home}/feed.xml",)'
        lines += [f"class {name.title()}(NewsSpider):", f'    name = "{name}"', f'    domains = ("{name}.localhost",)']
        lines += [f'    home = "{home}/"', f"    {source}", '    daily_requests = "unlimited"']
    write_project(folder, "\n".join(lines))
    with (folder / "settings" / "base.py").open("a", encoding="utf-8") as settings:
        settings.write('\nEXTENSIONS = {**EXTENSIONS, "benchmarks.hostile_site.lag_probe.LagProbe": 900}\n')
    given = {
        "NEWSCRAWL_DATABASE_URL": with_schema(f"sqlite:///{folder / 'news.db'}"),
        "NEWSCRAWL_ALLOWED_ADDRESSES": "127.0.0.0/8",
        "NEWSCRAWL_DELAY": str(DELAY),
        "NEWSCRAWL_TIME_SCALE": str(SCALE),
        "NEWSCRAWL_RUN_MIN_SITE_INTERVAL": "4",
        "NEWSCRAWL_RUN_POLL_INTERVAL": "1",
        "NEWSCRAWL_RUN_CONCURRENT_SITES": "64",
        "NEWSPROBE_FILE": str(folder / "lags.txt"),
    }
    environment = child_environment(folder, given)
    environment["PYTHONPATH"] += os.pathsep + str(ROOT)  # the probe is in this package
    return FleetProcess(folder, environment)


def play(folder: Path, sites: int, seconds: float, *, hostile: bool) -> Round:
    """One round in a new folder."""
    folder.mkdir()
    log = folder / "requests.txt"
    health = free_port()
    with served(sites, log) as port:
        fleet = project(folder, port, sites, hostile=hostile)
        try:
            fleet.start("--health", str(health))
            begin = _begun(fleet, log, sites, hostile=hostile)
            answers = _ask_for(health, begin + seconds)
            end = time.time()
            code, stop = fleet.stop()
        finally:
            fleet.kill()
    if code != 0:
        raise click.ClickException(f"exit code {code}, see {folder / 'run.log'}")
    found = sorted(lags(folder / "lags.txt", begin, end)) or [0.0]
    inside = [host for at, host, _ in _requests(log) if begin <= at <= end]
    good = sum(host != "hostile.localhost" for host in inside)
    return Round(
        good / (end - begin) * seconds,
        found[len(found) // 2],
        found[int(len(found) * 0.99)],
        found[-1],
        median(answers),
        max(answers),
        stop,
        sum(host == "hostile.localhost" for _, host, _ in _requests(log)),
    )


def _begun(fleet: FleetProcess, log: Path, sites: int, *, hostile: bool) -> float:
    """Waits until every good site was asked for an article and the hostile one for a child of its index."""
    until = time.time() + STOP_TIMEOUT
    wanted = {f"good{number}.localhost" for number in range(sites)} | ({"hostile.localhost"} if hostile else set())
    while wanted - {host for _, host, path in _requests(log) if path.endswith(".html") or "-" in path}:
        if time.time() > until or (fleet.process is not None and fleet.process.poll() is not None):
            raise click.ClickException(f"the crawl did not begin, see {fleet.folder / 'run.log'}")
        time.sleep(0.1)
    return time.time()


def _ask_for(port: int, until: float) -> list[float]:
    """How long /health took to answer, again and again."""
    answers = []
    while time.time() < until:
        begun = time.monotonic()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=STOP_TIMEOUT) as answer:
            answer.read()
        answers.append(time.monotonic() - begun)
        time.sleep(0.2)
    return answers


def _requests(log: Path) -> list[tuple[float, str, str]]:
    if not log.exists():
        return []
    lines = (line.split() for line in log.read_text("utf-8").splitlines())
    return [(float(parts[0]), parts[1], parts[2]) for parts in lines if len(parts) == 3]


def report(hostile: Round, alone: Round, rounds: int) -> None:
    """The table."""
    table = Table(f"medians of {rounds}", "without", "beside the hostile site")
    for field in fields(Round):
        before, after = getattr(alone, field.name), getattr(hostile, field.name)
        unit, scale = ("", 1) if "requests" in field.name else (" ms", 1_000)
        table.add_row(field.name.replace("_", " ") + unit, f"{before * scale:,.1f}", f"{after * scale:,.1f}")
    console = Console(highlight=False)
    console.print(table)
    console.print(f"requests of the good sites: {hostile.requests / max(1, alone.requests):.1%}")
    console.print(f"p99 of the lag: {1_000 * (hostile.lag_p99 - alone.lag_p99):+.1f} ms")


@click.command(help=__doc__)
@click.option("--rounds", default=5, show_default=True)
@click.option("--seconds", default=60.0, show_default=True, help="Length of each round.")
@click.option("--sites", default=20, show_default=True, help="Number of good sites.")
@click.option("--quick", is_flag=True, help="One round of 20 seconds.")
@click.option("--keep", type=click.Path(path_type=Path), help="Keep logs and databases in this folder.")
def main(*, rounds: int, seconds: float, sites: int, quick: bool, keep: Path | None) -> None:
    if quick:
        rounds, seconds = 1, 20.0
    seen: dict[bool, list[Round]] = {False: [], True: []}
    with tempfile.TemporaryDirectory() as temporary:
        folder = keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(rounds):
            for hostile in (False, True) if number % 2 == 0 else (True, False):
                name = f"round{number}-{'hostile' if hostile else 'alone'}"
                seen[hostile].append(play(folder / name, sites, seconds, hostile=hostile))
    beside, alone = median_of(seen[True]), median_of(seen[False])
    report(beside, alone, rounds)
    problems = missed(beside, alone)
    for goal in problems:
        click.echo(f"missed: {goal}")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
