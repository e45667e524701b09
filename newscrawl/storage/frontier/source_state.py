"""What happened to a source, and its row after that: its validators and whether they can be trusted, its redirect, its
failures, its next visit. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final, TypeAlias

from newscrawl.model import HARMFUL, Candidate, SourcePlan, SourceType, SourceVisit, is_unanswered
from newscrawl.storage.engine.sql import Values
from newscrawl.storage.records import NOT_MODIFIED, BringForward, PlanSource, SourceAnswer, SourceRow

TRIED_FOR: Final = timedelta(days=1)
"""How long a site that does not answer is tried after short pauses. After that, each source has its own growing
ones."""

_NEVER: Final = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Reading:
    """An answer that could be read, with the pages that it names.

    `plan` returns the next visit of the source; a source that is read with its index (`answer.parent`) has no visits of
    its own, and its new entries count for the index. `bring_forward` returns the pages to visit earlier because the
    answer announces edits of them.
    """

    answer: SourceAnswer
    candidates: Iterable[Candidate]
    now: datetime
    plan: PlanSource
    bring_forward: BringForward

    @property
    def site(self) -> str:
        """The site of the source."""
        return self.answer.site

    @property
    def url(self) -> str:
        """The address of the source."""
        return self.answer.url


@dataclass(frozen=True, slots=True)
class SourceFailure:
    """A visit without a readable answer. `reason` is the code of the failure, `detail` a text for people.

    `plan` returns when the source is tried again. A source that is read with its index (`parent`) is tried with the
    index, but if reading it did harm (model.HARMFUL), not before the time of `plan`. A source that was not requested
    (`was_sent` is False) does not count among the hour's failures.
    """

    site: str
    url: str
    kind: SourceType
    reason: str
    status: int | None
    now: datetime
    plan: PlanSource
    parent: str | None = None
    detail: str = ""
    was_sent: bool = True


@dataclass(frozen=True, slots=True)
class Recovery:
    """A source was read with everything below it. That ends its failures if it had cost too much (model.HARMFUL)."""

    site: str
    url: str
    now: datetime
    plan: PlanSource


SourceItem: TypeAlias = Reading | SourceFailure | Recovery


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


def answered(stored: SourceRow, reading: Reading, read: Read) -> SourceRow:
    """Returns the source after a readable answer, with its next visit."""
    answer, now = reading.answer, reading.now
    values = _answered(stored, answer, read, now)
    if not answer.is_settled and stored.failure_kind in HARMFUL:
        values |= _still_failing(stored, now, reading.plan)
    else:
        visit = SourceVisit(
            *(answer.url, now, stored.last_fetched, answer.status, read.fresh, answer.not_before),
            retired_at=stored.retired_at,
        )
        planned = reading.plan(stored.arrival_state, visit) if answer.parent is None else SourcePlan(None)
        values |= _planned(planned, visit)
    return replace(
        stored, **values, url=answer.url, kind=answer.kind, first_seen=stored.first_seen or answer.fetched_at
    )


def failed(stored: SourceRow, failure: SourceFailure) -> SourceRow:
    """Returns the source after one more failure in a row, with the time of the next attempt."""
    since = stored.failing_since or failure.now
    after = replace(
        stored,
        url=failure.url,
        kind=failure.kind,
        parent=failure.parent,
        failures=stored.failures + 1,
        failure_kind=failure.reason,
        failing_since=since,
        last_status=failure.status,
        first_seen=stored.first_seen or since,
    )
    visit = _failed_visit(after, failure.now)
    planned = failure.plan(stored.arrival_state, visit)
    values = _planned(planned if failure.parent is None else SourcePlan(None), visit)
    if failure.reason in HARMFUL:  # also if it is read with its index, or by a timetable
        values["not_before"] = planned.next_due
    return replace(after, **values)


def recovered(stored: SourceRow, recovery: Recovery) -> SourceRow:
    """Returns a source that had cost too much after it was read with everything below it."""
    visit = SourceVisit(recovery.url, recovery.now, stored.last_fetched, NOT_MODIFIED)
    values = _planned(recovery.plan(stored.arrival_state, visit), visit)
    return replace(stored, **values, failures=0, failure_kind=None, failing_since=None)


def credited(index: SourceRow, fresh: tuple[datetime | None, ...], now: datetime, plan: PlanSource) -> SourceRow:
    """Returns an index with its next visit planned from the new entries of one of its sitemaps."""
    visit = SourceVisit(index.url, now, index.last_fetched, NOT_MODIFIED, fresh, index.not_before)
    return replace(index, **_planned(plan(index.arrival_state, visit), visit), last_new=now)


def tried_soon(failure: SourceFailure, after: SourceRow, of_site: Iterable[SourceRow]) -> SourceRow | None:
    """Returns another source of the site, or this one if there is no other, that is now read soon, because the failing
    source got no answer; None if that is not needed, as one of them is read soon anyway or has answered since the
    failures began. `after` is the failing source, `of_site` are those with visits of their own.

    So an alarm rests on more than one source, and a site that is well again is noticed. Each time it is the one that
    was not read for the longest.
    """
    now, since = failure.now, after.failing_since or failure.now
    if not is_unanswered(failure.reason) or failure.parent is not None or now - since >= TRIED_FOR:
        return None
    soon = failure.plan(None, replace(_failed_visit(after, now), failures=1, failing_since=now)).next_due
    every = [(row, row.next_due) for row in of_site if row.next_due is not None]
    rows = [(row, due) for row, due in every if row.id != after.id] or every
    if soon is None or any(due <= soon or (row.last_fetched or _NEVER) >= since for row, due in rows):
        return None
    # By the time of the visit before the planned one. Among equals it is the source that was found first.
    ordered = sorted(rows, key=lambda pair: (pair[1] - timedelta(seconds=pair[0].interval or 0.0), pair[0].id or 0))
    return replace(ordered[0][0], next_due=soon) if ordered else None


def read_again(of_site: Iterable[SourceRow], now: datetime) -> list[SourceRow]:
    """Returns the sources that had no answer, now due because the site answers again. `of_site` are those with visits
    of their own."""
    return [
        replace(row, next_due=now)
        for row in of_site
        if is_unanswered(row.failure_kind)
        and row.next_due is not None
        and row.next_due > now
        and (row.not_before or now) <= now
    ]


def _still_failing(stored: SourceRow, now: datetime, plan: PlanSource) -> Values:
    """Returns the values that the row of a too costly index keeps until everything below it was read. Without this its
    next back-off would be as short as the first. Its next visit is planned as after the previous failure, in case the
    crawl dies before it stores a result."""
    planned = plan(stored.arrival_state, visit := _failed_visit(stored, now))
    kept = {"failures": stored.failures, "failure_kind": stored.failure_kind, "failing_since": stored.failing_since}
    return _planned(planned, visit) | kept | {"not_before": planned.next_due}


def _failed_visit(row: SourceRow, now: datetime) -> SourceVisit:
    """Returns the visit after which the row of a source has its failure."""
    return SourceVisit(
        row.url,
        now,
        row.last_fetched,
        row.last_status,
        failure=row.failure_kind,
        failures=row.failures,
        failing_since=row.failing_since,
        retired_at=row.retired_at,
    )


def _answered(stored: SourceRow, answer: SourceAnswer, read: Read, now: datetime) -> Values:
    """Returns the row's values after a readable answer."""
    marks = [mark for mark in (stored.watermark, read.watermark) if mark is not None]
    values: Values = {
        "parent": answer.parent,
        "last_fetched": answer.fetched_at,
        "last_status": answer.status,
        "failures": 0,
        "failure_kind": None,
        "failing_since": None,
        "watermark": max(marks, default=None),
        "answers": stored.answers + 1,
        "named": stored.named + read.named,
        "new": stored.new + len(read.fresh),
        "unusable": stored.unusable + read.unusable,
        "last_new": now if read.fresh else stored.last_new,
    }
    given = {"etag": answer.etag, "last_modified": answer.last_modified}
    if answer.status != NOT_MODIFIED:
        values |= given | {"last_full": now, "content_hash": answer.content_hash}
        values["validator_mismatches"] = stored.validator_mismatches + _mismatch(stored, answer, read)
    else:
        values |= {name: value for name, value in given.items() if value is not None}
    return values | _moved(stored, answer, now)


