"""Simulates edits of articles, and how many of them a schedule of revisits sees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np

from benchmarks.freshness.world import START, Site, World
from newscrawl.scheduling.revisit import next_due

SAMPLE: Final = 50
"""One article in so many is followed."""
FIRST_FETCH: Final = 10 / 60
"""Hours from publication to the first fetch, the same for all schedules."""
FOLLOWED: Final = 30 * 24.0
"""Hours for which an article is followed."""

Revisit = Callable[[float, float, float, int, int], float | None]
"""(first fetch, last change seen or 0, now, visits, edits seen) -> the next visit, None for never; hours."""


@dataclass(frozen=True, slots=True)
class EditOutcome:
    """A schedule of revisits: the part of the edits of which it saw the text, how long after (minutes, median), and its
    requests an article besides the first."""

    policy: str
    edits: int
    seen: float
    delay: float | None
    per_article: float


def ours(first: float, changed: float, now: float, visits: int, edits: int) -> float | None:
    """newscrawl.scheduling.revisit.next_due, the real function."""
    due = next_due(_moment(first), None, _moment(changed) if changed else None, _moment(now), visits, edits)
    return due.timestamp() / 3600 if due is not None else None


def newsdiffs(first: float, changed: float, now: float, visits: int, edits: int) -> float | None:
    """NewsDiffs' table by the time since the last update (ecprice/newsdiffs, get_update_delay in
    website/frontend/management/commands/scraper.py): 15 minutes in the first three hours, half an hour in the first
    day, two hours in the first week, a day in the first month, a week from then on."""
    since = (now - (changed or first)) * 60
    days = since // (24 * 60)
    delay = 15 if since < 180 else 30 if days < 1 else 120 if days < 7 else 1440 if days < 30 else 10_080
    return now + delay / 60


def hourly(first: float, changed: float, now: float, visits: int, edits: int) -> float | None:
    """Returns one visit an hour for a day, as by a crawler that fetches all listed articles again."""
    return now + 1 if now - first < 24 else None


def never(first: float, changed: float, now: float, visits: int, edits: int) -> float | None:
    """Returns no visit after the first."""
    return None


def follow(world: World, name: str, revisit: Revisit) -> EditOutcome:
    """Simulates the schedule on a sample of the world's articles."""
    edits = seen = articles = requests = 0
    delays: list[float] = []
    for number, site in enumerate(world.sites):
        for article, times in _edits(np.random.default_rng([world.seed, number, 1]), site, world.end):
            articles += 1
            visits, waits = _watch(article + FIRST_FETCH, times, revisit)
            edits += sum(1 for time in times if time > article + FIRST_FETCH)
            seen += len(waits)
            requests += visits
            delays += waits
    share = seen / edits if edits else 0.0
    delay = float(np.median(delays)) * 60 if delays else None
    return EditOutcome(name, edits, share, delay, requests / max(1, articles))


def _edits(rng: np.random.Generator, site: Site, end: float) -> list[tuple[float, list[float]]]:
    """Sampled articles with the hours of their edits: two in seven are edited, by site more or less, half of the edits
    within an hour and a half."""
    often = rng.beta(2, 5)
    counted = site.published[(site.published >= START) & (site.published < end)][::SAMPLE]
    made = []
    for published in counted.tolist():
        number = int(rng.geometric(0.6)) if rng.random() < often else 0
        after = np.minimum(np.exp(rng.normal(np.log(1.5), 1.3, number)), 14 * 24)
        made.append((published, sorted((published + after).tolist())))
    return made


def _watch(first: float, edits: list[float], revisit: Revisit) -> tuple[int, list[float]]:
    """The number of visits after the first, and how old each edit was when its text was seen."""
    now, changed, visits = first, 0.0, 1
    waits: list[float] = []
    shown = sum(1 for edit in edits if edit <= first)
    while True:
        due = revisit(first, changed, now, visits, len(waits))
        if due is None or due - first > FOLLOWED:
            return visits - 1, waits
        now = due
        visits += 1
        version = sum(1 for edit in edits if edit <= now)
        if version > shown:
            waits.append(now - edits[version - 1])
            shown, changed = version, now


def _moment(hours: float) -> datetime:
    return datetime.fromtimestamp(0, UTC) + timedelta(hours=hours)
