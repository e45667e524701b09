"""An error of the database affects at most the item that caused it, and never a part of an item."""

from __future__ import annotations

import sqlite3
import threading
import time
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import datetime, timedelta

import psycopg
import pytest
from patience import PATIENCE
from source_items import record_answer
from sqlalchemy import event, func, select
from sqlalchemy.exc import OperationalError
from stored_rows import metadata

from newscrawl import reports
from newscrawl.errors import DatabaseLocked, StorageError
from newscrawl.model import Candidate, Discovery
from newscrawl.reports.sites import totals
from newscrawl.storage.captures import locations
from newscrawl.storage.engine.errors import RetryPolicy
from newscrawl.storage.engine.transactions import WRITE_LOCK
from newscrawl.storage.frontier import sources
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.store import open_store
from newscrawl.storage.tables.articles import articles, headlines, pages, urls, versions
from newscrawl.storage.tables.changes import changes
from newscrawl.storage.tables.operations import events

QUICK = RetryPolicy(attempts=3, first_pause=0.001)
CUTS = 10
"""Times that a server ends its connections; each costs a batch at most one attempt."""


def counts(store):
    with store.reading() as connection:
        tables = (articles, pages, urls, versions, events, changes, headlines)
        found = {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one() for table in tables
        }
        return {**found, "dead_letters": sum(site.dead_letters for site in totals(connection))}


def saved(store, made):
    futures = [store.save(one) for one in made]
    store.flush()
    return futures


@contextmanager
def failing(store, at, times=1, *, commits=False):
    """Makes the `at`-th statement (or commit) of the writer raise, `times` times in a row; yields how many ran."""
    ran = {"statements": 0, "raised": 0}

    def fail(*_args, **_kwargs):
        if threading.current_thread().name != "newscrawl-store":
            return
        ran["statements"] += 1
        if ran["statements"] == at and ran["raised"] < times:
            ran["statements"] = 0
            ran["raised"] += 1
            raise OperationalError("a statement", {}, Exception("database is locked"))

    name = "commit" if commits else "before_cursor_execute"
    event.listen(store._engine, name, fail)
    try:
        yield ran
    finally:
        event.remove(store._engine, name, fail)


def batch(page):
    """Pages that together take every path: new, joined, merged, failed."""
    url = "https://harbour.example/"
    return [
        page(f"{url}a", "one"),
        page(f"{url}b", "one"),
        page(f"{url}r", "two", final_url=f"{url}c"),
        page(f"{url}old", "three", final_url=f"{url}new", fetched_at=page(url).raw.fetched_at + timedelta(days=1)),
        page(f"{url}d"),
    ]


def prepare(store, page):
    """A page that the batch will find moved."""
    (future,) = saved(store, [page("https://harbour.example/old", "three")])
    future.result(timeout=PATIENCE)


@pytest.mark.parametrize("commits", [False, True])
def test_an_error_at_any_statement_is_retried_and_stores_everything_once(database, page, commits):
    with open_store(database, upgrade=False, batch_size=100, max_wait=3600, retry=QUICK) as store:
        prepare(store, page)
        before = counts(store)
        statement = 0
        while True:
            statement += 1
            _reset(store, page)
            with failing(store, statement, commits=commits) as ran:
                kinds = [future.result(timeout=PATIENCE).kind for future in saved(store, batch(page))]
            assert kinds == ["inserted", "joined", "inserted", "unchanged", "failed"]
            after = counts(store)
            assert (after["articles"], after["pages"], after["dead_letters"]) == (3, 5, 0), f"statement {statement}"
            assert after["urls"] == 7
            assert after["changes"] == 4, "three articles told once by the batch, one of them before it"
            if not ran["raised"]:
                break
        assert statement > (1 if commits else 8)
        assert before["articles"] == 1


@pytest.mark.parametrize("commits", [False, True])
def test_an_error_that_does_not_pass_leaves_nothing_half_stored_and_fails_every_future(database, page, commits):
    with open_store(database, upgrade=False, batch_size=100, max_wait=3600, retry=QUICK) as store:
        prepare(store, page)
        before = counts(store)
        statement = 0
        while True:
            statement += 1
            with failing(store, statement, times=99, commits=commits) as ran:
                futures = saved(store, batch(page))
                errors = [future.exception(timeout=PATIENCE) for future in futures]
            if not ran["raised"]:
                break
            assert all(isinstance(error, StorageError) for error in errors)
            assert "cannot store 5 pages" in str(errors[0])
            assert "\n" not in str(errors[0])
            assert counts(store) == before, f"statement {statement}"
        assert statement > (1 if commits else 8)


