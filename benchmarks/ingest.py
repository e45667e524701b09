"""What an ingest costs: pages a second on one core and on all, in turns, and memory as it goes on.

    python -m benchmarks.ingest ../shared/corpora/naeb --pages 2000
    python -m benchmarks.ingest CORPUS CORPUS... --pages 4000 --markdown build/ingest.md

A WARC file is made of the corpora's pages in turns, again and again under other addresses and with other words in their
texts, so that every one is an article of its own.
"""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import chain, zip_longest
from pathlib import Path
from statistics import median
from typing import Final

import click

from benchmarks.crawl.measure import memory_of
from newscrawl.bench.corpora import GoldPage, read_corpus
from newscrawl.bench.documents import command_line, replace_section

ROOT: Final = Path(__file__).resolve().parents[1]
_LONG: Final = re.compile(rb"(?<=[ >])(\w{5,})(?=[ <.,])")
_VARIED: Final = 9
"""Every so manieth long word carries the copy's number."""
_LEVEL: Final = 1
"""Of compression: unpacking costs the same, and making the file takes a fraction."""
_LOOK_SECONDS: Final = 1.0


@dataclass
class Run:
    """One run: seconds, and memory by pages stored (all processes of it, shared memory counted once)."""

    seconds: float = 0.0
    memory: list[tuple[int, int]] = field(default_factory=list)

    def memory_at(self, pages: int) -> float:
        """Megabytes when so many pages were stored."""
        reached = next((size for stored, size in self.memory if stored >= pages), self.memory[-1][1])
        return reached / 2**20


def varied(body: bytes, copy: int) -> bytes:
    """The page with other words."""
    count = 0

    def other(match: re.Match[bytes]) -> bytes:
        nonlocal count
        count += 1
        return match.group(1) + (b"%d" % copy if count % _VARIED == 0 else b"")

    return _LONG.sub(other, body) if copy else body


def mixed(corpora: Sequence[Path], largest: int) -> list[GoldPage]:
    """Pages of the corpora in turns, of those that are not too large."""
    of_each = [read_corpus(corpus).pages for corpus in corpora]
    pages = [page for page in chain.from_iterable(zip_longest(*of_each)) if page is not None]
    return [page for page in pages if not largest or len(page.body()) <= largest]


def made(pages: Sequence[GoldPage], size: int) -> Iterator[tuple[str, bytes]]:
    """`size` pages, each an article of its own."""
    for number in range(size):
        page, copy = pages[number % len(pages)], number // len(pages)
        yield f"{page.url or f'https://corpus.example/{page.id}'}?copy={copy}", varied(page.body(), copy)


def write_warc(path: Path, pages: Sequence[GoldPage], size: int) -> None:
    """`size` responses, packed by record."""
    with path.open("wb") as file:
        for url, body in made(pages, size):
            block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
            head = (
                f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-11-01T12:00:00Z\r\n"
                f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
            )
            packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
            file.write(packer.compress(head.encode() + block + b"\r\n\r\n") + packer.flush())


def ingest(path: Path, database: Path, cores: Sequence[int]) -> Run:
    """One ingest on these cores."""
    return watched(["ingest", str(path)], database, cores)


def watched(words: Sequence[str], database: Path, cores: Sequence[int], **environment: str) -> Run:
    """Runs a command of ours on these cores, and looks at its memory all the while."""
    run, begin = Run(), time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "newscrawl.cli", *words],
        cwd=ROOT,
        env={**os.environ, "NEWSCRAWL_DATABASE_URL": f"sqlite:///{database}", **environment},
        stdout=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=lambda: os.sched_setaffinity(0, cores),
    )
    while process.poll() is None:
        run.memory.append((_stored(database), _memory(process.pid)))
        try:
            process.wait(_LOOK_SECONDS)
        except subprocess.TimeoutExpired:
            continue
    run.seconds = time.monotonic() - begin
    if process.returncode not in {0, 1}:
        raise SystemExit(f"{' '.join(words)} ended with {process.returncode}")
    return run


def _stored(database: Path) -> int:
    """Pages that are in the database."""
    if not database.exists():
        return 0
    try:
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            return int(connection.execute("SELECT count(*) FROM pages").fetchone()[0])
    except sqlite3.OperationalError:  # no tables yet
        return 0


def _memory(session: int) -> int:
    """Bytes of all its processes, what they share counted once."""
    total = 0
    for place in Path("/proc").iterdir():
        try:
            if place.name.isdigit() and os.getsid(int(place.name)) == session:
                total += memory_of(place)
        except ProcessLookupError:
            continue
    return total


def table(pages: int, runs: dict[str, list[Run]]) -> str:
    """Markdown: medians over the rounds, with the least and the greatest."""
    lines = ["| run | pages/s (range) | memory, MB, at 10 % and at the end |", "|---|--:|--:|"]
    for name, of_name in runs.items():
        rates = sorted(pages / run.seconds for run in of_name)
        last = of_name[-1]
        tenth = last.memory_at(pages // 10)
        end = max(size for _, size in last.memory[-5:]) / 2**20
        lines.append(f"| {name} | {median(rates):.0f} ({rates[0]:.0f}-{rates[-1]:.0f}) | {tenth:.0f}, {end:.0f} |")
    return "\n".join(lines)


@click.command()
@click.argument("corpora", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--pages", default=2000, show_default=True)
@click.option("--rounds", default=3, show_default=True)
@click.option("--largest", default=0, help="Leave out pages with more bytes (0: no limit).")
@click.option(
    "--markdown", type=click.Path(path_type=Path), help="Write the table into the section `ingest` of this document."
)
def main(
    corpora: Sequence[Path],
    pages: int,
    rounds: int,
    largest: int,
    markdown: Path | None,
) -> None:
    """Measure ingests of PAGES pages made from corpora, on one core and on all, in turns.

    Example: python -m benchmarks.ingest ../shared/corpora/naeb --pages 2000
    """
    cores = sorted(os.sched_getaffinity(0))
    counts = sorted({1, len(cores)})
    runs: dict[str, list[Run]] = {}
    with tempfile.TemporaryDirectory(prefix="newscrawl-ingest-") as made_in:
        folder = Path(made_in)
        write_warc(folder / "pages.warc.gz", mixed(corpora, largest), pages)
        for turn in range(rounds):
            for count in counts:
                run = ingest(folder / "pages.warc.gz", folder / f"{turn}-{count}.db", cores[:count])
                runs.setdefault(f"ingest, {count} core{'s' * (count > 1)}", []).append(run)
    content = table(pages, runs)
    if len(counts) > 1:
        pairs = zip(*runs.values(), strict=True)
        gain = median(slow.seconds / quick.seconds for slow, quick in pairs)
        content += f"\n\n{len(cores)} cores are {gain:.2f} times as fast as one."
    click.echo(content)
    if markdown:
        replace_section(markdown, "ingest", content, command_line("python -m benchmarks.ingest"))


if __name__ == "__main__":
    main()
