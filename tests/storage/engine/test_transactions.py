"""Transactions of crawls on two machines: one after the other, whatever they write."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta

import pytest
from kinds_of_databases import ON_POSTGRESQL
from lock_waits import waits_for_a_lock
from patience import PATIENCE
from source_items import record_answer
from sqlalchemy import func, select
from totals import assert_totals_are_true

from newscrawl.errors import LeaseLost
from newscrawl.model import Candidate, Discovery, Failure
from newscrawl.storage.engine.transactions import begin_read, begin_write
from newscrawl.storage.frontier import leases, pages
from newscrawl.storage.frontier.pages import FailedRequest
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.store import open_store
from newscrawl.storage.tables.articles import pages as page_table
from newscrawl.storage.tables.frontier import site_hours
from newscrawl.storage.tables.operations import events

pytestmark = ON_POSTGRESQL

SITES = ("harbour", "valley")
GONE = Failure("http/404", "gone")
MINUTES = timedelta(minutes=5)


@pytest.fixture
def machines(engine, database):
    """Two stores."""
    stores = [open_store(database, upgrade=False, max_wait=0.01) for _ in range(2)]
    yield stores
    for store in stores:
        store.close()


def answer_of(site, addresses, now):
    feed = f"https://{site}.example/feed"
    named = [Candidate(address, Discovery("feed", feed)) for address in addresses]
    return record_answer, SourceAnswer(site, feed, "feed", 200, now), named, now


def addresses_of(numbers):
    return [f"https://shared.example/{number}" for number in numbers]


def test_numbers_stay_those_of_the_rows_while_two_machines_write_the_same_pages(machines, engine, page, now):
    """Both name the same addresses, fetch some of them, and find others gone."""

    def work(store, site, step):
        waiting: list[Future] = []
        for number in range(12):
            mine = addresses_of(range(number * 2, number * 2 + 6))
            waiting.append(store.run(*answer_of(site, mine[::step], now)))
            text = f"Report {number // 2}"
            for address in mine[:2]:
                at = now + timedelta(seconds=number)
                waiting.append(store.save(page(address, text, site=site, fetched_at=at)))
            failed = [FailedRequest.of(one, site, GONE, 404, now + timedelta(minutes=1)) for one in mine[2:4]]
            waiting.append(store.run(pages.record_failures, failed))
        return [one.result(PATIENCE) for one in waiting]

    with ThreadPoolExecutor(2) as pool:
        running = [
            pool.submit(work, store, site, step) for store, site, step in zip(machines, SITES, (1, -1), strict=True)
        ]
        for one in running:
            one.result(PATIENCE)
    with begin_read(engine) as connection:
        assert_totals_are_true(connection)
        found = connection.execute(
            select(func.sum(site_hours.c.number)).where(site_hours.c.kind == "found")
        ).scalar_one()
        named = connection.execute(select(func.count()).where(events.c.kind == "found")).scalar_one()
        assert found == named > 0
        for kind in ("fetched", "gone"):
            counted = select(func.sum(site_hours.c.number)).where(site_hours.c.kind == kind)
            assert connection.execute(counted).scalar_one() == 2 * 12 * 2
        stored = connection.execute(select(func.count()).select_from(page_table)).scalar_one()
        assert stored == len({page.url for page in connection.execute(select(page_table.c.url))})


def test_a_new_owner_of_a_site_waits_for_what_the_former_one_writes(machines, engine, now):
    lease = machines[0].run(leases.take, "harbour", "anna", None, MINUTES, lambda _: False).result(PATIENCE)
    with begin_write(engine) as connection:
        assert not leases.lost(connection, [lease])
        taking = machines[1].run(leases.take, "harbour", "bert", None, MINUTES, lambda _: True)
        assert waits_for_a_lock(engine)
        other = machines[1].notes.run(leases.renew, lease, None, MINUTES)
        assert other.result(PATIENCE) is not None, "a renewal waits for nothing"
        assert not taking.done()
    assert taking.result(PATIENCE).token == lease.token + 1
    with pytest.raises(LeaseLost):
        machines[0].run(leases.fenced, lease, *answer_of("harbour", addresses_of(range(3)), now)).result(PATIENCE)