def _mismatch(stored: SourceRow, answer: SourceAnswer, read: Read) -> bool:
    """Returns whether the validators said "unchanged" for a body that names something new or announces an edit.

    Other differences of the body (a date, an advert) do not matter.
    """
    if stored.content_hash is None or answer.content_hash is None:
        return False
    before, after = (stored.etag, stored.last_modified), (answer.etag, answer.last_modified)
    is_news = bool(read.fresh) or read.announced
    return before == after != (None, None) and stored.content_hash != answer.content_hash and is_news


def _moved(stored: SourceRow, answer: SourceAnswer, now: datetime) -> Values:
    """Counts a permanent redirect to the same address as before."""
    if answer.moved_to is None:
        # An answer from the adopted address itself comes without a redirect.
        adopted = stored.address != stored.url
        return {} if adopted else {"moved_to": None, "moved_times": 0, "moved_since": None}
    if stored.moved_to == answer.moved_to:
        return {"moved_times": stored.moved_times + 1}
    return {"moved_to": answer.moved_to, "moved_times": 1, "moved_since": now}


def _planned(plan: SourcePlan, visit: SourceVisit) -> Values:
    interval = (plan.next_due - visit.at).total_seconds() if plan.next_due is not None else None
    retired = (visit.retired_at or visit.at) if plan.retired else None
    schedule = {"next_due": plan.next_due, "interval": interval, "not_before": visit.not_before}
    return schedule | {"arrival_state": plan.arrival_state, "arrival_rate": plan.arrival_rate, "retired_at": retired}
