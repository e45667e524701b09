"""`newscrawl run` over local sites at compressed intervals, judged by the server's log.

    python -m benchmarks.fleet --minutes 20                 # 200 sites
    python -m benchmarks.fleet --minutes 10 --kill 50       # with kill -9 at 50 random moments
    python -m benchmarks.fleet --processes 2 --postgresql   # two processes on one PostgreSQL
    python -m benchmarks.fleet --idle 5000                  # what sites cost that have nothing due

Exits with 1 when something that must hold does not.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.table import Table

from benchmarks.fleet_checks import check, coverage
from benchmarks.fleet_world import WorldOptions, stories_of
from newscrawl.storage import open_store
from newscrawl.storage.reports import articles

ROOT: Final = Path(__file__).resolve().parent.parent
SCALE: Final = 60.0
"""A simulated hour passes in a minute: feeds may be read every four seconds, articles again after half a minute."""
PATIENCE: Final = 75.0
"""Seconds for which an article must have been listed to be missed: an hour and a quarter of the compressed clock."""
ORDER: Final = 99.9
GROWTH_MB: Final = 40.0
"""Memory that a process may have gained between the first third of a run and its end: allocators are no clocks."""

console = Console(highlight=False)


@dataclass(slots=True)
class Fleet:
    """One `newscrawl run` in a folder of its own."""

    folder: Path
    environment: dict[str, str]
    process: subprocess.Popen[bytes] | None = None
    memory: list[tuple[float, float]] = field(default_factory=list)

    def start(self, *arguments: str) -> None:
        """Start the process; its log goes on in run.log."""
        with (self.folder / "run.log").open("ab") as log:
            command = [sys.executable, "-m", "newscrawl.cli", "run", *arguments]
            self.process = subprocess.Popen(
                command, cwd=self.folder, env=self.environment, stdout=log, stderr=log, start_new_session=True
            )

    def kill(self) -> None:
        """SIGKILL, to the process alone."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(30)

    def stop(self) -> tuple[int, float]:
        """SIGTERM; exit code and seconds until the end."""
        if self.process is None:
            return 0, 0.0
        begun = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(60)
        return code, time.monotonic() - begun

    def look(self) -> None:
        """Write down how much memory it has."""
        with contextlib.suppress(OSError, IndexError):
            pages = int(Path(f"/proc/{self.process.pid}/statm").read_text("ascii").split()[1]) if self.process else 0
            self.memory.append((time.monotonic(), pages * os.sysconf("SC_PAGE_SIZE") / 1e6))


def make_project(folder: Path, port: int, sites: int, database: str, **settings: Any) -> Fleet:
    """A project beside a copy of ours, whose one file declares all local sites."""
    for name in ("settings", "pipelines"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "scrapy.cfg", folder / "scrapy.cfg")
    (folder / "spiders").mkdir()
    (folder / "spiders" / "__init__.py").write_text("")
    lines = ["from newscrawl.crawling.spider import NewsSpider", ""]
    for number in range(sites):
        home = f"http://site{number}.localhost:{port}"
        lines += [
            f"class Site{number}(NewsSpider):",
            f'    name = "site{number}"',
            f'    domains = ("site{number}.localhost",)',
            f'    home = "{home}/"',
            f'    feeds = ("{home}/feed.xml",)',
            f'    sitemaps = ("{home}/news.xml",)',
            "",
        ]
    (folder / "spiders" / "local.py").write_text("\n".join(lines))
    given = {
        "NEWSCRAWL_DATABASE_URL": database,
        "NEWSCRAWL_ALLOWED_ADDRESSES": "127.0.0.0/8",
        "NEWSCRAWL_DELAY": "0.2",  # robots.txt asks for more
        "NEWSCRAWL_TIME_SCALE": str(SCALE),
        "NEWSCRAWL_RUN_REST": "4",
        "NEWSCRAWL_RUN_TICK": "1",
        "NEWSCRAWL_RUN_CONCURRENT_SITES": "64",
        "NEWSCRAWL_RUN_LEASE": "10",
        "NEWSCRAWL_FIRST_BACKOFF": "1",
        **{name: str(value) for name, value in settings.items()},
    }
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("NEWSCRAWL_")}
    paths = os.pathsep.join([str(folder), str(ROOT)])
    return Fleet(folder, {**inherited, **given, "PYTHONPATH": paths})


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
        server.wait(30)
        if server.stdout is not None:
            server.stdout.close()


