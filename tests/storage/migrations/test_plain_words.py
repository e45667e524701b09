"""Revision 0031: stored codes, counters and problems get plain names, and a downgrade gives the former ones back."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
import schema
import sqlalchemy as sa
from alembic import command

from newscrawl.storage import migrations
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.transactions import begin_read, begin_write
from newscrawl.storage.engine.types import UtcDateTime

COUNTERS = {
    "politeness/budget_spent": 1,
    "politeness/new_pages_spent": 2,
    "watchdog/coverage_looks": 3,
    "discovery/sources_asked": 4,
    "discovery/known": 5,
}
RENAMED = {
    "politeness/daily_budget_reached": 1,
    "politeness/new_page_limit_reached": 2,
    "watchdog/coverage_checks": 3,
    "discovery/sources_requested": 4,
    "discovery/known": 5,
}
MESSAGE = "extraction looks broken: {} on 40% (usually 0%) of the last 20 pages"
TRACE = [{"extractor": "best", "accepted": False, "reason": "{}text short, no text"}]
QUOTED = [{"extractor": "best", "accepted": True, "reason": "long enough; 'text not believed' is no reason"}]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def older(request, tmp_path, now):
    """A database of revision 0030 with the former words in all that is renamed."""
    is_sqlite = request.param == "sqlite"
    url = f"sqlite:///{tmp_path / 'old.db'}" if is_sqlite else request.getfixturevalue("empty_postgresql")
    if is_sqlite:
        (tmp_path / "old.db").write_bytes(schema.of_revision("0030"))
    else:
        migrate(url, "0030")
    with begin_write(make_engine(parse_url(url), pooled=False)) as connection:
        for statement in rows(now):
            connection.execute(statement)
    return url


def migrate(url, revision, direction=command.upgrade):
    with begin_write(make_engine(parse_url(url), foreign_keys=False, pooled=False)) as connection:
        config = migrations._config()
        config.attributes["connection"] = connection
        direction(config, revision)


def rows(now):
    for site, ahead in (("harbour", timedelta(0)), ("valley", timedelta(days=9_999)), ("moor", None)):
        at = None if ahead is None else now + ahead
        values = {"url": f"https://{site}.example/a", "site": site, "first_seen": now, "last_fetched": at}
        yield row("pages", url_key=site, state="found" if at is None else "fetched", failures=0, **values)
    for kind in (*COUNTERS, "stored/inserted"):
        yield row("events", url_key="harbour", url="u", site="harbour", at=now, kind=kind, reason="")
    yield row("runs", site="harbour", started=now, finished=now, counters=COUNTERS)
    yield row("runs", site="meadow", started=now, finished=now, counters={"outcome/inserted": 1})
    alarm = {"site": "harbour", "kind": "extraction", "severity": "critical", "since": now, "opened_at": now}
    details = {"shares": {"text not believed": [0.4, 0.0]}, "pages": 20}
    yield row("alarms", message=MESSAGE.format("text not believed"), details=details, **alarm)
    yield row("articles", identity_key="i", content_hash="c", text="Text.", extractor="best", first_seen=now)
    shown = {"article_id": 1, "seen_at": now, "last_seen": now, "change_class": "first", "verdict": "article"}
    for number, trace in enumerate((traced("not believed: "), QUOTED), start=1):
        yield row("versions", page_id=number, extractor="best", fallback=number == 1, trace=trace, **shown)
    for hours, kind in ((0, "http/503"), (1, "http/503"), (30, "http/404")):
        values = {"hour": now + timedelta(hours=hours), "site": "harbour", "kind": kind}
        yield row("site_hour_failures", number=2, **values)


def traced(beginning):
    return [step | {"reason": step["reason"].format(beginning)} for step in TRACE]


def row(table, **values):
    """An INSERT that knows nothing of today's schema."""
    columns = [sa.column(name, _type(value)) for name, value in values.items()]
    return sa.table(table, *columns).insert().values(values)


def _type(value):
    if isinstance(value, dict | list):
        return sa.JSON()
    return UtcDateTime() if hasattr(value, "tzinfo") else None


def read(url, query):
    with begin_read(make_engine(parse_url(url), pooled=False)) as connection:
        return [tuple(row) for row in connection.execute(sa.text(query))]


def words(url):
    """All that the revision renames, in the order of the rows."""
    return {
        "events": read(url, "SELECT kind FROM events ORDER BY id"),
        "runs": read(url, "SELECT CAST(counters AS TEXT) FROM runs ORDER BY id"),
        "alarms": read(url, "SELECT message, CAST(details AS TEXT) FROM alarms"),
        "versions": read(url, "SELECT CAST(trace AS TEXT) FROM versions ORDER BY id"),
        "failures": [(*key, str(day)) for *key, day in read(url, FAILURES)],
    }


FAILURES = "SELECT site, kind, counted_as, CAST(number AS INTEGER), day FROM site_failures ORDER BY kind, day"


def test_stored_words_are_renamed_and_a_downgrade_gives_them_back(older, now):
    before = words(older)
    migrate(older, "0031")
    after = words(older)
    assert [kind for (kind,) in after["events"]] == [*list(RENAMED)[:4], "discovery/known", "stored/inserted"]
    assert [json.loads(text) for (text,) in after["runs"]] == [RENAMED, {"outcome/inserted": 1}]
    [(message, details)] = after["alarms"]
    assert message == MESSAGE.format("suspect text")
    assert json.loads(details) == {"shares": {"suspect text": [0.4, 0.0]}, "pages": 20}
    assert [json.loads(text) for (text,) in after["versions"]] == [traced("not credible: "), QUOTED]
    assert after["failures"] == before["failures"] != []
    migrate(older, "0030", command.downgrade)
    assert words(older) == before
    assert read(older, "SELECT * FROM site_totals WHERE counted = 'last_visit'") == []
    migrate(older, "0031")
    assert words(older) == after


def test_the_newest_visit_of_each_site_is_known(older, now):
    migrations.upgrade(older)
    hour = int(now.timestamp() // 3_600)
    kept = read(older, "SELECT site, number FROM site_totals WHERE counted = 'last_visit' ORDER BY site")
    assert kept == [("harbour", hour), ("valley", hour + 9_999 * 24)]


def test_a_day_of_the_failures_is_found_by_index(older, now):
    migrations.upgrade(older)
    query = f"SELECT * FROM site_failures WHERE day = '{now.date()}'"
    if older.startswith("sqlite"):
        plan = " ".join(str(row[-1]) for row in read(older, f"EXPLAIN QUERY PLAN {query}"))
    else:
        with begin_write(make_engine(parse_url(older), pooled=False)) as connection:
            connection.execute(sa.text("SET LOCAL enable_seqscan = off"))
            plan = " ".join(str(row[0]) for row in connection.execute(sa.text(f"EXPLAIN {query}")))
    assert "ix_site_hour_failures_day_site_kind_number" in plan
    assert "Filter" not in plan
