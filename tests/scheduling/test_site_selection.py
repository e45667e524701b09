"""Which sites are crawled now."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from newscrawl.crawling.scheduling.site_selection import FleetPolicy, SitePlan, Timetable, decide
from newscrawl.crawling.scheduling.site_state import SiteDue
from newscrawl.errors import UsageError

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def due(site, **changes):
    """A site that was crawled an hour ago."""
    return SiteDue(site, **{"last_started": NOW - timedelta(hours=1), "last_finished": NOW, **changes})


def started(rows, plans=None, running=None, now=NOW, **policy):
    plans = plans or {row.site: SitePlan() for row in rows}
    return [start.site for start in decide(rows, plans, running or {}, now, FleetPolicy(**policy)).start]


def test_breaking_news_comes_first():
    calm = due("calm", sources=3, rate=0.5, overdue_since=NOW - 5 * MINUTE)
    burst = due("burst", sources=1, rate=30.0, overdue_since=NOW - MINUTE)
    pages = due("pages", pages=20, overdue_since=NOW - 5 * MINUTE)
    decision = decide([calm, pages, burst], {name: SitePlan() for name in ("calm", "burst", "pages")}, {}, NOW)
    assert [(start.site, start.reason) for start in decision.start] == [
        ("burst", "news"),
        ("calm", "sources"),
        ("pages", "pages"),
    ]


def test_nobody_starves_behind_breaking_news():
    bursts = [due(f"burst{n}", sources=1, rate=50.0, overdue_since=NOW - MINUTE) for n in range(9)]
    waiting = due("waiting", sources=1, overdue_since=NOW - 40 * MINUTE)
    longer = due("longer", pages=1, overdue_since=NOW - 90 * MINUTE)
    assert started([*bursts, waiting, longer], places=3)[:2] == ["longer", "waiting"]


def test_a_large_site_takes_one_place_and_gives_it_up_when_others_wait():
    large = due("large", sources=500, pages=90_000, rate=100.0)
    others = [due(f"site{n}", sources=1) for n in range(3)]
    plans = {row.site: SitePlan() for row in [large, *others]}
    running = {"large": NOW - timedelta(hours=2), "young": NOW - MINUTE}
    decision = decide([large, *others], plans, running, NOW, FleetPolicy(places=3))
    assert (len(decision.start), decision.stop) == (1, ("large",))
    alone = decide([large, others[0]], plans, running, NOW, FleetPolicy(places=3))
    assert alone.stop == ()


def test_no_site_is_started_while_it_runs_here_or_elsewhere_or_has_just_begun():
    rows = [
        due("here", sources=1),
        due("elsewhere", sources=1, leased=True),
        due("just", sources=1, last_started=NOW - MINUTE / 2),
        due("unknown", sources=1),
        due("paused", sources=1),
    ]
    plans = {name: SitePlan() for name in ("here", "elsewhere", "just")} | {"paused": SitePlan(paused=True)}
    decision = decide(rows, plans, {"here": NOW - MINUTE}, NOW)
    assert decision.start == ()
    later = decide(rows, plans, {"here": NOW - MINUTE}, NOW + MINUTE / 2)
    assert [start.site for start in later.start] == ["just"]


def test_a_spent_budget_ends_a_sites_day_and_is_counted():
    rows = [due("spent", sources=1, requests_today=100), due("left", sources=1, requests_today=60)]
    plans = {row.site: SitePlan(budget=100) for row in rows}
    decision = decide(rows, plans, {}, NOW)
    assert [(start.site, start.requests_left) for start in decision.start] == [("left", 40)]
    assert decision.over_budget == ("spent",)


def test_a_site_with_nothing_due_is_left_alone_and_a_new_one_is_crawled_at_once():
    assert started([due("idle"), due("new", last_started=None)]) == ["new"]


def test_pages_left_over_are_taken_up_after_a_while():
    fresh, old = due("fresh", found=9, last_started=NOW - 5 * MINUTE), due("old", found=9)
    decision = decide([fresh, old], {"fresh": SitePlan(), "old": SitePlan()}, {}, NOW)
    assert [(start.site, start.reason) for start in decision.start] == [("old", "found")]
    assert started([fresh], now=NOW + 10 * MINUTE) == ["fresh"]


def test_a_site_never_crawled_does_not_wait_for_ever_behind_busy_ones():
    busy = [due(f"busy{n}", sources=2, rate=9.0, overdue_since=NOW - 5 * MINUTE) for n in range(9)]
    new = due("new", last_started=None, last_finished=None, overdue_since=NOW - MINUTE)
    calm = due("calm", sources=2, rate=0.5, overdue_since=NOW - MINUTE)
    assert started([*busy, calm, new], places=99)[-2:] == ["new", "calm"]
    waiting = due("new", last_started=None, last_finished=None, overdue_since=NOW - 31 * MINUTE)
    assert started([*busy, waiting], places=1) == ["new"]


def test_a_crawl_that_never_ended_is_taken_up_after_the_rest():
    killed = due("killed", found=9, last_started=NOW - 2 * MINUTE, last_finished=NOW - 30 * MINUTE)
    at_first = due("at first", last_started=NOW - 2 * MINUTE, last_finished=None)
    resting = due("resting", last_started=NOW - MINUTE / 2, last_finished=None)
    rows = [killed, at_first, resting]
    decision = decide(rows, {row.site: SitePlan() for row in rows}, {}, NOW)
    assert {(start.site, start.reason) for start in decision.start} == {("killed", "found"), ("at first", "first")}
    assert started([resting], now=NOW + MINUTE / 2) == ["resting"]


def test_a_timetable_of_its_own_replaces_what_is_due():
    plans = {
        "cron": SitePlan(Timetable.of(cron="0 * * * *")),
        "later": SitePlan(Timetable.of(cron="30 12 * * *")),
        "every": SitePlan(Timetable.of(every=7200)),
    }
    rows = [due(name, sources=5, rate=90.0) for name in plans]
    decision = decide(rows, plans, {}, NOW)
    assert [(start.site, start.reason) for start in decision.start] == [("cron", "timetable")]
    assert {start.site for start in decide(rows, plans, {}, NOW + 30 * MINUTE).start} == {"cron", "later"}


def test_a_cron_moment_missed_while_nothing_ran_is_made_up_for_once():
    table = Timetable.of(cron="*/10 * * * *")
    assert table.next_start(NOW - timedelta(days=3), NOW) <= NOW
    assert table.next_start(NOW, NOW) == NOW + 10 * MINUTE


def test_quiet_hours_run_over_midnight_in_the_sites_own_zone():
    plans = {"site": SitePlan(Timetable.of(quiet="21:00-05:00", zone="Asia/Tokyo"))}
    assert decide([due("site", sources=1)], plans, {}, NOW).start == ()  # 21:00 in Tokyo
    assert decide([due("site", sources=1)], plans, {}, NOW - MINUTE).start != ()
    table = Timetable.of(quiet="21:00-05:00, 12:00-13:00")
    assert [table.is_quiet(NOW.replace(hour=hour)) for hour in (4, 5, 12, 13, 21)] == [True, False, True, False, True]


@pytest.mark.parametrize(
    "given",
    [{"cron": "every day"}, {"cron": "0 0 30 2 *"}, {"every": 1}, {"quiet": "night"}, {"zone": "Mars/Olympus"},
     {"cron": "* * * * *", "every": 600}],
)  # fmt: skip
def test_a_timetable_that_cannot_work_is_refused_by_name(given):
    with pytest.raises(UsageError) as raised:
        Timetable.of(**given)
    assert "\n" not in str(raised.value)


def test_a_tick_over_thousands_of_sites_that_are_due_stays_cheap():
    rows = [due(f"site{n}", sources=1, rate=n % 7, overdue_since=NOW - n * MINUTE / 60) for n in range(5_000)]
    assert len(started(rows, places=40)) == 40


def test_a_clock_set_back_starves_nobody():
    ahead = due("ahead", sources=1, last_started=NOW + timedelta(days=1), overdue_since=NOW)
    assert started([ahead]) == ["ahead"]
    assert Timetable.of(every=600).next_start(NOW + timedelta(days=1), NOW) == NOW + 10 * MINUTE


def test_a_process_that_dies_again_and_again_begins_with_other_sites_each_time():
    rows = {f"site{n}": due(f"site{n}", sources=1, rate=1.0, overdue_since=NOW - n * 10 * MINUTE) for n in range(10)}
    begun = []
    for life in range(5):
        now = NOW + life * 2 * MINUTE
        decision = decide(rows.values(), {name: SitePlan() for name in rows}, {}, now, FleetPolicy(places=2))
        for start in decision.start:
            begun.append(start.site)
            rows[start.site] = replace(rows[start.site], last_started=now)
    assert sorted(begun) == sorted(rows)


def test_pages_that_wait_for_another_day_make_no_site_due_and_all_else_does():
    full = {"found": 500, "bound_reached": 1000, "last_finished": NOW - timedelta(minutes=50)}
    bounded, lifted, raised = SitePlan(least_new=1000), SitePlan(), SitePlan(least_new=2000)
    rows = [due("waits", **full), due("lifted", **full), due("raised", **full)]
    rows += [due("visits", pages=1, **full), due("sources", sources=1, **full)]
    plans = dict.fromkeys(("waits", "visits", "sources"), bounded) | {"lifted": lifted, "raised": raised}
    assert sorted(started(rows, plans)) == ["lifted", "raised", "sources", "visits"]


def test_a_priority_counts_as_a_longer_wait():
    rows = [due(name, sources=1, rate=1.0, overdue_since=NOW - 10 * MINUTE) for name in ("a", "b", "c")]
    plans = {"a": SitePlan(priority=0.25), "b": SitePlan(), "c": SitePlan(priority=4.0)}
    assert started(rows, plans) == ["c", "b", "a"]


def test_a_site_with_a_low_priority_is_not_left_out_for_ever():
    low = due("low", pages=1, last_started=NOW - 240 * MINUTE, overdue_since=NOW - 121 * MINUTE)
    busy = due("busy", sources=1, rate=60.0, overdue_since=NOW - 10 * MINUTE)
    assert started([busy, low], {"low": SitePlan(priority=0.25), "busy": SitePlan()}, places=1) == ["low"]
