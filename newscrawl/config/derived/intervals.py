"""How the settings want sources and pages to be visited again; and, for trials, the same with a faster clock.

`NEWSCRAWL_TIME_SCALE` makes scheduling see so many seconds for each that passes: a day of a site that lives sixty times
as fast is over in 24 minutes. Delays between requests, Retry-After and the life of a robots.txt stay what they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial
from typing import Any, Final, overload

from newscrawl.config.catalogue import Config
from newscrawl.crawling.scheduling import announced_edits, revisit, sources
from newscrawl.errors import ConfigurationError
from newscrawl.model import HARMFUL, SourcePlan, SourceVisit
from newscrawl.storage.records import BringForward, NextDue, PlanSource

ORIGIN: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""The moment at which the faster clock and the real one agree: one that is near, so that few times are out of reach."""
EARLIEST: Final = datetime(1000, 1, 1, tzinfo=UTC)
LATEST: Final = datetime(9000, 1, 1, tzinfo=UTC)
"""The span of the faster clock, with room for the pauses that planners add. A time outside of it, such as the date of
an old article, counts as its end."""


def check_time_scale(scale: float, now: datetime) -> None:
    """Raises ConfigurationError for a scale with which the faster clock would be at the end of its span tomorrow."""
    most = int((LATEST - ORIGIN) / (now + timedelta(days=1) - ORIGIN))
    if scale > most:
        raise ConfigurationError("NEWSCRAWL_TIME_SCALE", f"{scale:g} cannot be used now: give at most {most:,}")


def source_planner(config: Config) -> PlanSource:
    """Returns when to read a source again (storage.records.PlanSource)."""
    wanted = config.scheduling
    return _source_planner(wanted.min_source_interval, wanted.article_hours_per_source_visit, wanted.time_scale)


def by_timetable(plan: PlanSource, next_crawl: datetime) -> PlanSource:
    """Returns a planner for a site with a timetable of its own, whose next crawl begins at `next_crawl` and reads every
    source that is not retired and did not ask for a pause."""

    def planned(memory: Mapping[str, Any] | None, visit: SourceVisit) -> SourcePlan:
        found = plan(memory, visit)
        if found.next_due is None or found.retired or visit.failure in HARMFUL:
            return found
        return replace(found, next_due=max(next_crawl, visit.not_before or next_crawl))

    return planned


def next_due_of(config: Config) -> NextDue:
    """Returns when to visit an article's page again (storage.records.NextDue)."""
    scale = config.scheduling.time_scale
    return revisit.next_due if scale == 1.0 else faster_next_due(revisit.next_due, scale)


def edit_follower(config: Config) -> BringForward:
    """Returns the function that decides which pages to visit earlier because a source announces edits
    (storage.records.BringForward)."""
    scale = config.scheduling.time_scale
    # The dates that sources give are real ones: a faster clock only shortens the pauses.
    gap, skew = announced_edits.GAP / scale, announced_edits.SKEW / scale
    return partial(announced_edits.earlier_visits, gap=gap, skew=skew)


@lru_cache(maxsize=8)
def _source_planner(shortest: float, patience: float, scale: float) -> PlanSource:
    policy = sources.SourcePolicy(patience=patience, shortest=timedelta(seconds=shortest))

    def plan(memory: Mapping[str, Any] | None, visit: SourceVisit) -> SourcePlan:
        return sources.plan(memory, visit, policy)

    return plan if scale == 1.0 else faster_sources(plan, scale)


def faster_sources(plan: PlanSource, scale: float) -> PlanSource:
    """Returns the same planner under a clock that runs `scale` times as fast."""

    def planned(memory: Mapping[str, Any] | None, visit: SourceVisit) -> SourcePlan:
        seen = replace(
            visit,
            at=_faster(visit.at, scale),
            previous=_faster(visit.previous, scale),
            fresh=tuple(_faster(date, scale) for date in visit.fresh),
            not_before=_faster(visit.not_before, scale),
            failing_since=_faster(visit.failing_since, scale),
            retired_at=_faster(visit.retired_at, scale),
        )
        found = plan(memory, seen)
        return replace(found, next_due=_slower(found.next_due, scale))

    return planned


def faster_next_due(next_due: NextDue, scale: float) -> NextDue:
    """Returns the same schedule under a clock that runs `scale` times as fast."""

    def planned(
        first_seen: datetime,
        published: datetime | None,
        last_change: datetime | None,
        now: datetime,
        visits: int = 0,
        edits: int = 0,
    ) -> datetime | None:
        times = (_faster(first_seen, scale), _faster(published, scale), _faster(last_change, scale))
        return _slower(next_due(*times, _faster(now, scale), visits, edits), scale)

    return planned


@overload
def _faster(moment: datetime, scale: float) -> datetime: ...
@overload
def _faster(moment: datetime | None, scale: float) -> datetime | None: ...
def _faster(moment: datetime | None, scale: float) -> datetime | None:
    if moment is None:
        return None
    try:
        return min(max(ORIGIN + (moment - ORIGIN) * scale, EARLIEST), LATEST)
    except OverflowError:
        return EARLIEST if moment < ORIGIN else LATEST


def _slower(moment: datetime | None, scale: float) -> datetime | None:
    return None if moment is None else ORIGIN + (moment - ORIGIN) / scale