def _reset(store, page):
    def empty(connection):
        for table in reversed(metadata.sorted_tables):
            connection.execute(table.delete())

    store.run(empty).result(timeout=PATIENCE)
    prepare(store, page)


def test_a_source_answer_that_fails_anywhere_leaves_neither_validators_nor_candidates(store, now):
    answer = SourceAnswer("harbour", "https://harbour.example/feed", "feed", 200, now, etag='"v1"')
    named = [Candidate(f"https://harbour.example/{n}", Discovery("feed", answer.url)) for n in range(3)]
    statement = 0
    while True:
        statement += 1
        with failing(store, statement, times=99) as ran:
            future = store.run(record_answer, answer, named, now)
            error = future.exception(timeout=PATIENCE)
        if not ran["raised"]:
            break
        assert isinstance(error, StorageError)
        assert store.run(sources.load_site, "harbour").result(timeout=PATIENCE) == []
        assert counts(store)["pages"] == 0
    assert statement > 4
    assert len(future.result()) == 3


class Strange:
    def __repr__(self):
        return "strange"


@pytest.mark.parametrize(
    "poison",
    [
        {"status": 2**80},
        {"status": Strange()},
        {"fetched_at": "yesterday"},
        {"fetched_at": datetime(2026, 11, 21)},  # noqa: DTZ001  that is what is wrong with it
        {"title": Strange()},
        {"identity_key": None},
        {"identity_key": "k" * 3_000_000},
        {"final_url": "javascript:alert(1)"},
        {"discovery": Discovery("feed" * 9_000_000, "x")},
        {"site": Strange()},
        {"site": None},
    ],
    ids=lambda poison: next(iter(poison)),
)
def test_a_bad_item_becomes_a_dead_letter_with_its_error_and_its_neighbours_are_stored(store, page, poison):
    good = [page(f"https://harbour.example/{n}", f"item {n}") for n in range(4)]
    bad = page("https://harbour.example/bad", "bad", **({} if "final_url" in poison else poison))
    if "final_url" in poison:
        bad = replace(bad, raw=replace(bad.raw, **poison))
    outcomes = [future.result(timeout=PATIENCE) for future in saved(store, [*good[:2], bad, *good[2:]])]
    assert [one.kind for one in outcomes] == ["inserted", "inserted", "dead_letter", "inserted", "inserted"]
    with store.reading() as connection:
        row = connection.execute(select(events).where(events.c.kind == "stored/dead_letter")).one()
    assert row.url == "https://harbour.example/bad"
    assert row.reason == outcomes[2].reason
    assert "\n" not in row.reason
    assert row.payload["raw"]["url"] == row.url
    assert counts(store)["articles"] == 4
    assert counts(store)["dead_letters"] == 1
    if isinstance(poison.get("site", ""), str):
        with store.reading() as connection:
            story = reports.url_report(connection, row.url)
        assert story.events[-1].kind == "stored/dead_letter"
        assert story.page.page.state == "failed"


@pytest.mark.postgresql
def test_a_connection_that_the_server_ends_is_opened_again(postgresql, empty_postgresql, page, caplog):
    patient = RetryPolicy(attempts=CUTS + 10, first_pause=0.05, longest_pause=0.2)
    with open_store(empty_postgresql, upgrade=True, max_wait=0.02, retry=patient) as store:
        store.save(page("https://harbour.example/0", "item 0")).result(timeout=PATIENCE)
        killer = threading.Thread(target=end_connections, args=(postgresql, empty_postgresql))
        killer.start()
        futures = []
        while killer.is_alive() or len(futures) < 120:
            n = len(futures) + 1
            futures.append(store.save(page(f"https://harbour.example/{n}", f"item {n}")))
            if not n % 10:
                futures[-1].result(timeout=PATIENCE)
        killer.join()
        results = {future.result(timeout=PATIENCE).kind for future in futures}
        # A commit whose answer was lost is repeated, and then finds its own rows.
        assert results <= {"inserted", "unchanged"}
        assert counts(store)["articles"] == len(futures) + 1
        assert counts(store)["dead_letters"] == 0
    assert [record.message for record in caplog.records if record.name == "psycopg"] == []


