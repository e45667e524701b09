"""Checks in the server log whether a fleet was crawled politely. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from newscrawl.testing.fleet.lost_pleas import Plea
from newscrawl.testing.fleet.serving import Request
from newscrawl.testing.fleet.stories import FORBIDDEN
from newscrawl.testing.politeness import doubled

NO_PLEAS: Final[Mapping[Plea, float]] = MappingProxyType({})
CLOCK: Final = 0.01
"""Seconds by which the clocks of two processes may be apart; the log has the moment before an answer leaves."""


@dataclass(slots=True)
class MannersReport:
    """The counts of the log, and examples of violations."""

    numbers: dict[str, float] = field(default_factory=dict)
    examples: dict[str, str] = field(default_factory=dict)

    def wrong(self, name: str, example: str) -> None:
        """Counts one violation."""
        self.numbers[name] = self.numbers.get(name, 0) + 1
        self.examples.setdefault(name, example)


def check(log: Sequence[Request], delay: float, lost: Mapping[Plea, float] = NO_PLEAS) -> MannersReport:
    """Manners: overlaps, delays, pleas for rest, robots.txt, what was unchanged and downloaded all the same.

    `lost` are pleas for rest that no process knows after a moment (lost_pleas). Requests after it may be inside their
    pauses; requests before it may not.
    """
    found = MannersReport()
    log = answered(log)
    hosts: defaultdict[str, list[Request]] = defaultdict(list)
    for request in sorted(log, key=lambda request: request["begun"]):
        hosts[request["host"]].append(request)
    pairs = sum(len(requests) - 1 for requests in hosts.values())
    for name in ("overlapping", "too close", "before Retry-After", "forbidden", "unchanged and not 304", "doubled"):
        found.numbers[name] = 0
    for host, requests in hosts.items():
        _manners(found, host, requests, delay, lost)
        _unchanged(found, host, requests)
    for address in doubled(((f"{request['host']}{request['path']}", request["begun"]) for request in log), delay):
        found.wrong("doubled", address)
    for request in log:
        if request["path"].startswith(FORBIDDEN):
            found.wrong("forbidden", f"{request['host']}{request['path']}")
    found.numbers |= {
        "requests": len(log),
        "pairs": pairs,
        "in order %": 100 * (1 - (found.numbers["overlapping"] + found.numbers["too close"]) / max(1, pairs)),
        "pleas": sum(request["status"] == 429 for request in log),
        "pleas lost by kills": len(lost),
        "answered 304": sum(request["status"] == 304 for request in log),
    }
    return found


def answered(log: Sequence[Request]) -> list[Request]:
    """Returns the requests that were answered, without the lines that only say that one has begun (WorldOptions.hang).
    A request without an answer lasts to the end of the log."""
    ended = {(request["host"], request["path"], request["begun"]) for request in log if "ended" in request}
    no_answer = {"ended": float("inf"), "status": None, "tag": None, "asked": None, "rest": None, "agent": None}
    return [
        {**no_answer, **request}
        for request in log
        if "ended" in request or (request["host"], request["path"], request["begun"]) not in ended
    ]


def _manners(
    found: MannersReport, host: str, requests: Sequence[Request], delay: float, lost: Mapping[Plea, float]
) -> None:
    rest_until, lost_at = 0.0, float("inf")
    for before, after in pairwise(requests):
        gap = after["begun"] - before["ended"]
        if gap < -CLOCK:
            found.wrong("overlapping", f"{host}: {before['path']} and {after['path']}")
        elif gap < delay - CLOCK and before["path"] != "/robots.txt":
            # Before robots.txt is read nobody can know what it asks for.
            found.wrong("too close", f"{host}: {gap:.3f} s before {after['path']}")
        if before["rest"]:
            rest_until = before["ended"] + float(before["rest"])
            lost_at = lost.get((host, before["ended"]), float("inf"))
        if after["begun"] < min(rest_until - CLOCK, lost_at):
            found.wrong("before Retry-After", f"{host}: {rest_until - after['begun']:.3f} s early for {after['path']}")


def _unchanged(found: MannersReport, host: str, requests: Sequence[Request]) -> None:
    last: dict[str, str] = {}
    for request in requests:
        path, tag = request["path"], request["tag"]
        if tag and last.get(path) == tag and request["status"] == 200:
            found.wrong("unchanged and not 304", f"{host}{path}")
        if tag:
            last[path] = tag