def read_log(path: Path) -> list[dict[str, Any]]:
    """The server's requests."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of one run: figures, and what must hold and did not."""

    figures: dict[str, float]
    problems: list[str]


def try_fleet(options: WorldOptions, folder: Path, database: str, *, kills: int = 0, processes: int = 1) -> Trial:
    """Run the fleet for `options.seconds`, killing it `kills` times, and judge it."""
    with served(options) as (port, began):
        fleets = [make_project(_fresh(folder, n), port, options.sites, database) for n in range(processes)]
        try:
            for fleet in fleets:
                fleet.start()
            _pass_time(fleets, began + options.seconds, kills, random.Random(options.seed))
            until = time.time() - began
            used = sum(_cpu(fleet.process.pid) for fleet in fleets if fleet.process is not None)
            ends = [fleet.stop() for fleet in fleets]
        finally:
            for fleet in fleets:
                fleet.kill()
    log = read_log(Path(options.log))
    manners = check(log, options.delay)
    stories = {f"site{n}.localhost": stories_of(n, options) for n in range(options.sites)}
    seen = coverage(log, stories, began, until, PATIENCE)
    figures = {**manners.numbers, **seen.numbers, **_stored(database, log), **_memory(fleets)}
    figures["CPU seconds, without workers"] = used
    figures["sites asked"] = len({request["host"] for request in log})
    figures["seconds to stop"] = max(seconds for _, seconds in ends)
    problems = [f"{name}: {example}" for found in (manners, seen) for name, example in found.examples.items()]
    return Trial(figures, _failed(figures, [code for code, _ in ends], problems, kills))


def _failed(figures: dict[str, float], codes: Sequence[int], examples: list[str], kills: int) -> list[str]:
    """What must hold and does not, each with an example where there is one."""
    must = {
        f"in order at least {ORDER} %": figures["in order %"] >= ORDER,
        "Retry-After kept": not figures["before Retry-After"],
        "nothing forbidden fetched": not figures["forbidden"],
        "exit code 0": not any(codes),
        "stopped within 30 s": figures["seconds to stop"] <= 30,
        "no article missed": not figures["missed"],
        "no article stored twice": not figures["stored twice"],
        "all that was fetched is stored": not figures["fetched, not stored"],
        "no article fetched again unchanged": kills > 0 or not figures["fetched again"],
        "unchanged answered 304": kills > 0 or not figures["unchanged and not 304"],
        "edits picked up": figures["edits missed"] <= 0.02 * figures["edits"],
        f"memory grew by at most {GROWTH_MB:g} MB": figures.get("memory growth MB", 0) <= GROWTH_MB,
    }
    wrong = [f"not so: {name}" for name, holds in must.items() if not holds]
    return [*wrong, *(f"for example {example}" for example in examples)] if wrong else []


def _fresh(folder: Path, number: int) -> Path:
    path = folder / f"project{number}"
    path.mkdir()
    return path


def _pass_time(fleets: list[Fleet], end: float, kills: int, chance: random.Random) -> None:
    """Wait until `end`, looking at memory; kill and restart at random moments, none of them in the last minute."""
    now = time.time()
    moments = sorted(chance.uniform(now + 5, max(now + 6, end - 60)) for _ in range(kills))
    next_look = now
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


def _memory(fleets: Sequence[Fleet]) -> dict[str, float]:
    """Megabytes of the largest process, and what it gained after the first third."""
    most, growth = 0.0, 0.0
    for fleet in fleets:
        sizes = [size for _, size in fleet.memory]
        if len(sizes) >= 6:
            third = len(sizes) // 3
            growth = max(growth, max(sizes[-third:]) - max(sizes[third : 2 * third]))
            most = max(most, *sizes)
    return {"memory MB": most, "memory growth MB": growth} if most else {}


