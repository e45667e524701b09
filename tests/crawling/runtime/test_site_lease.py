"""The lease of a running crawl, over a store with prepared answers."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from newscrawl.crawling.runtime.site_lease import KeptLease, steady_seconds
from newscrawl.errors import StorageError
from newscrawl.storage.frontier.leases import Lease

REFUSED = StorageError("disk I/O error")


class GivenStore:
    """Transactions of which each ends with what was given (storage.reader.Transactions)."""

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
        kept = KeptLease(GivenStore(answer), lease, told.put_nowait, duration, asked_at=steady_seconds())
        found = await asyncio.wait_for(told.get(), 30)
        await kept.release()
        return found

    assert asyncio.run(lost()) is answer


def test_a_lease_is_believed_from_the_last_confirmed_request_for_nine_tenths_of_its_duration() -> None:
    clock = SimpleNamespace(seconds=1000.0)
    lease = Lease("harbour", "anna", 1, datetime.now(UTC))

    async def run() -> list[bool]:
        store = GivenStore(lease)
        duration = timedelta(seconds=0.3)  # renewed every tenth of a second of the event loop
        kept = KeptLease(store, lease, lambda _: None, duration, asked_at=clock.seconds, clock=lambda: clock.seconds)
        in_force = [kept.is_in_force()]
        clock.seconds += 0.26
        in_force.append(kept.is_in_force())
        clock.seconds += 0.02
        in_force.append(kept.is_in_force())
        await asyncio.sleep(0.2)  # at least one renewal
        in_force.append(kept.is_in_force())
        store.answer = REFUSED  # asked again and again while the lease may last
        clock.seconds += 0.28
        await asyncio.sleep(0.15)
        in_force.append(kept.is_in_force())
        await kept.release()
        return in_force

    assert asyncio.run(run()) == [True, True, False, True, False]
