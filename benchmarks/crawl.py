"""`newscrawl bench crawl` with a PostgreSQL server of its own beside SQLite; takes the same options.

python -m benchmarks.crawl --pages 20000 --rounds 1 --markdown docs/performance.md
python -m benchmarks.crawl --pages 4000 --rate 150 --markdown docs/performance.md --section crawl-rate
"""

from __future__ import annotations

import sys
from typing import Final

import psycopg

from benchmarks.postgresql import server
from newscrawl.cli.bench_crawl import command
from newscrawl.storage import migrations

ROUNDS: Final = 10
"""Databases that are made, one for a round."""


def main() -> None:
    """Start the server, make the databases, crawl."""
    with server() as address:
        pattern = address.replace("/postgres?", "/crawl_{}?")
        with psycopg.connect(address, autocommit=True) as connection:
            for number in range(ROUNDS):
                connection.execute(f"CREATE DATABASE crawl_{number}")
        for number in range(ROUNDS):
            migrations.upgrade(pattern.format(number))
        command.main([*sys.argv[1:], "--postgresql", pattern], prog_name="python -m benchmarks.crawl")


if __name__ == "__main__":
    main()
