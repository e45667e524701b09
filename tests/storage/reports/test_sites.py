"""The numbers of sites are right for texts that several pages show, and are counted over one index."""

from __future__ import annotations

from datetime import timedelta

import pytest
from kinds_of_databases import ON_SQLITE
from source_items import record_answer, record_page_failure
from sqlalchemy import event

from newscrawl.model import Attempt, Candidate, Discovery, Failure
from newscrawl.reports.sites import site_names, totals
from newscrawl.storage.frontier import crawls
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.removal import forget

pytestmark = ON_SQLITE

SITES = ("inland", "harbour", "coast")
FIRST, SECOND = "https://harbour.example/a", "https://valley.example/b"
FEED = "https://harbour.example/feed"


@pytest.fixture
def filled(store, page, now):
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


def read(store, function, *args):
    with store.reading() as connection:
        return function(connection, *args)


@pytest.fixture
def numbers(store):
    """Returns the articles, duplicates and share of fallbacks of each site."""

    def found():
        return {one.site: (one.articles, one.duplicates, one.fallback_share) for one in read(store, totals)}

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
    found = {one.site: (one.pages, one.pending, one.articles) for one in read(store, totals)}
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


def test_the_number_of_statements_does_not_grow_with_the_sites_and_names_scan_no_table(filled):
    """Plans are SQLite's."""
    sent = statements(filled, totals)
    assert len(sent) < 15
    read_whole = [step for _, plan in sent for step in plan if step.startswith(("SCAN pages", "SCAN versions"))]
    assert read_whole == ["SCAN pages USING COVERING INDEX ix_pages_counts"]
    assert not [step for _, plan in sent for step in plan if "GROUP BY" in step], "counted in the index's order"
    assert not [text for text, _ in sent if "versions" in text or "articles" in text]
    for text, plan in statements(filled, site_names):
        scanned = [step for step in plan if step.startswith(("SCAN pages", "SCAN runs"))]
        assert scanned == [], text