def end_connections(server, url):
    """Ends every connection to the database, several times."""
    query = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
    with psycopg.connect(server, autocommit=True) as connection:
        for _ in range(CUTS):
            connection.execute(query, [url_database(url)])
            time.sleep(0.07)


def url_database(url):
    return url.partition("?")[0].rpartition("/")[2]


def test_a_full_disk_fails_loudly_and_what_was_stored_stays(tmp_path, page):
    with open_store(f"sqlite:///{tmp_path / 'x.db'}", upgrade=False, batch_size=50, retry=QUICK) as store:
        store.save(page("https://harbour.example/a", "one")).result(timeout=PATIENCE)
        limit_size(store, 60)
        futures = saved(store, [page(f"https://harbour.example/{n}", f"item {n}" * 500) for n in range(200)])
        errors = [future.exception(timeout=PATIENCE) for future in futures]
        assert "database or disk is full" in str(errors[-1])
        assert counts(store)["articles"] == 1 + errors.count(None)
        limit_size(store, 1_000_000)
        assert store.save(page("https://harbour.example/b", "two")).result(timeout=PATIENCE).kind == "inserted"


def limit_size(store, size):
    store.run(lambda connection: connection.exec_driver_sql(f"PRAGMA max_page_count={size}").all()).result(
        timeout=PATIENCE
    )


def test_a_lock_held_by_another_program_is_waited_for_and_not_for_ever(tmp_path, page, monkeypatch):
    monkeypatch.setattr("newscrawl.storage.engine.database.BUSY_TIMEOUT_MS", 20)
    with (
        open_store(f"sqlite:///{tmp_path / 'x.db'}", upgrade=False, max_wait=0.01, retry=QUICK) as store,
        closing(sqlite3.connect(tmp_path / "x.db", isolation_level=None)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError, match="it is locked by another process"):
            store.save(page("https://harbour.example/a", "one")).result(timeout=PATIENCE)
        with store.reading() as connection:
            assert list(reports.articles(connection)) == []
        other.execute("COMMIT")
        assert store.save(page("https://harbour.example/a", "one")).result(timeout=PATIENCE).kind == "inserted"


@pytest.mark.postgresql
def test_a_lock_of_writers_held_by_another_session_is_waited_for_and_not_for_ever(postgresql, empty_postgresql, page):
    address = f"{empty_postgresql}{'&' if '?' in empty_postgresql else '?'}options=-c%20lock_timeout%3D20ms"
    with (
        open_store(address, upgrade=True, max_wait=0.01, retry=QUICK) as store,
        psycopg.connect(empty_postgresql, autocommit=True) as other,
    ):
        other.execute("SELECT pg_advisory_lock(%s)", [WRITE_LOCK])
        with pytest.raises(DatabaseLocked, match="it is locked by another process"):
            store.save(page("https://harbour.example/a", "one")).result(timeout=PATIENCE)
        other.execute("SELECT pg_advisory_unlock(%s)", [WRITE_LOCK])
        assert store.save(page("https://harbour.example/a", "one")).result(timeout=PATIENCE).kind == "inserted"


@pytest.mark.postgresql
def test_a_new_file_of_the_archive_whose_commit_was_not_answered_is_stored_once(empty_postgresql, now, monkeypatch):
    answered = psycopg.Connection.commit

    def unanswered(connection):
        monkeypatch.undo()
        answered(connection)
        connection.close()
        raise psycopg.OperationalError("the connection is lost")

    with open_store(empty_postgresql, upgrade=True, retry=QUICK) as store:
        monkeypatch.setattr(psycopg.Connection, "commit", unanswered)
        number = store.notes.run(locations.add_file, "one.warc.gz", now).result(timeout=PATIENCE)
        with store.reading() as connection:
            assert [(file.id, file.name) for file in locations.files(connection)] == [(number, "one.warc.gz")]


def test_a_page_with_neither_article_nor_failure_is_a_mistake_that_is_kept(store, page):
    nothing = replace(page("https://harbour.example/a"), failure=None)
    outcome = store.save(nothing).result(timeout=PATIENCE)
    assert outcome.kind == "dead_letter"
    assert "neither article nor failure" in outcome.reason
