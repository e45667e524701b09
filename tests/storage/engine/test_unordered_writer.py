"""Leases and notes are written while another process has the lock of writers. Sessions that keep it too long are
ended."""

from __future__ import annotations

from datetime import timedelta

import pytest
from kinds_of_databases import ON_POSTGRESQL, ON_SQLITE
from patience import PATIENCE
from sqlalchemy import text

from newscrawl.errors import DatabaseUnavailable, StorageError
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.errors import RetryPolicy
from newscrawl.storage.engine.transactions import begin_read, begin_write
from newscrawl.storage.frontier import crawls, hosts, leases, sites
from newscrawl.storage.frontier.sites import probe
from newscrawl.storage.store import open_store

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
            process.at_once(hosts.exchange, name, [], [hosts.Claim(key, 0.0) for key in order], 9.0, lambda _: True)
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
