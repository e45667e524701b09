"""What finding and joining near-duplicates costs in SQL as the database grows.

    python -m benchmarks.near_sql --sizes 10000,1000000
    python -m benchmarks.near_sql --sizes 10000,1000000 --postgresql

The bands are filled with made-up signatures; at each size texts of the corpora and what the operations of
benchmarks.near_texts make of them are stored in batches of 50, as the writer does: signature, article row, look-up,
comparison, bands and clusters, one transaction a batch.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click
from rich.progress import track
from sqlalchemy import Connection, Engine, insert, select

from benchmarks.common import SHARED
from benchmarks.growth_storage import sqlite_database
from benchmarks.kill import postgresql_databases
from benchmarks.near_texts import make_texts
from newscrawl.identity.signature import SKETCH, signature
from newscrawl.storage import bands, clusters
from newscrawl.storage.database import begin_write, make_engine, parse_url
from newscrawl.storage.schema import articles

BATCH: Final = 50
FILL: Final = 5_000
MEASURED: Final = 2_000
"""Texts at each size."""
FILLED_FROM: Final = 10_000_000
"""Numbers of the articles that are no more than their bands."""
NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)


def grow(url: str, sizes: Sequence[int], texts: Sequence[Sequence[str]]) -> Iterator[tuple[int, float, float]]:
    """Size, texts a second, and the same in processor time of this process."""
    engine = make_engine(parse_url(url))
    stored = 0
    for turn, size in enumerate(sizes):
        for start in track(range(stored, size, FILL), f"{size:,} signatures", transient=True):
            _fill(engine, start)
        stored = size
        part = texts[turn]
        wall, cpu = time.perf_counter(), time.process_time()
        for start in range(0, len(part), BATCH):
            with begin_write(engine) as connection:
                _store(connection, f"{turn}-{start}", part[start : start + BATCH])
        yield size, len(part) / (time.perf_counter() - wall), len(part) / (time.process_time() - cpu)


def _fill(engine: Engine, start: int) -> None:
    chance = random.Random(start)
    rows = [(chance.getrandbits(63), FILLED_FROM + start + n // SKETCH) for n in range(FILL * SKETCH)]
    with begin_write(engine) as connection:
        bands.add(connection, sorted(rows))


def _store(connection: Connection, name: str, texts: Sequence[str]) -> None:
    rows = [
        {"identity_key": f"{name}-{n}", "content_hash": "h", "text": text, "extractor": "made", "first_seen": NOW}
        for n, text in enumerate(texts)
    ]
    connection.execute(insert(articles), rows)
    keys = [str(row["identity_key"]) for row in rows]
    query = select(articles.c.identity_key, articles.c.id).where(articles.c.identity_key.in_(keys))
    ids = {row.identity_key: row.id for row in connection.execute(query)}
    new = []
    for key, text in zip(keys, texts, strict=True):
        new.append(clusters.New(ids[key], text, signature(text), NOW))
    clusters.link(connection, new)


@click.command()
@click.option("--corpora", type=click.Path(path_type=Path, exists=True), default=SHARED / "corpora", show_default=True)
@click.option("--sizes", default="10000,1000000", show_default=True, help="Signatures stored, with commas.")
@click.option("--limit", type=click.IntRange(min=1), default=100, show_default=True, help="Articles of each language.")
@click.option("--postgresql", is_flag=True, help="PostgreSQL (the server that comes as a wheel) instead of SQLite.")
def main(corpora: Path, sizes: str, limit: int, postgresql: bool) -> None:
    """Measure at several sizes. Example: python -m benchmarks.near_sql --sizes 10000,100000"""
    wanted = sorted(int(size) for size in sizes.split(","))
    made = make_texts(corpora, limit)
    random.Random(0).shuffle(made)
    # Each size has articles of its own, or the later ones would find more copies.
    texts = [[one.text for one in made if one.family % len(wanted) == turn][:MEASURED] for turn in range(len(wanted))]
    click.echo("| signatures stored | texts a second | x | texts a second of processor time |\n|--:|--:|--:|--:|")
    first = 0.0
    for size, rate, cpu in _on(postgresql, wanted, texts):
        first = first or rate
        click.echo(f"| {size:,} | {rate:,.0f} | {first / rate:.2f} | {cpu:,.0f} |")


def _on(postgresql: bool, sizes: Sequence[int], texts: Sequence[Sequence[str]]) -> Iterator[tuple[int, float, float]]:
    if postgresql:
        with postgresql_databases() as databases:
            yield from grow(next(databases), sizes, texts)
    else:
        with sqlite_database() as url:
            yield from grow(url, sizes, texts)


if __name__ == "__main__":
    main()
