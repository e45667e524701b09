"""Checks of a server log: repeated requests, and the shortest time between two requests to a host. Pure.

Moments are seconds of one clock, such as time.monotonic() of the server.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

AT_ONCE: Final = 0.1
"""Seconds. Where a trial sets no delay, an address asked again within this time counts as doubled: connection pools
repeat requests within milliseconds, while a retry of ours waits for the back-off of a first error, a second."""


def doubled(requests: Iterable[tuple[str, float]], delay: float | None = None) -> list[str]:
    """Returns the addresses that were requested again within `delay` seconds (None: AT_ONCE) of their last request,
    once for each such request. `requests` are pairs of an address and the moment of its arrival, in any order."""
    window = AT_ONCE if delay is None else delay
    last: dict[str, float] = {}
    found = []
    for address, at in sorted(requests, key=lambda request: request[1]):
        if address in last and at - last[address] < window:
            found.append(address)
        last[address] = at
    return found


def shortest_gaps(requests: Iterable[tuple[str, float]]) -> dict[str, float]:
    """Returns the shortest time in seconds between two requests to each host, infinite for a host with one request.
    `requests` are pairs of a host and the moment of an arrival, in any order."""
    last: dict[str, float] = {}
    gaps: dict[str, float] = {}
    for host, at in sorted(requests, key=lambda request: request[1]):
        gaps[host] = min(gaps[host], at - last[host]) if host in last else float("inf")
        last[host] = at
    return gaps
