"""The writer thread: batches, work between them, and several writers on one database."""

from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import wait
from contextlib import closing

import pytest
from patience import PATIENCE
from source_items import as_planned, hourly
from sqlalchemy import event, func, select

from newscrawl.errors import InvalidUrl
from newscrawl.model import Candidate, Discovery, Failure
from newscrawl.storage.frontier.pages import FailedRequest
from newscrawl.storage.frontier.sites import probe
from newscrawl.storage.frontier.source_state import Reading
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.store import open_store
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


def test_what_a_callers_function_raises_is_rolled_back_and_reaches_the_caller(store, page, now):
    def spoil(connection):
        connection.execute(versions.delete())
        raise LookupError("changed my mind")

    store.save(page("https://harbour.example/a", "one"))
    with pytest.raises(LookupError, match="changed my mind"):
        store.run(spoil).result(timeout=PATIENCE)
    assert count(store, pages) == 1


def test_answers_and_failures_are_committed_with_pages_and_an_error_is_its_own(database, page, now):
    def answer(url, *named):
        feed = SourceAnswer("harbour", url, "feed", 200, now)
        return Reading(feed, [Candidate(one, Discovery("feed", url)) for one in named], now, hourly, as_planned)

    def stored(*kept):
        begun, goes_on = threading.Event(), threading.Event()
        waiting = store.run(lambda _connection: (begun.set(), goes_on.wait(PATIENCE)))
        begun.wait(PATIENCE)
        futures = [save(one) for save, one in kept]
        before = len(commits)
        goes_on.set()
        waiting.result(PATIENCE)
        wait(futures, PATIENCE)
        return futures, len(commits) - before - 1

    feed, url = "https://harbour.example/feed", "https://harbour.example/{}"
    gone = FailedRequest.of(url.format("d"), "harbour", Failure("http/404", "gone"), 404, now)
    commits = []
    with open_store(database, upgrade=False, batch_size=1_000, max_wait=3600) as store:
        event.listen(store._engine, "commit", lambda _connection: commits.append(1))
        one, two = page(url.format("a"), "one"), page(url.format("b"), "two")
        kept = (store.save, one), (store.record, answer(feed, one.raw.url)), (store.record, gone), (store.save, two)
        (first, read, failed, second), number = stored(*kept)
        assert number == 1
        assert [future.result().kind for future in (first, second)] == ["inserted", "inserted"]
        assert [due.url for due in read.result()] == [one.raw.url], "pages are stored last"
        assert failed.result() == []
        assert (count(store, pages), count(store, versions)) == (3, 2)

        kept = (store.record, answer("no address")), (store.record, answer(feed, url.format("c"))), (store.save, one)
        (broken, read, again), _ = stored(*kept)
        with pytest.raises(InvalidUrl):
            broken.result()
        assert [due.url for due in read.result()] == [url.format("c")]
        assert again.result().kind == "unchanged"


def test_a_probe_writes_and_leaves_everything_as_it_was(tmp_path):
    file = tmp_path / "x.db"
    with open_store(f"sqlite:///{file}", upgrade=False) as store, closing(sqlite3.connect(file)) as other:
        seen = other.execute("PRAGMA data_version").fetchone()
        store.run(lambda _connection: None).result(timeout=PATIENCE)
        assert other.execute("PRAGMA data_version").fetchone() == seen, "an empty transaction writes nothing"
        store.run(probe).result(timeout=PATIENCE)
        assert other.execute("PRAGMA data_version").fetchone() != seen
        assert count(store, sites) == 1, "that of the installation"
