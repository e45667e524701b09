"""The locks of a process that stopped in the middle of a pipeline do not keep other writers waiting."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from datetime import timedelta

import psycopg
from kinds_of_databases import ON_POSTGRESQL
from patience import PATIENCE, wait_until
from sqlalchemy import text

from newscrawl.storage.engine import transactions
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.transactions import STOPPED_AFTER, WRITE_LOCK, end_stopped
from newscrawl.storage.store import open_store

pytestmark = ON_POSTGRESQL

SOON = timedelta(milliseconds=50)


@contextmanager
def stopped_with_the_lock_of_writers(engine):
    """A session that has taken the lock in a pipeline whose end never comes. It is ended within the block."""
    with engine.connect() as connection:
        raw = connection.connection.driver_connection
        raw.autocommit = True
        with suppress(psycopg.OperationalError), raw.pipeline():
            raw.execute("BEGIN")
            assert raw.execute("SELECT pg_advisory_xact_lock(%s)", [WRITE_LOCK]).fetchone()
            yield
        assert raw.broken
        connection.invalidate()


@contextmanager
def stopped_after_a_request_for_results(engine):
    """A session that has taken the lock, and whose process stopped after a message that the server answers with
    nothing: no time-out of the server runs then. It is ended within the block."""
    with engine.connect() as connection:
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": WRITE_LOCK})
        raw = connection.connection.driver_connection
        raw.pgconn.send_flush_request()
        raw.pgconn.flush()
        yield
        connection.invalidate()


def test_a_session_that_no_time_out_of_the_server_ends_is_ended(database, engine):
    separator = "&" if "?" in database else "?"
    address = f"{database}{separator}options=-c%20idle_in_transaction_session_timeout%3D300ms"
    hasty = make_engine(parse_url(address), is_writer=True)
    with stopped_after_a_request_for_results(hasty):
        assert wait_until(lambda: end_stopped(engine, 10 * SOON)) == 1
    hasty.dispose()


def test_only_sessions_that_wait_for_the_rest_of_a_pipeline_are_ended(engine):
    with engine.connect() as idle, engine.begin() as working, stopped_with_the_lock_of_writers(engine):
        idle.execute(text("SELECT 1"))
        assert end_stopped(engine, STOPPED_AFTER) == 0
        assert wait_until(lambda: end_stopped(engine, SOON)) == 1
        assert working.execute(text("SELECT 2")).scalar_one() == 2
        assert idle.execute(text("SELECT 3")).scalar_one() == 3


def test_a_writer_that_waited_in_vain_goes_on(engine, database, monkeypatch, caplog):
    monkeypatch.setattr(transactions, "end_stopped", lambda asked: end_stopped(asked, SOON))
    impatient = f"{database}{'&' if '?' in database else '?'}options=-c%20lock_timeout%3D100ms"
    with stopped_with_the_lock_of_writers(engine), open_store(impatient, upgrade=False) as store:
        done = store.run(lambda connection: connection.execute(text("SELECT 1")).scalar_one())
        assert done.result(PATIENCE) == 1
    assert "its process stopped within a transaction" in caplog.text
