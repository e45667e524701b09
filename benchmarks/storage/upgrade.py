"""Measures how long the upgrade of a database from schema 0008 takes, and how much disk it needs.

    python -m benchmarks.storage.upgrade --articles 20000
    python -m benchmarks.storage.upgrade --articles 1000000 --postgresql

The tables are made by the migrations up to 0008 and filled by a few large statements with rows like a crawl's: for each
article a page, an address, a version, a signature of twelve values, a sighting, an event, a change and a capture; every
fifth article has a near-duplicate. The upgrade then runs the later migrations, as `newscrawl db upgrade` does. What
upkeep does afterwards (deciding all stories again) is not part of it.
"""

from __future__ import annotations

import json
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import click
from alembic import command
from sqlalchemy import Connection, text

from benchmarks.support import common
from newscrawl.storage import migrations
from newscrawl.storage.engine.database import make_engine, make_reader, parse_url
from newscrawl.storage.engine.transactions import begin_read, begin_write
from newscrawl.testing.services.postgresql import new_database, server

FROM: Final = "0008"
SITES: Final = 500
BANDS: Final = 12
WORDS: Final = "ferry council harbour bridge market library school winter " * 12
"""Of each text, besides its number: 700 characters, as in benchmarks.storage.growth."""
SAMPLE_SECONDS: Final = 0.02

