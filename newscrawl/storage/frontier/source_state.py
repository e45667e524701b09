"""The row of a source: its validators and whether they can be trusted, its redirect, its failures, its next visit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, Select, select, update

from newscrawl.identity import url_key
from newscrawl.model import HARMFUL, SourcePlan, SourceType, SourceVisit, is_unanswered
from newscrawl.storage.articles.rows import SOURCE
from newscrawl.storage.engine.sql import Values, upsert
from newscrawl.storage.records import PlanSource, SourceAnswer, SourceRow
from newscrawl.storage.tables.frontier import sources

NOT_MODIFIED: Final = 304
TRIED_FOR: Final = timedelta(days=1)
"""How long a site that does not answer is tried after short pauses. After that, each source has its own growing
ones."""


@dataclass(frozen=True, slots=True)
class Read:
    """The result of reading an answer: the number of entries, the dates of new ones (None for undated ones), the number
    of entries that are no URL, and the newest date."""

    named: int = 0
    fresh: tuple[datetime | None, ...] = ()
    unusable: int = 0
    watermark: datetime | None = None
    announced: bool = False
    """Whether it announced edits of entries."""
    trust: Mapping[str, Any] | None = None
    """The trust in such announcements from now on."""


@dataclass(frozen=True, slots=True)
class SourceFailure:
    """A visit without a readable answer."""

    site: str
    url: str
    kind: SourceType
    reason: str
    status: int | None
    not_before: datetime | None = None
    parent: str | None = None


def write_answer(
    connection: Connection,
    stored: SourceRow | None,
    answer: SourceAnswer,
    read: Read,
    now: datetime,
    plan: PlanSource,
) -> int:
    """Writes the answer of a source with the row `stored`, and its next visit. Returns the source's id."""
    values = _answered(stored, answer, read, now)
    visit = _visit(stored, answer.url, now, answer.status, read.fresh, answer.not_before)
    if stored is not None and not answer.is_settled and stored.failure_kind in HARMFUL:
        values |= _still_failing(stored, now, plan)
    else:
        planned = plan(stored.arrival_state if stored else None, visit) if answer.parent is None else SourcePlan(None)
        values |= _planned(planned, visit)
    source_id = _write(connection, answer.site, answer.url, answer.kind, values)
    if stored is not None and is_unanswered(stored.failure_kind):
        _read_the_others(connection, answer.site, now)
    if answer.parent is not None and read.fresh:
        _credit(connection, answer.site, answer.parent, read.fresh, now, plan)
    return source_id


def write_failure(connection: Connection, failure: SourceFailure, now: datetime, plan: PlanSource) -> None:
    """Writes one more failure in a row, and the time of the next attempt."""
    stored = load(connection, failure.site, failure.url)
    failures = stored.failures + 1 if stored else 1
    since = (stored.failing_since if stored else None) or now
    visit = SourceVisit(
        failure.url,
        now,
        stored.last_fetched if stored else None,
        failure.status,
        not_before=failure.not_before,
        failure=failure.reason,
        failures=failures,
        failing_since=since,
        retired_at=stored.retired_at if stored else None,
    )
    planned = plan(stored.arrival_state if stored else None, visit)
    values: Values = {"failures": failures, "failure_kind": failure.reason, "last_status": failure.status}
    own = planned if failure.parent is None else SourcePlan(None)
    values |= {"failing_since": since, "parent": failure.parent, **_planned(own, visit)}
    if failure.reason in HARMFUL:  # also if it is read with its index, or by a timetable
        values["not_before"] = planned.next_due
    _write(connection, failure.site, failure.url, failure.kind, values)
    if is_unanswered(failure.reason) and failure.parent is None and now - since < TRIED_FOR:
        first = plan(None, replace(visit, not_before=None, failures=1, failing_since=now))
        if first.next_due is not None:
            _try_soon(connection, failure, since, max(first.next_due, failure.not_before or now))


