"""Measures how many batches a second writers store in one PostgreSQL database, by the time of a round trip.

    python -m benchmarks.machines.distance
    python -m benchmarks.machines.distance --distances 0,20 --writers 1,8 --seconds 10

Each writer is a process that hands pages to the store of a crawl, up to 500 before the first of them is stored. `new`
are pages with new texts, which get into the change feed; `unchanged` are pages that were stored before, so that nothing
gets there. With `answers` the pages are new, and the writers together store two answers of sources a second, each of 30
entries with five new ones. The figures are of all writers together, in batches of 50 pages, and include the time to
make the pages.
"""

from __future__ import annotations

import json
import multiprocessing
import random
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, wait
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import click
from databases import DatabaseProxy, socket_of, with_schema
from rich.table import Table

from benchmarks.support import common
from newscrawl.console import SafeConsole
from newscrawl.identity import content_hash, identity_key
from newscrawl.identity.signature import signature
from newscrawl.model import Article, Candidate, Discovery, Metadata, ProcessedPage, RawPage
from newscrawl.storage.engine.database import parse_url
from newscrawl.storage.frontier import sources
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.store import Store, open_store
from newscrawl.testing.services import postgresql

SIZE: Final = 50
"""Pages of a batch in the figures."""
WORDS: Final = 150
NOW: Final = datetime(2026, 11, 23, tzinfo=UTC)
KINDS: Final = ("new", "unchanged", "answers")
ANSWERS_A_SECOND: Final = 2.0
"""Of all writers together: those of about 1,000 sites whose five sources are read every 40 minutes."""
LISTED: Final = 30
"""Entries of an answer."""
NEW: Final = 5
"""Entries of an answer that its source did not list before."""
WAITING: Final = 500
"""Pages that a writer hands to the store, at most, before the first of them is stored."""


@dataclass(frozen=True, slots=True)
class Speed:
    """Batches of pages, and answers of sources, a second of all writers. `distance` is the time of a round trip, in
    milliseconds."""

    kind: str
    distance: float
    writers: int
    batches: float
    answers: float = 0.0


def made(site: str, numbers: range, chance: random.Random) -> list[ProcessedPage]:
    """Returns pages with texts that share no shingle."""
    return [_page(site, number, " ".join(f"w{chance.randrange(50_000)}" for _ in range(WORDS))) for number in numbers]


def _page(site: str, number: int, text: str) -> ProcessedPage:
    url = f"https://{site}.example/{number}"
    raw = RawPage(url=url, final_url=url, status=200, headers={}, body=None, fetched_at=NOW, site=site, discovery=None)
    hashes: dict[str, Any] = {"content_hash": content_hash(text), "identity_key": identity_key(text, url, WORDS)}
    own: dict[str, Any] = {"url": url, "site": site, "text": text, "verdict": "article", "extractor": "classic"}
    return ProcessedPage(raw, Article(metadata=Metadata(title=text[:40]), signature=signature(text), **own, **hashes))


def write(url: str, site: str, kind: str, seconds: float, every: float, start: Any, done: Any) -> None:
    """Stores pages for so many seconds after all writers are ready, with `answers` also an answer of a source `every`
    so many seconds. Reports the number of pages and of answers."""
    with open_store(url, upgrade=False) as store:
        done.put(_write(store, site, kind, seconds, every, start))


