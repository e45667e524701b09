"""Measures finding and joining near-duplicates in SQL as the database grows.

    python -m benchmarks.near_duplicates.sql --sizes 10000,1000000
    python -m benchmarks.near_duplicates.sql --sizes 10000,1000000 --postgresql

Each size has a database whose bands are filled with made-up signatures. Texts of the corpora, and the variants that
benchmarks.near_duplicates.texts makes of them, are then stored in batches of 50, as the writer does: signature,
article row, look-up, comparison, bands and stories, one transaction a batch. The databases take turns, batch by batch,
so that the load of the machine is the same for all.
"""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import click
from databases import postgresql_databases
from rich.progress import track
from sqlalchemy import Connection, Engine, insert, select

from benchmarks.near_duplicates.texts import make_texts
from benchmarks.storage.growth import sqlite_database
from benchmarks.support.common import SHARED
from newscrawl.identity.signature import SKETCH, signature
from newscrawl.model import Article, Metadata
from newscrawl.storage.duplicates import join
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.transactions import begin_write
from newscrawl.storage.tables.articles import articles

BATCH: Final = 50
FILL: Final = 50_000
"""Signatures of one transaction: sorted, so that many of them write each page of the index once."""
MEASURED: Final = 2_000
"""Texts stored at each size."""
FILLED_FROM: Final = 10_000_000
"""Numbers of the articles that are no more than their bands."""
NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class Measured:
    """Seconds for all texts at one size: of the clock, and of this process's work."""

    engine: Engine
    wall: float = 0.0
    cpu: float = 0.0


def measure(urls: Sequence[str], sizes: Sequence[int], texts: Sequence[str]) -> list[Measured]:
    """Fills the databases and stores the texts in each, in turn."""
    found = [Measured(make_engine(parse_url(url))) for url in urls]
    for one, size in zip(found, sizes, strict=True):
        for start in track(range(0, size, FILL), f"{size:,} signatures", transient=True):
            _fill(one.engine, start, min(FILL, size - start))
    for start in track(range(0, len(texts), BATCH), "texts", transient=True):
        for one in found:
            wall, cpu = time.perf_counter(), time.process_time()
            with begin_write(one.engine) as connection:
                _store(connection, str(start), texts[start : start + BATCH])
            one.wall += time.perf_counter() - wall
            one.cpu += time.process_time() - cpu
    return found


def _fill(engine: Engine, start: int, count: int) -> None:
    chance = random.Random(start)
    rows = [(chance.getrandbits(63), FILLED_FROM + start + n // SKETCH) for n in range(count * SKETCH)]
    with begin_write(engine) as connection:
        join.add_values(connection, rows)


def _store(connection: Connection, name: str, texts: Sequence[str]) -> None:
    at = NOW + timedelta(seconds=int(name))
    rows = [
        {"identity_key": f"{name}-{n:03}", "content_hash": "h", "text": text, "extractor": "made", "first_seen": at}
        for n, text in enumerate(texts)
    ]
    connection.execute(insert(articles), rows)
    keys = [str(row["identity_key"]) for row in rows]
    query = select(articles.c.identity_key, articles.c.id).where(articles.c.identity_key.in_(keys))
    ids = {row.identity_key: row.id for row in connection.execute(query)}
    made = (Article("", "", Metadata(), text, "made", "article", signature=signature(text)) for text in texts)
    join.join(connection, {ids[key]: article for key, article in zip(keys, made, strict=True)})


@click.command()
@click.option("--corpora", type=click.Path(path_type=Path, exists=True), default=SHARED / "corpora", show_default=True)
@click.option("--sizes", default="10000,1000000", show_default=True, help="Signatures stored, with commas.")
@click.option("--limit", type=click.IntRange(min=1), default=100, show_default=True, help="Articles of each language.")
@click.option("--texts", "measured", type=click.IntRange(min=1), default=MEASURED, show_default=True)
@click.option("--postgresql", is_flag=True, help="PostgreSQL (the server that comes as a wheel) instead of SQLite.")
def main(corpora: Path, sizes: str, limit: int, measured: int, postgresql: bool) -> None:
    """Measure at several sizes. Example: python -m benchmarks.near_duplicates.sql --sizes 10000,100000"""
    wanted = sorted(int(size) for size in sizes.split(","))
    made = make_texts(corpora, limit)
    random.Random(0).shuffle(made)
    texts = [one.text for one in made[:measured]]
    with contextlib.ExitStack() as stack:
        found = measure(_databases(stack, postgresql, len(wanted)), wanted, texts)
    click.echo(f"{len(texts):,} texts, {'PostgreSQL' if postgresql else 'SQLite'}")
    click.echo(
        "| signatures stored | texts a second | x | texts a second of processor time | x |\n|--:|--:|--:|--:|--:|"
    )
    for size, one in zip(wanted, found, strict=True):
        wall, cpu = one.wall / found[0].wall, one.cpu / found[0].cpu
        rates = f"{len(texts) / one.wall:,.0f} | {wall:.2f} | {len(texts) / one.cpu:,.0f} | {cpu:.2f}"
        click.echo(f"| {size:,} | {rates} |")


def _databases(stack: contextlib.ExitStack, on_postgresql: bool, count: int) -> list[str]:
    if on_postgresql:
        databases = stack.enter_context(postgresql_databases())
        return [next(databases) for _ in range(count)]
    return [stack.enter_context(sqlite_database()) for _ in range(count)]


if __name__ == "__main__":
    main()
