"""What storage's functions take and return. All frozen, all times aware and in UTC."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal

from newscrawl.edit_signals import EarlierVisits, Signal, SourceReading
from newscrawl.model import Discovery, SourceKind, SourcePlan, SourceVisit, UsageRights

GENERIC_SITE: Final = "generic"
"""The spider for any site; a site with a declaration of its own takes its pages over, never the other way round."""

WHOLE: Final = frozenset({"article", "live"})
"""Verdicts of whole texts, which no part of one replaces."""

LOOKS_BROKEN: Final = "review/looks_broken"
"""Why a page has no new text: what its site's extractors make of pages is not believed at the moment."""

PageStateName = Literal["found", "fetched", "failed", "gone", "expired"]
OutcomeKind = Literal["inserted", "joined", "new_version", "unchanged", "failed", "dead_letter", "held_for_review"]

NextDue = Callable[[datetime, datetime | None, datetime | None, datetime, int, int], datetime | None]
"""(first seen, published, last change, now, visits, edits) -> when to visit the page again, None for never. `visits`
counts those that could be read, this one too; `edits` those of them that found another text than before."""

PlanSource = Callable[[Mapping[str, Any] | None, SourceVisit], SourcePlan]
"""(what was remembered, this visit) -> when to visit the source again (scheduling.sources.plan)."""

BringForward = Callable[[Mapping[str, Any] | None, SourceReading], EarlierVisits]
"""(what was learned of the source's announcements, this reading) -> the pages to visit earlier
(scheduling.announced_edits.earlier_visits)."""

EXPIRED: Final = "expired"
"""The state of a page whose texts went because of their age (newscrawl.storage.removal.retention). Its row stays, so
that a source that still names it does not bring it back."""

PROOF: Final = timedelta(hours=3, minutes=30)
"""A source's validators are believed this long; then one request goes without them. A server that answers 304 whatever
its feed holds would hide everything for ever; so it hides nothing for four hours, the longest interval of a source."""


MOVED_TIMES: Final = 5
MOVED_FOR: Final = timedelta(days=2)
"""A permanent redirect is adopted after so many confirmations, the last of them so long after the first: a consent wall
or a maintenance page answers 301 too, and is gone the next day."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one saved page. `reason` is for people, empty where the kind says all."""

    kind: OutcomeKind
    page_id: int | None = None
    article_id: int | None = None
    reason: str = ""
    first: bool = False
    """Of a page held for review: whether it had never been fetched before."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a URL; `kind` is a stable slash-name, `status` the answer's if there was one."""

    url_key: str
    url: str
    site: str
    at: datetime
    kind: str
    reason: str = ""
    status: int | None = None


@dataclass(frozen=True, slots=True)
class PageRow:
    """A page as stored. `identity` names the article it shows, `shown_at` says when that was last seen there (a 304
    does not count); `id` is None before the page is stored."""

    url_key: str
    url: str
    site: str
    state: PageStateName
    first_seen: datetime
    verdict: str | None = None
    last_fetched: datetime | None = None
    last_change: datetime | None = None
    next_due: datetime | None = None
    etag: str | None = None
    last_modified: str | None = None
    failures: int = 0
    failure_kind: str | None = None
    last_status: int | None = None
    identity: str | None = None
    discovery: Discovery | None = None
    id: int | None = None
    article_id: int | None = None
    visits: int = 0
    edits: int = 0
    use: UsageRights | None = None
    shown_at: datetime | None = None
    claimed_canonical_key: str | None = None
    """The URL key of another page that its canonical names, believed or not: it counts against this page alone
    (identity.front)."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The version that a page shows, and what it says of its article (versions.SAID)."""

    article_id: int
    seen_at: datetime
    last_seen: datetime
    said: Mapping[str, Any]
    labels: frozenset[str] = frozenset()
    """Keys (differences.label_key) of the titles and authors the page has shown over this text, if several."""
    dates: tuple[datetime, ...] = ()
    """When each version of the page was first seen, further headlines too."""


@dataclass(frozen=True, slots=True)
class Label:
    """A title and authors that a page showed over a text, and from when to when."""

    key: str
    title: str | None
    authors: Sequence[str]
    seen_at: datetime
    last_seen: datetime


