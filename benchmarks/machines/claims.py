"""Measures the CPU time that the host throttle takes for a request, with and without the claims of hosts.

    python -m benchmarks.machines.claims
    python -m benchmarks.machines.claims --requests 4000 --rounds 5

One process passes requests to 40 hosts through the throttle; no request is sent. "no claims" is the throttle alone.
With a database the process claims each host for turns, which no other process wants. The kinds run in turns. The CPU
time is that of all threads of this process, for the shortest of the rounds; the server's is not counted.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click
from databases import with_schema
from rich.table import Table

from newscrawl.console import SafeConsole
from newscrawl.crawling.downloader.hosts.claims import HostClaims
from newscrawl.crawling.downloader.hosts.throttle import HostThrottle
from newscrawl.scheduling.host import HostPolicy
from newscrawl.storage.store import Store, open_store
from newscrawl.testing.services import postgresql

HOSTS: Final = 40
KINDS: Final = ("no claims", "PostgreSQL", "SQLite")
LEASE: Final = 60.0
"""Seconds for which the lease of a site is kept without a renewal, as under `newscrawl run`."""


@contextmanager
def database(kind: str, server: str) -> Iterator[str]:
    """Gives a new database with the schema."""
    if kind == "PostgreSQL":
        url = with_schema(postgresql.new_database(server))
        yield url
        postgresql.drop_database(server, url)
        return
    with tempfile.TemporaryDirectory() as folder:
        yield with_schema(f"sqlite:///{folder}/news.db")


async def cpu_of_requests(kind: str, store: Store, requests: int) -> float:
    """Returns the CPU seconds of so many requests, after one to each host."""
    claims = HostClaims(store, lease=LEASE, request=60.0) if kind != "no claims" else None
    throttle = HostThrottle(HostPolicy(delay=0.0), claims=claims)

    async def crawl(host: str, number: int) -> None:
        for _ in range(number):
            async with throttle.slot(host) as answer:
                answer.status = 200

    async def crawl_all(number: int) -> None:
        await asyncio.gather(*(crawl(f"site-{host}.example", number) for host in range(HOSTS)))

    await crawl_all(1)
    begun = time.process_time()
    await crawl_all(requests // HOSTS)
    used = time.process_time() - begun
    if claims is not None:
        await claims.close()
    return used


def measure(kind: str, server: str, requests: int) -> float:
    """Returns the CPU microseconds of a request."""
    with database(kind, server) as url, open_store(url, upgrade=False) as store:
        return 1e6 * asyncio.run(cpu_of_requests(kind, store, requests)) / requests


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--requests", default=20_000, show_default=True, help="Requests of each measurement.")
@click.option("--rounds", default=5, show_default=True)
def main(*, requests: int, rounds: int) -> None:
    console, table = SafeConsole(highlight=False), Table("hosts", "CPU microseconds a request", "all rounds")
    found: dict[str, list[float]] = {kind: [] for kind in KINDS}
    with postgresql.server() as server:
        for _ in range(rounds):
            for kind in KINDS:
                found[kind].append(measure(kind, server, requests))
    for kind, times in found.items():
        table.add_row(kind, f"{min(times):.0f}", " ".join(f"{one:.0f}" for one in times))
    console.print(table)


if __name__ == "__main__":
    main()
