"""What benchmarks count as a repeated request in a server log."""

from __future__ import annotations

from typing import Any

from newscrawl.testing.fleet.manners import check


def fleet_request(path: str, begun: float, host: str = "site0.localhost") -> dict[str, Any]:
    return {"host": host, "path": path, "begun": begun, "ended": begun, "status": 200, "tag": None, "rest": None}


def test_the_fleet_benchmark_counts_doubled_requests_by_host() -> None:
    log = [fleet_request("/a", 0.0), fleet_request("/a", 0.003), fleet_request("/a", 0.01, "site1.localhost")]
    found = check([*log, fleet_request("/a", 1.0)], delay=0.5)
    assert found.numbers["doubled"] == 1
    assert found.examples["doubled"] == "site0.localhost/a"
    assert check(log[::2], delay=0.5).numbers["doubled"] == 0
