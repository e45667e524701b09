"""Compares a crawl into SQLite and PostgreSQL with the same Scrapy crawl without a pipeline.

python -m benchmarks.crawl --quick --sqlite
python -m benchmarks.crawl --pages 20000 --rounds 1 --markdown docs/measurements/crawl-speed.md
python -m benchmarks.crawl --pages 4000 --rate 150 --markdown docs/measurements/crawl-speed.md --section crawl-rate
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path

import click
import psycopg

from benchmarks.crawl.measure import Crawled, Load, measure, table
from benchmarks.support.common import Benchmark
from newscrawl.bench.documents import around_section, command_line, replace_section
from newscrawl.cli.common.project import required_settings
from newscrawl.storage import migrations
from newscrawl.testing.services.postgresql import server

QUICK_PAGES = 400
_path = click.Path(path_type=Path)


@contextmanager
def own_databases(rounds: int) -> Iterator[str]:
    """The address of a new server's databases with the schema, one for a round; {} stands for the round."""
    with server() as address:
        pattern = address.replace("/postgres?", "/crawl_{}?")
        with psycopg.connect(address, autocommit=True) as connection:
            for number in range(rounds):
                connection.execute(f"CREATE DATABASE crawl_{number}")
        for number in range(rounds):
            migrations.upgrade(pattern.format(number))
        yield pattern


@click.command(cls=Benchmark)
@click.option("--pages", type=click.IntRange(min=100), default=4000, show_default=True, help="Pages of one crawl.")
@click.option("--sites", type=click.IntRange(min=1), default=40, show_default=True, help="Number of local sites.")
@click.option("--rounds", type=click.IntRange(min=1), default=3, show_default=True, help="Number of rounds.")
@click.option(
    "--rate",
    type=click.FloatRange(min=0),
    default=0.0,
    help="Largest number of pages a second of the server (0: no limit).",
)
@click.option("--postgresql", metavar="URL", help="Use this database; {} is the number of the round.")
@click.option("--sqlite", "sqlite_alone", is_flag=True, help="Crawl only into SQLite, without a PostgreSQL server.")
@click.option("--quick", is_flag=True, help=f"{QUICK_PAGES} pages, one round.")
@click.option("--json", "json_path", type=_path, help="Write all figures to this file.")
@click.option("--markdown", "markdown_path", type=_path, help="Write the table into a section of this document.")
@click.option("--section", default="crawl", show_default=True, help="Name of the section for --markdown.")
def main(
    pages: int,
    sites: int,
    rounds: int,
    rate: float,
    postgresql: str | None,
    sqlite_alone: bool,
    quick: bool,
    json_path: Path | None,
    markdown_path: Path | None,
    section: str,
) -> None:
    """Compare a crawl with the same Scrapy crawl without a pipeline, on a local server with many sites.

    Both crawls have the address guard, robots.txt and limits; the pipeline adds extraction and storage. The crawls are
    made in turns.
    """
    if markdown_path:
        around_section(markdown_path, section)
    required_settings()
    pages, rounds = (QUICK_PAGES, 1) if quick else (pages, rounds)
    load = Load(sites, max(1, pages // sites), rate)
    found: list[tuple[str, Crawled]] = []
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="newscrawl-bench-"))
        databases = {"SQLite": f"sqlite:///{folder}/{{}}.db"}
        if not sqlite_alone:
            databases["PostgreSQL"] = postgresql or stack.enter_context(own_databases(rounds))
        for name, crawled in measure(load, databases, rounds):
            click.echo(
                f"{name}: {crawled.pages} pages, {crawled.rate:.0f}/s, {crawled.main_ms:.2f} ms a page in the main "
                f"process, lag p99 {1000 * crawled.lag_p99:.0f} ms, {crawled.doubled} repeated requests",
                err=True,
            )
            found.append((name, crawled))
    if markdown_path:
        replace_section(markdown_path, section, table(found), command_line("python -m benchmarks.crawl"))
    else:
        click.echo(table(found))
    if json_path:
        rows = [{"crawl": name, **asdict(crawled)} for name, crawled in found]
        json_path.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
