"""Measures crawls with the real pipeline and without one, on one local server, in turns.

Each crawl is a process of its own (benchmarks.crawl.child) in a group of its own, whose CPU time is read from
/proc: workers are children of a fork server, which no rusage counts. In a session of its own it would share the cores
half and half with the server, which stands for the network, whatever it leaves to whom (Linux's autogroups, sched(7)).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

from benchmarks.crawl.server import DIFFERENT
from newscrawl.errors import UsageError

NO_PIPELINE: Final = "no pipeline"
_LOOK_SECONDS: Final = 0.2
_LOOKS_FOR_MEMORY: Final = 10
_SETTINGS: Final = {
    "NEWSCRAWL_ALLOWED_ADDRESSES": ["127.0.0.0/8"],
    "DOWNLOAD_DELAY": 0,
}
_BARE: Final = {"ITEM_PIPELINES": {}, "EXTENSIONS": {"newscrawl.crawling.downloader.address_guard.GuardCheck": 0}}


@dataclass(frozen=True, slots=True)
class Crawled:
    """The figures of one crawl: times in seconds, CPU time of all its processes and of the server, memory in bytes."""

    pages: int
    seconds: float
    cpu_main: float
    cpu_all: float
    cpu_server: float
    asked: int
    lag_p99: float
    memory: Sequence[int]
    outcomes: Mapping[str, int]
    memory_all: Sequence[int] = ()
    """Of all processes, what they share counted once, every few seconds."""
    doubled: int = 0
    """Requests that the server saw twice at once."""

    @property
    def rate(self) -> float:
        """Pages a second."""
        return self.pages / self.seconds if self.seconds else 0.0

    @property
    def main_ms(self) -> float:
        """CPU milliseconds a page in the main process."""
        return 1000 * self.cpu_main / max(1, self.pages)

    @property
    def all_ms(self) -> float:
        """CPU milliseconds a page of all processes of the crawl, their start included."""
        return 1000 * self.cpu_all / max(1, self.asked)

    @property
    def ceiling(self) -> float:
        """Pages a second that the cores allow: the number of cores, divided by the CPU time of crawl and server for
        a page."""
        a_page = (self.cpu_all + self.cpu_server) / max(1, self.asked)
        return len(os.sched_getaffinity(0)) / a_page if a_page else 0.0


@dataclass(frozen=True, slots=True)
class Load:
    """The options of each crawl."""

    sites: int = 40
    pages: int = 50
    """Of each site."""
    rate: float = 0.0
    """Pages a second that the server gives at most; 0 for no limit."""
    seed: int = 0
    """Other pages for each seed: a database that has those of another crawl stores them as new articles."""


def measure(load: Load, databases: Mapping[str, str], rounds: int) -> Iterator[tuple[str, Crawled]]:
    """Crawls in turns: without a pipeline, then into each database (name -> URL with {} for a number)."""
    for number in range(rounds):
        yield NO_PIPELINE, crawl(load, _BARE)
        for name, url in databases.items():
            yield name, crawl(load, {"NEWSCRAWL_DATABASE_URL": url.format(number)})


def crawl(load: Load, settings: Mapping[str, Any]) -> Crawled:
    """Runs one crawl in a new process. Raises UsageError with its output if it fails."""
    with _server(load) as server:
        task = {
            "port": server.port,
            "sites": load.sites,
            "pages": load.pages,
            "settings": {**_SETTINGS, **settings},
        }
        with tempfile.TemporaryFile("w+") as errors:
            process = subprocess.Popen(
                [sys.executable, "-m", "benchmarks.crawl.child", json.dumps(task)],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                process_group=0,
            )
            watch = _Watch(process.pid)
            out, _ = process.communicate()
            watch.stop()
            if process.returncode or not out.strip():
                errors.seek(0)
                raise UsageError(f"the measured crawl ended with code {process.returncode}: {errors.read()[-800:]}")
    told = json.loads(out.splitlines()[-1])
    return Crawled(
        pages=told["pages"],
        seconds=told["seconds"],
        cpu_main=told["cpu_main"],
        cpu_all=watch.cpu(told["cpu_process"]),
        cpu_server=server.cpu,
        asked=load.sites * load.pages,
        lag_p99=told["lag_p99"],
        memory=tuple(told["memory"]),
        outcomes=told["outcomes"],
        memory_all=tuple(watch.memory),
        doubled=server.doubled,
    )


@dataclass
class _Server:
    port: int
    cpu: float = 0.0
    doubled: int = 0


@contextmanager
def _server(load: Load) -> Iterator[_Server]:
    different = min(DIFFERENT, load.sites * load.pages)
    options = ["--rate", str(load.rate), "--seed", str(load.seed), "--different", str(different)]
    command = [sys.executable, "-m", "benchmarks.crawl.server", *options]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("no pipes to the server")
    server = _Server(json.loads(process.stdout.readline())["port"])
    try:
        yield server
    finally:
        process.stdin.close()
        told = json.loads(process.stdout.readline() or '{"cpu": 0, "doubled": 0}')
        server.cpu, server.doubled = told["cpu"], told["doubled"]
        process.wait()
        process.stdout.close()


class _Watch(threading.Thread):
    """Reads the CPU time of a group's processes again and again; what ended counts with its last reading. Reads their
    memory now and then, which takes longer."""

    def __init__(self, group: int) -> None:
        super().__init__(daemon=True)
        self._group = group
        self._seconds: dict[int, float] = {}
        self._ended = threading.Event()
        self.memory: list[int] = []
        self.start()

    def run(self) -> None:
        looks = 0
        while not self._ended.wait(_LOOK_SECONDS):
            alive = self._look()
            looks += 1
            if looks % _LOOKS_FOR_MEMORY == 0:
                self.memory.append(sum(memory_of(process) for process in alive))

    def stop(self) -> None:
        """Ends the readings."""
        self._ended.set()
        self.join()

    def cpu(self, first: float) -> float:
        """CPU seconds of all the group's processes. `first` are those of the first process at its end: a crawl may take
        less time than there is between two readings."""
        return sum({**self._seconds, self._group: first}.values())

    def _look(self) -> list[Path]:
        """The group's processes that run now."""
        alive = []
        tick = os.sysconf("SC_CLK_TCK")
        for place in Path("/proc").iterdir():
            if not place.name.isdigit():
                continue
            try:
                fields = (place / "stat").read_text("utf-8", "replace").rpartition(") ")[2].split()
            except OSError:
                continue  # it has just ended
            if int(fields[2]) == self._group:
                self._seconds[int(place.name)] = (int(fields[11]) + int(fields[12])) / tick
                alive.append(place)
        return alive


