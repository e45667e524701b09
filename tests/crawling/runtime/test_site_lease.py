"""The lease of a running crawl, over a store whose answers are given."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from newscrawl.crawling.runtime.site_lease import KeptLease
from newscrawl.errors import StorageError
from newscrawl.storage.frontier.leases import Lease

REFUSED = StorageError("disk I/O error")


class GivenStore:
    """Transactions of which each ends with what was given (storage.protocols.Transactions)."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def run(self, *_: Any, **_more: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if isinstance(self.answer, StorageError):
            future.set_exception(self.answer)
        else:
            future.set_result(self.answer)
        return future


@pytest.mark.parametrize("answer", [REFUSED, None], ids=["database refused", "somebody else's"])
def test_a_lost_lease_says_whether_the_database_refused(answer: StorageError | None) -> None:
    async def lost() -> StorageError | None:
        told: asyncio.Queue[StorageError | None] = asyncio.Queue()
        duration = timedelta(milliseconds=40)
        lease = Lease("harbour", "anna", 1, datetime.now(UTC) + duration)
        kept = KeptLease(GivenStore(answer), lease, told.put_nowait, duration)
        found = await asyncio.wait_for(told.get(), 30)
        await kept.release()
        return found

    assert asyncio.run(lost()) is answer
