"""Measures storing and look-ups as the database grows: 10^4, 10^5, 10^6 articles, SQLite and PostgreSQL.

    python -m benchmarks.storage.growth --sizes 10000,100000
    python -m benchmarks.storage.growth --sizes 10000,100000,1000000 --postgresql

The database is filled with rows like a crawl's; at each size, batches of new articles and batches of known ones (other
addresses of stored texts) are stored, in turns, and the time a page is told, also as a multiple of the first size's;
then what `newscrawl status` asks for is read, and stories.
Beyond 10^5 it grows by copies of its own rows under other keys: the same tables and indexes in minutes.
"""

from __future__ import annotations

import hashlib
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

import click
from databases import postgresql_databases
from rich.progress import track
from sqlalchemy import Engine

from newscrawl.extraction.article.make import fingerprint
from newscrawl.model import Article, Metadata, ProcessedPage, RawPage
from newscrawl.reports.status import read_status
from newscrawl.reports.story import story
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.store import Store, open_store

BATCH: Final = 50
FILL_BATCH: Final = 500
ROUNDS: Final = 200
"""Batches of each kind measured at each size: so many that they hold what PostgreSQL writes more where an index
is touched first after a checkpoint, no more and no less than in a crawl."""
READS: Final = {"status": 20, "story": 100}
"""Stories of different texts. psycopg prepares a statement at its sixth use, and PostgreSQL keeps its plan five uses
later: what a process waits for that reads for long."""
FILLED: Final = 100_000
"""Articles that are stored one by one before rows are copied."""
WORDS: Final = 120
"""Of a text: 700 characters, so that 10^6 rows fit a disk; keys and rows are a crawl's."""
BEGAN: Final = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds a page that is stored, or a reading: the median over batches or readings."""

    size: int
    kind: str
    wall: float
    cpu: float


def make_page(number: int, text: int) -> ProcessedPage:
    """Page `number`, showing text `text`."""
    chance = random.Random(text)
    words = " ".join(f"w{chance.randrange(50_000)}" for _ in range(WORDS))
    url = f"https://www.site-{number % 500}.example/2026/{number % 12 + 1:02d}/story-{number}"
    raw = RawPage(url, url, 200, {"etag": f'"{text}"'}, None, BEGAN + timedelta(seconds=number), f"site-{number % 500}")
    metadata = Metadata(title=f"Story {text}", authors=("Ann Author",), language="en", description=words[:150])
    article = Article(url, raw.site, metadata, words, "boilerpipe-wide+group", "article")
    return fingerprint(ProcessedPage(raw, article=article))


def save(store: Store, pages: Sequence[ProcessedPage]) -> None:
    """Stores the pages in one batch."""
    futures = [store.save(page) for page in pages]
    store.flush()
    for future in futures:
        future.result()


def grow(url: str, sizes: Sequence[int]) -> Iterator[Cost]:
    """Fills the database to each size and measures there."""
    with open_store(url, upgrade=False, batch_size=FILL_BATCH, max_wait=60) as store:
        yield from _grown(store, make_engine(parse_url(url)), sizes)


def _grown(store: Store, engine: Engine, sizes: Sequence[int]) -> Iterator[Cost]:
    stored = 0
    for size in sizes:
        one_by_one = min(size, FILLED)
        for start in track(range(stored, one_by_one, FILL_BATCH), f"{size:,} articles", transient=True):
            pages = range(start, min(one_by_one, start + FILL_BATCH))
            save(store, [make_page(number, number) for number in pages])
        stored = one_by_one
        if size > one_by_one:
            multiply = _multiply_sqlite if engine.dialect.name == "sqlite" else _multiply_postgresql
            multiply(engine, size // one_by_one)
        _settle(engine)
        fresh: list[tuple[float, float]] = []
        known: list[tuple[float, float]] = []
        for turn in range(ROUNDS):
            first = 10_000_000 + size * 10 + turn * BATCH * 2
            texts = random.Random(turn).sample(range(stored), BATCH)
            for times, batch in (
                (fresh, [make_page(first + n, first + n) for n in range(BATCH)]),
                (known, [make_page(first + BATCH + n, text) for n, text in enumerate(texts)]),
            ):
                times.append(_timed(partial(save, store, batch)))
        for kind, times in (("insert", fresh), ("duplicate", known)):
            wall = statistics.median(wall for wall, _ in times)
            cpu = statistics.median(cpu for _, cpu in times)
            yield Cost(size, kind, 1000 * wall / BATCH, 1000 * cpu / BATCH)
        yield from _reads(engine, size)


def _reads(engine: Engine, size: int) -> Iterator[Cost]:
    """What a reader of the status waits for, and of a story (on PostgreSQL the CPU of the server is not in it)."""
    with engine.connect() as connection:
        now = BEGAN + timedelta(days=30)
        reads: dict[str, Callable[[int], object]] = {
            "status": lambda _: read_status(connection, None, now),
            "story": lambda turn: story(connection, 1 + turn * size // READS["story"]),
        }
        for kind, read in reads.items():
            times = [_timed(partial(read, turn)) for turn in range(READS[kind])]
            wall, cpu = (1000 * statistics.median(part) for part in zip(*times, strict=True))
            yield Cost(size, kind, wall, cpu)


def _multiply_sqlite(engine: Engine, times: int) -> None:
    """Copies every row until there are `times` as many: other ids, addresses and hashes, sketches beside the old ones
    (what shares no value with them)."""
    with engine.connect() as connection:
        raw: Any = connection.connection.driver_connection
        raw.create_function("other", 2, _other, deterministic=True)
        raw.execute("PRAGMA foreign_keys=OFF")
        _copy_rows(raw, times, lambda table: [row[1] for row in raw.execute(f"PRAGMA table_info({table})")])
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.invalidate()  # with its function and its setting


def _multiply_postgresql(engine: Engine, times: int) -> None:
    """The same, with the counters of new ids behind the copies."""
    with engine.connect() as connection:
        raw: Any = connection.connection.driver_connection
        raw.autocommit = True
        raw.execute(_OTHER)
        raw.execute("SET session_replication_role = replica")  # no foreign keys
        count = _copy_rows(raw, times, lambda table: [row[0] for row in raw.execute(_COLUMNS, (table,))])
        for table, key in _COPIED.items():
            sequence = raw.execute(f"SELECT pg_get_serial_sequence('{table}', '{key}')").fetchone()[0]
            if sequence is not None:
                raw.execute(f"SELECT setval('{sequence}', {times * count})")
        connection.invalidate()


def _settle(engine: Engine) -> None:
    """Does what the autovacuum of PostgreSQL does within a minute of a crawl: without statistics its plans are bad."""
    if engine.dialect.name == "postgresql":
        with engine.connect() as connection:
            raw: Any = connection.connection.driver_connection
            raw.autocommit = True
            raw.execute("VACUUM ANALYZE")
            raw.execute("CHECKPOINT")
            connection.invalidate()


_OTHER: Final = """CREATE FUNCTION other(key text, copy integer) RETURNS text IMMUTABLE LANGUAGE sql
AS $$ SELECT left(encode(sha256(convert_to(copy || ' ' || key, 'UTF8')), 'hex'), length(key)) $$"""
_COLUMNS: Final = """SELECT column_name FROM information_schema.columns
WHERE table_schema = current_schema() AND table_name = %s AND is_generated = 'NEVER'"""


def _copy_rows(raw: Any, times: int, columns_of: Callable[[str], Sequence[str]]) -> int:
    """Until there are `times` as many of each table, each copy in a transaction; how many numbers each copy takes."""
    count: int = max(raw.execute(f"SELECT max({key}) FROM {table}").fetchone()[0] for table, key in _COPIED.items())
    for copy in track(range(1, times), "copies", transient=True):
        raw.execute("BEGIN")
        for table, key in _COPIED.items():
            columns = columns_of(table)
            values = ", ".join(_copied(name, copy, copy * count) for name in columns)
            raw.execute(
                f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} FROM {table} WHERE {key} <= {count}"
            )
        raw.execute("COMMIT")
    return count


_COPIED: Final = {
    "articles": "id",
    "pages": "id",
    "versions": "id",
    "urls": "page_id",
    "events": "id",
    "signature_bands": "article_id",
    "changes": "seq",
}
"""Tables that grow with what is stored, and the number of a row's article or its own."""