def memory_of(process: Path) -> int:
    """Bytes of a process by its folder in /proc, its part of what it shares with others; 0 when it has ended."""
    try:
        lines = (process / "smaps_rollup").read_text("ascii").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:"))


def table(found: Sequence[tuple[str, Crawled]]) -> str:
    """Medians over the rounds as a Markdown table; ratios are taken round by round."""
    names = list(dict.fromkeys(name for name, _ in found))
    of = {name: [crawled for other, crawled in found if other == name] for name in names}
    base = of[NO_PIPELINE]
    ratio = "ratio to no pipeline"
    heads = ["crawl", "pages/s (range)", ratio, "share of the CPU limit", "CPU ms a page, main process", ratio]
    heads += ["CPU ms a page, all processes", "lag p99, ms", ratio]
    heads += ["memory of all processes, MB, at 10 % and at the end", "memory of the main process, MB, first and last"]
    rows = [f"| {' | '.join(heads)} |", f"|---{'|--:' * (len(heads) - 1)}|"]
    for name in names:
        one = of[name]
        rates = sorted(crawled.rate for crawled in one)
        rate = median(crawled.rate / max(1e-6, other.rate) for crawled, other in zip(one, base, strict=True))
        main = median(crawled.main_ms / other.main_ms for crawled, other in zip(one, base, strict=True))
        lag = median(crawled.lag_p99 / max(1e-6, other.lag_p99) for crawled, other in zip(one, base, strict=True))
        memory, everyone = one[-1].memory or (0,), one[-1].memory_all or (0,)
        rows.append(
            f"| {name} | {median(rates):.0f} ({rates[0]:.0f}-{rates[-1]:.0f}) | {rate:.2f} "
            f"| {median(crawled.rate / crawled.ceiling for crawled in one):.0%} of "
            f"{median(crawled.ceiling for crawled in one):.0f} "
            f"| {median(crawled.main_ms for crawled in one):.2f} | {main:.2f} "
            f"| {median(crawled.all_ms for crawled in one):.2f} "
            f"| {1000 * median(crawled.lag_p99 for crawled in one):.0f} | {lag:.2f} "
            f"| {everyone[len(everyone) // 10] / 2**20:.0f}, {everyone[-1] / 2**20:.0f} "
            f"| {memory[0] / 2**20:.0f}, {memory[-1] / 2**20:.0f} |"
        )
    return "\n".join(rows)
