"""The state of a site, the usual number of articles at an hour, days from hours, and the words of times."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from patience import PATIENCE
from site_numbers import add_numbers
from source_items import record_failure
from web_database import NOW

from newscrawl.reports import crawling_machines, fleet
from newscrawl.reports.site_facts import SiteFacts, SourceFacts
from newscrawl.reports.site_states import State, reasons_of, state_of, states_of
from newscrawl.scheduling.site_state import SiteControl
from newscrawl.storage.frontier import leases, sites
from newscrawl.storage.machines import registered
from newscrawl.storage.monitoring import hours
from newscrawl.storage.monitoring.alarms import Alarm
from newscrawl.storage.monitoring.hours import NOTHING, DayNumbers
from newscrawl.storage.store import Store, open_store
from newscrawl.web import rendering

ALARM = Alarm("a", "quiet", "warning", NOW, NOW, "few", {})
READ = SourceFacts(4, 0, NOW, NOW)
HALF, SOME, FEW = (
    replace(NOTHING, fetched=10, failed=10),
    replace(NOTHING, fetched=11, failed=9),
    replace(NOTHING, fetched=9, failed=10),
)


@pytest.mark.parametrize(
    ("facts", "state"),
    [
        (SiteFacts("a"), "new"),
        (SiteFacts("a", last_started=NOW), "good"),
        (SiteFacts("a", sources=READ), "good"),
        (SiteFacts("a", sources=SourceFacts(4, 3), last_started=NOW), "good"),
        (SiteFacts("a", sources=SourceFacts(4, 4)), "failing"),
        (SiteFacts("a", day=HALF, sources=READ), "failing"),
        (SiteFacts("a", day=SOME, sources=READ), "good"),
        (SiteFacts("a", day=FEW, sources=READ), "good"),
        (SiteFacts("a", in_review=1), "review"),
        (SiteFacts("a", in_review=1, day=HALF), "failing"),
        (SiteFacts("a", control=SiteControl("a", paused=True), day=HALF), "paused"),
        (SiteFacts("a", control=SiteControl("a", True, NOW), sources=READ), "good"),
        (SiteFacts("a", control=SiteControl("a", paused=True), alarms=(ALARM,)), "alarm"),
    ],
)
def test_the_state_of_a_site(facts: SiteFacts, state: State) -> None:
    assert state_of(facts, NOW) == state


PAUSED = SiteControl("a", paused=True)


@pytest.mark.parametrize(
    ("facts", "states"),
    [
        (SiteFacts("a"), {"new"}),
        (SiteFacts("a", in_review=1, last_started=NOW), {"review"}),
        (SiteFacts("a", alarms=(ALARM,), in_review=1, sources=SourceFacts(4, 4)), {"alarm", "failing", "review"}),
        (SiteFacts("a", alarms=(ALARM,), control=PAUSED, sources=SourceFacts(4, 4)), {"alarm", "paused"}),
        (SiteFacts("a", control=PAUSED, in_review=2), {"paused", "review"}),
    ],
)
def test_a_site_is_in_several_states(facts: SiteFacts, states: set[State]) -> None:
    assert states_of(facts, NOW) == states


def test_the_reasons_of_a_site_are_said_in_words() -> None:
    assert reasons_of(SiteFacts("a", sources=READ)) == ()
    assert reasons_of(SiteFacts("a", day=HALF, in_review=1_200, sources=SourceFacts(4, 3))) == (
        "3 of 4 sources fail",
        "10 of 20 results of 24 hours failed",
        "1,200 in review",
    )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True, max_wait=0.01) as opened:
        yield opened


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


def test_days_are_added_up_from_hours_and_have_no_gaps(store: Store) -> None:
    for ago, stored in ((0, 1), (3, 2), (24, 4), (24 * 40, 8)):
        at = NOW - timedelta(hours=ago)
        store.run(add_numbers, "a", at, newest=at, found=stored * 2, stored=stored).result(PATIENCE)
    with store.reading() as connection:
        found = hours.by_day(connection, ["a", "b"], NOW, 3)
    days = [DayNumbers(date(2026, 11, 19)), DayNumbers(date(2026, 11, 20), 8, 4), DayNumbers(date(2026, 11, 21), 6, 3)]
    assert found["a"] == days
    assert [day.stored for day in found["b"]] == [0, 0, 0]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "less than 1 min"),
        (60, "1 min"),
        (3_660, "1 h 1 min"),
        (3_600, "1 h"),
        (36_060, "10 h"),
        (90_000, "1 d 1 h"),
    ],
)
def test_spans_are_said_in_two_units(seconds: int, words: str) -> None:
    assert rendering.span(timedelta(seconds=seconds)) == words


def test_times_say_how_far_they_are() -> None:
    said = rendering.since(NOW)
    assert ">2 h ago<" in said(NOW - timedelta(hours=2))
    assert ">in 2 h<" in said(NOW + timedelta(hours=2))
    assert "never" in said(None)


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
        found = fleet.crawler(fleet.work(connection, now), crawling_machines(connection, now), now)
    return found.state, found.last_seen


def test_a_crawler_that_stopped_is_told_from_one_without_work(store: Store) -> None:
    process = registered.CrawlingProcess("ada/1/boot", "ada", "run", "0.1.0", "0041")
    late = NOW + timedelta(hours=1)
    assert crawler_at(store, NOW) == ("idle", None)
    failed = ("harbour", "https://harbour.example/feed.xml", "feed", "http/503", 503, NOW)
    store.run(record_failure, *failed).result(PATIENCE)
    assert crawler_at(store, NOW) == ("idle", None)
    assert crawler_at(store, late) == ("stopped", None)
    store.run(sites.pause, "harbour", late + timedelta(minutes=1), NOW).result(PATIENCE)
    assert crawler_at(store, late) == ("idle", None)
    store.run(registered.register, process, now=late).result(PATIENCE)
    assert crawler_at(store, late + timedelta(minutes=2)) == ("crawling", late)
    assert crawler_at(store, late + timedelta(minutes=3)) == ("stopped", late)
    store.run(leases.acquire, "harbour", "ada/1/boot", late, timedelta(minutes=9)).result(PATIENCE)
    assert crawler_at(store, late + timedelta(minutes=8)) == ("crawling", late)
    assert crawler_at(store, late + timedelta(minutes=10)) == ("stopped", late)
