"""Measures `newscrawl web` over a large fleet while a crawl writes, and what the views cost that crawl.

    python -m benchmarks.web.beside_crawl --sites 5000 --articles 200 --rounds 6                  # SQLite
    python -m benchmarks.web.beside_crawl --sites 5000 --articles 200 --rounds 6 --postgresql

The database is filled with a fleet. Then crawls of a local server store new pages into it, 100 a second, in pairs: one
without views, one with a view of a drawn screen each second; every second pair begins with the views. `newscrawl web`
is a process of its own, as the command starts it. Exits with 1 if a goal is missed.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory
from typing import Final

import click
from databases import postgresql_databases

from benchmarks.crawl.measure import Crawled, Load, crawl
from benchmarks.support.common import interval
from benchmarks.web import fleet_database
from benchmarks.web.views import TOKEN, view
from newscrawl.storage.store import open_store

CRAWLED_SITES: Final = 40
EVERY: Final = 1.0
"""Seconds between two views."""
WARMING: Final = 20
"""Views before the first crawl: each screen is in the caches of the operating system, as it is after a minute of
use."""
MEDIAN: Final = 0.2
P99: Final = 0.5
MEMORY: Final = 150e6
MORE_CPU: Final = 0.02
"""The goals of the pages: seconds of a view, bytes of the process, and the share of CPU time a page that views add."""


@dataclass
class Viewer(threading.Thread):
    """Views a drawn screen each second until it is stopped. `taken` has (path, seconds). The first failure ends it."""

    port: int
    paths: Sequence[str]
    seed: int
    taken: list[tuple[str, float]] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)
    failure: Exception | None = None

    def __post_init__(self) -> None:
        super().__init__(daemon=True)

    __hash__ = threading.Thread.__hash__

    def run(self) -> None:
        draw = random.Random(self.seed)
        due = time.monotonic()
        try:
            while not self.ended.is_set():
                path = draw.choice(self.paths)
                self.taken.append((path, view(self.port, path)))
                due += EVERY
                self.ended.wait(max(0.0, due - time.monotonic()))
        except (OSError, click.ClickException) as error:
            self.failure = error

    def stop(self) -> list[tuple[str, float]]:
        """Returns the views. Raises what made a view fail."""
        self.ended.set()
        self.join()
        if self.failure is not None:
            raise self.failure
        return self.taken


@click.command()
@click.option("--sites", "number", default=5_000, show_default=True, help="Sites of the fleet.")
@click.option("--articles", default=200, show_default=True, help="Articles of each site.")
@click.option("--rounds", default=6, show_default=True, help="Pairs of crawls.")
@click.option("--seconds", default=60, show_default=True, help="Length of a crawl.")
@click.option("--rate", default=100, show_default=True, help="Pages a second.")
@click.option("--postgresql", is_flag=True, help="PostgreSQL instead of SQLite.")
def main(number: int, articles: int, rounds: int, seconds: int, rate: int, *, postgresql: bool) -> None:
    """Measure the pages beside a crawl."""
    load = Load(CRAWLED_SITES, max(1, rate * seconds // CRAWLED_SITES), rate)
    with postgresql_databases() if postgresql else _sqlite() as databases:
        passed = measure(next(databases), number, articles, rounds, load)
    sys.exit(0 if passed else 1)


@contextmanager
def _sqlite() -> Iterator[Iterator[str]]:
    with TemporaryDirectory(prefix="newscrawl-web-") as folder:
        url = f"sqlite:///{folder}/news.db"
        open_store(url, upgrade=True).close()
        yield iter([url])


def measure(url: str, number: int, articles: int, rounds: int, load: Load) -> bool:
    """Fills the database, crawls in pairs, and prints the figures. Returns whether all goals are reached."""
    began = time.monotonic()
    names = fleet_database.fill(url, number, articles, datetime.now(UTC))
    click.echo(f"{number:,} sites and {number * articles:,} articles filled in {time.monotonic() - began:.0f} s")
    with web_process(url) as (process, port):
        draw = random.Random(5)
        for _ in range(WARMING):
            view(port, draw.choice(paths_of(names, number * articles)))
        pairs: list[tuple[Crawled, Crawled]] = []
        taken: list[tuple[str, float]] = []
        crawl(_other(load, 0), {"NEWSCRAWL_DATABASE_URL": url})  # the first crawl of a database learns more
        for place in range(rounds):
            found: dict[bool, Crawled] = {}
            for is_watched in (False, True) if place % 2 == 0 else (True, False):
                seed = 1 + 2 * place + is_watched
                viewer = Viewer(port, paths_of(names, number * articles), seed) if is_watched else None
                if viewer is not None:
                    viewer.start()
                found[is_watched] = crawl(_other(load, seed), {"NEWSCRAWL_DATABASE_URL": url})
                if viewer is not None:
                    taken += viewer.stop()
            pairs.append((found[False], found[True]))
            click.echo(_line(pairs[-1]))
        peak = peak_memory(process.pid)
    return report(pairs, taken, peak)


def _other(load: Load, seed: int) -> Load:
    return Load(load.sites, load.pages, load.rate, seed + 1)


def paths_of(names: Sequence[str], articles: int) -> list[str]:
    """The screens that are viewed, each with several parameters."""
    sites = [f"/site?name={name}" for name in (names[0], names[len(names) // 2], names[-1])]
    shown = [f"/article?id={1 + place * (articles - 1) // 3}" for place in range(4)]
    lists = ["/articles", "/articles?language=de", f"/articles?site={names[1]}", "/articles?verdict=live"]
    more = ["/queue", "/review", "/consumers", "/feeds", "/forgotten", "/feed.atom", f"/feed.json?site={names[2]}"]
    return [
        "/",
        "/",
        "/sites",
        "/sites",
        "/sites?state=alarm",
        "/sites.json?language=es",
        *sites,
        *shown,
        *lists,
        *more,
    ]


@contextmanager
def web_process(url: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A running `newscrawl web`, and its port."""
    command = [sys.executable, "-m", "newscrawl.cli", "web", "--listen", "127.0.0.1:0", "--database", url]
    environment = os.environ | {"NEWSCRAWL_WEB_TOKEN": TOKEN}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            line = process.stdout.readline() if process.stdout is not None else ""
            if "/login" not in line:
                raise click.ClickException(f"newscrawl web did not start: {line}")
            yield process, int(line.partition("/login")[0].rpartition(":")[2])
        finally:
            process.terminate()


