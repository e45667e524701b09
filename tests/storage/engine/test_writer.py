"""The writer thread: batches, work between them, several writers on one database, and notes that wait for no lock of
writers."""

from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import wait
from contextlib import closing
from datetime import timedelta

import pytest
from kinds_of_databases import ON_POSTGRESQL, ON_SQLITE
from patience import PATIENCE
from source_items import as_planned, hourly
from sqlalchemy import event, func, select, text

from newscrawl.errors import DatabaseUnavailable, InvalidUrl, StorageError
from newscrawl.model import Candidate, Discovery, Failure
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.errors import RetryPolicy
from newscrawl.storage.engine.transactions import begin_read, begin_write
from newscrawl.storage.frontier import crawls, hosts, leases, sites
from newscrawl.storage.frontier.pages import FailedRequest
from newscrawl.storage.frontier.sites import probe
from newscrawl.storage.frontier.source_state import Reading
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.store import open_store
from newscrawl.storage.tables.articles import articles, pages, versions
from newscrawl.storage.tables.frontier import sites as sites_table


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
        assert count(store, sites_table) == 1, "that of the installation"


MINUTE = timedelta(minutes=1)


@ON_SQLITE
def test_a_file_has_one_writer(store):
    assert store.notes is store


@ON_POSTGRESQL
def test_a_renewal_does_not_wait_behind_other_writes(database, store, now):
    lease = store.run(leases.acquire, "harbour", "anna", None, MINUTE).result(PATIENCE)
    with begin_write(make_engine(parse_url(database), pooled=False)):
        waits = store.run(sites.note_start, "harbour", now)
        renewed = store.notes.run(leases.renew, lease, None, MINUTE).result(PATIENCE)
        assert renewed.expires > lease.expires
        assert not waits.done()
    waits.result(PATIENCE)


@ON_POSTGRESQL
def test_notes_of_requests_do_not_wait_behind_other_writes(database, store, now):
    with begin_write(make_engine(parse_url(database), pooled=False)):
        store.notes.run(crawls.count_requests, {"harbour": 3}, {"harbour": 2}, now).result(PATIENCE)
    with store.reading() as connection:
        assert connection.execute(text("SELECT requests_today FROM sites WHERE site = 'harbour'")).scalar_one() == 3


def test_claims_of_two_processes_on_the_same_hosts_wait_for_each_other_in_one_order(database, store, now):
    keys = [f"domain:{number}.example" for number in range(60)]
    with open_store(database, upgrade=False) as other:
        running = [
            process.at_once(hosts.exchange, name, [], dict.fromkeys(order, 0.0), 9.0, lambda _: True)
            for _ in range(20)
            for name, process, order in (("anna", store, keys), ("bert", other, keys[::-1]))
        ]
        for future in running:
            future.result(PATIENCE)


@ON_POSTGRESQL
def test_notes_that_the_database_refuses_begin_an_outage(database):
    with open_store(database, upgrade=False, retry=RetryPolicy(attempts=2, first_pause=0.01)) as store:

        def refuse(_connection):
            raise DatabaseUnavailable("the server is away")

        with pytest.raises(StorageError):
            store.notes.run(refuse).result(PATIENCE)
        assert store.is_away
        store.run(probe).result(PATIENCE)
        assert not store.is_away


def setting(connection, name):
    return connection.execute(text(f"SHOW {name}")).scalar_one()


@ON_POSTGRESQL
def test_only_writing_sessions_have_the_servers_limits_and_the_url_prevails(database, store):
    for name, value in (("idle_in_transaction_session_timeout", "1min"), ("lock_timeout", "30s")):
        assert store.run(setting, name).result(PATIENCE) == value
        with begin_read(make_engine(parse_url(database), pooled=False)) as connection:
            assert setting(connection, name) == "0"
    given = f"{database}{'&' if '?' in database else '?'}options=-c%20lock_timeout%3D7s&keepalives_idle=33"
    with begin_read(make_engine(parse_url(given), pooled=False, is_writer=True)) as connection:
        assert setting(connection, "lock_timeout") == "7s"
        assert setting(connection, "statement_timeout") == "5min"
        assert setting(connection, "TimeZone") == "UTC"
        parameters = connection.connection.dbapi_connection.info.get_parameters()
        assert (parameters["keepalives_idle"], parameters["tcp_user_timeout"]) == ("33", "20000")
