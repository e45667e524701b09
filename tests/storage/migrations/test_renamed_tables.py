"""Revision 0017: tables, columns and stored codes get today's names and keep their content."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys

import pytest
import schema
import sqlalchemy as sa
from alembic import command
from patience import PATIENCE

from newscrawl.identity import url_key
from newscrawl.storage import migrations, open_store
from newscrawl.storage.captures import ingests
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.transactions import begin_write
from newscrawl.storage.engine.types import UtcDateTime
from newscrawl.storage.frontier import patterns, runs, site_days, sources
from newscrawl.storage.monitoring import alarms, review_queue
from newscrawl.storage.removal import blocklist
from newscrawl.storage.reports import sites
from newscrawl.storage.reports.url_report import url_report

URL = "https://harbour.example/ferry"
OLD_COUNTERS = {
    "outcome/quarantined": 1,
    "outcome/held": 2,
    "hold/held": 2,
    "hold/text_collapsed": 2,
    "outcome/inserted": 5,
    "discovery/known": 7,
}
NEW_COUNTERS = {
    "outcome/dead_letter": 1,
    "outcome/held_for_review": 2,
    "review/queued": 2,
    "review/text_collapsed": 2,
    "outcome/inserted": 5,
    "discovery/known": 7,
}
RENAMED_TABLES = {
    "quarantine",
    "held",
    "patterns",
    "touched_texts",
    "touched_fronts",
    "story_fronts",
    "refused_ties",
    "declarations",
    "blocked",
}
PART = re.compile(rf"(?:^|_)(?:{'|'.join(sorted(RENAMED_TABLES - {'patterns'}))})(?:_|$)|tell_at")
"""An old name as a part of an index's, a constraint's or a sequence's name; url_patterns has the old one in its own."""
KILLED_BEFORE_COUNTERS = """
import os, signal, sys
from sqlalchemy import Engine, event
from newscrawl.storage import migrations

@event.listens_for(Engine, "before_cursor_execute")
def kill(connection, cursor, statement, *rest):
    if statement.startswith("UPDATE runs"):
        os.kill(os.getpid(), signal.SIGKILL)

migrations.upgrade(sys.argv[1])
"""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def older(request, tmp_path, now):
    """A database of revision 0016 with rows in all that is renamed."""
    is_sqlite = request.param == "sqlite"
    url = f"sqlite:///{tmp_path / 'old.db'}" if is_sqlite else request.getfixturevalue("empty_postgresql")
    if is_sqlite:
        (tmp_path / "old.db").write_bytes(schema.of_revision("0016"))
    else:
        with begin_write(make_engine(parse_url(url), foreign_keys=False, pooled=False)) as connection:
            config = migrations._config()
            config.attributes["connection"] = connection
            command.upgrade(config, "0016")
    with begin_write(make_engine(parse_url(url), pooled=False)) as connection:
        for statement in rows(now):
            connection.execute(statement)
    return url


def rows(now):
    """Rows as 0016 has them."""
    page = {"url": URL, "site": "harbour", "first_seen": now, "state": "failed", "failures": 1}
    yield row("pages", url_key="k1", failure_kind="stored/quarantined", claimed_key="c", **page)
    yield row("pages", url_key="k2", failure_kind="held/broken", **page | {"url": f"{URL}/2"})
    for kind in ("stored/quarantined", "stored/held", "stored/inserted"):
        yield row("events", url_key=url_key(URL), url=URL, site="harbour", at=now, kind=kind, reason="")
    yield row("quarantine", url=URL, site="harbour", at=now, error="ValueError: no")
    yield row("runs", site="harbour", started=now, finished=now, counters=OLD_COUNTERS)
    yield row("runs", site="meadow", started=now, finished=now, counters={"outcome/inserted": 1})
    held = {"url_key": URL, "final_key": URL, "url": URL, "site": "harbour", "at": now, "status": 200}
    yield row("held", **held, reasons=["no text"], use={"noindex": True})
    yield row("held", **held | {"url_key": "gone"})
    yield sa.text("DELETE FROM held WHERE url_key = 'gone'")
    counted = {"failures": 0, "answers": 3, "named": 30, "new": 5, "unusable": 0}
    learned = {"lies": 2, "memory": {"a": 1}, "rate": 0.5, "trust": {"date": [1, 0, 0, None]}}
    yield row("sources", site="harbour", url_key="f", url=f"{URL}/feed", kind="feed", **counted, **learned)
    yield row("sites", site="harbour", requests_today=0, over_budget=4)
    yield row("site_days", name="harbour", day=now.date(), asked=9, articles=8, bound=7)
    yield row("patterns", site="harbour", pattern="/day/#", fruitless=200, seen=now, given_up_at=now, tried=now.date())
    yield row("ingests", input_key="file", origin=1, reached=9, number=3, updated=now, changed=5)
    message = "looks broken; `newscrawl held` shows what is held back"
    alarm = {"site": "harbour", "kind": "extraction", "severity": "critical", "since": now, "opened_at": now}
    yield row("alarms", **alarm, message=message, details={}, told_opened=True, tell_at=now)
    yield row("blocked", key="site:moor", at=now)
    yield row("text_link_counts", article_id=1, more=2)