def try_idle(number: int, folder: Path, database: str, seconds: float = 40.0) -> Trial:
    """What a process costs whose sites have nothing due."""
    fleet = make_project(_fresh(folder, 0), 9, number, database, NEWSCRAWL_TIME_SCALE=1, NEWSCRAWL_RUN_TICK=2)
    with open_store(database, upgrade=False) as store:
        store.run(_all_idle, number, datetime.now(UTC)).result()
    fleet.start()
    ticks: list[float] = []
    begun, log = time.monotonic(), folder / "project0" / "run.log"
    while "at most" not in log.read_text():  # it has read all declarations
        time.sleep(0.5)
        if time.monotonic() - begun > 120:
            raise click.ClickException("the fleet did not start")
    started = time.monotonic() - begun
    time.sleep(10)
    process = fleet.process
    if process is None:
        raise click.ClickException("the fleet did not start")
    for _ in range(int(seconds / 4)):
        before = _cpu(process.pid)
        time.sleep(2)
        ticks.append(_cpu(process.pid) - before)
        fleet.look()
    code, _ = fleet.stop()
    figures = {
        "seconds to start": started,
        "CPU ms a tick, median": 1000 * sorted(ticks)[len(ticks) // 2],
        "memory MB": max(size for _, size in fleet.memory),
    }
    problems = []
    if figures["CPU ms a tick, median"] >= 50:
        problems.append("not so: a tick costs under 50 ms")
    if figures["memory MB"] >= 300:
        problems.append("not so: the process has under 300 MB")
    return Trial(figures, problems + ([f"exit code {code}"] if code else []))


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _all_idle(connection: Any, number: int, now: datetime) -> None:
    """A storage operation: every site was crawled a while ago, and nothing of it is due for hours."""
    from newscrawl.model import SourcePlan
    from newscrawl.storage import sites, sources
    from newscrawl.storage.records import SourceAnswer

    for site in range(number):
        name = f"site{site}"
        sites.note_start(connection, name, now)
        sites.note_finish(connection, name, now)
        for kind, path in (("feed", "feed.xml"), ("sitemap", "news.xml")):
            url = f"http://{name}.localhost:9/{path}"
            answer = SourceAnswer(name, url, kind, 200, now)  # type: ignore[arg-type]
            later = now + timedelta(hours=3)
            sources.record_answer(connection, answer, [], now, plan=lambda _memory, _visit: SourcePlan(later))  # noqa: B023


@contextlib.contextmanager
def databases(folder: Path, *, postgresql: bool) -> Iterator[str]:
    """An empty database with our schema."""
    if not postgresql:
        url = f"sqlite:///{folder / 'fleet.db'}"
        open_store(url, upgrade=True).close()
        yield url
        return
    from benchmarks.kill import postgresql_databases

    with postgresql_databases() as found:
        url = next(found)
        open_store(url, upgrade=True).close()
        yield url


@click.command(help=__doc__)
@click.option("--minutes", default=20.0, show_default=True)
@click.option("--sites", default=200, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--kill", "kills", default=0, show_default=True, help="Kill -9 so many times at random moments.")
@click.option("--processes", default=1, show_default=True)
@click.option("--postgresql", is_flag=True)
@click.option("--idle", default=0, help="Measure so many idle sites instead.")
@click.option("--keep", type=click.Path(path_type=Path), help="Keep log and database in this folder.")
def main(
    *, minutes: float, sites: int, seed: int, kills: int, processes: int, postgresql: bool, idle: int, keep: Path | None
) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        options = WorldOptions(sites, seed, str(folder / "requests.jsonl"), 60 * minutes)
        with databases(folder, postgresql=postgresql) as url:
            if idle:
                trial = try_idle(idle, folder, url)
            else:
                trial = try_fleet(options, folder, url, kills=kills, processes=processes)
    table = Table("what", "number")
    for name, number in trial.figures.items():
        table.add_row(name, f"{number:,.2f}".removesuffix(".00"))
    console.print(table)
    for problem in trial.problems:
        console.print(problem)
    sys.exit(1 if trial.problems else 0)


if __name__ == "__main__":
    main()