def _write(store: Store, site: str, kind: str, seconds: float, every: float, start: Any) -> tuple[int, int]:
    chance = random.Random(site)
    first = made(site, range(WAITING), chance)
    wait([*map(store.save, first), _answer(store, site, 0)])
    start.wait()
    began = time.monotonic()
    first_answer = began + (chance.random() * every if kind == "answers" else seconds)
    pages: list[Future[Any]] = []
    answers: list[Future[Any]] = []
    waiting: deque[Future[Any]] = deque()
    while (now := time.monotonic()) < began + seconds:
        if now >= first_answer + every * len(answers):
            answers.append(_answer(store, site, len(answers) + 1))
        number = WAITING + len(pages)
        if kind == "unchanged":
            page, at = first[number % WAITING], NOW + timedelta(hours=number // WAITING)
            page = replace(page, raw=replace(page.raw, fetched_at=at))
        else:
            (page,) = made(site, range(number, number + 1), chance)
        pages.append(store.save(page))
        waiting.append(pages[-1])
        if len(waiting) == WAITING:
            wait([waiting.popleft()], timeout=max(0.0, began + seconds - time.monotonic()))
    stored = sum(future.done() for future in pages), sum(future.done() for future in answers)
    for future in (*pages, *answers):
        future.result()  # raises what went wrong
    return stored


def _answer(store: Store, site: str, number: int) -> Future[Any]:
    """Lets the store write an answer of a feed, with entries that the answer before had as well."""
    feed, first = f"https://{site}.example/feed", 1_000_000 + number * NEW
    listed = [
        Candidate(f"https://{site}.example/{first + entry}", Discovery("feed", feed, title=f"entry {first + entry}"))
        for entry in range(LISTED)
    ]
    at = NOW + timedelta(minutes=number)
    return store.add(None, sources.record_answer, SourceAnswer(site, feed, "feed", 200, at), listed, at)


def measure(server: str, kind: str, distance: float, writers: int, seconds: float) -> Speed:
    """Measures with a new database. `distance` is in milliseconds."""
    database = with_schema(postgresql.new_database(server))
    proxy = DatabaseProxy(socket_of(server))
    try:
        proxy.distance = distance / 1_000
        parsed = parse_url(database)
        user, name = parsed.username or "postgres", parsed.database
        url = f"postgresql://{user}@127.0.0.1:{proxy.port}/{name}?sslmode=disable"
        context = multiprocessing.get_context("spawn")
        start, done, every = context.Barrier(writers), context.Queue(), writers / ANSWERS_A_SECOND
        processes = [
            context.Process(target=write, args=(url, f"site-{number}", kind, seconds, every, start, done), daemon=True)
            for number in range(writers)
        ]
        for process in processes:
            process.start()
        stored = [done.get(timeout=seconds + 120) for _ in processes]
        for process in processes:
            process.join()
    finally:
        proxy.close()
        postgresql.drop_database(server, database)
    pages, answers = (sum(numbers) / seconds for numbers in zip(*stored, strict=True))
    return Speed(kind, distance, writers, round(pages / SIZE, 1), round(answers, 1))


def measured(distances: list[float], writers: list[int], seconds: float) -> Iterator[Speed]:
    """Yields all figures, those of one kind and distance together."""
    with postgresql.server() as server:
        for kind in KINDS:
            for distance in distances:
                for number in writers:
                    yield measure(server, kind, distance, number, seconds)


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--distances", default="0,5,20,50", show_default=True, help="Round trips in ms, with commas.")
@click.option("--writers", default="1,4,8", show_default=True, help="Numbers of writers, with commas.")
@click.option("--seconds", default=8.0, show_default=True, help="Length of each measurement.")
@common.json_option
def main(*, distances: str, writers: str, seconds: float, json_path: Path | None) -> None:
    far, many = [float(value) for value in distances.split(",")], [int(value) for value in writers.split(",")]
    console, speeds = SafeConsole(highlight=False), []
    for speed in measured(far, many, seconds):
        speeds.append(speed)
        console.print(
            f"{speed.kind}, {speed.distance:g} ms, {speed.writers} writers: {speed.batches:g} batches a second"
            + (f", {speed.answers:g} answers" if speed.answers else "")
        )
    for kind in KINDS:
        table = Table(f"{kind}: ms", *(f"{number} writers" for number in many))
        for distance in far:
            of = {one.writers: one.batches for one in speeds if (one.kind, one.distance) == (kind, distance)}
            table.add_row(f"{distance:g}", *(f"{of[number]:g}" for number in many))
        console.print(table)
    if json_path is not None:
        json_path.write_text(json.dumps([asdict(speed) for speed in speeds], indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