_NUMBERS: Final = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :articles)"
_URL: Final = f"'https://www.site-' || (i % {SITES}) || '.example/2026/story-' || i"
_SITE: Final = f"'site-' || (i % {SITES})"
_TABLES: Final[dict[str, tuple[str, str]]] = {
    "articles": (
        "id, identity_key, content_hash, text, language, extractor, first_seen",
        "i, 'k' || i, 'h' || i, i || CAST(:words AS text), 'en', 'boilerpipe-wide+group', {at}",
    ),
    "pages": (
        "id, url_key, url, site, state, verdict, first_seen, last_fetched, next_due, failures, article_id, etag",
        f"i, {_URL}, {_URL}, {_SITE}, 'fetched', 'article', {{at}}, {{at}}, {{at}}, 0, i, 'e' || i",
    ),
    "urls": ("url_key, url, page_id", f"{_URL}, {_URL}, i"),
    "versions": (
        "page_id, article_id, seen_at, last_seen, change_class, verdict, title, extractor",
        "i, i, {at}, {at}, 'first', 'article', 'Story ' || i, 'boilerpipe-wide+group'",
    ),
    "signatures": ("article_id, algorithm, shingles, sketch", "i, 'made', 100, {sketch}"),
    "signature_bands": ("value, article_id", "CAST(i AS BIGINT) * 104729 + j, i"),
    "cluster_members": (
        "article_id, cluster_id, nearest_id, kind, resemblance, containment",
        "i, i - i % 5, i - i % 5, 'copy', 0.9, 0.95",
    ),
    "sightings": (
        "url_key, source_id, at, title, published",
        f"{_URL}, i % {SITES} + 1, {{at}}, 'Story ' || i, {{at}}",
    ),
    "events": ("url_key, url, site, at, kind, reason", f"{_URL}, {_URL}, {_SITE}, {{at}}, 'stored/inserted', ''"),
    "changes": ("article_id, op, at", "i, 'upsert', {at}"),
    "captures": (
        'url_key, url, site, fetched_at, kind, digest, file_id, "offset", length, article_id',
        f"{_URL}, {_URL}, {_SITE}, {{at}}, 'response', 'd' || i, 1, i, 900, i",
    ),
}
"""Columns and values of a row for article i."""
_FEW: Final = (
    "INSERT INTO archive_files (id, name, created) VALUES (1, 'made.warc.gz', {at})",
    (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO sources"
        " (id, site, url_key, url, kind, failures, answers, named, new, unusable)"
        " SELECT i, 'site-' || i, 'https://f.example/' || i, 'https://f.example/' || i, 'feed', 0, 1, 1, 1, 0 FROM n"
    ),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds and megabytes (10^6 bytes). `peak_mb` is the most that files or database had during the upgrade."""

    database: str
    articles: int
    rows: int
    seconds: float
    before_mb: float
    after_mb: float
    peak_mb: float


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--articles", type=click.IntRange(min=1), default=1_000_000, show_default=True, help="Articles stored.")
@click.option("--postgresql", "with_postgresql", is_flag=True, help="Also measure PostgreSQL.")
@common.json_option
def main(*, articles: int, with_postgresql: bool, json_path: Path | None) -> None:
    measured = []
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="newscrawl-upgrade-"))
        urls = [f"sqlite:///{folder}/news.db"]
        if with_postgresql:
            urls.append(new_database(stack.enter_context(server())))
        for url in urls:
            began = time.monotonic()
            rows = fill(url, articles)
            click.echo(f"filled with {rows:,} rows in {time.monotonic() - began:.0f} s", err=True)
            measured.append(one := measure(url, articles, rows))
            click.echo(
                f"{one.database}, {one.articles:,} articles ({one.rows:,} rows): upgrade {FROM} to {migrations.head()} "
                f"in {one.seconds:.1f} s; {one.before_mb:,.0f} MB before, {one.after_mb:,.0f} MB after, "
                f"{one.peak_mb:,.0f} MB at most"
            )
    if json_path is not None:
        json_path.write_text(json.dumps([asdict(one) for one in measured], indent=2) + "\n", encoding="utf-8")


def fill(url: str, articles: int) -> int:
    """Makes the tables of schema 0008 and so many articles in them; returns the number of rows."""
    engine = make_engine(parse_url(url), foreign_keys=False, pooled=False)
    with begin_write(engine) as connection:
        config = migrations._config()  # noqa: SLF001  only this measures an upgrade by parts
        config.attributes["connection"] = connection
        command.upgrade(config, FROM)
    with begin_write(engine) as connection:
        for statement in _statements():
            _insert(connection, statement, articles)
        connection.execute(text("ANALYZE"))
        names = ["sources", "archive_files", *_TABLES]
        rows = sum(connection.execute(text(f"SELECT count(*) FROM {name}")).scalar_one() for name in names)
    engine.dispose()
    return rows


def _statements() -> Iterator[str]:
    yield from _FEW
    for name, (columns, values) in _TABLES.items():
        source = "n"
        if name == "signature_bands":
            source += f", (VALUES {', '.join(f'({number})' for number in range(BANDS))}) AS b(j)"
        elif name == "cluster_members":
            source += " WHERE i % 5 < 2 AND i > 1"
        yield f"{_NUMBERS} INSERT INTO {name} ({columns}) SELECT {values} FROM {source}"


def _insert(connection: Connection, statement: str, articles: int) -> None:
    is_sqlite = connection.dialect.name == "sqlite"
    if is_sqlite:  # names no columns of VALUES
        statement = statement.replace(" AS b(j)", "").replace("+ j,", "+ column1,")
    at = "'2026-01-01 00:00:00.000000'" if is_sqlite else "TIMESTAMPTZ '2026-01-01 00:00:00+00'"
    sketch = "zeroblob(96)" if is_sqlite else r"decode(repeat('00', 96), 'hex')"
    values = {name: value for name, value in (("articles", articles), ("words", WORDS)) if f":{name}" in statement}
    connection.execute(text(statement.format(at=at, sketch=sketch)), values)


def measure(url: str, articles: int, rows: int) -> Measured:
    """Upgrades the database; `rows` is what it holds."""
    size = _size_of(url)
    before, peak, ended = size(), [0], threading.Event()

    def watch() -> None:
        while not ended.wait(SAMPLE_SECONDS):
            peak[0] = max(peak[0], size())

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    began = time.monotonic()
    try:
        migrations.upgrade(url)
    finally:
        seconds = time.monotonic() - began
        ended.set()
        thread.join()
    after = size()
    megabytes = [round(one / 10**6, 1) for one in (before, after, max(peak[0], after))]
    return Measured(parse_url(url).get_backend_name(), articles, rows, round(seconds, 2), *megabytes)


def _size_of(url: str) -> Callable[[], int]:
    """Returns the bytes of a database: those of the SQLite files, or the number that PostgreSQL reports."""
    parsed = parse_url(url)
    if parsed.get_backend_name() == "sqlite":
        file = Path(parsed.database or "")
        return lambda: sum(path.stat().st_size for path in file.parent.glob(f"{file.name}*"))
    engine = make_reader(parsed)

    def size() -> int:
        with begin_read(engine) as connection:
            return int(connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one())

    return size


if __name__ == "__main__":
    main()
