"""The views for readers: promised columns, what they show, indexes, and the queries of the how-to."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from patience import PATIENCE
from sqlalchemy import inspect, text
from stored_rows import add_failures

from newscrawl.model import Failure, PublishedDate, group_of
from newscrawl.model.identity.signature import signature
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.engine.transactions import begin_read
from newscrawl.storage.frontier import sites
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.monitoring.alarms import Alarm
from newscrawl.storage.store import open_store

ROOT = Path(__file__).resolve().parents[2]
PROMISED = tomllib.loads((ROOT / "docs" / "_scripts" / "views.toml").read_text("utf-8"))
QUERIES = re.findall(
    r"^```sql ?(\w*)\n(.*?)^```", (ROOT / "docs/how-to/sql.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
)
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
LONG = " ".join(f"Sentence number {n} tells of the ferry, and of bridge {n * 7}." for n in range(40))
FIRST, SECOND, OTHER = (f"https://{name}" for name in ("harbour.example/a", "valley.example/a", "harbour.example/b"))


def rows_of(database):
    """Returns a function that returns the rows of a query."""
    engine = make_engine(parse_url(database), pooled=False)

    def rows(query):
        with begin_read(engine) as connection:
            return [dict(row._mapping) for row in connection.execute(text(query))]

    return rows


@pytest.fixture
def run(database):
    return rows_of(database)


@pytest.fixture
def filled(store, page, now):
    """A text on two sites, and a page that was corrected."""
    fill(store, page, now)
    return store


@pytest.fixture(scope="module")
def shown(shared_database, page, now):
    """A database filled so, for tests that only read it."""
    with open_store(shared_database, upgrade=False, max_wait=0.01) as store:
        fill(store, page, now)
    return shared_database


def fill(store, page, now):
    dated = PublishedDate(now - HOUR, "meta", "minute", offset=-180)
    for saved in (
        page(FIRST, "bridge", published=dated),
        page(SECOND, "bridge", site="valley", fetched_at=now + HOUR),
        page(OTHER, "ferry"),
        page(OTHER, "ferry that sank", fetched_at=now + 2 * HOUR),
        page("https://harbour.example/c", failure=Failure("http/503", "x")),
    ):
        store.save(saved).result(PATIENCE)
    store.run(sites.note_start, "harbour", now).result(PATIENCE)
    store.run(alarms.begin, Alarm("harbour", "quiet", "warning", now, now, "no new article", {})).result(PATIENCE)


@pytest.mark.parametrize("view", PROMISED)
def test_the_columns_of_a_view_are_the_promised_ones(shown, view):
    engine = make_engine(parse_url(shown), pooled=False)
    with engine.connect() as connection:
        found = [column["name"] for column in inspect(connection).get_columns(view)]
    assert found == [name for name in PROMISED[view] if name != "view"]


def test_a_day_of_a_site_and_a_story_are_found_by_indexes(filled, database, run):
    span = "first_seen >= '2026-11-21' AND first_seen < '2026-11-22'"
    day = f"SELECT * FROM current_articles WHERE site = 'harbour' AND {span}"
    story = "SELECT * FROM stories WHERE story_id = 1"
    if database.startswith("postgresql"):
        with begin_read(make_engine(parse_url(database), pooled=False)) as connection:
            connection.execute(text("SET LOCAL enable_seqscan = off"))  # these few rows would be scanned
            plans = ["\n".join(connection.execute(text(f"EXPLAIN {query}")).scalars()) for query in (day, story)]
        assert "Seq Scan" not in plans[0]
        assert "pk_articles" in plans[1]
        assert "ix_articles_story" in plans[1]
    else:
        plans = ["\n".join(row["detail"] for row in run(f"EXPLAIN QUERY PLAN {query}")) for query in (day, story)]
        assert "SCAN" not in plans[0]
        assert not re.search("SCAN [a-z]$", plans[1].replace("SCAN f", ""), re.MULTILINE)
        assert "SEARCH r USING INTEGER PRIMARY KEY" in plans[1]


@pytest.mark.parametrize("number", range(len(QUERIES)))
def test_the_queries_of_the_how_to_run(shown, number):
    dialect, query = QUERIES[number]
    if dialect and not shown.startswith(dialect):
        return
    rows_of(shown)(query.rstrip().rstrip(";"))


def test_the_how_to_has_its_queries_and_they_find_what_is_there(filled, run):
    of_days = [query for _, query in QUERIES if "local_time" in query]
    assert len([query for dialect, query in QUERIES if dialect != "postgresql" and query not in of_days]) == 19
    assert len(of_days) == 2
    shown = [run(query.rstrip().rstrip(";")) for dialect, query in QUERIES if not dialect]
    assert {row["site"]: row["pages"] for row in shown[0]} == {"harbour": 2, "valley": 1}
    assert [row["site"] for row in shown[1]] == ["harbour", "valley"]
    assert [row["sites"] for row in shown[2]] == [2]
    assert [row["url"] for row in shown[3]] == [OTHER]
    assert [row["versions"] for row in shown[5]] == [2]


def test_minutes_from_publication_count_to_the_first_text_of_a_page(filled, run, page, now, database):
    """A correction of the page does not change them."""
    stated = PublishedDate(now - HOUR, "meta", "minute", offset=-180)
    filled.save(page(FIRST, "bridge that stands", published=stated, fetched_at=now + 5 * HOUR)).result(PATIENCE)
    (query,) = [query for dialect, query in QUERIES if "AS minutes" in query and database.startswith(dialect)]
    (row,) = run(query.rstrip().rstrip(";"))
    assert row["site"] == "harbour"
    assert float(row["minutes"]) == pytest.approx(60, abs=0.01)


def query_with(words):
    """The one query of the how-to for both databases that has the words."""
    (query,) = [query for dialect, query in QUERIES if not dialect and words in query]
    return query.rstrip().rstrip(";")


@pytest.fixture
def corrected(store, page, now):
    """The first publisher of a story corrects its page after another site copied it, and later shows another text."""
    first, copied, mended = LONG, f"{LONG} So says the valley.", LONG.replace("number 7 ", "number Monday ")
    other = " ".join(f"Report {n} is about roof {n * 13} and road {n * 11}." for n in range(60))
    for url, words, hours, site in (
        (FIRST, first, 0, "harbour"),
        (SECOND, copied, 1, "valley"),
        (FIRST, mended, 2, "harbour"),
        (OTHER, other, 0, "harbour"),
        (OTHER, f"{LONG[:-1]} by night.", 3, "harbour"),
    ):
        made = page(url, words, site=site, fetched_at=now + hours * HOUR)
        store.save(signed(made)).result(PATIENCE)
    return store


def signed(made):
    """The page with the signature of its text, by which near-duplicates are found."""
    return replace(made, article=replace(made.article, signature=signature(made.article.text)))


def test_who_had_a_story_first_is_not_who_corrected_it_last(corrected, run):
    rows = run(query_with("had_it_first"))
    assert [row["url"] for row in rows] == [FIRST, SECOND, OTHER]
    (story,) = run(query_with("count(DISTINCT site)"))
    assert story["sites"] == 2
    assert story["first_seen"] == run("SELECT first_seen FROM stories WHERE story_id = 1")[0]["first_seen"]


def test_corrections_within_a_story_leave_out_entirely_different_texts(corrected, run):
    every, within = [query for _, query in QUERIES if "change_class = 'correction'" in query]
    assert [row["url"] for row in run(every.replace(";", ""))] == [FIRST, OTHER]
    assert [row["url"] for row in run(within.replace(";", ""))] == [FIRST]


def test_the_stories_of_a_consumer_are_those_of_pages_that_are_not_gone(filled, store, page, now, run):
    feed = (ROOT / "docs/reference/change-feed.md").read_text("utf-8")
    (query,) = re.findall(r"^```sql\n(.*?);\n```", feed, re.MULTILINE | re.DOTALL)
    gone = page(OTHER, failure=Failure("http/404", "x"), status=404, fetched_at=now + 3 * HOUR)
    store.save(gone).result(PATIENCE)
    (shown,) = run(query)
    assert shown["story_id"] == run(f"SELECT story_id FROM current_articles WHERE url = '{FIRST}'")[0]["story_id"]
    assert len(run("SELECT * FROM stories")) == 3


def test_the_words_of_a_day_count_a_text_on_two_pages_once(filled, run):
    (row,) = run(query_with("AS words"))
    lengths = run("SELECT DISTINCT article_id, characters FROM current_articles")
    assert row["articles"] == 2
    assert int(row["words"]) == sum(one["characters"] for one in lengths) // 6


def test_the_failures_of_a_day_are_those_that_count_as_failed(filled, store, page, run):
    for kind in ("http/404", "http/410", "robots/forbidden", "verdict/listing", "http/500"):
        failed = page(f"https://harbour.example/{kind}", failure=Failure(kind, "x"))
        store.save(failed).result(PATIENCE)
    rows = run(query_with("FROM site_failures"))
    assert {row["kind"]: int(row["failures"]) for row in rows} == {"http/503": 1, "http/500": 1}
    counted = run("SELECT sum(number) AS failed FROM site_hours WHERE kind = 'failed'")
    assert int(counted[0]["failed"]) == 2


def test_failures_are_counted_by_the_groups_of_the_code(store, page, run):
    codes = tomllib.loads((ROOT / "docs/_scripts/codes.toml").read_text("utf-8"))
    kinds = {f"{family}/{name}" for family, names in codes.items() for name in names} | {"http/404", "http/503"}
    kinds = {kind for kind in kinds if group_of(kind) != "not sent"}
    store.run(add_failures, [("harbour", kind) for kind in kinds], NOW).result(PATIENCE)
    store.run(add_failures, [("harbour", "http/503")], NOW + timedelta(days=1)).result(PATIENCE)
    rows = run("SELECT * FROM site_failures")
    assert {row["kind"]: row["counted_as"] for row in rows} == {kind: group_of(kind) for kind in kinds}
    assert len(kinds) > 40
    days = [str(row["day"]) for row in rows if row["kind"] == "http/503"]
    assert sorted(days) == ["2026-11-21", "2026-11-22"]


def test_the_failures_of_a_day_are_read_with_an_index_of_days(database):
    query = query_with("FROM site_failures")
    with begin_read(make_engine(parse_url(database), pooled=False)) as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SET LOCAL enable_seqscan = off"))
            plan = [str(row[0]) for row in connection.execute(text(f"EXPLAIN {query}"))]
        else:
            plan = [str(row[3]) for row in connection.execute(text(f"EXPLAIN QUERY PLAN {query}"))]
    assert any("ix_site_hours_failures" in step for step in plan), plan


def test_the_queries_of_a_local_day_find_what_readers_saw(store, page, run, database):
    published = datetime(2022, 5, 4, 1, 10, tzinfo=UTC)
    store.save(page(FIRST, "bridge", published=PublishedDate(published, "meta", "minute", offset=-180))).result(
        PATIENCE
    )
    dialect = "sqlite" if database.startswith("sqlite") else "postgresql"
    (query,) = [query for kind, query in QUERIES if kind == dialect and "local_time" in query]
    day = datetime(2022, 5, 3, 12, 0, tzinfo=UTC)
    store.save(page(SECOND, "ferry", fetched_at=day)).result(PATIENCE)  # states no date
    undated, row = run(query.replace(";", ""))
    assert undated["url"] == SECOND
    assert str(row["local_time"]).startswith("2022-05-03 22:10:00")