def _copied(column: str, copy: int, ahead: int) -> str:
    if column in {"id", "article_id", "story_id", "page_id", "seq"}:
        return f"{column} + {ahead}"
    if column in {"identity_key", "content_hash"}:
        return f"other({column}, {copy})"
    if column in {"url", "url_key"}:
        return f"replace({column}, '/story-', '/copy-{copy}-')"
    return f"value + {copy}" if column == "value" else column


def _other(key: str, copy: int) -> str:
    return hashlib.blake2b(f"{copy} {key}".encode(), digest_size=len(key) // 2).hexdigest()


def _timed(work: Callable[[], object]) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


@contextmanager
def sqlite_database() -> Iterator[str]:
    """The address of a new SQLite database."""
    folder = Path(tempfile.mkdtemp(prefix="newscrawl-growth-"))
    try:
        url = f"sqlite:///{folder}/news.db"
        open_store(url, upgrade=True).close()
        yield url
    finally:
        shutil.rmtree(folder)


def table(name: str, costs: Sequence[Cost]) -> str:
    """Markdown."""
    head = f"| {name}: articles stored | insert ms a page | x | duplicate ms a page | x | status ms | story ms |"
    lines = [head, "|--:|--:|--:|--:|--:|--:|--:|"]
    of = {(cost.kind, cost.size): cost for cost in costs}
    sizes = sorted({cost.size for cost in costs})
    for size in sizes:
        cells = []
        for kind in ("insert", "duplicate"):
            cost, base = of[kind, size], of[kind, sizes[0]]
            cells += [f"{cost.wall:.2f} (CPU {cost.cpu:.2f})", f"{cost.wall / base.wall:.2f}"]
        cells += [f"{of[kind, size].wall:.1f}" for kind in ("status", "story")]
        lines.append(f"| {size:,} | {' | '.join(cells)} |")
    return "\n".join(lines)


@click.command()
@click.option("--sizes", default="10000,100000,1000000", show_default=True, help="Articles stored, with commas.")
@click.option("--postgresql", is_flag=True, help="PostgreSQL (the server that comes as a wheel) instead of SQLite.")
def main(sizes: str, postgresql: bool) -> None:
    """Measure storing at several sizes of the database.

    Example: python -m benchmarks.storage.growth --sizes 10000,100000 --postgresql
    """
    wanted = sorted(int(size) for size in sizes.split(","))
    if postgresql:
        with postgresql_databases() as databases:
            click.echo(table("PostgreSQL", list(grow(next(databases), wanted))))
    else:
        with sqlite_database() as url:
            click.echo(table("SQLite", list(grow(url, wanted))))


if __name__ == "__main__":
    main()
