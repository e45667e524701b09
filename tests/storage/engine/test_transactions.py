"""Transactions of crawls on two machines that run beside each other and beside batches."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta

import pytest
from lock_waits import waits_for_a_lock
from patience import PATIENCE
from sqlalchemy import func, select
from totals import assert_totals_are_true

from newscrawl.errors import LeaseLost
from newscrawl.model import Candidate, Discovery, Failure
from newscrawl.storage import SourceAnswer, open_store
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.transactions import (
    begin_batch,
    begin_concurrent,
    begin_read,
    may_run_concurrently,
    take_order,
)
from newscrawl.storage.feed import changes
from newscrawl.storage.fenced_store import FencedStore
from newscrawl.storage.frontier import leases, pages, sources
from newscrawl.storage.frontier.pages import FailedRequest
from newscrawl.storage.tables.articles import pages as page_table
from newscrawl.storage.tables.hours import site_hours
from newscrawl.storage.tables.operations import events

SITES = ("harbour", "valley")
GONE = Failure("http/404", "gone")
MINUTES = timedelta(minutes=5)


@pytest.fixture
def engine(database):
    if not database.startswith("postgresql"):
        pytest.skip("SQLite has one writer")
    opened = make_engine(parse_url(database), is_writer=True)
    yield opened
    opened.dispose()


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
    return sources.record_answer, SourceAnswer(site, feed, "feed", 200, now), named, now


def addresses_of(numbers):
    return [f"https://shared.example/{number}" for number in numbers]


def test_they_do_not_wait_for_a_batch_that_has_something_for_the_feed(machines, engine, page, now):
    """Only a page that is gone, so that the feed removes its article, waits for the order of the feed."""
    machines[0].save(page("https://harbour.example/a", "The ferry", fetched_at=now)).result(PATIENCE)
    with begin_batch(engine, take_order):
        machines[0].run(leases.take, "harbour", "anna", None, MINUTES, lambda _: False).result(PATIENCE)
        machines[0].run(*answer_of("harbour", addresses_of(range(3)), now)).result(PATIENCE)
        timeout = FailedRequest.of("https://harbour.example/a", "harbour", Failure("timeout", "late"), None, now)
        machines[0].run(pages.record_failures, [timeout]).result(PATIENCE)
        gone = machines[0].run(pages.record_failure, "https://harbour.example/a", "harbour", GONE, 404, now)
        assert waits_for_a_lock(engine)
        assert not gone.done()
    gone.result(PATIENCE)
    with begin_read(engine) as connection:
        assert [change.op for change in changes.read(connection, 0, 100)] == ["upsert", "remove"]
        assert_totals_are_true(connection)


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


def test_a_page_that_another_machine_has_just_found_is_found_once(machines, engine, now, monkeypatch):
    barrier, met = threading.Barrier(2, timeout=PATIENCE), threading.local()

    def looked_up(connection, keys, look_up=sources.known_pages):
        known = look_up(connection, keys)
        if not getattr(met, "once", False):
            met.once = True
            barrier.wait()
        return known

    monkeypatch.setattr(sources, "known_pages", looked_up)
    running = [
        store.run(*answer_of(site, addresses_of(range(3)), now)) for store, site in zip(machines, SITES, strict=True)
    ]
    assert [len(one.result(PATIENCE)) for one in running] == [3, 3]
    with begin_read(engine) as connection:
        assert connection.execute(select(func.count()).select_from(page_table)).scalar_one() == 3
        assert (
            connection.execute(select(func.sum(site_hours.c.number)).where(site_hours.c.kind == "found")).scalar_one()
            == 3
        )
        assert_totals_are_true(connection)


def test_a_new_owner_of_a_site_waits_for_what_the_former_one_writes(machines, engine, now):
    lease = machines[0].run(leases.take, "harbour", "anna", None, MINUTES, lambda _: False).result(PATIENCE)
    with begin_concurrent(engine) as connection:
        assert not leases.lost(connection, [lease])
        taking = machines[1].run(leases.take, "harbour", "bert", None, MINUTES, lambda _: True)
        assert waits_for_a_lock(engine)
        other = machines[1].leases.run(leases.renew, lease, None, MINUTES)
        assert other.result(PATIENCE) is not None, "a renewal waits for nothing"
        assert not taking.done()
    assert taking.result(PATIENCE).token == lease.token + 1
    with pytest.raises(LeaseLost):
        FencedStore(machines[0], lease).run(*answer_of("harbour", addresses_of(range(3)), now)).result(PATIENCE)


def test_nothing_is_written_to_the_feed_without_the_order_of_commits(engine, now):
    @may_run_concurrently
    def forgets_the_lock(connection):
        changes.append(connection, [1], now, "new")

    with pytest.raises(RuntimeError, match="lock of order"), begin_concurrent(engine) as connection:
        forgets_the_lock(connection)
