"""What benchmarks count as doubled in a server's log."""

from __future__ import annotations

from typing import Any

from benchmarks.fleet_checks import check
from newscrawl.bench.doubled import AT_ONCE, doubled


def test_an_address_asked_again_at_once_is_doubled_once_for_each_repetition() -> None:
    assert doubled([("/a", 0.0), ("/a", 0.003), ("/b", 0.004), ("/a", 0.006)]) == ["/a", "/a"]


def test_the_delay_of_the_host_says_what_is_too_soon() -> None:
    requests = [("/a", 0.0), ("/a", 0.9), ("/a", 1.95)]
    assert doubled(requests, delay=0.5) == []
    assert doubled(requests, delay=1.0) == ["/a"]
    assert AT_ONCE < 0.5


def test_the_order_of_the_log_does_not_matter() -> None:
    assert doubled([("/a", 5.0), ("/b", 5.01), ("/a", 4.99)]) == ["/a"]


def fleet_request(path: str, begun: float, host: str = "site0.localhost") -> dict[str, Any]:
    return {"host": host, "path": path, "begun": begun, "ended": begun, "status": 200, "tag": None, "rest": None}


def test_the_fleet_benchmark_counts_doubled_requests_by_host() -> None:
    log = [fleet_request("/a", 0.0), fleet_request("/a", 0.003), fleet_request("/a", 0.01, "site1.localhost")]
    found = check([*log, fleet_request("/a", 1.0)], delay=0.5)
    assert found.numbers["doubled"] == 1
    assert found.examples["doubled"] == "site0.localhost/a"
    assert check(log[::2], delay=0.5).numbers["doubled"] == 0
