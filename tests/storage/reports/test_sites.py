"""The numbers of sites are right for texts that several pages show, and are read without counting rows."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import event

from newscrawl.model import Failure, PublishedDate
from newscrawl.storage import reports
from newscrawl.storage.engine.loose_scan import distinct
from newscrawl.storage.frontier import crawls
from newscrawl.storage.frontier import pages as page_rows
from newscrawl.storage.tables.articles import pages

SITES = ("inland", "harbour", "coast")


@pytest.fixture
def filled(store, page, now):
    """Each site has five texts; coast shows two of harbour's as well, later. One page of inland failed."""
    for site in SITES:
        for number in range(5):
            store.save(page(f"https://{site}.example/{number}", f"{site} {number}", site=site)).result()
    for number in range(2):
        store.save(page(f"https://coast.example/copy{number}", f"harbour {number}", site="coast")).result()
    failed = ("https://inland.example/gone", "inland", Failure("http/500", "500"), 500, now)
    store.run(page_rows.record_failure, *failed).result()
    for site in SITES:
        for day in range(3):
            store.run(crawls.add_run, site, now + timedelta(days=day)).result()
    return store


def read(store, function, *args):
    with store.reading() as connection:
        return function(connection, *args)


def test_articles_belong_to_the_site_that_showed_them_first(filled):
    found = {status.site: status for status in read(filled, reports.sites)}
    assert {name: (one.articles, one.duplicates) for name, one in found.items()} == {
        "coast": (5, 2),
        "harbour": (5, 0),
        "inland": (5, 0),
    }
    assert found["inland"].failures == {"http/500": 1}
    assert found["inland"].failed == 1
    assert list(found["harbour"].extractors.values()) == [5]


def test_the_newest_publication_of_a_site_is_that_of_its_pages_of_the_last_days(store, page, now):
    for number, hours in enumerate((30, 2, 9)):
        dated = PublishedDate(now - timedelta(hours=hours), "meta", "minute")
        store.save(page(f"https://coast.example/{number}", f"coast {number}", site="coast", published=dated)).result()
    store.save(page("https://harbour.example/1", "harbour 1", site="harbour")).result()
    assert read(store, reports.newest_published, now) == {"coast": now - timedelta(hours=2)}
    assert read(store, reports.newest_published, now + timedelta(days=8)) == {}


def test_one_site_has_the_same_numbers_alone(filled, now):
    together = {status.site: status for status in read(filled, reports.sites)}
    for site in SITES:
        assert read(filled, reports.sites, site) == [together[site]]
        assert together[site].last_run is not None
        assert together[site].last_run.started == now + timedelta(days=2)


def test_the_names_of_sites_cost_one_search_each(filled):
    assert read(filled, reports.site_names) == sorted(SITES)
    assert read(filled, distinct, pages.c.site) == sorted(SITES)


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
    if read(filled, lambda connection: connection.dialect.name) != "sqlite":
        pytest.skip("plans are SQLite's")
    sent = statements(filled, reports.sites)
    assert len(sent) < 15
    read_whole = [step for _, plan in sent for step in plan if step.startswith(("SCAN pages", "SCAN versions"))]
    assert read_whole == []
    assert not [text for text, _ in sent if "versions" in text or "articles" in text]
    for text, plan in statements(filled, reports.site_names):
        scanned = [step for step in plan if step.startswith(("SCAN pages", "SCAN runs"))]
        assert scanned == [], text
