"""What the judge of a fleet counts in a server's log: doubled requests, pauses, pleas that a kill has lost, and when
announced edits were fetched."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from fleet_judgement import ENOUGH, TO_COMMIT, announced_edits, check, ignored_back_offs
from fleet_stories import LISTED, FleetArticle, announces

HOST = "site0.localhost"


def fleet_request(path: str, begun: float, host: str = "site0.localhost") -> dict[str, Any]:
    return {"host": host, "path": path, "begun": begun, "ended": begun, "status": 200, "tag": None, "rest": None}


def plea(begun: float, agent: str = "newscrawl (anna@example.org)") -> dict[str, Any]:
    return fleet_request("/a", begun) | {"status": 429, "rest": "8", "agent": agent}


def test_the_fleet_benchmark_counts_doubled_requests_by_host() -> None:
    log = [fleet_request("/a", 0.0), fleet_request("/a", 0.003), fleet_request("/a", 0.01, "site1.localhost")]
    found = check([*log, fleet_request("/a", 1.0)], delay=0.5)
    assert found.numbers["doubled"] == 1
    assert found.examples["doubled"] == "site0.localhost/a"
    assert check(log[::2], delay=0.5).numbers["doubled"] == 0


def test_a_request_inside_a_pause_is_counted() -> None:
    log = [plea(100.0), fleet_request("/b", 104.0), fleet_request("/c", 109.0)]
    assert check(log, delay=0.5).numbers["before Retry-After"] == 1


def test_a_pause_that_only_a_killed_process_knew_counts_until_the_kill() -> None:
    """A Retry-After counts from the commit of the answer that brought it."""
    log = [plea(100.0), fleet_request("/b", 101.0), fleet_request("/c", 104.0)]
    lost = ignored_back_offs(log, {HOST: None}, "anna@", killed_at=102.0)
    found = check(log, 0.5, lost)
    assert found.numbers["before Retry-After"] == 1
    assert found.examples["before Retry-After"].endswith("early for /b")
    assert found.numbers["pleas lost by kills"] == 1


@pytest.mark.parametrize(
    ("known", "agent", "killed_at"),
    [
        pytest.param(107.9, "anna@", 101.0, id="it was committed"),
        pytest.param(100.5, "anna@", 101.0, id="it was committed too short"),
        pytest.param(None, "bert@", 101.0, id="another process was killed"),
        pytest.param(None, "anna@", 100.1 + TO_COMMIT, id="there was time to commit it"),
        pytest.param(None, "anna@", 99.0, id="it came after the kill"),
    ],
)
def test_no_other_plea_is_lost_by_a_kill(known: float | None, agent: str, killed_at: float) -> None:
    known_rests = {HOST: None if known is None else datetime.fromtimestamp(known, UTC)}
    assert ignored_back_offs([plea(100.0)], known_rests, agent, killed_at) == {}


def test_the_pause_of_an_earlier_plea_is_not_that_of_a_lost_one() -> None:
    earlier = {HOST: datetime.fromtimestamp(99.0, UTC)}
    assert ignored_back_offs([plea(100.0)], earlier, "anna@", 101.0) == {(HOST, 100.0): 101.0}


def test_a_request_without_an_answer_lasts_to_the_end() -> None:
    begun = {"host": HOST, "path": "/a", "begun": 100.0}
    log = [begun, fleet_request("/b", 130.0)]
    assert check(log, delay=0.5).numbers["overlapping"] == 1
    assert check([begun, fleet_request("/a", 100.0), fleet_request("/b", 130.0)], 0.5).numbers["overlapping"] == 0


GAP = 15.0
STORY = FleetArticle("/a.html", "Ferry", 10.0, 100.0)


def request(begun: float, path: str = STORY.path, host: str = HOST, status: int = 200) -> dict[str, Any]:
    return {"host": host, "path": path, "begun": begun, "status": status}


def judged(*log: dict[str, Any], stories: list[FleetArticle] | None = None, until: float = 1000.0) -> dict[str, float]:
    return announced_edits(log, {HOST: stories or [STORY]}, 0.0, until, 75.0, GAP).numbers


FOUND = request(12.0)
READINGS = [request(moment, "/news.xml") for moment in (11.0, 90.0, 110.0, 150.0, 200.0)]


def test_an_announced_edit_is_to_be_fetched_before_the_source_is_read_again() -> None:
    in_time = judged(FOUND, *READINGS, request(149.0))
    assert (in_time["edits announced"], in_time["announced, fetched late"]) == (1, 0)
    assert in_time["announced edit fetched after p50"] == 49
    late = judged(FOUND, *READINGS, request(151.0))
    assert (late["edits announced"], late["announced, fetched late"]) == (1, 1)
    assert judged(FOUND, *READINGS)["announced, fetched late"] == 1


def test_a_page_that_was_just_fetched_may_wait_for_its_gap() -> None:
    before = request(99.0)
    readings = [request(moment, "/news.xml") for moment in (98.0, 101.0, 105.0)]
    assert judged(FOUND, before, *readings, request(99.0 + GAP + ENOUGH))["announced, fetched late"] == 0
    assert judged(FOUND, before, *readings, request(99.1 + GAP + ENOUGH))["announced, fetched late"] == 1


def test_only_edits_that_a_source_showed_of_fetched_pages_count() -> None:
    assert judged(*READINGS, request(149.0))["edits announced"] == 0, "it was not fetched before"
    assert judged(FOUND, READINGS[0])["edits announced"] == 0, "the source was not read since"
    newer = [FleetArticle(f"/{n}.html", "Whale", 20.0 + n, None) for n in range(LISTED)]
    assert judged(FOUND, *READINGS, stories=[STORY, *newer])["edits announced"] == 0, "it is listed no more"
    assert judged(FOUND, *READINGS, until=120.0)["edits announced"] == 0, "the end came first"
    silent = announced_edits([FOUND, *READINGS], {"site3.localhost": [STORY]}, 0.0, 1000.0, 75.0, GAP)
    assert (announces("site3.localhost"), silent.numbers["edits announced"]) == ("nothing", 0)


def test_what_liars_cost_is_told_beside_sites_that_announce_nothing() -> None:
    log = [
        request(moment, host=host)
        for host, times in (("site3.localhost", 2), ("site4.localhost", 5))
        for moment in range(times)
    ]
    numbers = announced_edits(log, {}, 0.0, 1000.0, 75.0, GAP).numbers
    assert numbers["fetches a page, nothing announced"] == 2
    assert numbers["fetches a page, sources lie"] == 5