def peak_memory(pid: int) -> int:
    """The most bytes that a process has had resident."""
    lines = Path(f"/proc/{pid}/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM:"))


def _line(pair: tuple[Crawled, Crawled]) -> str:
    alone, watched = pair
    return (
        f"without views {alone.all_ms:.2f} ms of CPU a page at {alone.rate:.0f} pages/s, with {watched.all_ms:.2f} at "
        f"{watched.rate:.0f}: {watched.all_ms / alone.all_ms - 1:+.1%}"
    )


def report(pairs: Sequence[tuple[Crawled, Crawled]], taken: Sequence[tuple[str, float]], peak: int) -> bool:
    """Prints the figures beside their goals. Returns whether all are reached."""
    for path in sorted({path for path, _ in taken}):
        own = sorted(seconds for other, seconds in taken if other == path)
        click.echo(f"  {path:32} {len(own):4} views, median {median(own) * 1e3:6.0f} ms, longest {own[-1] * 1e3:6.0f}")
    ordered = sorted(seconds for _, seconds in taken)
    p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    more = [watched.all_ms / alone.all_ms - 1 for alone, watched in pairs]
    low, high = interval(more)
    goals = {
        f"median of {len(ordered)} views: {median(ordered) * 1e3:.0f} ms": median(ordered) < MEDIAN,
        f"99th percentile: {p99 * 1e3:.0f} ms": p99 < P99,
        f"peak memory: {peak / 1e6:.0f} MB": peak < MEMORY,
        f"CPU a page of the crawl: {fmean(more):+.1%} ({low:+.1%} to {high:+.1%}, 95 %)": low <= MORE_CPU,
    }
    for words, is_reached in goals.items():
        click.echo(f"{words}{'' if is_reached else '  MISSED'}")
    return all(goals.values())


if __name__ == "__main__":
    main()
