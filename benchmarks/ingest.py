"""What an ingest costs: pages a second on one core and on all, in turns, and memory as it goes on.

    python -m benchmarks.ingest ../shared/corpora/naeb --pages 2000
    python -m benchmarks.ingest ../shared/corpora/naeb --pages 20000 --rounds 1

A WARC file is made of a corpus's pages, again and again under other addresses and with other words in their texts, so
that every one is an article of its own.
"""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Final

import click

from newscrawl.bench.corpora import GoldPage, read_corpus

ROOT: Final = Path(__file__).resolve().parent.parent
_LONG: Final = re.compile(rb"(?<=[ >])(\w{5,})(?=[ <.,])")
_VARIED: Final = 9
"""Every so manieth long word carries the copy's number."""


def varied(body: bytes, copy: int) -> bytes:
    """The page with other words."""
    count = 0

    def other(match: re.Match[bytes]) -> bytes:
        nonlocal count
        count += 1
        return match.group(1) + (b"%d" % copy if count % _VARIED == 0 else b"")

    return _LONG.sub(other, body) if copy else body


def write_warc(path: Path, pages: Sequence[GoldPage], size: int) -> None:
    """`size` responses, packed by record."""
    with path.open("wb") as file:
        for number in range(size):
            page, copy = pages[number % len(pages)], number // len(pages)
            url = f"{page.url or f'https://corpus.example/{page.id}'}?copy={copy}"
            block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + varied(page.body(), copy)
            head = (
                f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-11-01T12:00:00Z\r\n"
                f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
            )
            file.write(gzip.compress(head.encode() + block + b"\r\n\r\n", 6))


def ingest(path: Path, database: str, cores: set[int]) -> tuple[float, list[int]]:
    """Seconds of one ingest on these cores, and resident bytes of all its processes, twice a second."""
    environment = {**os.environ, "NEWSCRAWL_DATABASE_URL": database}
    begin = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "newscrawl.cli", "ingest", str(path)],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=lambda: os.sched_setaffinity(0, cores),
    )
    memory = []
    while process.poll() is None:
        memory.append(_memory(process.pid))
        time.sleep(0.5)
    if process.returncode:
        raise SystemExit(f"newscrawl ingest ended with {process.returncode}")
    return time.monotonic() - begin, memory


def _memory(session: int) -> int:
    total = 0
    for place in Path("/proc").iterdir():
        try:
            if place.name.isdigit() and os.getsid(int(place.name)) == session:
                total += int((place / "statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, ProcessLookupError):
            continue
    return total


@click.command()
@click.argument("corpus", type=click.Path(path_type=Path))
@click.option("--pages", default=2000, show_default=True)
@click.option("--rounds", default=3, show_default=True)
def main(corpus: Path, pages: int, rounds: int) -> None:
    """Measure ingests of PAGES pages made from a corpus, on one core and on all, in turns.

    Example: python -m benchmarks.ingest ../shared/corpora/naeb --pages 2000
    """
    cores = sorted(os.sched_getaffinity(0))
    times: dict[int, list[float]] = {1: [], len(cores): []}
    with tempfile.TemporaryDirectory(prefix="newscrawl-ingest-") as folder:
        path = Path(folder) / "pages.warc.gz"
        write_warc(path, read_corpus(corpus).pages, pages)
        for turn in range(rounds):
            for count, seconds in times.items():
                took, memory = ingest(path, f"sqlite:///{folder}/{turn}-{count}.db", set(cores[:count]))
                seconds.append(took)
                tenth = memory[len(memory) // 10] if memory else 0
                click.echo(
                    f"{count} cores: {pages / took:.0f} pages/s, memory {tenth / 2**20:.0f} MB at a tenth of the way, "
                    f"{max(memory, default=0) / 2**20:.0f} MB at most, {memory[-1] / 2**20:.0f} MB at the end"
                )
    ratio = median(one / many for one, many in zip(times[1], times[len(cores)], strict=True))
    click.echo(f"{len(cores)} cores are {ratio:.2f} times as fast as one")


if __name__ == "__main__":
    main()
