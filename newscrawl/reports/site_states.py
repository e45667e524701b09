"""The problems of a site, from its facts: its states, and the reasons in words. Pure."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final, Literal

from newscrawl.reports.site_facts import SiteFacts

State = Literal["alarm", "failing", "review", "paused", "new", "good"]
STATES: Final[tuple[State, ...]] = ("alarm", "failing", "review", "paused", "new", "good")
"""The states in the order in which sites are listed: trouble first."""
MANY_FAILED: Final = 0.5
"""Share of failed results in 24 hours from which a site counts as failing, as in `newscrawl status --check`."""
MIN_RESULTS: Final = 20
"""Results from which that share is judged."""


def state_of(facts: SiteFacts, now: datetime) -> State:
    """Returns the state under which a site is listed. A paused site has no trouble of its own, but its alarms stay."""
    if facts.alarms:
        return "alarm"
    if is_paused(facts, now):
        return "paused"
    if _all_sources_fail(facts) or _many_failed(facts):
        return "failing"
    if facts.in_review:
        return "review"
    return "good" if facts.last_started is not None or facts.sources.last_good is not None else "new"


def states_of(facts: SiteFacts, now: datetime) -> Collection[State]:
    """Returns every state that a site is in: with an alarm it may also fail, be paused, and have pages in review."""
    found: set[State] = {state_of(facts, now)}
    if is_paused(facts, now):
        found.add("paused")
    elif _all_sources_fail(facts) or _many_failed(facts):
        found.add("failing")
    if facts.in_review:
        found.add("review")
    return found


def is_paused(facts: SiteFacts, now: datetime) -> bool:
    """Returns whether a site is paused at this time."""
    return facts.control is not None and facts.control.is_paused(now)


def reasons_of(facts: SiteFacts) -> tuple[str, ...]:
    """Returns in words what is wrong with a site besides its alarms."""
    found = []
    if facts.sources.failing:
        found.append(f"{facts.sources.failing} of {facts.sources.number} sources fail")
    if _many_failed(facts):
        found.append(f"{facts.day.failed:,} of {_results(facts):,} results of 24 hours failed")
    if facts.in_review:
        found.append(f"{facts.in_review:,} in review")
    return tuple(found)


def _all_sources_fail(facts: SiteFacts) -> bool:
    return bool(facts.sources.number) and facts.sources.failing == facts.sources.number


def _many_failed(facts: SiteFacts) -> bool:
    results = _results(facts)
    return results >= MIN_RESULTS and facts.day.failed >= MANY_FAILED * results


def _results(facts: SiteFacts) -> int:
    return facts.day.fetched + facts.day.failed
