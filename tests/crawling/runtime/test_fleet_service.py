"""One process does watchdog and upkeep for all. Each process reports that it is alive, and learns which machines are
gone."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path

import pytest
from patience import PATIENCE

from newscrawl.config.catalogue import Config, StorageSettings
from newscrawl.crawling.runtime.archive import machine_of
from newscrawl.crawling.runtime.crawl_services import registered_process
from newscrawl.crawling.runtime.site_lease import UPKEEP, WATCHDOG, FleetService
from newscrawl.storage import machines
from newscrawl.storage.machines import CrawlingProcess
from newscrawl.storage.migrations import HEAD
from newscrawl.storage.store import Store, open_store

PROCESS = CrawlingProcess("anna/1/boot.1", "anna", "run", "0.1.0", "0001")


def test_one_process_does_the_work_until_it_leaves_it_to_another(store: Store) -> None:
    async def scenario() -> None:
        first, second = FleetService(store, WATCHDOG), FleetService(store, WATCHDOG)
        other = FleetService(store, UPKEEP)
        assert await first.is_ours()
        assert not await second.is_ours()
        assert await first.is_ours()
        assert await other.is_ours(), "each kind of work has its own owner"
        await first.close()
        assert await second.is_ours()
        assert not await first.is_ours()
        await second.close()
        await other.close()

    asyncio.run(scenario())


def test_nobody_works_while_the_database_does_not_answer(store: Store) -> None:
    store.close()
    assert not asyncio.run(FleetService(store, WATCHDOG).is_ours())


def test_a_process_ends_once_another_newscrawl_has_upgraded_the_database(store: Store) -> None:

    async def scenario() -> list[str]:
        messages: list[str] = []
        told = asyncio.Event()

        def outdated(message: str) -> None:
            messages.append(message)
            told.set()

        async with registered_process(store, PROCESS, outdated, 0.01), asyncio.timeout(PATIENCE):
            await told.wait()
            await asyncio.sleep(0.1)
        return messages

    (message,) = asyncio.run(scenario())
    assert "newer than this newscrawl's 0001: this process ends" in message
    with store.reading() as connection:
        assert machines.living(connection) == []


def test_a_machine_has_the_name_of_the_settings_or_that_of_its_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "box")
    assert machine_of(Config()) == "box"
    assert machine_of(Config(storage=StorageSettings(machine="crawler-3"))) == "crawler-3"


MINE = CrawlingProcess("anna/1/boot.1", "anna", "run", "0.1.0", HEAD)
LEFT = CrawlingProcess("bert/1/boot.1", "bert", "run", "0.1.0", HEAD)


async def told(store: Store) -> list[list[str]]:
    """What a process is told before and after the machine that is gone is removed."""
    found: list[list[str]] = []
    is_over = asyncio.Event()

    def gone(machines: Collection[str]) -> None:
        if not found or found[-1] != sorted(machines):
            found.append(sorted(machines))
        if not machines:
            is_over.set()

    async with registered_process(store, MINE, lambda _message: None, every=0.01, gone=gone):
        await asyncio.wrap_future(store.run(machines.remove, "bert", "the test"))
        async with asyncio.timeout(PATIENCE):
            await is_over.wait()
    return found


def test_a_process_is_told_which_machines_are_gone_and_when_they_no_longer_are(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True) as store:
        store.run(machines.register, LEFT, now=datetime(2026, 1, 1, tzinfo=UTC)).result(PATIENCE)
        assert asyncio.run(told(store)) == [["bert"], []]
