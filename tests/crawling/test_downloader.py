"""A crawl that may go on after a pause does not begin all requests at once."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.core.downloader import Downloader

from newscrawl.crawling.downloader import AT_ONCE, PoliteDownloader


class Idle(PoliteDownloader):
    """Without a crawl: only what is counted."""

    def __init__(self, engine: Any) -> None:
        self.active: set[Any] = set()
        self.total_concurrency = 3 * AT_ONCE + 1
        self._begun = 0
        self.crawler: Any = SimpleNamespace(_engine=engine)


def test_requests_begin_a_few_at_a_time_and_the_engine_is_told_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Downloader, "fetch", lambda self, request: self.active.add(request))
    told: list[int] = []
    slot = SimpleNamespace(nextcall=SimpleNamespace(schedule=lambda: told.append(1)))
    downloader = Idle(SimpleNamespace(_slot=slot))

    async def run() -> list[int]:
        begun = []
        for _ in range(4):
            while not downloader.needs_backout():
                downloader.fetch(Request(f"https://site-{len(downloader.active)}.example/"))
            begun.append(len(downloader.active))
            await asyncio.sleep(0)
        return begun

    most = 3 * AT_ONCE + 1
    assert asyncio.run(run()) == [AT_ONCE, 2 * AT_ONCE, 3 * AT_ONCE, most]
    assert len(told) == 3  # after the last, only answers make room
    assert downloader.needs_backout()
