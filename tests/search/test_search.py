"""Embedded search on both databases: what is found, in which order, and that the index is what the articles are."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from effort import examples
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from patience import PATIENCE
from source_items import record_page_failure
from sqlalchemy import text

from newscrawl.cli.search import _lines
from newscrawl.errors import MissingDatabase, UsageError
from newscrawl.model import PublishedDate
from newscrawl.publishing.search import Filters, Index, SearchHit, open_index, parse_query, update_index
from newscrawl.publishing.search import postgresql as postgresql_index
from newscrawl.publishing.search import sqlite as sqlite_index
from newscrawl.publishing.search.expression import loosened, tree_of, tsquery
from newscrawl.publishing.search.matching import Snippet
from newscrawl.publishing.search.query import Query
from newscrawl.publishing.search.query_execution import run_query
from newscrawl.storage.engine.database import make_engine, parse_url
from newscrawl.storage.reader import open_reader
from newscrawl.storage.store import Store
from newscrawl.testing.services.postgresql import new_database

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
FERRY = "The council of the harbour town met on Tuesday evening and spoke for hours about the new ferry."
WHALE = "A whale swam up the river on Monday, and hundreds of people came to the bridge to see it turn around."
Search = Callable[..., list[SearchHit]]
Save = Callable[..., int]


IN_SCRIPTS = (
    ("東京都知事は火曜日の夜に新しい計画を発表した。", "知事", True),
    ("東京都知事は火曜日の夜に新しい計画を発表した。", "計画を発表", True),
    ("東京都知事は火曜日の夜に新しい計画を発表した。", "夜", True),
    ("東京都知事は火曜日の夜に新しい計画を発表した。", "京東", False),
    ("在2026年11月举行的会议上", "2026年11月", True),
    ("นายกรัฐมนตรีแถลงข่าวที่กรุงเทพฯ", "กรุงเทพ", True),
    ("정부는 서울에서 새 계획을 발표했다", "서울", True),
    ("प्रधानमंत्री ने दिल्ली में कहा", "दिल्ली", True),
    ("Die Straße nach Österreich", "STRASSE osterreich", True),
    ("ﺍﻟﺤﻜﻮﻣﺔ أعلنت", "الحكومة", True),
    ("the new har\u034fbour ferry\ufe0f", "harbour ferry", True),
    ("the new har\u00adbour and the fer\u2060ry", '"harbour and the ferry"', True),
    ("새 항구\u3164 위원회", "항구", True),
    ("ᠠ\u180bᠨ", "ᠠᠨ", True),
    ("the new harbour", "har\u034fbour", True),
    ("كتاب تازه شهر است", "کتاب", True),
    ("کتاب‌های تازهٔ شهری", "كتاب‌هاي شهري", True),
    ("آنان مي‌خواهند بروند", "می‌خواهند", True),
    ("آنان میخواهند بروند", "می‌خواهند", True),
    ("آنان می خواهند بروند", "می‌خواهند", True),
    ("آنان می‌خواهند بروند", "میخواهند", True),
    ("آنان خواهند بروند", "می‌خواهند", False),
)
"""A text, what is typed, and whether it finds the text."""


def test_every_script_is_found(search: Search, save: Save) -> None:
    texts = dict.fromkeys(written for written, _, _ in IN_SCRIPTS)
    ids = {written: save(f"http://a.example/{number}", written) for number, written in enumerate(texts)}
    for written, typed, found in IN_SCRIPTS:
        snippets = {hit.article_id: hit.snippet for hit in search(typed, 40)}
        assert (ids[written] in snippets) is found, (written, typed)
        assert not found or snippets[ids[written]].marks, (written, typed)


@pytest.mark.parametrize("by_local_day", [False, True])
@pytest.mark.parametrize("text", [FERRY, FERRY * 20], ids=["two articles", "one article"])
def test_a_story_with_pages_before_and_after_a_period_is_not_in_it(
    search: Search, save: Save, text: str, *, by_local_day: bool
) -> None:
    times = {"early": NOW - timedelta(days=9), "late": NOW}
    for site, at in times.items():
        save(f"http://{site}.example/1", text, site=site, fetched_at=at)
    save("http://between.example/1", "A ferry sank.", site="between", fetched_at=NOW - timedelta(days=4))
    span = {"since": NOW - timedelta(days=5), "until": NOW - timedelta(days=1)}
    search = partial(search, by_local_day=by_local_day)
    assert [hit.site for hit in search("ferry", limit=1, **span)] == ["between"]
    assert {hit.site for hit in search("ferry", until=span["until"])} == {"between", "early"}
    assert {hit.site for hit in search("ferry", since=span["since"])} == {"between", "late"}


@pytest.mark.parametrize("by_local_day", [False, True])
def test_the_end_of_a_period_is_compared_as_its_begin(search: Search, save: Save, *, by_local_day: bool) -> None:
    published = PublishedDate(datetime(2022, 5, 4, 1, 10, tzinfo=UTC), "meta", "minute", offset=-180)
    save("http://a.example/1", FERRY, published=published)
    found = search("ferry", until=datetime(2022, 5, 4, tzinfo=UTC), by_local_day=by_local_day)
    assert len(found) == (1 if by_local_day else 0)


def test_a_page_that_is_gone_is_not_found(search: Search, save: Save, store: Store) -> None:
    save("http://a.example/1", FERRY)
    assert search("ferry")
    for hours in (1, 30, 60, 90):  # a page is believed to be gone only when it stays away
        _gone(store, "http://a.example/1", NOW + timedelta(hours=hours))
    assert not search("ferry")


def _gone(store: Store, url: str, now: datetime) -> None:
    from newscrawl.model import Failure

    store.run(record_page_failure, url, "harbour", Failure("http/gone", "410"), 410, now).result(PATIENCE)


def test_an_index_cut_off_while_it_is_made_goes_on_where_it_was(
    save: Save, index: Index, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("newscrawl.publishing.search.index.BATCH_SIZE", 3)
    for number in range(8):
        save(f"http://a.example/{number}", f"{FERRY} Day {number}.")

    class Killed(BaseException):
        pass

    def stop(done: int, total: int) -> None:
        raise Killed

    reading = partial(open_reader, database)
    with pytest.raises(Killed):
        update_index(index, reading, stop)
    assert len(index.matches(parse_query("ferry"), Filters(), 10)) == 3
    assert update_index(index, reading) == 5
    assert len(index.matches(parse_query("ferry"), Filters(), 10)) == 8


def test_a_search_while_another_process_writes_the_index_says_what_is_missing(
    save: Save, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_index, "BUSY_TIMEOUT_MS", 10)
    monkeypatch.setattr(postgresql_index, "_LOCK_TIMEOUT", "10ms")
    save("http://a.example/1", FERRY)
    found = run_query(database, parse_query("ferry"), Filters(), 10)
    assert (len(found.hits), found.is_current) == (1, True)
    save("http://b.example/1", "A ferry sank.")
    with closing(open_index(database)) as other, other.writing():
        found = run_query(database, parse_query("ferry"), Filters(), 10)
    assert (len(found.hits), found.behind, found.is_current) == (1, 1, False)
    assert len(run_query(database, parse_query("ferry"), Filters(), 10).hits) == 2


def test_an_index_of_another_database_is_made_anew(save: Save, index: Index, search: Search) -> None:
    save("http://a.example/1", FERRY)
    with index.writing() as writing:
        writing.reached(type(writing.position())(seq=99, article_id=7))  # as after the database was set back
    assert len(search("ferry")) == 1
    with index.writing() as writing:
        writing.reached(type(writing.position())(seq=1, article_id=7))  # as after another took its place
    assert len(search("ferry")) == 1


def test_a_damaged_index_file_is_made_anew(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'news.db'}"
    (tmp_path / "news.db-search").write_bytes(b"no database at all" * 1000)
    index = open_index(url)
    assert index.matches(parse_query("word"), Filters(), 1) == []
    index.close()


@settings(
    max_examples=examples(150),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.one_of(st.text(max_size=60), st.text(alphabet="\"*-+^:(){}'\\ANDORNTE 東京ก́a\x00😀;", max_size=60)))
@example('"')
@example('ferry" OR "1')
@example("'; DROP TABLE texts; --")
@example("ferry AND NOT NEAR(")
@example("title:ferry ^ferry {a b}: c")
@example("😀 👩‍👩‍👧 ferry")
@example("ferry " * 2_000)
@example("x" * 10_000)
@example('"' * 10_000)
@example("東" * 10_000)
@example("a-" * 5_000)
@example("\ud800 ferry")
def test_nothing_typed_can_break_a_query(index: Index, typed: str) -> None:
    try:
        query = parse_query(typed)
    except UsageError as error:
        query, refusal = Query(()), str(error)
    else:
        refusal = "query: none"
    assert refusal.startswith("query: ")
    assert len(refusal.splitlines()) == 1
    if query.wanted:
        assert list(index.matches(query, query.filters, 5)) == []
        assert list(index.matches(query, Filters(site=typed, language=typed), 5)) == []


def test_a_question_of_exclusions_alone_finds_nothing(search: Search, save: Save) -> None:
    save("http://a.example/1", FERRY)
    assert search("-whale") == []
    assert search("") == []


def test_reading_a_question_takes_time_in_proportion_to_it(doubling: Callable[..., None]) -> None:
    doubling(parse_query, lambda n: '"-a" ' * n, 1_000)


@pytest.mark.postgresql
@pytest.mark.parametrize("typed", ["ferry", "title:ferry", 'ferry OR boat -"a whale"'])
def test_postgresql_finds_words_by_their_index(postgresql: str, typed: str) -> None:
    url = new_database(postgresql)
    with closing(open_index(url)), closing(make_engine(parse_url(url), pooled=False).connect()) as connection:
        connection.execute(postgresql_index._BY_WORDS)
        statement = "EXPLAIN " + postgresql_index._BEST.format(newest=postgresql_index._NEWEST.format(conditions=""))
        values = {"query": tsquery(tree_of(parse_query(typed), Filters())), "most": 1_000, "limit": 30}
        plan = "\n".join(connection.execute(text(statement), values).scalars())
    assert "documents_words" in plan
    assert "documents_pkey" not in plan


@pytest.mark.postgresql
@pytest.mark.parametrize("typed", ['"the ferry"', 'title:"the ferry" whale', '"the ferry" OR boat', 'boat -"a whale"'])
def test_postgresql_reads_the_vectors_of_a_phrase_from_the_newest_on(postgresql: str, typed: str) -> None:
    """Not those of all articles with its words: it stops when it has enough."""
    url = new_database(postgresql)
    tree = tree_of(parse_query(typed), Filters())
    with closing(open_index(url)), closing(make_engine(parse_url(url), pooled=False).connect()) as connection:
        connection.execute(postgresql_index._BY_WORDS)
        statement = "EXPLAIN " + postgresql_index._NEWEST_WITH_PHRASE.format(conditions="")
        values = {
            "query": tsquery(tree),
            "index_query": tsquery(loosened(tree)),
            "most": 300,
        }
        steps = list(connection.execute(text(statement), values).scalars())
    plan = [step.strip() for step in steps]
    assert plan[0].startswith("Limit")
    assert plan[1].startswith("->  Subquery Scan on found")
    assert "<->" in plan[2]
    assert plan[3].startswith("->  Sort")
    assert "<->" not in "".join(plan[4:])
    assert "documents_words" in plan[-2]


def test_the_snippet_shows_the_part_with_most_words(search: Search, save: Save) -> None:
    save("http://a.example/1", f"{WHALE * 5} {FERRY} {WHALE * 5}")
    (hit,) = search("ferry council")
    marked = [hit.snippet.text[start:end] for start, end in hit.snippet.marks]
    assert {word.casefold() for word in marked} == {"ferry", "council"}
    assert len(hit.snippet.text) <= 240


@pytest.mark.parametrize(
    ("published", "first_seen", "shown"),
    [(None, 1970, "date unknown"), (2019, 1970, "2019-01-01"), (None, 2020, "2020-01-01")],
    ids=["unset clock", "date of the page", "first seen"],
)
def test_a_day_before_the_web_is_never_shown(published: int | None, first_seen: int, shown: str) -> None:
    stated, seen = (datetime(year, 1, 1, tzinfo=UTC) if year else None for year in (published, first_seen))
    assert seen is not None
    hit = SearchHit(1, 1, 0, 0, 1.0, "https://a.example/", "Title", "site", "en", stated, seen, Snippet("text", ()))
    assert f"   {shown}, site, en" in map(str, _lines(1, hit))


def test_a_story_is_found_and_shown_by_the_title_and_the_site_of_each_page(search: Search, save: Save) -> None:
    body = " ".join(f"council{number}" for number in range(60))
    save("http://copier.example/x", body, site="copier.example", title="FAKE scandal", fetched_at=NOW)
    save("http://paper.example/a", body, site="paper", title="Ferry strike", fetched_at=NOW + timedelta(hours=1))
    later = NOW + timedelta(hours=9)
    save("http://edit.example/e", f"{body} more", site="edit.example", title="Strike ends", fetched_at=later)

    def shown(typed: str, **filters: object) -> list[tuple[str, str | None]]:
        return [(hit.site, hit.title) for hit in search(typed, **filters)]

    assert shown("council7") == [("copier.example", "FAKE scandal")]
    assert shown('"ferry strike"') == [("paper", "Ferry strike")]
    assert shown("scandal") == [("copier.example", "FAKE scandal")]
    assert shown("ends") == [("edit.example", "Strike ends")]
    assert shown('"scandal ferry"') == []
    assert shown("council7", site="paper") == [("paper", "Ferry strike")]
    assert shown("scandal", site="paper") == [("paper", "Ferry strike")]
    assert shown("council7", site="pap") == []
    assert shown("council7", since=NOW + timedelta(hours=5)) == [("edit.example", "Strike ends")]
    assert shown("council7", since=NOW + timedelta(hours=10)) == []


def test_without_a_database_no_index_is_made(tmp_path: Path) -> None:
    with pytest.raises(MissingDatabase):
        run_query(f"sqlite:///{tmp_path}/none.db", parse_query("ferry"), Filters(), 10)
    assert not [*tmp_path.iterdir()]
