"""Articles that no source names are one alarm, which an operator can accept. The check is made once a week."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from patience import PATIENCE
from source_items import record_answer

from newscrawl.discovery.proposals.coverage import Gap
from newscrawl.model import Candidate, Discovery
from newscrawl.model.identity import url_key
from newscrawl.storage.frontier import pages, sites
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.monitoring.checks import accept, check_coverage
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.store import Store, open_store

NOW = datetime(2026, 3, 2, tzinfo=UTC)
WEEK = timedelta(days=7)


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database, upgrade=False, max_wait=0.01) as opened:
        opened.run(sites.note_start, "town", NOW).result(timeout=PATIENCE)
        yield opened


def gap(missing: int) -> Gap:
    found = [Candidate(f"https://town.example/de/{n}", Discovery("section", "/")) for n in range(missing)]
    return Gap(tuple(found), (), 10 + missing)


def wait(store: Store, function: Any, *words: Any) -> Any:
    return store.run(function, *words).result(timeout=PATIENCE)


def test_the_alarm_is_opened_once_and_closed_when_nothing_is_missing(store: Store) -> None:
    (opened,) = wait(store, check_coverage, "town", gap(20), NOW).opened
    assert (opened.kind, opened.details["missing"], len(opened.details["examples"])) == ("coverage", 20, 9)
    assert wait(store, check_coverage, "town", gap(21), NOW + sites.COMPARED_AGAIN).opened == ()
    (alarm,) = wait(store, alarms.open_alarms)
    assert alarm.message.startswith("21 articles that no chosen source names")
    assert wait(store, check_coverage, "town", None, NOW + 2 * sites.COMPARED_AGAIN).closed == ()
    (closed,) = wait(store, check_coverage, "town", gap(0), NOW + 3 * sites.COMPARED_AGAIN).closed
    assert closed.id == opened.id
    assert wait(store, alarms.open_alarms) == []


def test_an_accepted_gap_is_an_alarm_again_only_when_it_has_grown(store: Store) -> None:
    wait(store, check_coverage, "town", gap(20), NOW)
    assert [alarm.kind for alarm in wait(store, accept, "town", NOW)] == ["coverage"]
    assert wait(store, check_coverage, "town", gap(25), NOW + WEEK).opened == ()
    assert len(wait(store, check_coverage, "town", gap(31), NOW + 2 * WEEK).opened) == 1


def test_looks_begin_within_a_week_and_come_once_a_week_or_daily_while_something_is_wrong(store: Store) -> None:
    assert not wait(store, sites.comparison_due, "town", NOW)
    assert wait(store, sites.comparison_due, "town", NOW + WEEK)
    for found, pause in ((gap(0), WEEK), (gap(20), sites.COMPARED_AGAIN), (None, sites.COMPARED_AGAIN)):
        wait(store, check_coverage, "town", found, NOW)
        assert not wait(store, sites.comparison_due, "town", NOW + pause - timedelta(minutes=1))
        assert wait(store, sites.comparison_due, "town", NOW + pause)


def test_pages_that_a_source_has_named_are_known_by_their_address(store: Store) -> None:
    feed = "https://town.example/feed"
    found = [Candidate(f"https://town.example/{n}", Discovery("feed", feed, "A title", NOW)) for n in range(3)]
    wait(store, record_answer, SourceAnswer("town", feed, "feed", 200, NOW), found, NOW)
    named, languages = wait(store, sites.named_pages, "town")
    assert {(one.url, one.discovery) for one in named} == {(one.url, one.discovery) for one in found}
    assert languages == set()
    keys = [url_key(one.url) for one in found]
    assert wait(store, pages.known_keys, [*keys, "town.example/other"]) == set(keys)
