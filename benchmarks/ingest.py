"""What an ingest costs: pages a second on one core and on all, in turns, and memory as it goes on.

    python -m benchmarks.ingest ../shared/corpora/naeb --pages 2000
    python -m benchmarks.ingest CORPUS CORPUS... --pages 4000 --trafilatura --markdown docs/performance.md
    python -m benchmarks.ingest CORPUS... --pages 20000 --memory docs/ingest-memory.svg

A WARC file is made of the corpora's pages in turns, again and again under other addresses and with other words in their
texts, so that every one is an article of its own. With --trafilatura the same pages are also written as HTML files, and
its command line reads those on the same cores.
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

from newscrawl.bench.corpora import GoldPage, read_corpus
from newscrawl.bench.crawl import memory_of
from newscrawl.bench.document import command_line, replace_section
from newscrawl.bench.plot import lines as line_plot

ROOT: Final = Path(__file__).resolve().parent.parent
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


def write_folder(folder: Path, pages: Sequence[GoldPage], size: int) -> None:
    """The same pages as HTML files."""
    folder.mkdir()
    for number, (_, body) in enumerate(made(pages, size)):
        (folder / f"{number:06d}.html").write_bytes(body)


def ingest(path: Path, database: Path, cores: Sequence[int]) -> Run:
    """One ingest on these cores."""
    environment = {**os.environ, "NEWSCRAWL_DATABASE_URL": f"sqlite:///{database}"}
    return watched([sys.executable, "-m", "newscrawl.cli", "ingest", str(path)], environment, cores, database)


def trafilatura(folder: Path, out: Path, cores: Sequence[int]) -> Run:
    """One run of trafilatura's command line on these cores."""
    command = [sys.executable, "-c", "from trafilatura.cli import main; main()", "--input-dir", str(folder)]
    command += ["--output-dir", str(out), "--with-metadata", "--json", "--parallel", str(len(cores))]
    return watched(command, dict(os.environ), cores, None)


def watched(command: list[str], environment: dict[str, str], cores: Sequence[int], database: Path | None) -> Run:
    """Runs a command of ours (with its database) or another's on these cores, and looks at its memory all the while."""
    run, begin = Run(), time.monotonic()
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=None if database else subprocess.DEVNULL,  # trafilatura tells of every page it finds nothing in
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
        raise SystemExit(f"{command} ended with {process.returncode}")
    return run


def _stored(database: Path | None) -> int:
    """Pages that are in the database."""
    if database is None or not database.exists():
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
    lines = ["| what | pages/s (spread) | memory MB, at a tenth, at the end |", "|---|--:|--:|"]
    for name, of_name in runs.items():
        rates = sorted(pages / run.seconds for run in of_name)
        last = of_name[-1]
        tenth = last.memory_at(pages // 10) if last.memory[-1][0] else last.memory[len(last.memory) // 10][1] / 2**20
        end = max(size for _, size in last.memory[-5:]) / 2**20
        lines.append(f"| {name} | {median(rates):.0f} ({rates[0]:.0f}-{rates[-1]:.0f}) | {tenth:.0f}, {end:.0f} |")
    return "\n".join(lines)


def ratio(of: Sequence[Run], to: Sequence[Run]) -> float:
    """How many times as fast the first are, round by round."""
    return median(slow.seconds / quick.seconds for quick, slow in zip(of, to, strict=True))


@click.command()
@click.argument("corpora", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--pages", default=2000, show_default=True)
@click.option("--rounds", default=3, show_default=True)
@click.option("--largest", default=0, help="Leave out pages of more bytes; 0 takes all.")
@click.option("--trafilatura", "beside", is_flag=True, help="Its command line on the same pages as files.")
@click.option("--memory", "plot", type=click.Path(path_type=Path), help="One run on all cores; draw memory by pages.")
@click.option("--markdown", type=click.Path(path_type=Path), help="Write the table into its section `ingest`.")
def main(
    corpora: Sequence[Path],
    pages: int,
    rounds: int,
    largest: int,
    beside: bool,
    plot: Path | None,
    markdown: Path | None,
) -> None:
    """Measure ingests of PAGES pages made from corpora, on one core and on all, in turns.

    Example: python -m benchmarks.ingest ../shared/corpora/naeb --pages 2000
    """
    cores = sorted(os.sched_getaffinity(0))
    counts = [len(cores)] if plot else sorted({1, len(cores)})
    runs: dict[str, list[Run]] = {}
    with tempfile.TemporaryDirectory(prefix="newscrawl-ingest-") as made_in:
        folder = Path(made_in)
        mix = mixed(corpora, largest)
        write_warc(folder / "pages.warc.gz", mix, pages)
        if beside:
            write_folder(folder / "pages", mix, pages)
        for turn in range(rounds):
            for count in counts:
                run = ingest(folder / "pages.warc.gz", folder / f"{turn}-{count}.db", cores[:count])
                runs.setdefault(f"ingest, {count} core{'s' * (count > 1)}", []).append(run)
            if beside:
                run = trafilatura(folder / "pages", folder / f"out-{turn}", cores)
                runs.setdefault(f"trafilatura's command line, {len(cores)} cores", []).append(run)
    content = table(pages, runs)
    names = list(runs)
    if not plot and len(counts) > 1:
        content += f"\n\n{len(cores)} cores are {ratio(runs[names[1]], runs[names[0]]):.2f} times as fast as one."
    if beside:
        content += f" On {len(cores)} cores, ingest is {ratio(runs[names[-2]], runs[names[-1]]):.2f} times as fast as "
        content += "trafilatura's command line."
    click.echo(content)
    if plot:
        series = [(stored, size / 2**20) for stored, size in runs[names[0]][-1].memory if stored]
        plot.write_text(line_plot({"all processes": series}, "pages stored", "memory, MB"), encoding="utf-8")
    if markdown:
        replace_section(markdown, "ingest", content, command_line("python -m benchmarks.ingest"))


if __name__ == "__main__":
    main()
