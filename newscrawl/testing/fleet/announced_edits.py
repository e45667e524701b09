"""Checks in the server log of a fleet whether announced edits were fetched in time. Pure."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from newscrawl.testing.fleet.manners import MannersReport
from newscrawl.testing.fleet.serving import Request
from newscrawl.testing.fleet.stories import LISTED, FleetArticle, announces

SOURCES: Final = {"lastmod": "/news.xml", "updated": "/feed.xml", "title": "/feed.xml"}
"""The source that announces, by how it does."""

ENOUGH: Final = 5.0
"""Seconds that a page which was fetched just before may be visited late: the host's delay, and other pages first."""


def announced_edits(
    log: Sequence[Request],
    stories: Mapping[str, Sequence[FleetArticle]],
    began: float,
    until: float,
    patience: float,
    gap: float,
) -> MannersReport:
    """The number of edits that a source announced of pages fetched before, and how many of them were not fetched
    before the next reading of that source. A page may wait until `gap` seconds have passed since its last fetch."""
    readings: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    fetched: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for request in log:
        kinds = readings if request["path"].endswith(".xml") else fetched
        if request["status"] in {200, 304}:
            kinds[request["host"], request["path"]].append(request["begun"] - began)
    numbers: Counter[str] = Counter({"edits announced": 0, "announced, fetched late": 0})
    found = MannersReport()
    waits: list[float] = []
    for host, of_site in stories.items():
        source = SOURCES.get(announces(host))
        for place, story in enumerate(of_site) if source is not None else ():
            times = _from(readings[host, source or ""], story.edited_at)
            visits = fetched[host, story.path]
            if story.edited_at is None or not times or not _is_listed(of_site, place, times[0]):
                continue
            before = [visit for visit in visits if visit < story.edited_at]
            after = _from(visits, story.edited_at)
            if not before or times[0] + patience > until:
                continue
            numbers["edits announced"] += 1
            deadline = max(times[1] if len(times) > 1 else until, before[-1] + gap + ENOUGH)
            if after and after[0] <= deadline:
                waits.append(after[0] - story.edited_at)
            else:
                numbers["announced, fetched late"] += 1
                found.examples.setdefault("announced, fetched late", f"{host}{story.path}")
    found.numbers = {**numbers, **_visits(fetched)}
    if waits:
        found.numbers["announced edit fetched after p50"] = sorted(waits)[len(waits) // 2]
    return found


def _from(times: Sequence[float], moment: float | None) -> Sequence[float]:
    """Returns the times that are not before the moment, in order."""
    ordered = sorted(times)
    return ordered[bisect_left(ordered, moment) :] if moment is not None else []


def _is_listed(stories: Sequence[FleetArticle], place: int, now: float) -> bool:
    return sum(story.at <= now for story in stories[place:]) <= LISTED


def _visits(fetched: Mapping[tuple[str, str], Sequence[float]]) -> dict[str, float]:
    """Returns the number of requests a page at sites whose sources announce false edits, and at those that announce
    none."""
    numbers_by_name: dict[str, float] = {}
    for style, name in (("lies", "fetches a page, sources lie"), ("nothing", "fetches a page, nothing announced")):
        numbers = [
            len(times) for (host, path), times in fetched.items() if announces(host) == style and ".html" in path
        ]
        if numbers:
            numbers_by_name[name] = sum(numbers) / len(numbers)
    return numbers_by_name
