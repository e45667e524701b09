"""Alarms of sites that do not answer: opened by the clock from what crawls stored, closed when the site answers."""

from __future__ import annotations

import itertools
from datetime import timedelta
from typing import Any

import pytest
from kinds_of_databases import ON_SQLITE
from source_items import record_answer, record_failure, record_page_failure

from newscrawl.crawling.scheduling.sources import FIRST_RETRY, plan
from newscrawl.model import Failure
from newscrawl.storage.frontier import sources
from newscrawl.storage.monitoring import alarms, checks
from newscrawl.storage.monitoring.checks import MIN_SITES, check_reachable
from newscrawl.storage.records import SourceAnswer

MINUTE = timedelta(minutes=1)
AWAY = ["http/503", "http/429", "http/500", "download/connection", "download/dns", "download/timeout"]
AWAY += ["robots/unreachable"]


def feed(number: int = 0, site: str = "harbour") -> str:
    return f"https://{site}.example/{number}.xml"


@pytest.fixture
def fails(call, now) -> Any:
    def fails(minutes, number=0, kind="http/503", site="harbour"):
        named = (site, feed(number, site), "feed", kind, None, now + minutes * MINUTE)
        call(record_failure, *named, plan=plan)

    return fails


@pytest.fixture
def answers(call, now) -> Any:
    def answers(minutes, number=0, site="harbour"):
        at = now + minutes * MINUTE
        call(record_answer, SourceAnswer(site, feed(number, site), "feed", 200, at), [], at, plan=plan)

    return answers


@pytest.fixture
def look(call, now) -> Any:
    """Checks at a minute; returns the sites whose alarms were opened, and those whose were closed."""

    def look(minutes, asleep=(), declared=None):
        known = declared or {"harbour", *(f"site{n}" for n in range(20))}
        found = call(check_reachable, now + minutes * MINUTE, known, asleep)
        return [alarm.site for alarm in found.opened], [alarm.site for alarm in found.closed]

    return look


@ON_SQLITE
@pytest.mark.parametrize("kind", AWAY)
def test_a_site_without_answers_is_one_alarm_within_a_quarter_of_an_hour_that_ends_by_itself(
    call, fails, answers, look, now, kind
):
    answers(-60)
    fails(0, kind=kind)
    opened = [minute for minute in range(1, 40) if look(minute)[0] == ["harbour"]]
    assert len(opened) == 1  # by the clock alone: no request was made since
    assert opened[0] <= 15
    (alarm,) = call(alarms.open_alarms)
    assert (alarm.kind, alarm.since) == ("unreachable", now)
    assert kind in alarm.message
    assert "1 of 1 source fails" in alarm.message
    fails(41, kind=kind)
    assert look(42) == ([], [])
    assert call(alarms.open_alarms)[0].details["failures"] == 2
    answers(45)
    assert look(45.5) == ([], ["harbour"])
    assert look(46) == ([], [])


def test_one_source_that_fails_among_others_is_no_alarm_and_another_one_is_read_soon(call, fails, answers, look, now):
    for number in range(3):
        answers(-30, number)
    fails(0)
    due = {row.url: row.next_due for row in call(sources.load_site, "harbour")}
    assert min(due[feed(1)], due[feed(2)]) == now + FIRST_RETRY
    first = min((1, 2), key=lambda number: due[feed(number)])
    answers(5, first)
    assert not any(look(minute)[0] for minute in range(5, 60))


def test_a_site_whose_other_sources_cannot_be_read_meanwhile_is_an_alarm(call, fails, answers, look):
    for number in range(3):
        answers(-30, number)
    fails(0)
    assert look(14) == (["harbour"], [])
    assert "1 of 3 sources fails, and nothing else was answered since" in call(alarms.open_alarms)[0].message


@ON_SQLITE
def test_a_site_is_tried_every_five_minutes_for_a_day_and_its_sources_take_turns(call, fails, answers, now):
    for number in range(3):
        answers(-30, number)
    minute, visits = 0.0, []
    fails(0)
    while minute < 60 * 30:
        due = [(row.next_due, row.url) for row in call(sources.load_site, "harbour") if row.next_due is not None]
        at, url = min(due)
        minute = (at - now) / MINUTE
        visits.append((minute, url))
        fails(minute, next(number for number in range(3) if feed(number) == url))
    gaps = [after - before for (before, _), (after, _) in itertools.pairwise(visits) if after < 60 * 23]
    assert max(gaps) < 5.01
    of_a_day = [url for minute, url in visits if minute < 60 * 23]
    assert 200 < len(of_a_day) < 350
    assert min(of_a_day.count(feed(number)) for number in range(3)) > 30
    assert len([1 for minute, _ in visits if minute > 60 * 25]) < 15  # with their own pauses of up to four hours


def test_the_other_sources_are_read_at_once_when_the_site_answers_again(call, fails, answers, now):
    for number in range(3):
        answers(-30, number)
    for minute in (0, 30, 60, 120):
        for number in range(3):
            fails(minute, number)
    answers(125, 1)
    due = {row.url: row.next_due for row in call(sources.load_site, "harbour")}
    assert due[feed(0)] <= now + 125 * MINUTE
    assert due[feed(2)] <= now + 125 * MINUTE


def test_sources_that_fail_for_other_reasons_are_an_alarm_only_if_all_do(fails, answers, look):
    answers(-30, 0)
    answers(-30, 1)
    fails(0, 0, kind="http/404")
    assert look(14) == ([], [])
    fails(14, 1, kind="source/unreadable")
    assert look(15) == (["harbour"], [])


def test_pages_that_fail_are_an_alarm_although_the_feed_answers(store, call, look, page, now):
    store.save(page("https://harbour.example/good", "the harbour", fetched_at=now - MINUTE))
    store.flush()
    for number in range(3):
        failed = Failure("http/500", "the server answered 500")
        at = now + number * MINUTE
        call(record_page_failure, f"https://harbour.example/{number}", "harbour", failed, 500, at)
    assert look(5) == ([], [])
    assert look(13) == (["harbour"], [])
    assert "its last 3 pages fail (http/500)" in call(alarms.open_alarms)[0].message
    store.save(page("https://harbour.example/again", "the pier", fetched_at=now + 20 * MINUTE)).result()
    assert look(21) == ([], ["harbour"])


def test_a_site_that_is_asleep_or_not_declared_is_no_alarm_and_an_accepted_one_stays_closed(
    call, fails, answers, look, now
):
    answers(-60)
    fails(0)
    assert look(14, asleep={"harbour"}) == ([], [])
    assert look(14, declared={"valley"}) == ([], [])
    assert look(14) == (["harbour"], [])
    call(checks.accept, "harbour", now + 20 * MINUTE)
    fails(21)
    assert look(40) == ([], [])
    answers(50)
    fails(60)
    assert look(75) == (["harbour"], [])


def test_if_no_site_answers_one_alarm_says_it(call, fails, look):
    for number in range(MIN_SITES):
        fails(0, site=f"site{number}")
    assert look(14) == (["*"], [])
    assert f"{MIN_SITES} sites are unreachable" in call(alarms.open_alarms)[0].message
    assert look(15) == ([], [])


def test_sites_that_stay_away_have_their_own_alarms_when_the_others_answer(fails, answers, look):
    for number in range(MIN_SITES):
        fails(0, site=f"site{number}")
    assert look(14) == (["*"], [])
    for number in range(1, MIN_SITES):
        answers(20, site=f"site{number}")
    assert look(21) == (["site0"], ["*"])
