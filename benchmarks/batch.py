"""What `newscrawl batch` costs on this machine's cores and on Dask workers, and what kills cost.

    python -m benchmarks.batch CORPUS... --pages 20000 --markdown FILE

A WARC file is made of the corpora's pages. The batch runs with the same number of processes on the cores of this
machine and on Dask workers of this machine, in turns. A second batch on the same workers shows the cost without their
start: in the first one they load newscrawl. Then a batch runs with one worker killed every 15 seconds and the scheduler
killed once. The rows of all runs must be equal, and so must the digests. At the end the parts are loaded into SQLite.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Final

import click
import psutil

from benchmarks.ingest import ROOT, mixed, write_warc
from newscrawl.archive.batch.part_names import MANIFEST
from newscrawl.bench.documents import around_section, command_line, replace_section
from newscrawl.errors import TEMPORARY

LOOK_SECONDS: Final = 0.5
"""Between two looks at what processes use."""
KILL_LOOK_SECONDS: Final = 0.1
"""Between two looks at whether something is to be killed."""
PATIENCE: Final = 60.0
_ENVIRONMENT: Final = {
    "DASK_DISTRIBUTED__WORKER__DAEMON": "false",
    "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "100",
    "DASK_LOGGING__DISTRIBUTED": "critical",
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "false",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "500ms",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "10s",
    "DASK_DISTRIBUTED__WORKER__MEMORY__MONITOR_INTERVAL": "1s",
}


@dataclass
class Usage:
    """CPU seconds of the processes of a run, by process, as far as they were seen; `before` are those of processes that
    ran already."""

    seconds: dict[tuple[int, float], float] = field(default_factory=dict)
    before: dict[tuple[int, float], float] = field(default_factory=dict)

    @property
    def cpu(self) -> float:
        """CPU seconds of all processes."""
        return sum(self.seconds.values()) - sum(self.before.values())


@contextmanager
def watched(usage: Usage) -> Iterator[None]:
    """Looks at all processes that this one has started, directly or not."""
    over = threading.Event()

    def look() -> None:
        for process in psutil.Process().children(recursive=True):
            with suppress(psutil.Error):
                times = process.cpu_times()
                usage.seconds[process.pid, process.create_time()] = times.user + times.system

    def look_again() -> None:
        while not over.wait(LOOK_SECONDS):
            look()

    look()
    usage.before = dict(usage.seconds)
    thread = threading.Thread(target=look_again)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


class Cluster:
    """A scheduler and `count` workers, with nannies that restart killed workers. What ends is started again, as a
    service manager would."""

    def __init__(self, count: int, folder: Path) -> None:
        self._folder = folder
        self._count = count
        self._workers: list[subprocess.Popen[bytes]] = []
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        self._scheduler = self._start_scheduler()

    def _start_scheduler(self) -> subprocess.Popen[bytes]:
        host, _, port = self.address.removeprefix("tcp://").rpartition(":")
        started = self._start("dask_scheduler", "--host", host, "--port", port, "--no-dashboard")
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            with suppress(OSError), socket.create_connection((host, int(port)), timeout=1):
                return started
            time.sleep(0.1)
        raise SystemExit("the scheduler does not start")

    def keep(self) -> None:
        """Starts what has ended."""
        if self._scheduler.poll() is not None:
            self._scheduler = self._start_scheduler()
        self._workers = [worker for worker in self._workers if worker.poll() is None]
        for _ in range(self._count - len(self._workers)):
            options = ["--nthreads", "1", "--no-dashboard", "--local-directory", str(self._folder)]
            self._workers.append(self._start("dask_worker", self.address, *options))

    def kill_worker(self, number: int) -> bool:
        """Kills the worker of a nanny. Returns whether there was one."""
        nanny = self._workers[number % len(self._workers)]
        for process in psutil.Process(nanny.pid).children():
            with suppress(psutil.Error):
                if "spawn_main" in " ".join(process.cmdline()):  # not the fork server
                    process.kill()
                    return True
        return False

    def kill_scheduler(self) -> None:
        """Kills the scheduler."""
        self._scheduler.kill()
        self._scheduler.wait()

    def close(self) -> None:
        """Ends all processes."""
        for process in (*self._workers, self._scheduler):
            process.terminate()
        for process in (*self._workers, self._scheduler):
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _start(self, program: str, *options: str) -> subprocess.Popen[bytes]:
        command: Sequence[str] = [sys.executable, "-m", f"distributed.cli.{program}", *options]
        environment = {**os.environ, **_ENVIRONMENT}
        return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@dataclass
class Run:
    """A batch: its seconds, what its processes used, the digest of its rows, and how often what was killed."""

    seconds: float = 0.0
    usage: Usage = field(default_factory=Usage)
    digest: str = ""
    rows: str = ""
    workers_killed: int = 0
    schedulers_killed: int = 0
    commands: int = 0


def batch(archive: Path, place: Path, options: Sequence[str]) -> subprocess.Popen[bytes]:
    """Starts a batch."""
    command = [sys.executable, "-m", "newscrawl.cli", "batch", str(archive), "--to", str(place), *options]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def finished(place: Path, run: Run) -> Run:
    """Notes what a place has, and empties it."""
    from pyarrow import parquet

    told = json.loads((place / MANIFEST).read_bytes())
    if {span["state"] for span in told["spans"]} != {"done"}:
        raise SystemExit(f"{place} is not complete")
    rows: list[dict[str, Any]] = []
    for path in place.glob("*.parquet"):
        rows += parquet.read_table(path).to_pylist()
    rows.sort(key=lambda row: (row["file"], row["offset"], row["number"]))
    run.digest = told["digest"]
    run.rows = hashlib.blake2b(repr(rows).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return run


def local(archive: Path, place: Path, options: Sequence[str]) -> Run:
    """A batch on the cores of this machine."""
    run, begin = Run(commands=1), time.monotonic()
    with watched(run.usage):
        process = batch(archive, place, options)
        _, said = process.communicate()
    run.seconds = time.monotonic() - begin
    if process.returncode not in {0, 1}:
        raise SystemExit(f"the batch ended with {process.returncode}: {said.decode()}")
    return finished(place, run)


def on_workers(cluster: Cluster, archive: Path, place: Path, options: Sequence[str], kill_seconds: float) -> Run:
    """A batch on Dask workers. With `kill_seconds`, one worker is killed as often, and the scheduler once, after a
    third of the parts; the same command is given again until it is done."""
    run, begin = Run(), time.monotonic()
    with watched(run.usage):
        last, code = begin, TEMPORARY
        while code == TEMPORARY:
            process = batch(archive, place, [*options, "--on", cluster.address])
            run.commands += 1
            while process.poll() is None:
                cluster.keep()
                time.sleep(KILL_LOOK_SECONDS)
                if kill_seconds and time.monotonic() - last > kill_seconds:
                    run.workers_killed += cluster.kill_worker(run.workers_killed)
                    last = time.monotonic()
                if kill_seconds and not run.schedulers_killed and _share(place) > 1 / 3:
                    cluster.kill_scheduler()
                    run.schedulers_killed += 1
            code = process.returncode
            said = (process.stderr.read() if process.stderr else b"").decode()
            cluster.keep()
    run.seconds = time.monotonic() - begin
    if code not in {0, 1}:
        raise SystemExit(f"the batch ended with {code}: {said}")
    return finished(place, run)


def _share(place: Path) -> float:
    """Which part of the spans is done."""
    told = place / MANIFEST
    if not told.exists():
        return 0.0
    return len(list(place.glob("*.parquet"))) / max(1, len(json.loads(told.read_bytes())["spans"]))


@contextmanager
def cluster_of(count: int, folder: Path) -> Iterator[Cluster]:
    """A cluster whose workers have started."""
    cluster = Cluster(count, folder)
    try:
        cluster.keep()
        _await_workers(cluster.address, count)
        yield cluster
    finally:
        cluster.close()


def _await_workers(address: str, count: int) -> None:
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(count, timeout=PATIENCE)


def load(place: Path, database: Path) -> float:
    """Loads the parts into a new database. Returns the rows a second."""
    begin = time.monotonic()
    environment = {**os.environ, "NEWSCRAWL_DATABASE_URL": f"sqlite:///{database}"}
    command = [sys.executable, "-m", "newscrawl.cli", "ingest", str(place)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode not in {0, 1}:
        raise SystemExit(done.stderr)
    told = json.loads((place / MANIFEST).read_bytes())
    return float(sum(span["rows"] for span in told["spans"])) / (time.monotonic() - begin)


def table(pages: int, runs: dict[str, list[Run]]) -> str:
    """Markdown: a line for each kind of run, with medians."""
    lines = ["| run | seconds | pages/s | CPU, ms a page | killed | commands |", "|---|--:|--:|--:|---|--:|"]
    for name, of_name in runs.items():
        seconds, cpu = median(run.seconds for run in of_name), median(run.usage.cpu for run in of_name)
        last = of_name[-1]
        killed = f"{last.workers_killed} workers, {last.schedulers_killed} schedulers" if last.workers_killed else ""
        figures = f"{seconds:.0f} | {pages / seconds:.0f} | {cpu / pages * 1000:.1f}"
        lines.append(f"| {name} | {figures} | {killed} | {last.commands} |")
    return "\n".join(lines)


def _more(first: Sequence[Run], second: Sequence[Run]) -> str:
    """How much more the second runs took."""
    overhead = median(b.usage.cpu / a.usage.cpu for a, b in zip(first, second, strict=True)) - 1
    slower = median(b.seconds / a.seconds for a, b in zip(first, second, strict=True)) - 1
    return f"{overhead:.1%} more CPU time and {slower:.1%} more time"


@click.command()
@click.argument("corpora", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--pages", default=2000, show_default=True)
@click.option("--workers", default=4, show_default=True)
@click.option("--rounds", default=2, show_default=True)
@click.option("--kill-seconds", default=15.0, show_default=True)
@click.option(
    "--markdown", type=click.Path(path_type=Path), help="Write the tables into the section `batch` of this document."
)
def main(
    corpora: Sequence[Path], pages: int, workers: int, rounds: int, kill_seconds: float, markdown: Path | None
) -> None:
    """Measure batches of PAGES pages made from corpora.

    Example: python -m benchmarks.batch ../shared/corpora/naeb --pages 2000
    """
    if markdown is not None:
        around_section(markdown, "batch")
    runs: dict[str, list[Run]] = {}
    options = ["--as-of", "2026-12-01"]
    with tempfile.TemporaryDirectory(prefix="newscrawl-batch-") as made_in:
        folder = Path(made_in)
        archive = folder / "pages.warc.gz"
        write_warc(archive, mixed(corpora, 0), pages)
        for turn in range(rounds):
            name, place = f"{workers} processes of this machine", folder / f"local-{turn}"
            runs.setdefault(name, []).append(local(archive, place, [*options, "--workers", str(workers)]))
            with cluster_of(workers, folder) as cluster:
                place = folder / f"dask-{turn}"
                run = on_workers(cluster, archive, place, options, 0.0)
                runs.setdefault(f"{workers} Dask workers", []).append(run)
                run = on_workers(cluster, archive, folder / f"dask-again-{turn}", options, 0.0)
                runs.setdefault(f"{workers} Dask workers, second batch", []).append(run)
        with cluster_of(workers, folder) as cluster:
            place = folder / "killed"
            run = on_workers(cluster, archive, place, options, kill_seconds)
            runs[f"{workers} Dask workers, killed"] = [run]
        rate = load(place, folder / "news.db")
        shutil.rmtree(place)
    every = [run for of_name in runs.values() for run in of_name]
    are_equal = len({(run.digest, run.rows) for run in every}) == 1
    first, second, again = list(runs.values())[:3]
    content = f"{table(pages, runs)}\n\n"
    content += f"Rows and digests of all runs are {'equal' if are_equal else 'NOT EQUAL'}. "
    content += f"Dask workers took {_more(first, second)} than the cores, {_more(first, again)} in a second batch. "
    content += f"`newscrawl ingest` loaded the parts into SQLite at {rate:.0f} rows/s."
    click.echo(content)
    if markdown is not None:
        replace_section(markdown, "batch", content, command_line("python -m benchmarks.batch"))
    if not are_equal:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
