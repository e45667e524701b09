"""Measures how many batches a second writers store in one PostgreSQL database, by the time of a round trip.

    python -m benchmarks.machines.distance
    python -m benchmarks.machines.distance --distances 0,20 --writers 1,8 --seconds 10

Each writer is a process that hands pages to the store of a crawl, up to 500 before the first of them is stored. `new`
are pages with new texts, which get into the change feed; `unchanged` are pages that were stored before, so that nothing
gets there. With `answers` the pages are new, and the store gets two answers of sources a second as well, of all writers
together: each of another source, of 30 entries with five new ones, and whatever becomes of those before, as the sites
of a fleet do. An answer waits from the time at which it is offered until it is committed. The figures are of all
writers together, in batches of 50 pages, and include the time to make the pages.
"""

from __future__ import annotations

import multiprocessing
import random
import threading
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, wait
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from statistics import median
from typing import Any, Final

import click
from databases import DatabaseProxy, socket_of, with_schema
from source_items import as_planned, hourly

from newscrawl.model import Article, Candidate, Discovery, Metadata, ProcessedPage, RawPage
from newscrawl.model.identity import content_hash, identity_key
from newscrawl.model.identity.signature import signature
from newscrawl.storage.engine.database import parse_url
from newscrawl.storage.frontier.source_state import Reading
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.store import Store, open_store
from newscrawl.testing.services import postgresql

SIZE: Final = 50
"""Pages of a batch in the figures."""
WORDS: Final = 150
NOW: Final = datetime(2026, 11, 23, tzinfo=UTC)
KINDS: Final = ("new", "unchanged", "answers")
ANSWERS_A_SECOND: Final = 2.0
"""Offered to all writers together: those of about 1,000 sites whose five sources are read every 40 minutes."""
LISTED: Final = 30
"""Entries of an answer."""
NEW: Final = 5
"""Entries of an answer that its source did not list before."""
WAITING: Final = 500
"""Pages that a writer hands to the store, at most, before the first of them is stored."""


@dataclass(frozen=True, slots=True)
class Speed:
    """Batches of pages, and answers of sources that were `offered` and stored, a second of all writers. `distance` is
    the time of a round trip, in milliseconds; `wait` and `longest_wait` are seconds from offering an answer to its
    commit, the median and the most."""

    kind: str
    distance: float
    writers: int
    batches: float
    answers: float = 0.0
    offered: float = 0.0
    wait: float = 0.0
    longest_wait: float = 0.0


@dataclass(slots=True)
class Written:
    """What a writer has stored in its time: the number of pages, and the seconds that each offered answer waited; those
    that were not stored in that time have `late`."""

    pages: int = 0
    waits: list[float] = field(default_factory=list)
    late: int = 0


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
    """Stores pages for so many seconds after all writers are ready. With `answers` it also offers an answer of a source
    `every` so many seconds. Reports what was `Written`."""
    with open_store(url, upgrade=False) as store:
        done.put(_write(store, site, kind, seconds, every, start))


def _write(store: Store, site: str, kind: str, seconds: float, every: float, start: Any) -> Written:
    chance = random.Random(site)
    first = made(site, range(WAITING), chance)
    number = int(seconds / every) if kind == "answers" else 0
    wait([*map(store.save, first), *(_answer(store, site, source, 0) for source in range(number))])
    start.wait()
    until = time.monotonic() + seconds
    written, answers = Written(), Offering(store, site, every, number, until)
    answers.start()
    pages: list[Future[Any]] = []
    waiting: deque[Future[Any]] = deque()
    while time.monotonic() < until:
        following = WAITING + len(pages)
        if kind == "unchanged":
            page, at = first[following % WAITING], NOW + timedelta(hours=following // WAITING)
            page = replace(page, raw=replace(page.raw, fetched_at=at))
        else:
            (page,) = made(site, range(following, following + 1), chance)
        pages.append(store.save(page))
        waiting.append(pages[-1])
        if len(waiting) == WAITING:
            wait([waiting.popleft()], timeout=max(0.0, until - time.monotonic()))
    written.pages = sum(future.done() for future in pages)
    answers.join()
    for future in (*pages, *answers.futures):
        future.result()  # raises what went wrong
    written.waits = [stored - offered for offered, stored in answers.times.values()]
    written.late = sum(stored > until for _, stored in answers.times.values())
    return written


class Offering(threading.Thread):
    """Offers answers of as many sources, one `every` so many seconds, whether the ones before are stored or not."""

    def __init__(self, store: Store, site: str, every: float, number: int, until: float) -> None:
        super().__init__(daemon=True)
        self.futures: list[Future[Any]] = []
        self.times: dict[int, tuple[float, float]] = {}
        """When each answer was to be offered, and when it was stored."""
        self._offered = store, site, every, number, until

    def run(self) -> None:
        store, site, every, number, until = self._offered
        began = time.monotonic() + random.Random(site).random() * every
        for source in range(number):
            offered = began + source * every
            if offered >= until:
                return
            time.sleep(max(0.0, offered - time.monotonic()))
            future = _answer(store, site, source, 1)
            future.add_done_callback(lambda _, key=source, at=offered: self._note(key, at))  # type: ignore[misc]
            self.futures.append(future)

    def _note(self, source: int, offered: float) -> None:
        self.times[source] = offered, time.monotonic()


def _answer(store: Store, site: str, source: int, number: int) -> Future[Any]:
    """Lets the store write an answer of a feed, with entries that its answer before had as well."""
    feed, first = f"https://{site}.example/feed/{source}", 1_000_000 + source * 1_000 + number * NEW
    listed = [
        Candidate(f"https://{site}.example/{first + entry}", Discovery("feed", feed, title=f"entry {first + entry}"))
        for entry in range(LISTED)
    ]
    at = NOW + timedelta(minutes=number)
    answer = SourceAnswer(site, feed, "feed", 200, at)
    return store.record(Reading(answer, listed, at, hourly, as_planned))


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
        written: list[Written] = [done.get(timeout=seconds + 120) for _ in processes]
        for process in processes:
            process.join()
    finally:
        proxy.close()
        postgresql.drop_database(server, database)
    waits = sorted(waited for one in written for waited in one.waits)
    stored = len(waits) - sum(one.late for one in written)
    return Speed(
        *(kind, distance, writers, round(sum(one.pages for one in written) / seconds / SIZE, 1)),
        answers=round(stored / seconds, 2),
        offered=round(len(waits) / seconds, 2),
        wait=round(median(waits), 2) if waits else 0.0,
        longest_wait=round(max(waits, default=0.0), 2),
    )


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
def main(*, distances: str, writers: str, seconds: float) -> None:
    far, many = [float(value) for value in distances.split(",")], [int(value) for value in writers.split(",")]
    for speed in measured(far, many, seconds):
        click.echo(
            f"{speed.kind}, {speed.distance:g} ms, {speed.writers} writers: {speed.batches:g} batches a second"
            + (
                f", {speed.answers:g} of {speed.offered:g} answers stored"
                f" (after {speed.wait:g} s, the slowest {speed.longest_wait:g} s)"
                if speed.offered
                else ""
            )
        )


if __name__ == "__main__":
    main()
