"""The figures of the fleet benchmark about announced edits, from a server log written for this test."""

from __future__ import annotations

from typing import Any

from fleet_judgement import ENOUGH, announced_edits
from fleet_stories import LISTED, FleetArticle, announces

HOST = "site0.localhost"
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
