"""The views for readers: promised columns, what they show, indexes, and the queries of the how-to."""

from __future__ import annotations

import re
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from patience import PATIENCE
from sqlalchemy import inspect, text

from newscrawl.model import Failure, PublishedDate
from newscrawl.storage.engine.database import begin_read, make_engine, parse_url
from newscrawl.storage.frontier import sites
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.monitoring.alarms import Alarm

ROOT = Path(__file__).resolve().parents[2]
PROMISED = tomllib.loads((ROOT / "docs" / "_scripts" / "views.toml").read_text("utf-8"))
QUERIES = re.findall(
    r"^```sql ?(\w*)\n(.*?)^```", (ROOT / "docs/how-to/sql.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
)
HOUR = timedelta(hours=1)
FIRST, SECOND, OTHER = (f"https://{name}" for name in ("harbour.example/a", "valley.example/a", "harbour.example/b"))


@pytest.fixture
def run(database):
    engine = make_engine(parse_url(database), pooled=False)

    def rows(query):
        with begin_read(engine) as connection:
            return [dict(row._mapping) for row in connection.execute(text(query))]

    return rows


@pytest.fixture
def filled(store, page, now):
    """A text on two sites, and a page that was corrected."""
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
    return store


@pytest.mark.parametrize("view", PROMISED)
def test_the_columns_of_a_view_are_the_promised_ones(database, store, view):
    engine = make_engine(parse_url(database), pooled=False)
    with engine.connect() as connection:
        found = [column["name"] for column in inspect(connection).get_columns(view)]
    assert found == [name for name in PROMISED[view] if name != "view"]


def test_pages_show_their_texts_and_share_the_number_of_an_article(filled, run):
    found = run("SELECT * FROM current_articles ORDER BY page_id")
    assert [(row["url"], row["site"]) for row in found] == [(FIRST, "harbour"), (SECOND, "valley"), (OTHER, "harbour")]
    assert found[0]["article_id"] == found[1]["article_id"] == found[0]["story_id"] == found[1]["story_id"]
    assert found[2]["text"].startswith("ferry that sank")
    assert found[2]["change_class"] == "correction"
    assert [row["published_offset"] for row in found] == [-180, None, None]


def test_versions_say_which_is_shown_now(filled, run):
    found = run(f"SELECT * FROM article_versions WHERE url = '{OTHER}' ORDER BY version_id")
    assert [(row["change_class"], bool(row["is_current"])) for row in found] == [("first", False), ("correction", True)]


def test_every_shown_article_is_in_one_story(filled, run):
    stories = {row["story_id"]: row for row in run("SELECT * FROM stories")}
    for row in run("SELECT story_id, page_id FROM current_articles"):
        assert row["story_id"] in stories
    assert len(stories) == len({row["story_id"] for row in run("SELECT story_id FROM article_versions")})


def test_a_site_shows_its_last_crawl_and_alarms(filled, run):
    (row,) = run("SELECT * FROM site_health WHERE site = 'harbour'")
    assert row["open_alarms"] == 1
    assert row["last_started"] is not None
    assert not row["is_paused"]


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
        assert "ix_cluster_members_cluster_id" in plans[1]
    else:
        plans = ["\n".join(row["detail"] for row in run(f"EXPLAIN QUERY PLAN {query}")) for query in (day, story)]
        assert "SCAN" not in plans[0]
        assert "SCAN a" not in plans[1]
        assert "SEARCH a USING INTEGER PRIMARY KEY" in plans[1]


@pytest.mark.parametrize("number", range(len(QUERIES)))
def test_the_queries_of_the_how_to_run(filled, database, run, number):
    dialect, query = QUERIES[number]
    if dialect and not database.startswith(dialect):
        return
    run(query.rstrip().rstrip(";"))


def test_the_how_to_has_its_queries_and_they_find_what_is_there(filled, run):
    of_days = [query for _, query in QUERIES if "local_time" in query]
    assert len([query for dialect, query in QUERIES if dialect != "postgresql" and query not in of_days]) == 10
    assert len(of_days) == 2
    shown = [run(query.rstrip().rstrip(";")) for dialect, query in QUERIES if not dialect]
    assert {row["site"]: row["articles"] for row in shown[0]} == {"harbour": 2, "valley": 1}
    assert [row["site"] for row in shown[1]] == ["harbour", "valley"]
    assert [row["sites"] for row in shown[2]] == [2]
    assert [row["url"] for row in shown[3]] == [OTHER]
    assert [row["versions"] for row in shown[4]] == [2]


def test_the_queries_of_a_local_day_find_what_readers_saw(store, page, run, database):
    published = datetime(2022, 5, 4, 1, 10, tzinfo=UTC)
    store.save(page(FIRST, "bridge", published=PublishedDate(published, "meta", "minute", offset=-180))).result(
        PATIENCE
    )
    dialect = "sqlite" if database.startswith("sqlite") else "postgresql"
    (query,) = [query for kind, query in QUERIES if kind == dialect and "local_time" in query]
    (row,) = run(query.replace(";", ""))
    assert str(row["local_time"]).startswith("2022-05-03 22:10:00")
