"""The kept totals of sites. The fixture `store` compares them with the tables after every test of tests/storage."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from totals import assert_totals_are_true, counted

from newscrawl.model import Attempt, Candidate, Discovery, Failure
from newscrawl.storage import SourceAnswer, Store
from newscrawl.storage.frontier import pages, sources
from newscrawl.storage.monitoring import site_totals
from newscrawl.storage.removal import forget
from newscrawl.storage.tables.hours import site_totals as table

FIRST, SECOND, THIRD = (f"https://{name}" for name in ("harbour.example/a", "valley.example/b", "coast.example/c"))
HOUR = timedelta(hours=1)


@pytest.fixture
def call(store: Store) -> Callable[..., Any]:
    return lambda operation, *args, **kwargs: store.run(operation, *args, **kwargs).result()


@pytest.fixture
def shared(store, page, now):
    """One text on three sites."""
    for url, site, hours in ((FIRST, "harbour", 0), (SECOND, "valley", 1), (THIRD, "coast", 2)):
        store.save(page(url, "The ferry", site=site, fetched_at=now + hours * HOUR)).result()
    return store


def texts(call, counted_as):
    found = call(site_totals.load)
    return {site: sum(of_site.get(counted_as, {}).values()) for site, of_site in found.items()}


def test_a_text_counts_for_the_site_that_showed_it_first(shared, call):
    assert texts(call, "article") == {"harbour": 1, "valley": 0, "coast": 0}
    assert texts(call, "duplicate") == {"harbour": 0, "valley": 1, "coast": 1}


def test_a_page_of_the_future_counts_by_the_reading_that_dates_it_again(store, call, page, now):
    """It was the later page of the text, and is the first by its next reading."""
    store.save(page(FIRST, "The ferry", site="harbour", fetched_at=now + timedelta(days=73 * 365))).result()
    store.save(page(SECOND, "The ferry", site="valley", fetched_at=now + 2 * HOUR)).result()
    assert texts(call, "article") == {"harbour": 0, "valley": 1}
    store.save(page(FIRST, "The ferry", site="harbour", fetched_at=now + HOUR)).result()
    assert texts(call, "article") == {"harbour": 1, "valley": 0}
    assert texts(call, "duplicate") == {"harbour": 0, "valley": 1}


def test_the_next_page_is_the_first_when_the_first_is_forgotten(shared, call, now):
    call(forget.forget_url, FIRST, now)
    assert texts(call, "article") == {"valley": 1, "coast": 0}
    assert texts(call, "duplicate") == {"valley": 0, "coast": 1}


def test_the_next_page_is_the_first_when_the_first_shows_another_text(shared, call, page, now):
    tried = (Attempt("classic", 3, 20, accepted=False, reason="too short"),)
    shared.save(page(FIRST, "A bridge", fetched_at=now + 3 * HOUR, trace=tried)).result()
    assert texts(call, "article") == {"harbour": 1, "valley": 1, "coast": 0}
    assert texts(call, "fallback") == {"harbour": 1, "valley": 0, "coast": 0}


def test_a_failure_moves_a_page_and_keeps_its_article(shared, call, now):
    call(pages.record_failure, FIRST, "harbour", Failure("http/404", "gone"), 404, now + HOUR)
    assert call(site_totals.load, "harbour") == {
        "harbour": {
            "article": {"boilerpipe-wide+tree2": 1},
            "failure": {"http/404": 1},
            "state": {"gone": 1},
        }
    }


def test_announced_pages_count_and_a_declared_site_takes_pages_over(store, call, page, now):
    store.save(page(FIRST, "The ferry", site="generic")).result()
    feed = "https://harbour.example/feed"
    named = [Candidate(url, Discovery("feed", feed)) for url in (FIRST, f"{FIRST}2", f"{FIRST}3")]
    call(sources.record_answer, SourceAnswer("harbour", feed, "feed", 200, now), named, now)
    found = call(site_totals.load)
    assert found.keys() == {"harbour"}
    assert found["harbour"]["state"] == {"fetched": 1, "found": 2}


def test_a_transaction_that_fails_adds_nothing(shared, call):
    before = call(site_totals.load)

    def fails(connection: Any) -> None:
        site_totals.add(connection, {("harbour", "state", "found"): 3})
        raise LookupError

    with pytest.raises(LookupError):
        call(fails)
    assert call(site_totals.load) == before


def test_the_comparison_of_the_fixture_finds_a_wrong_total(shared, call):
    def compares(connection: Any) -> None:
        connection.execute(table.update().values(number=7))
        assert_totals_are_true(connection)

    with pytest.raises(AssertionError):
        call(compares)
    assert call(counted)
