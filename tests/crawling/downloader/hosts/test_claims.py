"""Processes on one database that send requests to the same hosts: each host gets one request at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
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

from newscrawl.crawling.downloader import claims
from newscrawl.crawling.downloader.claims import HostClaims
from newscrawl.crawling.downloader.throttle import HostThrottle
from newscrawl.crawling.runtime.site_lease import steady_seconds
from newscrawl.crawling.scheduling.host import HostPolicy
from newscrawl.errors import DatabaseUnavailable
from newscrawl.storage.store import Store, open_store
from newscrawl.testing.services.postgresql import database_name, drop_database, new_database

DELAY = 0.1
REST = 2.0
TURN = 1.2
REQUEST = 2.0
"""Seconds that a request may last; a turn that is not released ends `TURN + REQUEST` seconds after its last renewal."""
POLICY = HostPolicy(delay=DELAY, first_rest=0.05, first_error=0.05)


@pytest.fixture(autouse=True)
def _turns_end_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "LATE", 0.0)
    monkeypatch.setattr(claims, "AWAY", 0.05)


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
        self.claims = HostClaims(self.store, lease=3 * TURN, request=REQUEST, owner=owner or self.name)
        self.throttle = HostThrottle(POLICY, claims=self.claims, now=lambda: datetime.now(UTC) + self.ahead)
        return self.throttle

    async def ask(self, host: str, *, lasts: float = 0.02, retry_after: str | None = None) -> None:
        async with self.throttle.slot(host) as answer:
            assert self.claims.may_send(host)
            begun = monotonic()
            await asyncio.sleep(lasts)
            answer.status = 200 if retry_after is None else 429
            answer.retry_after = retry_after
            self.server.log.append((self.name, host, begun, monotonic()))

    async def ask_often(self, host: str, times: int) -> None:
        for _ in range(times):
            await self.ask(host)


def crawl(
    database: str, scenario: Any, *names: str, addresses: Mapping[str, str] | None = None, **ahead: timedelta
) -> Server:
    """Runs the scenario with a crawler for each name. `addresses` are those of crawlers that do not use `database`."""
    server = Server()

    async def run() -> None:
        with ExitStack() as stores:
            crawlers = []
            for name in names:
                store = stores.enter_context(open_store((addresses or {}).get(name, database), upgrade=False))
                crawler = Crawler(name, server, store, ahead.get(name, timedelta()))
                crawler.open()
                crawlers.append(crawler)
            async with AsyncExitStack() as stack:
                for crawler in crawlers:
                    stack.push_async_callback(crawler.claims.close)
                async with asyncio.timeout(PATIENCE):
                    await scenario(*crawlers)

    asyncio.run(run())
    return server


async def until(condition: Callable[[], object]) -> None:
    while not condition():  # noqa: ASYNC110  nobody tells
        await asyncio.sleep(0)


def test_three_processes_share_hosts_without_two_requests_at_once_or_too_close(database: str) -> None:
    hosts = ("feeds.example", "a.example", "b.example")

    async def scenario(*crawlers: Crawler) -> None:
        await asyncio.gather(*(crawler.ask_often(host, 6) for crawler in crawlers for host in hosts))

    server = crawl(database, scenario, "anna", "bert", "cora")
    for host in hosts:
        assert len(server.of(host)) == 18
        server.check(host)
        assert {name for name, *_ in server.of(host)[:12]} == {"anna", "bert", "cora"}, "nobody waits for ever"


@pytest.mark.parametrize("ahead", [timedelta(minutes=2), timedelta(minutes=-2)], ids=["ahead", "behind"])
def test_clocks_that_differ_shorten_no_delay_and_no_pause(database: str, ahead: timedelta) -> None:
    async def scenario(anna: Crawler, bert: Crawler) -> None:
        await anna.ask("a.example", retry_after=str(int(REST)))
        await asyncio.gather(anna.ask_often("a.example", 4), bert.ask_often("a.example", 4))

    server = crawl(database, scenario, "anna", "bert", anna=ahead)
    server.check("a.example")
    first, second, *_ = server.of("a.example")
    assert second[2] - first[3] >= REST


def test_a_pause_that_one_process_learned_holds_when_the_site_comes_back(database: str) -> None:
    async def scenario(anna: Crawler, bert: Crawler) -> None:
        await anna.ask("a.example")
        await bert.ask("a.example", retry_after=str(int(REST)))
        await anna.ask("a.example")

    server = crawl(database, scenario, "anna", "bert")
    assert [name for name, *_ in server.of("a.example")] == ["anna", "bert", "anna"]
    _, second, third = server.of("a.example")
    assert third[2] - second[3] >= REST


def test_a_host_of_one_process_needs_no_transaction_a_request(database: str) -> None:
    async def scenario(anna: Crawler) -> None:
        await anna.ask("a.example")
        run, calls = anna.store.at_once, []
        anna.claims._store = Away(lambda *args: calls.append(args) or run(*args))  # type: ignore[assignment]
        begun = monotonic()
        await anna.ask_often("a.example", 8)
        assert len(calls) <= 1 + (monotonic() - begun) / (TURN / 3)

    crawl(database, scenario, "anna")


def test_a_turn_is_released_when_it_is_idle_and_when_the_process_ends(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "IDLE", 0.1)

    async def scenario(anna: Crawler, bert: Crawler) -> None:
        await anna.ask("a.example")
        await until(lambda: not anna.claims._turns)
        begun = monotonic()
        await bert.ask("a.example")
        assert monotonic() - begun < REQUEST, "the host was free"
        await anna.ask("b.example")
        await anna.claims.close()
        begun = monotonic()
        await bert.ask("b.example")
        assert monotonic() - begun < REQUEST, "the host was free"

    crawl(database, scenario, "anna", "bert").check("a.example")


def test_a_claim_that_nobody_waits_for_any_more_ends_when_it_is_idle(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "IDLE", 0.1)

    async def scenario(anna: Crawler) -> None:
        asking = asyncio.create_task(anna.ask("a.example"))
        await until(lambda: anna.claims._asked)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await until(lambda: anna.claims._turns)
        assert not anna.claims.may_send("a.example")
        await until(lambda: not anna.claims._turns)

    crawl(database, scenario, "anna")


def test_a_process_that_slept_past_its_turn_sends_nothing(database: str) -> None:
    async def scenario(anna: Crawler) -> None:
        slept = [0.0]
        anna.claims._clock = lambda: steady_seconds() + slept[0]
        async with anna.throttle.slot("a.example"):
            assert anna.claims.may_send("a.example")
            slept[0] = TURN
            assert not anna.claims.may_send("a.example")

    crawl(database, scenario, "anna")


@pytest.mark.postgresql
def test_a_process_that_slept_past_its_turn_shares_no_host_with_another(postgresql: str, migrated: str) -> None:
    """After the pause the database answers its claim only when it has given up the hosts that it did not use."""
    database = new_database(postgresql, migrated)
    proxy = DatabaseProxy(socket_of(postgresql))
    far = f"postgresql://postgres@127.0.0.1:{proxy.port}/{database_name(database)}?sslmode=disable"
    slept = [0.0]

    async def scenario(anna: Crawler, bert: Crawler) -> None:
        await anna.ask("a.example")
        anna.claims._clock = lambda: steady_seconds() + slept[0]
        proxy.is_cut, slept[0] = True, 100.0
        asking = asyncio.create_task(anna.ask("a.example", lasts=1.0))
        await asyncio.sleep(TURN / 2)
        proxy.is_cut = False
        await asyncio.gather(asking, bert.ask_often("a.example", 3))

    try:
        server = crawl(database, scenario, "anna", "bert", addresses={"anna": far})
    finally:
        proxy.close()
        drop_database(postgresql, database)
    assert len(server.of("a.example")) == 5
    server.check("a.example")


def test_a_pause_is_stored_that_a_process_learned_after_its_turn_had_ended(database: str) -> None:
    async def scenario(anna: Crawler, bert: Crawler) -> None:
        async with anna.throttle.slot("a.example") as answer:
            ended = text("UPDATE hosts SET owner = 'carl', busy_until = 0")
            anna.store.run(lambda connection: connection.execute(ended).rowcount).result()
            await bert.ask("a.example")
            await until(lambda: not anna.claims.may_send("a.example"))
            await bert.claims.close()
            answer.status, answer.retry_after = 429, str(int(REST))
        begun = monotonic()
        await bert.ask("a.example")
        assert monotonic() - begun >= REST * 0.9

    crawl(database, scenario, "anna", "bert")


class Away:
    """A database that refuses the first exchanges."""

    def __init__(self, at_once: Any, failures: int = 0) -> None:
        self._at_once, self.failures = at_once, failures

    def at_once(self, *args: Any) -> Future[Any]:
        if not self.failures:
            return self._at_once(*args)  # type: ignore[no-any-return]
        self.failures -= 1
        refused: Future[Any] = Future()
        refused.set_exception(DatabaseUnavailable("the server is away"))
        return refused


def test_a_request_waits_for_a_database_that_is_away_and_is_sent_after(database: str) -> None:
    async def scenario(anna: Crawler) -> None:
        away = anna.claims._store = Away(anna.store.at_once, 3)  # type: ignore[assignment]
        await anna.ask("a.example")
        assert away.failures == 0

    assert len(crawl(database, scenario, "anna").log) == 1


def test_a_release_that_the_database_refused_is_sent_again(database: str) -> None:
    async def scenario(anna: Crawler, bert: Crawler) -> None:
        await asyncio.gather(anna.ask_often("a.example", 2), bert.ask_often("a.example", 2))
        away = anna.claims._store = Away(anna.store.at_once)  # type: ignore[assignment]
        async with anna.throttle.slot("a.example") as answer:
            away.failures = 3
            answer.status, answer.retry_after = 429, "1"
            begun = monotonic()
        await bert.ask("a.example")
        assert 1.0 <= monotonic() - begun < 1.0 + REQUEST, "long before the turn would have ended"

    crawl(database, scenario, "anna", "bert")


def test_two_crawls_of_one_process_share_a_host_as_two_processes_do(database: str) -> None:
    """Each has its own throttle, as in a script that starts two spiders."""

    async def scenario(anna: Crawler, bert: Crawler) -> None:
        for crawler in (anna, bert):
            crawler.claims._owner = HostClaims(crawler.store, lease=3 * TURN, request=REQUEST)._owner
        await asyncio.gather(anna.ask_often("a.example", 3), bert.ask_often("a.example", 3))

    crawl(database, scenario, "anna", "bert").check("a.example")