def write_recovery(connection: Connection, site: str, url: str, now: datetime, plan: PlanSource) -> None:
    """Ends the failures of a source that had cost too much and was now read with everything below it."""
    stored = load(connection, site, url)
    if stored is None or stored.failure_kind not in HARMFUL:
        return
    visit = SourceVisit(url, now, stored.last_fetched, NOT_MODIFIED)
    values = _planned(plan(stored.arrival_state, visit), visit)
    well: Values = {"failures": 0, "failure_kind": None, "failing_since": None}
    _write(connection, site, stored.url, stored.kind, values | well)


def _still_failing(stored: SourceRow, now: datetime, plan: PlanSource) -> Values:
    """Returns the values that the row of a too costly index keeps until everything below it was read. Without this its
    next back-off would be as short as the first. Its next visit is planned as after the previous failure, in case the
    crawl dies before it stores a result."""
    visit = SourceVisit(
        stored.url,
        now,
        stored.last_fetched,
        stored.last_status,
        failure=stored.failure_kind,
        failures=stored.failures,
        failing_since=stored.failing_since,
        retired_at=stored.retired_at,
    )
    planned = plan(stored.arrival_state, visit)
    kept = {"failures": stored.failures, "failure_kind": stored.failure_kind, "failing_since": stored.failing_since}
    return _planned(planned, visit) | kept | {"not_before": planned.next_due}


def _try_soon(connection: Connection, failure: SourceFailure, since: datetime, soon: datetime) -> None:
    """Sees to it that another source of the site is read until `soon`, or this one if there is no other, unless one has
    answered since the failure at `since`. So an alarm rests on more than one source, and a site that is well again is
    noticed. Each time it is the one that was not read for the longest."""
    rows = connection.execute(_planned_sources(failure.site)).all()
    rows = [row for row in rows if row.url_key != url_key(failure.url)] or rows
    if any(row.next_due <= soon or (row.last_fetched is not None and row.last_fetched >= since) for row in rows):
        return
    chosen = min(rows, key=lambda row: (row.next_due - timedelta(seconds=row.interval or 0.0), row.id), default=None)
    if chosen is not None:
        connection.execute(update(sources).where(sources.c.id == chosen.id).values(next_due=soon))


def _read_the_others(connection: Connection, site: str, now: datetime) -> None:
    """Makes the sources that had no answer due, because the site answers again."""
    later = [
        row.id
        for row in connection.execute(_planned_sources(site))
        if is_unanswered(row.failure_kind) and row.next_due > now and (row.not_before or now) <= now
    ]
    if later:
        connection.execute(update(sources).where(sources.c.id.in_(later)).values(next_due=now))


def _planned_sources(site: str) -> Select[Any]:
    """Returns the query for the sources of a site that have visits of their own and are not retired."""
    is_planned = (sources.c.site == site, sources.c.next_due.is_not(None), sources.c.retired_at.is_(None))
    return select(sources).where(*is_planned)


def load(connection: Connection, site: str, url: str) -> SourceRow | None:
    """Returns the source's row; None for one that was never requested. Raises InvalidUrl if the address is no URL."""
    where = (sources.c.site == site, sources.c.url_key == url_key(url))
    row = connection.execute(select(sources).where(*where)).one_or_none()
    return SOURCE.read(row) if row is not None else None


