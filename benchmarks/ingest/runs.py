"""Pages in the number that is wanted, and runs of commands over them."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import chain, zip_longest
from pathlib import Path
from typing import Final

from benchmarks.crawl.measure import memory_of
from newscrawl.bench.corpora import GoldPage, read_corpus

ROOT: Final = Path(__file__).resolve().parents[2]
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
