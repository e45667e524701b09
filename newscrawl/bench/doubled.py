"""Requests that a server saw twice, sooner than a crawler may ask again: what a client library repeats by itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

AT_ONCE: Final = 0.1
"""Seconds. Where a trial sets no delay, an address asked again within this time counts as doubled: connection pools
repeat requests within milliseconds, while a retry of ours waits for the back-off of a first error, a second."""


def doubled(requests: Iterable[tuple[str, float]], delay: float | None = None) -> list[str]:
    """The addresses that were asked for again sooner than `delay` seconds (None: AT_ONCE) after they were asked for
    before, once for each such request. `requests` are pairs of an address and a moment in seconds."""
    window = AT_ONCE if delay is None else delay
    last: dict[str, float] = {}
    found = []
    for address, at in sorted(requests, key=lambda request: request[1]):
        if address in last and at - last[address] < window:
            found.append(address)
        last[address] = at
    return found
