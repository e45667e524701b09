"""What happened to sources, failed requests for pages, and events, stored as a crawl stores them. A source is planned
for the next hour unless a test says otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from newscrawl.crawling.scheduling.announced_edits import EarlierVisit, SourceReading
from newscrawl.model import Candidate, Failure, SourcePlan, SourceType, SourceVisit
from newscrawl.model.identity import url_key
from newscrawl.storage import events
from newscrawl.storage.frontier import pages, sources
from newscrawl.storage.frontier.source_state import Reading, SourceFailure
from newscrawl.storage.reader import Connection
from newscrawl.storage.records import BringForward, DuePage, Event, PlanSource, SourceAnswer


def hourly(arrival_state: Mapping[str, Any] | None, visit: SourceVisit) -> SourcePlan:
    """Plans a source for the next hour, or after one to four hours if it failed."""
    wait = timedelta(hours=1) if visit.failure is None else min(timedelta(hours=4), timedelta(hours=visit.failures))
    return SourcePlan(max(visit.at + wait, visit.not_before or visit.at), arrival_state)


def as_planned(_reading: SourceReading) -> Sequence[EarlierVisit]:
    """Brings no visit forward."""
    return ()


def record_answer(
    connection: Connection,
    answer: SourceAnswer,
    candidates: Iterable[Candidate],
    now: datetime,
    *,
    plan: PlanSource = hourly,
    bring_forward: BringForward = as_planned,
) -> list[DuePage]:
    """Stores one answer of a source."""
    return sources.record(connection, [Reading(answer, list(candidates), now, plan, bring_forward)])[0]


def record_failure(
    connection: Connection,
    site: str,
    url: str,
    kind: SourceType,
    reason: str,
    status: int | None,
    now: datetime,
    *,
    plan: PlanSource = hourly,
    **more: Any,
) -> None:
    """Stores one failed visit of a source."""
    sources.record(connection, [SourceFailure(site, url, kind, reason, status, now, plan, **more)])


def record_page_failure(
    connection: Connection, url: str, site: str, failure: Failure, status: int | None, now: datetime
) -> None:
    """Stores one request that ended without a page."""
    pages.record_failures(connection, [pages.FailedRequest.of(url, site, failure, status, now)])


def record_event(
    connection: Connection, url: str, site: str, kind: str, reason: str, status: int | None, now: datetime
) -> None:
    """Stores one event of an address."""
    events.record_all(connection, [Event(url_key(url), url, site, now, kind, reason, status)])
