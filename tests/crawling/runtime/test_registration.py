"""A registered process reports that it is alive, and learns which machines are gone."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path

from patience import PATIENCE

from newscrawl.crawling.runtime.crawl_services import registered_process
from newscrawl.storage import machines
from newscrawl.storage.machines import CrawlingProcess
from newscrawl.storage.migrations import HEAD
from newscrawl.storage.store import Store, open_store

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
