"""What the server's log of a fleet must show: pure, a list of requests in, counts of what is wrong out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from benchmarks.fleet_world import FORBIDDEN, Story
from newscrawl.bench.doubled import doubled

CLOCK: Final = 0.01
"""Seconds by which the clocks of two processes may be apart; the log has the moment before an answer leaves."""

Request = Mapping[str, Any]


@dataclass(slots=True)
class Found:
    """What the log shows, and examples of what is wrong with it."""

    numbers: dict[str, float] = field(default_factory=dict)
    examples: dict[str, str] = field(default_factory=dict)

    def wrong(self, name: str, example: str) -> None:
        """One more of these."""
        self.numbers[name] = self.numbers.get(name, 0) + 1
        self.examples.setdefault(name, example)


def check(log: Sequence[Request], delay: float) -> Found:
    """Manners: overlaps, delays, pleas for rest, robots.txt, what was unchanged and downloaded all the same."""
    found = Found()
    hosts: defaultdict[str, list[Request]] = defaultdict(list)
    for request in sorted(log, key=lambda request: request["begun"]):
        hosts[request["host"]].append(request)
    pairs = sum(len(requests) - 1 for requests in hosts.values())
    for name in ("overlapping", "too close", "before Retry-After", "forbidden", "unchanged and not 304", "doubled"):
        found.numbers[name] = 0
    for host, requests in hosts.items():
        _manners(found, host, requests, delay)
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
        "answered 304": sum(request["status"] == 304 for request in log),
    }
    return found


def _manners(found: Found, host: str, requests: Sequence[Request], delay: float) -> None:
    rest_until = 0.0
    for before, after in pairwise(requests):
        gap = after["begun"] - before["ended"]
        if gap < -CLOCK:
            found.wrong("overlapping", f"{host}: {before['path']} and {after['path']}")
        elif gap < delay - CLOCK and before["path"] != "/robots.txt":
            # Before robots.txt is read nobody can know what it asks for.
            found.wrong("too close", f"{host}: {gap:.3f} s before {after['path']}")
        if before["rest"]:
            rest_until = before["ended"] + float(before["rest"])
        if after["begun"] < rest_until - CLOCK:
            found.wrong("before Retry-After", f"{host}: {rest_until - after['begun']:.3f} s early for {after['path']}")


def _unchanged(found: Found, host: str, requests: Sequence[Request]) -> None:
    last: dict[str, str] = {}
    for request in requests:
        path, tag = request["path"], request["tag"]
        if tag and last.get(path) == tag and request["status"] == 200:
            found.wrong("unchanged and not 304", f"{host}{path}")
        if tag:
            last[path] = tag


def coverage(
    log: Iterable[Request], stories: Mapping[str, Sequence[Story]], began: float, until: float, patience: float
) -> Found:
    """Articles: how many of those listed for `patience` seconds were fetched, how soon, how often, and the edits."""
    found = Found()
    fetched: defaultdict[tuple[str, str], list[Request]] = defaultdict(list)
    for request in log:
        if request["status"] == 200:
            fetched[request["host"], request["path"]].append(request)
    waits: list[float] = []
    numbers: Counter[str] = Counter({"missed": 0, "fetched again": 0, "edits": 0, "edits missed": 0})
    for host, of_site in stories.items():
        for story in of_site:
            answers = fetched.get((host, story.path), [])
            if answers:
                waits.append(answers[0]["begun"] - began - max(story.at, 0.0))
            if story.at < until - patience:
                numbers["articles"] += 1
                if not answers:
                    numbers["missed"] += 1
                    found.examples.setdefault("missed", f"{host}{story.path}")
            tags = [answer["tag"] for answer in answers]
            numbers["fetched again"] += len(tags) - len(set(tags))
            numbers["edits"], numbers["edits missed"] = _edits(numbers, story, answers, began, until, patience)
    waits.sort()
    found.numbers = dict(numbers)
    if waits:
        found.numbers |= {"delay p50": waits[len(waits) // 2], "delay p95": waits[int(len(waits) * 0.95)]}
    return found


def _edits(
    numbers: Counter[str], story: Story, answers: Sequence[Request], began: float, until: float, patience: float
) -> tuple[int, int]:
    edits, missed = numbers["edits"], numbers["edits missed"]
    if story.edited_at is None or not answers or answers[0]["begun"] - began >= story.edited_at:
        return edits, missed
    age = story.edited_at - max(story.at, 0.0)
    if story.edited_at + 2 * age + patience > until:
        return edits, missed  # its next visit lies beyond the end
    seen = any(answer["begun"] - began > story.edited_at for answer in answers[1:])
    return edits + 1, missed + (not seen)
