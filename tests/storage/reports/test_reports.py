"""Reports: the metadata of an exported article, and what is due."""

from __future__ import annotations

from datetime import timedelta

import pytest
from kinds_of_databases import ON_SQLITE
from source_items import record_answer, record_page_failure
from sqlalchemy import event

from newscrawl import reports
from newscrawl.model import Candidate, Discovery, Failure, PublishedDate
from newscrawl.reports import fleet
from newscrawl.storage.frontier import sites
from newscrawl.storage.records import SourceAnswer

pytestmark = ON_SQLITE


@pytest.fixture
def told(store):
    """What a function of `reports` says of the store."""

    def ask(function, *args):
        store.flush()
        with store.reading() as connection:
            found = function(connection, *args)
            return found if isinstance(found, list | reports.UrlReport | None) else list(found)

    return ask


def test_an_article_leaves_with_the_metadata_of_the_page_that_states_most(store, told, page, now):
    date = PublishedDate(now, "meta:article:published_time", "minute")
    bare, full, late = (f"https://harbour.example/{name}" for name in ("print", "story", "again"))
    store.save(page(bare, "one", title="Print")).result()
    store.save(page(full, "one", title="Full", authors=("A. Writer",), published=date)).result()
    store.save(page(late, "one", title="Late", authors=("B. Writer",), published=date)).result()
    (article,) = told(reports.articles)
    assert (article.url, article.title, article.authors) == (full, "Full", ("A. Writer",))
    assert article.pages == (bare, full, late)


def test_another_sites_page_does_not_speak_for_the_article_of_the_first(store, told, page, now):
    date = PublishedDate(now, "meta:article:published_time", "minute")
    store.save(page("https://harbour.example/a", "one", title="First")).result()
    store.save(page("https://inland.example/a", "one", title="Copy", site="inland", published=date)).result()
    (article,) = told(reports.articles)
    assert (article.site, article.title, len(article.pages)) == ("harbour", "First", 2)


@pytest.mark.parametrize(
    ("since", "until", "found"),
    [
        pytest.param(0, None, True, id="the day of the page shown first"),
        pytest.param(5, 6, True, id="the day of a later page"),
        pytest.param(9, None, True, id="the publication that a page states"),
        pytest.param(10, None, False, id="after all of them"),
        pytest.param(None, 0, False, id="before all of them"),
        pytest.param(1, 5, False, id="between two of them"),
    ],
)
def test_a_span_of_time_finds_an_article_through_any_page_that_shows_it(store, told, page, now, since, until, found):
    def day(number):
        return None if number is None else now + timedelta(days=number)

    store.save(page("https://harbour.example/a", "one", fetched_at=now)).result()
    store.save(page("https://inland.example/a", "one", site="inland", fetched_at=day(5))).result()
    date = PublishedDate(day(9), "meta:article:published_time", "minute")
    store.save(page("https://island.example/a", "one", site="island", fetched_at=day(6), published=date)).result()
    stated = told(reports.articles, reports.ArticleSelection(period=reports.Period(day(since), day(until))))
    assert [article.url for article in stated] == (["https://harbour.example/a"] if found else [])


@pytest.fixture
def late(now):
    return now + timedelta(hours=2)


@pytest.fixture
def filled(store, now, late):
    """Three sites with a due source, a due page, a page that is gone and one never fetched. Two were paused; the pause
    of one is over."""
    for minutes, site in enumerate(("paused", "resumed", "harbour")):
        at, home = now + timedelta(minutes=minutes), f"https://{site}.example"
        found = [Candidate(f"{home}/new", Discovery("feed", f"{home}/feed"))]
        store.run(record_answer, SourceAnswer(site, f"{home}/feed", "feed", 200, at), found, at).result()
        for name, status in (("error", 500), ("gone", 404)):
            kind = f"http/{status}"
            failed = (f"{home}/{name}", site, Failure(kind, kind), status, at)
            store.run(record_page_failure, *failed).result()
    store.run(sites.pause, "paused", late + timedelta(hours=1), now).result()
    store.run(sites.pause, "resumed", late, now).result()
    return store


def test_numbers_leave_out_paused_sites(filled, late):
    with filled.reading() as connection:
        found = fleet.work(connection, late)
        first = min(line.next_due for line in fleet.due_pages(connection, late))
    assert (found.due_sources, found.due_pages, found.announced, found.due_since) == (2, 2, 2, first)
    with filled.reading() as connection:
        later = fleet.work(connection, late + timedelta(hours=1))
    assert (later.due_sources, later.due_pages, later.announced) == (3, 3, 3)
    assert later.due_since < found.due_since


@pytest.mark.parametrize("steps", [(300, 20_000), (1, 2, 9)])
def test_lists_leave_out_paused_sites_and_pages_that_are_gone(filled, late, monkeypatch, steps):
    monkeypatch.setattr(fleet, "LISTED_OF", steps)
    with filled.reading() as connection:
        found = [fleet.due_sources(connection, late), fleet.due_pages(connection, late)]
    assert [[line.site for line in lines] for lines in found] == [["resumed", "harbour"]] * 2
    assert {line.url.rpartition("/")[2] for line in found[1]} == {"error"}


def test_what_is_due_is_read_from_indexes(filled, late):
    """Plans are SQLite's."""
    with filled.reading() as connection:
        sent = []
        event.listen(connection, "before_cursor_execute", lambda *given: sent.append(given[2:4]))
        fleet.work(connection, late)
        fleet.due_pages(connection, late)
        fleet.due_sources(connection, late)
        looks = [(query, given) for query, given in sent if "FROM pages" in query or "FROM sources" in query]
        plans = [
            [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}", given)]
            for query, given in looks
        ]
    assert len(plans) == 5
    for plan in plans:
        assert any(
            name in step for step in plan for name in ("ix_pages_due", "ix_pages_found", "ix_sources_next_due")
        ), plan
        assert not [step for step in plan if "TEMP B-TREE" in step], plan
