"""The screen of one address: its state, and all events in one time line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from newscrawl.errors import NotFoundError
from newscrawl.model.identity import url_key
from newscrawl.reports import UrlReport, url_report
from newscrawl.reports.history import CaptureLine, best_capture, capture_lines
from newscrawl.storage.reader import Connection
from newscrawl.web.screens.screen import Context, Screen


@dataclass(frozen=True, slots=True)
class WhyQuery:
    """The address, in any spelling."""

    url: str


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that happened: `kind` is found, version, capture, review, forward, or a reason code of an event."""

    at: datetime
    kind: str
    detail: str
    status: int | None = None


@dataclass(frozen=True, slots=True)
class WhyScreen:
    """The stored state of an address. `moments` are in the order of time. `state` is None for one that is no page.
    `capture` is the newest one whose bytes are kept."""

    url: str
    site: str | None
    state: str | None
    failure: str | None
    failures: int
    next_due: datetime | None
    blocked_since: datetime | None
    moments: Sequence[Moment]
    capture: CaptureLine | None = None


def load(connection: Connection, query: WhyQuery, context: Context) -> WhyScreen:
    """Returns what happened to an address. Raises NotFoundError, and InvalidUrl for what is no address."""
    report = url_report(connection, query.url, context.now)
    if report is None:
        raise NotFoundError(f"nothing is known about {query.url[:200]}")
    page = report.page.page if report.page is not None else None
    addresses = report.page.urls if report.page is not None else (query.url,)
    captures = capture_lines(connection, set(map(url_key, addresses)))
    moments = [*_moments(report)]
    for capture in captures:
        came = f"article {capture.article_id}" if capture.article_id is not None else capture.failure or "unchanged"
        moments.append(Moment(capture.fetched_at, "capture", f"{capture.kind} in {capture.file}: {came}"))
    return WhyScreen(
        url=page.url if page is not None else report.url,
        site=page.site if page is not None else None,
        state=page.state if page is not None else None,
        failure=page.failure_kind if page is not None else None,
        failures=page.failures if page is not None else 0,
        next_due=page.next_due if page is not None else None,
        blocked_since=report.blocked_since,
        moments=tuple(sorted(moments, key=lambda moment: moment.at)),
        capture=best_capture(captures),
    )


def _moments(report: UrlReport) -> Iterator[Moment]:
    if report.page is not None:
        found = report.page.discovery
        where = f"in {found.kind} {found.source}" if found is not None else "without a source"
        yield Moment(report.page.page.first_seen, "found", where)
        for version in report.page.versions:
            yield Moment(version.seen_at, "version", f"{version.change_class}: {version.title or 'no title'}")
        for brought in report.page.brought_forward:
            yield Moment(brought.at, "forward", f"the next visit comes earlier: {brought.reason} ({brought.source})")
    for held in report.in_review:
        yield Moment(held.at, "review", ", ".join(held.reasons))
    for source in report.sources:
        if source.last_fetched is not None:
            named = f"{source.kind} of {source.site}: named {source.named:,}, {source.new:,} of them new"
            yield Moment(source.last_fetched, "source", named, source.last_status)
    for event in report.events:
        yield Moment(event.at, event.kind, event.reason, event.status)


SCREEN = Screen("why", "/why", "Why", WhyQuery, WhyScreen, load, in_navigation=False)
