"""Processes on one PostgreSQL database that send requests to the same hosts: each host gets one request at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from time import monotonic
from typing import Any

import pytest
from databases import DatabaseProxy, socket_of
from patience import PATIENCE
from sqlalchemy import text

from newscrawl.crawling.downloader.hosts.grants import RENEWALS, GrantTiming, HostGrants
from newscrawl.crawling.downloader.hosts.throttle import HostThrottle
from newscrawl.crawling.runtime.host_state_writer import HostStateWriter
from newscrawl.crawling.runtime.site_lease import steady_seconds
from newscrawl.errors import DatabaseUnavailable
from newscrawl.scheduling.host import HostPolicy
from newscrawl.storage import Store, Transactions, open_store
from newscrawl.testing.services.postgresql import database_name, drop_database, new_database

DELAY = 0.1
REST = 2.0
TIMING = GrantTiming(kept=1.2, request=2.0)
POLICY = HostPolicy(delay=DELAY, first_rest=0.05, first_error=0.05)


@pytest.fixture
def address(postgresql: str, migrated: str) -> Iterator[str]:
    database = new_database(postgresql, migrated)
    yield database
    drop_database(postgresql, database)


@dataclass
class Server:
    """Notes the requests of all crawlers."""

    log: list[tuple[str, str, float, float]] = field(default_factory=list)

    def of(self, host: str) -> list[tuple[str, str, float, float]]:
        return sorted((entry for entry in self.log if entry[1] == host), key=lambda entry: entry[2])

    def check(self, host: str) -> None:
        for before, after in pairwise(self.of(host)):
            assert after[2] - before[3] >= DELAY * 0.95, (before, after)


@dataclass
class Crawler:
    """One process: its own connections, clock and name."""

    name: str
    server: Server
    store: Store
    ahead: timedelta = timedelta()

    def open(self, owner: str | None = None) -> HostThrottle:
        throttle = HostThrottle(POLICY, now=lambda: datetime.now(UTC) + self.ahead)
        writer = HostStateWriter(self.store, throttle.now)
        self.grants = HostGrants(self.store, self.store.notes, writer, owner or self.name, TIMING)
        throttle.host_states = self.grants
        self.throttle = throttle
        return throttle

    async def ask(self, host: str, *, lasts: float = 0.02, retry_after: str | None = None) -> None:
        async with self.throttle.slot(host) as answer:
            assert self.grants.may_send(host)
            begun = monotonic()
            await asyncio.sleep(lasts)
            answer.status = 200 if retry_after is None else 429
            answer.retry_after = retry_after
            self.server.log.append((self.name, host, begun, monotonic()))

    async def ask_often(self, host: str, times: int) -> None:
        for _ in range(times):
            await self.ask(host)


def crawl(
    address: str, scenario: Any, *names: str, addresses: Mapping[str, str] | None = None, **ahead: timedelta
) -> Server:
    """Runs the scenario with a crawler for each name. `addresses` are those of crawlers that do not use `address`."""
    server = Server()

    async def run() -> None:
        with ExitStack() as stores:
            crawlers = []
            for name in names:
                store = stores.enter_context(open_store((addresses or {}).get(name, address), upgrade=False))
                crawler = Crawler(name, server, store, ahead.get(name, timedelta()))
                crawler.open()
                crawlers.append(crawler)
            async with AsyncExitStack() as stack:
                for crawler in crawlers:
                    stack.push_async_callback(crawler.grants.close)
                async with asyncio.timeout(PATIENCE):
                    await scenario(*crawlers)

    asyncio.run(run())
    return server


def test_three_processes_share_hosts_without_two_requests_at_once_or_too_close(address: str) -> None:
    hosts = ("feeds.example", "a.example", "b.example")

    async def scenario(*crawlers: Crawler) -> None:
        await asyncio.gather(*(crawler.ask_often(host, 6) for crawler in crawlers for host in hosts))

    server = crawl(address, scenario, "anna", "bert", "cora")
    for host in hosts:
        assert len(server.of(host)) == 18
        server.check(host)
        assert {name for name, *_ in server.of(host)[:12]} == {"anna", "bert", "cora"}, "nobody waits for ever"


@pytest.mark.parametrize("ahead", [timedelta(minutes=2), timedelta(minutes=-2)], ids=["ahead", "behind"])
def test_clocks_that_differ_shorten_no_delay_and_no_pause(address: str, ahead: timedelta) -> None:
    async def scenario(anna: Crawler, bert: Crawler) -> None:
        await anna.ask("a.example", retry_after=str(int(REST)))
        await asyncio.gather(anna.ask_often("a.example", 4), bert.ask_often("a.example", 4))

    server = crawl(address, scenario, "anna", "bert", anna=ahead)
    server.check("a.example")
    first, second, *_ = server.of("a.example")
    assert second[2] - first[3] >= REST


def test_a_pause_that_one_process_learned_holds_when_the_site_comes_back(address: str) -> None:
    async def scenario(anna: Crawler, bert: Crawler) -> None:
        await anna.ask("a.example")
        await bert.ask("a.example", retry_after=str(int(REST)))
        await anna.ask("a.example")

    server = crawl(address, scenario, "anna", "bert")
    assert [name for name, *_ in server.of("a.example")] == ["anna", "bert", "anna"]
    _, second, third = server.of("a.example")
    assert third[2] - second[3] >= REST


def test_a_host_of_one_process_needs_no_transaction_a_request(address: str) -> None:
    async def scenario(anna: Crawler) -> None:
        await anna.ask("a.example")
        run, calls = anna.store.notes.run, []
        counted = type("Counted", (), {"run": lambda _, *args: calls.append(args) or run(*args)})()
        anna.grants._exchange._leases = counted
        await anna.ask_often("a.example", 8)
        renewals = [call for call in calls if call[0].__name__ == "renew"]
        assert len(calls) == len(renewals) <= 10

    crawl(address, scenario, "anna")


def test_a_kept_host_is_released_when_it_is_idle_and_when_the_process_ends(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("newscrawl.crawling.downloader.hosts.grants.IDLE", 0.1)

    async def scenario(anna: Crawler, bert: Crawler) -> None:
        await anna.ask("a.example")
        await asyncio.sleep(0.5)
        begun = monotonic()
        await bert.ask("a.example")
        assert monotonic() - begun < TIMING.request, "the host was free"
        await anna.ask("b.example")
        await anna.grants.close()
        begun = monotonic()
        await bert.ask("b.example")
        assert monotonic() - begun < TIMING.request, "the host was free"

    crawl(address, scenario, "anna", "bert").check("a.example")


def test_a_process_that_slept_past_its_grant_sends_nothing(address: str) -> None:
    async def scenario(anna: Crawler, bert: Crawler) -> None:
        slept = [0.0]
        anna.grants._clock = lambda: steady_seconds() + slept[0]
        async with anna.throttle.slot("a.example"):
            assert anna.grants.may_send("a.example")
            slept[0] = TIMING.kept
            assert not anna.grants.may_send("a.example")

    crawl(address, scenario, "anna", "bert")


def test_a_process_that_slept_past_its_grant_shares_no_host_with_another(address: str, postgresql: str) -> None:
    """After the pause the database answers its claim only when it has given up the hosts that it did not use."""
    proxy = DatabaseProxy(socket_of(postgresql))
    far = f"postgresql://postgres@127.0.0.1:{proxy.port}/{database_name(address)}?sslmode=disable"
    slept = [0.0]

    async def scenario(anna: Crawler, bert: Crawler) -> None:
        await anna.ask("a.example")
        anna.grants._clock = lambda: steady_seconds() + slept[0]
        proxy.is_cut, slept[0] = True, 100.0
        asking = asyncio.create_task(anna.ask("a.example", lasts=1.0))
        await asyncio.sleep(3 * TIMING.kept / RENEWALS)
        proxy.is_cut = False
        await asyncio.gather(asking, bert.ask_often("a.example", 3))

    try:
        server = crawl(address, scenario, "anna", "bert", addresses={"anna": far})
    finally:
        proxy.close()
    assert len(server.of("a.example")) == 5
    server.check("a.example")


def test_a_pause_is_stored_that_a_process_learned_after_its_grant_had_ended(address: str) -> None:
    async def scenario(anna: Crawler, bert: Crawler) -> None:
        async with anna.throttle.slot("a.example") as answer:
            (grant,) = anna.grants._grants.values()
            ended = text("UPDATE hosts SET owner = 'bert', busy_until = NULL")
            anna.store.run(lambda connection: connection.execute(ended).rowcount).result()
            await anna.grants._renew_once()
            assert not anna.grants.may_send("a.example")
            answer.status, answer.retry_after = 429, str(int(REST))
        assert grant.is_contested
        begun = monotonic()
        await bert.ask("a.example")
        assert monotonic() - begun >= REST * 0.9

    crawl(address, scenario, "anna", "bert")


class Away:
    """Transactions of a database that refuses the first ones."""

    def __init__(self, leases: Transactions, failures: int) -> None:
        self.leases, self.failures = leases, failures

    def run(self, *args: Any) -> Future[Any]:
        if not self.failures:
            return self.leases.run(*args)
        self.failures -= 1
        refused: Future[Any] = Future()
        refused.set_exception(DatabaseUnavailable("the server is away"))
        return refused


def test_a_request_waits_for_a_database_that_is_away_and_is_sent_after(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("newscrawl.crawling.downloader.hosts.grant_exchange.AGAIN_WHILE_AWAY", 0.05)

    async def scenario(anna: Crawler) -> None:
        away = anna.grants._exchange._leases = Away(anna.store.notes, 3)  # type: ignore[assignment]
        await anna.ask("a.example")
        assert away.failures == 0

    assert len(crawl(address, scenario, "anna").log) == 1


def test_a_release_that_the_database_refused_is_sent_again(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("newscrawl.crawling.downloader.hosts.grant_exchange.AGAIN_WHILE_AWAY", 0.05)

    async def scenario(anna: Crawler, bert: Crawler) -> None:
        await asyncio.gather(anna.ask_often("a.example", 2), bert.ask_often("a.example", 2))
        anna.grants._exchange._leases = Away(anna.store.notes, 0)  # type: ignore[assignment]
        async with anna.throttle.slot("a.example") as answer:
            anna.grants._exchange._leases.failures = 3  # type: ignore[attr-defined]
            answer.status, answer.retry_after = 429, "1"
        begun = monotonic()
        await bert.ask("a.example")
        assert 1.0 <= monotonic() - begun < 1.0 + TIMING.request, "long before the grant would have ended"

    crawl(address, scenario, "anna", "bert")