@dataclass(frozen=True, slots=True)
class DuePage:
    """A page to fetch now; `etag` and `last_modified` make the request conditional, and are None without an article."""

    url: str
    url_key: str
    etag: str | None
    last_modified: str | None
    discovery: Discovery | None
    announced: Signal | None = None
    """How the source that was just read announced an edit of it; None for a visit that was due anyway."""
    is_first: bool = False
    """Whether it is announced and was never fetched."""


@dataclass(frozen=True, slots=True)
class SourceAnswer:
    """What a source answered. With 304 the validators may be None: the stored ones stay.

    `content_hash` is the body's, `not_before` the earliest next visit that the source allows, `moved_to` the address of
    a permanent redirect, `parent` the sitemap index that named it: such a source is read with its index, not by itself.
    `is_settled` is False for an index whose sitemaps are still to be read: one that has cost too much has not recovered
    yet (record_recovery).
    """

    site: str
    url: str
    kind: SourceKind
    status: int
    fetched_at: datetime
    etag: str | None = None
    last_modified: str | None = None
    content_hash: str | None = None
    not_before: datetime | None = None
    moved_to: str | None = None
    parent: str | None = None
    whole: bool = True
    """Whether all of its entries were read, so that one which is not among them is no longer listed."""
    is_settled: bool = True


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A source as stored. `watermark` is the newest publication date it has named, never in the future.

    `validator_mismatches` counts answers whose validators said "unchanged" of another body; `moved_to` has been
    confirmed `moved_times` times since `moved_since`. `arrival_state` and `arrival_rate` are the scheduler's
    (model.SourcePlan), as is `announcement_trust` (edit_signals.EarlierVisits).
    """

    site: str
    url: str
    kind: SourceKind
    etag: str | None
    last_modified: str | None
    watermark: datetime | None
    interval: float | None
    next_due: datetime | None
    last_fetched: datetime | None
    last_status: int | None
    failures: int
    failure_kind: str | None
    answers: int
    named: int
    new: int
    unusable: int
    id: int | None = None
    parent: str | None = None
    first_seen: datetime | None = None
    last_new: datetime | None = None
    last_full: datetime | None = None
    not_before: datetime | None = None
    failing_since: datetime | None = None
    retired_at: datetime | None = None
    content_hash: str | None = None
    validator_mismatches: int = 0
    arrival_rate: float | None = None
    arrival_state: Mapping[str, Any] | None = None
    moved_to: str | None = None
    moved_times: int = 0
    moved_since: datetime | None = None
    announcement_trust: Mapping[str, Any] | None = None

    @property
    def address(self) -> str:
        """Where to ask for it: where it moved, once that was confirmed and for as long as it works there."""
        return self.moved_to if self.has_moved and self.moved_to and self.failures < MOVED_TIMES else self.url

    @property
    def has_moved(self) -> bool:
        """Whether its permanent redirect has been seen often enough, for long enough."""
        if self.moved_since is None or self.last_fetched is None:
            return False
        return self.moved_times >= MOVED_TIMES and self.last_fetched - self.moved_since >= MOVED_FOR

    def validators(self, now: datetime) -> tuple[str | None, str | None]:
        """ETag and Last-Modified to send; none when they were found wrong, or were believed for `PROOF`."""
        if self.validator_mismatches or (self.last_full is not None and now - self.last_full >= PROOF):
            return None, None
        return self.etag, self.last_modified


def hourly(arrival_state: Mapping[str, Any] | None, visit: SourceVisit) -> SourcePlan:
    """The PlanSource of a caller that gives none: nothing is learned, and the source is read an hour later."""
    wait = timedelta(hours=1) if visit.failure is None else min(timedelta(hours=4), timedelta(hours=visit.failures))
    return SourcePlan(max(visit.at + wait, visit.not_before or visit.at), arrival_state)


def as_planned(trust: Mapping[str, Any] | None, _reading: SourceReading) -> EarlierVisits:
    """The BringForward of a caller that gives none: every page is visited when it is due."""
    return EarlierVisits(trust=trust)


def owner(stored: str, incoming: str) -> str:
    """The site a page belongs to: whoever declared it first, except that a declared site takes over from `generic`."""
    return incoming if stored == GENERIC_SITE else stored


def never(
    first_seen: datetime,
    published: datetime | None,
    last_change: datetime | None,
    now: datetime,
    visits: int,
    edits: int,
) -> None:
    """The NextDue of a store that was given none: a page that was fetched once is not visited again."""
