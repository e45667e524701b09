"""Measures the CPU time that the host throttle takes for a request, with and without the grants of hosts.

    python -m benchmarks.machines.grants
    python -m benchmarks.machines.grants --requests 4000 --rounds 5

One process passes requests to 40 hosts through the throttle; no request is sent. "no grants" is a PostgreSQL database
whose host states are written as before the grants, "grants" one whose hosts are granted to this process, which keeps
them, and "SQLite" a file that no other process uses. The kinds run in turns. The CPU time is that of all threads of
this process, for the shortest of the rounds; the server's is not counted.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Final

import click
from databases import with_schema
from rich.table import Table

from newscrawl.console import SafeConsole
from newscrawl.crawling.downloader.hosts.open_states import open_host_states
from newscrawl.crawling.downloader.hosts.sqlite_states import SqliteHostStates
from newscrawl.crawling.downloader.hosts.throttle import HostThrottle
from newscrawl.crawling.runtime.host_state_writer import HostStateWriter
from newscrawl.scheduling.host import HostPolicy
from newscrawl.storage import Store, open_store
from newscrawl.storage.engine.process_locks import ProcessRegistration
from newscrawl.testing.services import postgresql

HOSTS: Final = 40
KINDS: Final = ("no grants", "grants", "SQLite")
LEASE: Final = 60.0
"""Seconds for which a grant is kept without a renewal, as under `newscrawl run`."""


@contextmanager
def database(kind: str, server: str) -> Iterator[str]:
    """Gives a new database with the schema."""
    if kind != "SQLite":
        url = with_schema(postgresql.new_database(server))
        yield url
        postgresql.drop_database(server, url)
        return
    with tempfile.TemporaryDirectory() as folder:
        yield with_schema(f"sqlite:///{folder}/news.db")


async def cpu_of_requests(kind: str, store: Store, living: ProcessRegistration, requests: int) -> float:
    """Returns the CPU seconds of so many requests, after one to each host."""
    throttle, writer = HostThrottle(HostPolicy(delay=0.0)), HostStateWriter(store.notes)
    throttle.host_states = open_host_states(store, writer, living, throttle.now, lease=LEASE, request=60.0)
    if kind == "no grants":
        throttle.host_states = SqliteHostStates(store, writer)

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
    await writer.close()
    await throttle.host_states.close()
    return used


def measure(kind: str, server: str, requests: int) -> float:
    """Returns the CPU microseconds of a request."""
    with (
        database(kind, server) as url,
        open_store(url, upgrade=False) as store,
        closing(ProcessRegistration(url)) as one,
    ):
        return 1e6 * asyncio.run(cpu_of_requests(kind, store, one, requests)) / requests


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--requests", default=20_000, show_default=True, help="Requests of each measurement.")
@click.option("--rounds", default=5, show_default=True)
def main(*, requests: int, rounds: int) -> None:
    console, table = SafeConsole(highlight=False), Table("host states", "CPU microseconds a request", "all rounds")
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
