"""Reports: the metadata of an exported article, what is due, and the numbers of sites, also for texts that several
pages show."""

from __future__ import annotations

from datetime import timedelta

import pytest
from kinds_of_databases import ON_SQLITE
from source_items import record_answer, record_page_failure
from sqlalchemy import event

from newscrawl import reports
from newscrawl.model import Attempt, Candidate, Discovery, Failure, PublishedDate
from newscrawl.reports import fleet
from newscrawl.reports.sites import site_names, totals
from newscrawl.storage.frontier import crawls, sites
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.removal import forget

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


SITES = ("inland", "harbour", "coast")
FIRST, SECOND = "https://harbour.example/a", "https://valley.example/b"
FEED = "https://harbour.example/feed"


@pytest.fixture
def several(store, page, now):
    """Each site has five texts; coast shows two of harbour's as well, later. One page of inland failed."""
    for site in SITES:
        for number in range(5):
            store.save(page(f"https://{site}.example/{number}", f"{site} {number}", site=site)).result()
    for number in range(2):
        store.save(page(f"https://coast.example/copy{number}", f"harbour {number}", site="coast")).result()
    failed = ("https://inland.example/gone", "inland", Failure("http/500", "500"), 500, now)
    store.run(record_page_failure, *failed).result()
    for site in SITES:
        for day in range(3):
            store.run(crawls.add_run, site, now + timedelta(days=day)).result()
    return store


def ask(store, function, *args):
    with store.reading() as connection:
        return function(connection, *args)


@pytest.fixture
def numbers(store):
    """Returns the articles, duplicates and share of fallbacks of each site."""

    def found():
        return {one.site: (one.articles, one.duplicates, one.fallback_share) for one in ask(store, totals)}

    return found


@pytest.fixture
def shared(store, page, now):
    """One text on two sites."""
    for url, site, hours in ((FIRST, "harbour", 0), (SECOND, "valley", 1)):
        store.save(page(url, "The ferry", site=site, fetched_at=now + timedelta(hours=hours))).result()
    return store


def test_a_duplicate_stays_one_when_the_first_page_goes(shared, numbers, now):
    assert numbers() == {"harbour": (1, 0, 0.0), "valley": (0, 1, 0.0)}
    shared.run(record_page_failure, FIRST, "harbour", Failure("http/404", "gone"), 404, now).result()
    assert numbers() == {"harbour": (1, 0, 0.0), "valley": (0, 1, 0.0)}
    shared.run(forget.forget_url, FIRST, now).result()
    assert {site: of_site for site, of_site in numbers().items() if any(of_site)} == {"valley": (0, 1, 0.0)}


def test_a_page_counts_by_the_text_that_it_shows_now(shared, numbers, page, now):
    tried = (Attempt("classic", 3, 20, accepted=False, reason="too short"),)
    later = now + timedelta(hours=3)
    shared.save(page(SECOND, "A bridge", site="valley", fetched_at=later, trace=tried)).result()
    assert numbers() == {"harbour": (1, 0, 0.0), "valley": (1, 0, 1.0)}
    shared.save(page(FIRST, "A bridge", fetched_at=later, trace=tried)).result()
    assert numbers() == {"harbour": (0, 1, 0.0), "valley": (1, 0, 1.0)}


def test_a_page_that_shows_its_own_former_text_again_joins_nothing(store, numbers, page, now):
    for hours, text in enumerate(("The ferry", "A bridge", "The ferry")):
        store.save(page(FIRST, text, fetched_at=now + timedelta(hours=hours))).result()
    assert numbers() == {"harbour": (1, 0, 0.0)}


def test_an_article_is_still_counted_when_its_first_page_moves_to_another(store, numbers, page, now):
    copy, later = "https://harbour.example/copy", now + timedelta(hours=1)
    store.save(page(FIRST, "The ferry")).result()
    store.save(page(copy, "The ferry")).result()
    assert numbers() == {"harbour": (1, 1, 0.0)}
    store.save(page(FIRST, "The ferry", final_url=copy, fetched_at=later)).result()
    assert numbers() == {"harbour": (1, 0, 0.0)}


def test_announced_pages_wait_and_a_declared_site_takes_pages_over(store, page, now):
    store.save(page(FIRST, "The ferry", site="generic")).result()
    named = [Candidate(url, Discovery("feed", FEED)) for url in (FIRST, f"{FIRST}2", f"{FIRST}3")]
    store.run(record_answer, SourceAnswer("harbour", FEED, "feed", 200, now), named, now).result()
    found = {one.site: (one.pages, one.pending, one.articles) for one in ask(store, totals)}
    assert found == {"generic": (0, 0, 0), "harbour": (3, 2, 1)}


def statements(store, function):
    """The statements that a function sends, with what SQLite plans for each."""
    with store.reading() as connection:
        sent = []
        event.listen(connection, "before_cursor_execute", lambda *given: sent.append(given[2:4]))
        function(connection)
        found = list(sent)
        return [
            (text, [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", given)])
            for text, given in found
        ]


def test_the_number_of_statements_does_not_grow_with_the_sites_and_names_scan_no_table(several):
    """Plans are SQLite's."""
    sent = statements(several, totals)
    assert len(sent) < 15
    read_whole = [step for _, plan in sent for step in plan if step.startswith(("SCAN pages", "SCAN versions"))]
    assert read_whole == ["SCAN pages USING COVERING INDEX ix_pages_counts"]
    assert not [step for _, plan in sent for step in plan if "GROUP BY" in step], "counted in the index's order"
    assert not [text for text, _ in sent if "versions" in text or "articles" in text]
    for text, plan in statements(several, site_names):
        scanned = [step for step in plan if step.startswith(("SCAN pages", "SCAN runs"))]
        assert scanned == [], text
