"""Several writers and one reader of the change feed at the same time: is a row skipped?

    python -m benchmarks.feed.writers --seconds 300                # two writers on PostgreSQL
    python -m benchmarks.feed.writers --seconds 300 --kill         # ... one of which is killed every few seconds
    python -m benchmarks.feed.writers --seconds 60 --sqlite

Writers are processes that store new articles, copies and new texts of each other's pages. The reader follows twice, as
fast as it can: row by row, and as a consumer that is given documents. At the end the rows it met must be those of the
table, in ascending order, and its documents must be the articles.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click

from benchmarks.feed.faults import page
from newscrawl import reports
from newscrawl.feed.reader import FeedReader
from newscrawl.feed.sink import Delivery, Entry, SinkPosition
from newscrawl.storage.feed import changes
from newscrawl.storage.reader import open_reader
from newscrawl.storage.store import Store, open_store
from newscrawl.testing.services import postgresql

PAGES: Final = 3_000
"""Addresses that the writers share."""
BATCH: Final = 20
LIFE: Final = 4.0
"""Seconds, on average, after which a writer is killed."""
NOW: Final = datetime(2026, 11, 21, tzinfo=UTC)
SECONDS_TO_END: Final = 60


def write(url: str, seed: int, until: float) -> None:
    """Stores pages until a moment (time.time)."""
    chance, hours = random.Random(seed), 0
    with open_store(url, upgrade=False, batch_size=BATCH, max_wait=0.02) as store:
        text = ""
        while time.time() < until:
            hours += 1
            saved = []
            for _ in range(chance.randint(1, BATCH)):
                copied = f"{text} Reported by editor {chance.randrange(10**6)}."
                text = copied if text and chance.random() < 0.2 else _text(chance)
                saved.append(store.save(page(chance.randrange(PAGES), text, hours)))
            for future in saved:
                future.result(timeout=SECONDS_TO_END)


def _text(chance: random.Random) -> str:
    return " ".join(f"w{chance.randrange(50_000)}" for _ in range(80))


@dataclass
class Followed:
    """What a reader has received: rows as they are in the table, and documents as a consumer keeps them."""

    rows: list[tuple[int, int]] = field(default_factory=list)
    documents: dict[int, tuple[str, int]] = field(default_factory=dict)
    given: list[int] = field(default_factory=list)
    reads: int = 0

    def position(self) -> SinkPosition:
        return SinkPosition()

    def send(self, entries: Sequence[Entry]) -> Delivery:
        """Sends changes (as Sink.send)."""
        for entry in entries:
            self.given.append(entry.seq)
            if entry.document is None:
                self.documents.pop(entry.article_id, None)
            else:
                self.documents[entry.article_id] = (entry.document.text, entry.document.cluster)
        return Delivery(frozenset(entry.article_id for entry in entries))

    def close(self) -> None:
        """Does nothing: nothing is open."""

    def look(self, store: Store, reader: FeedReader) -> bool:
        """Reads further changes. Returns whether there were any."""
        with store.reading() as connection:
            found = changes.read(connection, self.rows[-1][0] if self.rows else 0, 500)
        self.rows += [(change.seq, change.article_id) for change in found]
        self.reads += 1
        return bool(reader.step()) or bool(found)


def follow(url: str, seconds: float, writers: int, *, kill: bool) -> tuple[Followed, int]:
    """Runs the writers and reads their changes. Returns also how many writers were killed."""
    context, chance = multiprocessing.get_context("spawn"), random.Random(5)
    until, killed, seed = time.time() + seconds, 0, 0
    running: list[multiprocessing.process.BaseProcess] = []
    followed = Followed()
    with open_store(url, upgrade=False) as store:
        reader = FeedReader(store, followed, "bench", lambda: NOW, batch=100)
        ends = until
        while time.time() < until or any(one.is_alive() for one in running):
            running = [one for one in running if one.is_alive()]
            while len(running) < writers and time.time() < until:
                seed += 1
                running.append(context.Process(target=write, args=(url, seed, until), daemon=True))
                running[-1].start()
                ends = time.time() + chance.uniform(LIFE / 2, LIFE * 2)
            if kill and time.time() > ends and time.time() < until:
                running[0].kill()
                running[0].join()
                killed += 1
            if not followed.look(store, reader):
                time.sleep(0.01)
        for one in running:
            one.join()
        while followed.look(store, reader):
            pass
    return followed, killed


def problems(url: str, followed: Followed) -> Iterator[str]:
    """Yields the differences between the reader and the database."""
    with open_reader(url) as connection:
        rows = [(change.seq, change.article_id) for change in changes.read(connection, 0, 10**9)]
        current = {article.id: (article.text, article.cluster) for article in reports.articles(connection)}
    if followed.rows != rows:
        skipped = sorted(set(rows) - set(followed.rows))
        yield f"{len(skipped)} of {len(rows)} rows skipped: {skipped[:5]}"
    if followed.given != sorted(set(followed.given)):
        yield "documents were not sent in ascending order"
    wrong = [
        number
        for number in current.keys() | followed.documents.keys()
        if current.get(number) != followed.documents.get(number)
    ]
    if wrong:
        yield f"{len(wrong)} of {len(current)} documents differ from the articles: {sorted(wrong)[:5]}"


@click.command()
@click.option("--seconds", default=300.0, show_default=True)
@click.option("--writers", default=2, show_default=True, type=click.IntRange(min=1))
@click.option("--kill", is_flag=True, help="Kill a writer every few seconds; another takes its place.")
@click.option("--sqlite", "on_sqlite", is_flag=True, help="SQLite instead of PostgreSQL.")
def main(seconds: float, writers: int, kill: bool, on_sqlite: bool) -> None:
    """Write and read at once, then compare. Example: python -m benchmarks.feed.writers --seconds 300 --kill"""
    with tempfile.TemporaryDirectory(prefix="newscrawl-feed-") as folder, contextlib.ExitStack() as stack:
        url = f"sqlite:///{Path(folder) / 'news.db'}"
        if not on_sqlite:
            url = postgresql.new_database(stack.enter_context(postgresql.server()))
        open_store(url, upgrade=True).close()
        followed, killed = follow(url, seconds, writers, kill=kill)
        wrong = list(problems(url, followed))
    click.echo(f"{writers} writers, {seconds:.0f} s, {killed} killed")
    click.echo(f"{len(followed.rows):,} rows in {followed.reads:,} readings, {len(followed.documents):,} documents")
    click.echo("\n".join(wrong) or "no row was skipped, and all documents equal the articles")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