def row(table, **values):
    """An INSERT that knows nothing of today's schema."""
    columns = [sa.column(name, _type(value)) for name, value in values.items()]
    return sa.table(table, *columns).insert().values(values)


def _type(value):
    if isinstance(value, dict | list):
        return sa.JSON()
    return UtcDateTime() if hasattr(value, "tzinfo") else None


def names_of(url):
    """The names of all tables, columns, indexes, constraints and sequences."""
    engine = make_engine(parse_url(url), pooled=False)
    inspector = sa.inspect(engine)
    tables = inspector.get_table_names()
    found = {f"{table}.{column['name']}" for table in tables for column in inspector.get_columns(table)}
    found |= {index["name"] for table in tables for index in inspector.get_indexes(table)}
    if engine.dialect.name == "postgresql":
        found |= {inspector.get_pk_constraint(table)["name"] for table in tables}
        found |= {unique["name"] for table in tables for unique in inspector.get_unique_constraints(table)}
        found |= set(inspector.get_sequence_names())
    engine.dispose()
    return {name for name in found if name}, set(tables)


def test_what_is_stored_is_found_under_the_new_names(older, now):
    with open_store(older, upgrade=True) as store:

        def call(operation, *args):
            return store.run(operation, *args).result(timeout=PATIENCE)

        (source,) = call(sources.load_site, "harbour")
        (day,) = call(site_days.load_site, "harbour")
        (given_up,) = call(patterns.given_up)
        (waits,) = call(review_queue.listed)
        (alarm,) = call(alarms.open_alarms)
        marks = call(ingests.done, "file")
        kept = {site: call(runs.last, site).counters for site in ("harbour", "meadow")}
        assert call(blocklist.everything) == [("site:moor", now)]
        (status,) = [site for site in call(sites) if site.site == "harbour"]
        events = call(lambda connection: [event.kind for event in url_report(connection, URL).events])
    assert (source.validator_mismatches, source.arrival_state, source.arrival_rate) == (2, {"a": 1}, 0.5)
    assert source.announcement_trust == {"date": [1, 0, 0, None]}
    assert (day.new_pages_requested, day.new_articles, day.limit_reached) == (9, 8, 7)
    assert (given_up.site, given_up.pattern) == ("harbour", "/day/#")
    assert (waits.url, waits.reasons) == (URL, ("no text",))
    assert (alarm.message, alarm.open_notified) == (
        "looks broken; `newscrawl review list` shows what is held for review",
        True,
    )
    assert marks == {1: ingests.InputProgress("file", 1, 9, 3, file_mtime_ns=5)}
    assert kept == {"harbour": NEW_COUNTERS, "meadow": {"outcome/inserted": 1}}
    assert (status.dead_letters, status.in_review) == (1, 1)
    assert status.failures == {"stored/dead_letter": 1}
    assert events == ["stored/dead_letter", "stored/held_for_review", "stored/inserted"]


def test_a_number_of_the_review_queue_is_never_given_out_twice(older, now):
    migrations.upgrade(older)
    page = {"url_key": "k", "final_key": "k", "url": URL, "site": "harbour", "at": now, "status": 200}
    with begin_write(make_engine(parse_url(older), pooled=False)) as connection:
        connection.execute(row("review_queue", **page))
        assert connection.execute(sa.text("SELECT id FROM review_queue ORDER BY id")).scalars().all() == [1, 3]


def test_no_name_of_the_database_has_an_old_part(older):
    migrations.upgrade(older)
    names, tables = names_of(older)
    assert tables.isdisjoint(RENAMED_TABLES)
    assert sorted(name for name in names if PART.search(name)) == []


def test_an_upgrade_that_is_killed_leaves_the_old_names_and_can_be_done_again(older):
    before = names_of(older)
    done = subprocess.run([sys.executable, "-c", KILLED_BEFORE_COUNTERS, older], capture_output=True, timeout=PATIENCE)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert names_of(older) == before
    assert migrations.current_revision(older) == "0016"
    migrations.upgrade(older)
    with begin_write(make_engine(parse_url(older), pooled=False)) as connection:
        stored = connection.execute(sa.text("SELECT CAST(counters AS TEXT) FROM runs ORDER BY id")).scalars().all()
    assert json.loads(stored[0]) == NEW_COUNTERS
