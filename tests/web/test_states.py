"""The state of a site, the usual number of articles at an hour, days from hours, and the words of times."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest
from patience import PATIENCE
from source_items import record_failure
from stored_rows import add_numbers
from web_database import NOW

from newscrawl.reports import fleet
from newscrawl.reports.sites import Site, State, listed
from newscrawl.storage import machines
from newscrawl.storage.frontier import leases, sites
from newscrawl.storage.monitoring.alarms import Alarm
from newscrawl.storage.monitoring.hours import NOTHING, DayNumbers
from newscrawl.storage.store import Store
from newscrawl.web import rendering

ALARM = Alarm("a", "quiet", "warning", NOW, NOW, "few", {})
NEW = Site("a", None, None, NOTHING, (), None, False, 0, 0, None, None, 0, None, None, 0, None, None)
READ = replace(NEW, sources=4, next_due=NOW, last_good_read=NOW)
HALF, SOME, FEW = (
    replace(NOTHING, fetched=10, failed=10),
    replace(NOTHING, fetched=11, failed=9),
    replace(NOTHING, fetched=9, failed=10),
)


@pytest.mark.parametrize(
    ("site", "state"),
    [
        (NEW, "new"),
        (replace(NEW, last_started=NOW), "good"),
        (READ, "good"),
        (replace(NEW, sources=4, failing_sources=3, last_started=NOW), "good"),
        (replace(NEW, sources=4, failing_sources=4), "failing"),
        (replace(READ, day=HALF), "failing"),
        (replace(READ, day=SOME), "good"),
        (replace(READ, day=FEW), "good"),
        (replace(NEW, in_review=1), "review"),
        (replace(NEW, in_review=1, day=HALF), "failing"),
        (replace(NEW, is_paused=True, day=HALF), "paused"),
        (replace(NEW, is_paused=True, alarms=(ALARM,)), "alarm"),
    ],
)
def test_the_state_of_a_site(site: Site, state: State) -> None:
    assert site.state == state


@pytest.mark.parametrize(
    ("site", "states"),
    [
        (NEW, {"new"}),
        (replace(NEW, in_review=1, last_started=NOW), {"review"}),
        (replace(NEW, alarms=(ALARM,), in_review=1, sources=4, failing_sources=4), {"alarm", "failing", "review"}),
        (replace(NEW, alarms=(ALARM,), is_paused=True, sources=4, failing_sources=4), {"alarm", "paused"}),
        (replace(NEW, is_paused=True, in_review=2), {"paused", "review"}),
    ],
)
def test_a_site_is_in_several_states(site: Site, states: set[State]) -> None:
    assert site.states == states


def test_the_reasons_of_a_site_are_said_in_words() -> None:
    assert READ.reasons == ()
    site = replace(NEW, day=HALF, in_review=1_200, sources=4, failing_sources=3, alarms=(ALARM,))
    assert site.reasons == (
        "3 of 4 sources fail",
        "10 of 20 results of 24 hours failed",
        "1,200 in review",
    )
    assert site.trouble == ("few", *site.reasons)


def test_a_site_is_paused_until_its_pause_ends(store: Store) -> None:
    store.run(sites.pause, "harbour", NOW + timedelta(hours=1), NOW).result(PATIENCE)
    with store.reading() as connection:
        found = [listed(connection, NOW + timedelta(minutes=minutes))[0] for minutes in (59, 60)]
    assert [(one.state, one.paused_until) for one in found] == [("paused", NOW + timedelta(hours=1)), ("new", None)]


def test_an_hour_is_compared_with_the_same_hour_of_four_weeks(store: Store) -> None:
    hour, week = timedelta(hours=1), timedelta(days=7)
    counted = {hour: 5, hour + week: 8, hour + week * 2: 4, hour * 2: 100, timedelta(): 50, hour + week * 5: 100}
    for ago, stored in counted.items():
        store.run(add_numbers, "a", NOW - ago, stored=stored).result(PATIENCE)
        store.run(add_numbers, "b", NOW - ago, stored=1).result(PATIENCE)
    with store.reading() as connection:
        found = fleet.last_hour(connection, NOW + timedelta(minutes=20))
        nothing = fleet.last_hour(connection, NOW + timedelta(days=100))
    assert (found.hour, found.stored, found.usual) == (NOW - hour, 6, 7.0)
    assert (nothing.stored, nothing.usual) == (0, None)


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "//evil.example", "ftp://a/b", "https:", "http://[", None]
)
def test_only_web_addresses_are_links(url: str | None) -> None:
    assert "<a" not in rendering.outward(url)


def test_a_diagram_says_in_words_what_it_shows() -> None:
    drawn = rendering.sparkline([DayNumbers(date(2026, 11, 20), 8, 4), DayNumbers(date(2026, 11, 21))])
    assert 'aria-label="2 days: 4 articles stored of 8 addresses found, at most 8 a day"' in drawn
    assert drawn.count("M0 ") == 3
    assert "style=" not in drawn
    assert "<path" in rendering.sparkline([])


def crawler_at(store: Store, now: datetime) -> tuple[str, datetime | None]:
    """Whether anything crawls, and when a machine was seen last."""
    with store.reading() as connection:
        found = fleet.crawler(fleet.work(connection, now), fleet.machines(connection, now), now)
    return found.state, found.last_seen


def test_a_crawler_that_stopped_is_told_from_one_without_work(store: Store) -> None:
    process = machines.CrawlingProcess("ada/1/boot", "ada", "run", "0.1.0", "0041")
    late = NOW + timedelta(hours=1)
    assert crawler_at(store, NOW) == ("idle", None)
    failed = ("harbour", "https://harbour.example/feed.xml", "feed", "http/503", 503, NOW)
    store.run(record_failure, *failed).result(PATIENCE)
    assert crawler_at(store, NOW) == ("idle", None)
    assert crawler_at(store, late) == ("stopped", None)
    store.run(sites.pause, "harbour", late + timedelta(minutes=1), NOW).result(PATIENCE)
    assert crawler_at(store, late) == ("idle", None)
    store.run(machines.register, process, now=late).result(PATIENCE)
    assert crawler_at(store, late + timedelta(minutes=2)) == ("crawling", late)
    assert crawler_at(store, late + timedelta(minutes=3)) == ("stopped", late)
    store.run(leases.acquire, "harbour", "ada/1/boot", late, timedelta(minutes=9)).result(PATIENCE)
    assert crawler_at(store, late + timedelta(minutes=8)) == ("crawling", late)
    assert crawler_at(store, late + timedelta(minutes=10)) == ("stopped", late)
