"""The writer thread: batches, work between them, and several writers on one database."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing

import pytest
from patience import PATIENCE
from sqlalchemy import func, select

from newscrawl.storage import open_store
from newscrawl.storage.frontier.sites import probe
from newscrawl.storage.tables.articles import articles, pages, versions
from newscrawl.storage.tables.frontier import sites


def count(store, table):
    with store.reading() as connection:
        return connection.execute(select(func.count()).select_from(table)).scalar_one()


def test_two_stores_that_save_the_same_pages_at_once_store_each_once(database, page):
    made = [page(f"https://harbour.example/{n}", f"item {n % 40}") for n in range(80)]
    results = {}
    barrier = threading.Barrier(3)

    def crawl(name):
        with open_store(database, upgrade=False, batch_size=7, max_wait=0.01) as store:
            barrier.wait()
            order = made if name == 0 else list(reversed(made))
            results[name] = [future.result(timeout=PATIENCE) for future in [store.save(one) for one in order]]

    threads = [threading.Thread(target=crawl, args=(name,)) for name in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=PATIENCE)
    outcomes = [one for name in range(3) for one in results[name]]
    kinds = [one.kind for one in outcomes]
    assert (kinds.count("inserted"), kinds.count("joined"), kinds.count("unchanged")) == (40, 40, 160)
    with open_store(database, upgrade=False) as store:
        assert count(store, pages) == 80
        assert count(store, versions) == 80
        assert count(store, articles) == 40


def test_run_sees_everything_saved_before_it(database, page):
    with open_store(database, upgrade=False, batch_size=1_000, max_wait=3600) as store:
        future = store.save(page("https://harbour.example/a", "one"))
        count = store.run(lambda connection: connection.execute(select(func.count()).select_from(pages)).scalar_one())
        assert count.result(timeout=PATIENCE) == 1
        assert future.done()
        waiting = store.save(page("https://harbour.example/b", "two"))
        assert not waiting.cancel()
        store.flush()
        assert waiting.result(timeout=PATIENCE).kind == "inserted"


def test_a_batch_is_committed_when_it_is_full_or_has_waited(database, page):
    with open_store(database, upgrade=False, batch_size=3, max_wait=3600) as store:
        futures = [store.save(page(f"https://harbour.example/{n}", f"item {n}")) for n in range(3)]
        assert [future.result(timeout=PATIENCE).kind for future in futures] == ["inserted"] * 3
    with open_store(database, upgrade=False, batch_size=1_000, max_wait=0.01) as store:
        assert store.save(page("https://harbour.example/9", "item 9")).result(timeout=PATIENCE).kind == "inserted"


def test_what_a_callers_function_raises_is_rolled_back_and_reaches_the_caller(store, page, now):
    def spoil(connection):
        connection.execute(versions.delete())
        raise LookupError("changed my mind")

    store.save(page("https://harbour.example/a", "one"))
    with pytest.raises(LookupError, match="changed my mind"):
        store.run(spoil).result(timeout=PATIENCE)
    assert count(store, pages) == 1


def test_what_is_added_to_a_batch_is_committed_with_its_pages_and_an_error_is_its_own(database, page):
    def number(connection):
        return connection.execute(select(func.count()).select_from(pages)).scalar_one()

    def spoil(connection):
        connection.execute(versions.delete())
        raise LookupError("changed my mind")

    with open_store(database, upgrade=False, batch_size=1_000, max_wait=3600) as store:
        blocked = threading.Event()
        waiting = store.run(lambda _connection: blocked.wait(PATIENCE))
        first = store.save(page("https://harbour.example/a", "one"))
        spoiled, counted = store.add(None, spoil), store.add(None, number)
        second = store.save(page("https://harbour.example/b", "two"))
        blocked.set()
        waiting.result(PATIENCE)
        assert [future.result(PATIENCE).kind for future in (first, second)] == ["inserted", "inserted"]
        with pytest.raises(LookupError, match="changed my mind"):
            spoiled.result(PATIENCE)
        assert counted.result(PATIENCE) == 2
        assert count(store, versions) == 2


def test_a_probe_writes_and_leaves_everything_as_it_was(tmp_path):
    file = tmp_path / "x.db"
    with open_store(f"sqlite:///{file}", upgrade=False) as store, closing(sqlite3.connect(file)) as other:
        seen = other.execute("PRAGMA data_version").fetchone()
        store.run(lambda _connection: None).result(timeout=PATIENCE)
        assert other.execute("PRAGMA data_version").fetchone() == seen, "an empty transaction writes nothing"
        store.run(probe).result(timeout=PATIENCE)
        assert other.execute("PRAGMA data_version").fetchone() != seen
        assert count(store, sites) == 1, "that of the installation"
