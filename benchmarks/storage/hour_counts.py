"""Measures what `site_hours` costs a crawl: the counts of each site and hour, written in a batch's own transaction.

    python -m benchmarks.storage.hour_counts                 # SQLite
    python -m benchmarks.storage.hour_counts --postgresql    # with the CPU time of the server

Batches of new articles are stored in pairs, one with the counts and one without; every second pair begins with the
counts. The difference is also given as a share of the CPU time of a page of a crawl into the same database, which all
processes of the crawl need together.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from statistics import fmean
from typing import Final

import click
from databases import postgresql_databases
from fleet_process import cpu_seconds
from rich.progress import track

from benchmarks.crawl.measure import Load, crawl
from benchmarks.storage.growth import make_page, sqlite_database
from benchmarks.support.common import interval
from newscrawl.model import ProcessedPage
from newscrawl.storage.articles.writing import visit_effects
from newscrawl.storage.engine.batch import BatchWriter
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.retry import RetryPolicy
from newscrawl.storage.records import never

BATCH: Final = 50
FILLED: Final = 10_000
"""Articles that are stored before the first pair."""
CRAWL: Final = Load(sites=40, pages=75)
GOAL: Final = 0.02
"""The share of a page's CPU time that the counts may cost."""


@dataclass(frozen=True, slots=True)
class Measured:
    """CPU seconds of a page: differences of pairs (with the counts less without), and storing it without them."""

    differences: Sequence[float]
    storing: float
    crawling: float
    """A page of a crawl, with the counts."""


def measure(url: str, pairs: int) -> Measured:
    """Stores `pairs` pairs of batches in the database."""
    writer = BatchWriter(make_engine(parse_url(url)), never, RetryPolicy())
    clock = _clock(writer)
    for start in range(0, FILLED, 1000):
        writer.commit([make_page(number, number) for number in range(start, start + 1000)])
    differences, without = [], []
    for turn in track(range(pairs), "pairs", transient=True):
        spent = {}
        for has_counts in (turn % 2 == 0, turn % 2 == 1):
            first = FILLED + (2 * turn + has_counts) * BATCH
            spent[has_counts] = _spent(
                writer, clock, [make_page(n, n) for n in range(first, first + BATCH)], has_counts
            )
        differences.append((spent[True] - spent[False]) / BATCH)
        without.append(spent[False] / BATCH)
    crawled = crawl(CRAWL, {"NEWSCRAWL_DATABASE_URL": url})
    return Measured(differences, fmean(without), crawled.all_ms / 1000)


def _clock(writer: BatchWriter) -> Callable[[], float]:
    """Returns a clock of the CPU time of this process and of the server's process that it writes through."""
    if writer.engine.dialect.name == "sqlite":
        return time.process_time
    with writer.engine.connect() as connection:
        server = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
    return lambda: time.process_time() + cpu_seconds(server)


def _spent(writer: BatchWriter, clock: Callable[[], float], pages: Sequence[ProcessedPage], has_counts: bool) -> float:
    with nullcontext() if has_counts else _without_counts():
        before = clock()
        writer.commit(pages)
        return clock() - before


@contextmanager
def _without_counts() -> Iterator[None]:
    counting = visit_effects.count_hours
    visit_effects.count_hours = lambda connection, parts: None
    try:
        yield
    finally:
        visit_effects.count_hours = counting


@click.command()
@click.option("--pairs", default=200, show_default=True, type=click.IntRange(2), help="Pairs of batches of 50 pages.")
@click.option("--postgresql", is_flag=True, help="PostgreSQL (the server that comes as a wheel) instead of SQLite.")
def main(pairs: int, *, postgresql: bool) -> None:
    """Measure the CPU time of the counts by site and hour.

    Example: python -m benchmarks.storage.hour_counts --pairs 100
    """
    if postgresql:
        with postgresql_databases() as databases:
            measured = measure(next(databases), pairs)
    else:
        with sqlite_database() as url:
            measured = measure(url, pairs)
    page = measured.crawling
    low, high = interval(measured.differences)
    click.echo(f"a page of a crawl: {1000 * page:.2f} ms; storing it without counts: {1000 * measured.storing:.2f} ms")
    click.echo(
        f"the counts: {1000 * fmean(measured.differences):.3f} ms a page ({1000 * low:.3f} to {1000 * high:.3f}), "
        f"{fmean(measured.differences) / page:.2%} of it ({low / page:.2%} to {high / page:.2%}, 95 %)"
    )
    if low / page > GOAL:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
