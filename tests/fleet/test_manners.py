"""What the judge of a fleet counts in a server's log: doubled requests, pauses, pleas that a kill has lost."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from fleet_judgement import TO_COMMIT, check, lost_pleas

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
    lost = lost_pleas(log, {HOST: None}, "anna@", killed_at=102.0)
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
    assert lost_pleas([plea(100.0)], known_rests, agent, killed_at) == {}


def test_the_pause_of_an_earlier_plea_is_not_that_of_a_lost_one() -> None:
    earlier = {HOST: datetime.fromtimestamp(99.0, UTC)}
    assert lost_pleas([plea(100.0)], earlier, "anna@", 101.0) == {(HOST, 100.0): 101.0}


def test_a_request_without_an_answer_lasts_to_the_end() -> None:
    begun = {"host": HOST, "path": "/a", "begun": 100.0}
    log = [begun, fleet_request("/b", 130.0)]
    assert check(log, delay=0.5).numbers["overlapping"] == 1
    assert check([begun, fleet_request("/a", 100.0), fleet_request("/b", 130.0)], 0.5).numbers["overlapping"] == 0