def _answered(stored: SourceRow | None, answer: SourceAnswer, read: Read, now: datetime) -> Values:
    """Returns the row's values after a readable answer."""
    whole = answer.status != NOT_MODIFIED
    marks = [mark for mark in (stored.watermark if stored else None, read.watermark) if mark is not None]
    values: Values = {
        "parent": answer.parent,
        "last_fetched": answer.fetched_at,
        "last_status": answer.status,
        "failures": 0,
        "failure_kind": None,
        "failing_since": None,
        "watermark": max(marks, default=None),
        "answers": 1 + (stored.answers if stored else 0),
        "named": read.named + (stored.named if stored else 0),
        "new": len(read.fresh) + (stored.new if stored else 0),
        "unusable": read.unusable + (stored.unusable if stored else 0),
        "last_new": now if read.fresh else stored.last_new if stored else None,
        "announcement_trust": read.trust,
    }
    if whole:
        values |= {"etag": answer.etag, "last_modified": answer.last_modified, "last_full": now}
        values |= {"content_hash": answer.content_hash}
        values |= {
            "validator_mismatches": (stored.validator_mismatches if stored else 0) + _mismatch(stored, answer, read)
        }
    else:
        given = {"etag": answer.etag, "last_modified": answer.last_modified}
        values |= {name: value for name, value in given.items() if value is not None}
    return values | _moved(stored, answer, now)


def _mismatch(stored: SourceRow | None, answer: SourceAnswer, read: Read) -> bool:
    """Returns whether the validators said "unchanged" for a body that names something new or announces an edit.

    Other differences of the body (a date, an advert) do not matter.
    """
    if stored is None or stored.content_hash is None or answer.content_hash is None:
        return False
    before, after = (stored.etag, stored.last_modified), (answer.etag, answer.last_modified)
    is_news = bool(read.fresh) or read.announced
    return before == after != (None, None) and stored.content_hash != answer.content_hash and is_news


def _moved(stored: SourceRow | None, answer: SourceAnswer, now: datetime) -> Values:
    """Counts a permanent redirect to the same address as before."""
    if answer.moved_to is None:
        # An answer from the adopted address itself comes without a redirect.
        adopted = stored is not None and stored.address != stored.url
        return {} if adopted else {"moved_to": None, "moved_times": 0, "moved_since": None}
    if stored is not None and stored.moved_to == answer.moved_to:
        return {"moved_times": stored.moved_times + 1}
    return {"moved_to": answer.moved_to, "moved_times": 1, "moved_since": now}


def _visit(
    stored: SourceRow | None,
    url: str,
    now: datetime,
    status: int | None,
    fresh: tuple[datetime | None, ...],
    not_before: datetime | None,
) -> SourceVisit:
    previous = stored.last_fetched if stored else None
    return SourceVisit(url, now, previous, status, fresh, not_before, retired_at=stored.retired_at if stored else None)


def _credit(
    connection: Connection, site: str, parent: str, fresh: tuple[datetime | None, ...], now: datetime, plan: PlanSource
) -> None:
    """Plans the next visit of an index from the new entries of its sitemaps."""
    index = load(connection, site, parent)
    if index is None or index.failures:
        return
    visit = SourceVisit(index.url, now, index.last_fetched, NOT_MODIFIED, fresh, index.not_before)
    values = _planned(plan(index.arrival_state, visit), visit) | {"last_new": now}
    _write(connection, site, index.url, index.kind, values)


def _planned(plan: SourcePlan, visit: SourceVisit) -> Values:
    interval = (plan.next_due - visit.at).total_seconds() if plan.next_due is not None else None
    retired = (visit.retired_at or visit.at) if plan.retired else None
    schedule = {"next_due": plan.next_due, "interval": interval, "not_before": visit.not_before}
    return schedule | {"arrival_state": plan.arrival_state, "arrival_rate": plan.arrival_rate, "retired_at": retired}


def _write(connection: Connection, site: str, url: str, kind: SourceType, values: Values) -> int:
    counts: Values = dict.fromkeys(
        ("failures", "answers", "named", "new", "unusable", "validator_mismatches", "moved_times"), 0
    )
    row = {"site": site, "url_key": url_key(url), "url": url, "kind": kind} | counts | values
    seen: Any = values.get("last_fetched") or values.get("failing_since")
    changes = values | ({"kind": kind, "url": url})
    (back,) = upsert(connection, sources, ["site", "url_key"], [row | {"first_seen": seen}], changes, [sources.c.id])
    return int(back.id)
