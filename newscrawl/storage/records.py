"""Parameters and results of storage's functions. All classes are frozen; all times are aware and in UTC."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal

from newscrawl.crawling.scheduling.announced_edits import EarlierVisit, Signal, SourceReading
from newscrawl.model import Discovery, ProcessedPage, SourcePlan, SourceType, SourceVisit, UsageRights, walls

GENERIC_SITE: Final = "generic"
"""The spider for any site. A declared site takes its pages over from it, never the other way round."""

NOT_MODIFIED: Final = 304
"""The status of an answer without a body: what was sent before is still valid."""

WHOLE: Final = frozenset({"article", "live"})
"""Verdicts of complete texts. A partial text never replaces one."""

LOOKS_BROKEN: Final = "review/looks_broken"
"""The reason of a page without a new text while the texts of its site's extractors are not credible."""

PageStateName = Literal["found", "fetched", "failed", "gone", "expired"]
OutcomeType = Literal[
    "inserted",
    "joined",
    "new_version",
    "unchanged",
    "failed",
    "dead_letter",
    "held_for_review",
    "withdrawn",
]
"""`withdrawn`: a re-extraction found that the page is no article."""

NextDue = Callable[[datetime, datetime | None, datetime | None, datetime, int, int], datetime | None]
"""(first seen, published, last change, now, visits, edits) -> when to visit the page again, None for never. `visits`
counts the visits that could be read, including this one; `edits` counts those of them that found a changed text."""

PlanSource = Callable[[Mapping[str, Any] | None, SourceVisit], SourcePlan]
"""(stored arrival state, this visit) -> when to visit the source again (scheduling.sources.plan)."""

BringForward = Callable[[SourceReading], Sequence[EarlierVisit]]
"""This reading -> the visits of pages that it asks for (scheduling.announced_edits.earlier_visits)."""

EXPIRED: Final = "expired"
"""The state of a page whose texts were deleted because of their age (newscrawl.storage.removal.retention). Its row
stays, so that the page is not fetched again when a source still lists it."""

PROOF: Final = timedelta(hours=3, minutes=30)
"""How long a source's validators are used; then one request is made without them. A server that always answers 304
would otherwise hide all new entries. With this limit nothing is hidden for four hours, the longest interval of a
source."""


MOVED_TIMES: Final = 5
MOVED_FOR: Final = timedelta(days=2)
"""A permanent redirect is adopted after `MOVED_TIMES` answers, the last at least this long after the first: a consent
wall or a maintenance page may answer 301 too, for less than a day."""


OUTCOME: Final = "outcome/"
"""The beginning of the counters of outcomes."""
NOT_OWNER: Final = "outcome/lease_lost"
"""A page that was not stored, because another process has the site's lease."""
EXTRACTOR: Final = "extractor/"
VERDICT: Final = "verdict/"
FALLBACK: Final = "extraction/fallback"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of saving one page. `reason` is for people; it is empty if the kind says everything."""

    kind: OutcomeType
    page_id: int | None = None
    article_id: int | None = None
    reason: str = ""
    first: bool = False
    """For a page put into review: whether it had never been fetched before."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a URL. `kind` is a stable slash-name, `status` the answer's status, if there was an answer."""

    url_key: str
    url: str
    site: str
    at: datetime
    kind: str
    reason: str = ""
    status: int | None = None


@dataclass(frozen=True, slots=True)
class PageRow:
    """A page as stored. `identity` is the identity of the article it shows, `shown_at` the time when that was last seen
    there (a 304 does not count); `id` is None before the page is stored."""

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
    """The URL key of another page that the page's canonical link names, credible or not. It counts against this page
    only (storage.duplicates.story_pages)."""
    extractor: str | None = None
    """The extractor of the text that the page shows; None without a text."""
    fallback: bool | None = None
    """Whether that is not the first extractor of the chain."""
    joined: bool | None = None
    """Whether another page had shown the text before this one did."""


@dataclass(frozen=True, slots=True)
class EntryName:
    """The identity of an entry in its report. `at` is ISO 8601 in UTC, `id` the page's own name for it."""

    at: str | None
    title: str
    id: str | None = None

    def to_json(self) -> dict[str, str | None]:
        """Returns the entry as versions and changes name it."""
        return {"at": self.at, "title": self.title}


@dataclass(frozen=True, slots=True)
class Shown:
    """The version that a page shows, and what it says about its article (articles.lookup.METADATA)."""

    article_id: int
    seen_at: datetime
    last_seen: datetime
    metadata: Mapping[str, Any]
    labels: frozenset[str] = frozenset()
    """Keys (differences.label_key) of the titles and authors that the page has shown with this text, if several."""
    dates: tuple[datetime, ...] = ()
    """When each version of the page was first seen, including versions of the headline."""
    texts: frozenset[int] = frozenset()
    """The articles that the page has shown."""
    entries: Sequence[EntryName] = ()
    """The entries of a live report."""
    boilerplate_epoch: int = 0
    """The epoch of the site's boilerplate that the text was extracted with."""
    left_out: frozenset[int] = frozenset()
    """Keys of the lines that were left out of the text as boilerplate."""


@dataclass(frozen=True, slots=True)
class Label:
    """A title and authors that a page showed with a text, and the first and last time."""

    label_key: str
    title: str | None
    authors: Sequence[str]
    seen_at: datetime
    last_seen: datetime


@dataclass(frozen=True, slots=True)
class DuePage:
    """A page to fetch now. `etag` and `last_modified` make the request conditional; they are None without an
    article."""

    url: str
    url_key: str
    etag: str | None
    last_modified: str | None
    discovery: Discovery | None
    announced: Signal | None = None
    """How the source that was just read announced an edit of the page; None for a visit that was due anyway."""
    is_first: bool = False
    """Whether the page is announced and was never fetched."""


@dataclass(frozen=True, slots=True)
class SourceAnswer:
    """The answer of a source. With 304 the validators may be None: the stored ones stay.

    `content_hash` is the hash of the body, `not_before` the earliest next visit that the source allows, `moved_to` the
    URL of a permanent redirect. `parent` is the sitemap index that lists the source: such a source is read with its
    index, not by itself. `is_settled` is False for an index whose sitemaps are still to be read: an index that was too
    costly does not count as recovered before (record_recovery).
    """

    site: str
    url: str
    kind: SourceType
    status: int
    fetched_at: datetime
    etag: str | None = None
    last_modified: str | None = None
    content_hash: str | None = None
    not_before: datetime | None = None
    moved_to: str | None = None
    parent: str | None = None
    whole: bool = True
    """Whether all entries were read, so that an entry that is missing is no longer listed."""
    is_settled: bool = True


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A source as stored, or before its first visit. `watermark` is the newest publication date it has given, never in
    the future.

    `validator_mismatches` counts answers with the same validators and another body. `moved_to` was confirmed
    `moved_times` times since `moved_since`. `arrival_state` and `arrival_rate` belong to the scheduler
    (model.SourcePlan).
    """

    site: str
    url: str
    kind: SourceType
    etag: str | None = None
    last_modified: str | None = None
    watermark: datetime | None = None
    interval: float | None = None
    next_due: datetime | None = None
    last_fetched: datetime | None = None
    last_status: int | None = None
    failures: int = 0
    failure_kind: str | None = None
    answers: int = 0
    named: int = 0
    new: int = 0
    unusable: int = 0
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

    @property
    def address(self) -> str:
        """The URL to request: the one it moved to, once the move is confirmed and while that URL works; else its
        own."""
        return self.moved_to if self.has_moved and self.moved_to and self.failures < MOVED_TIMES else self.url

    @property
    def has_moved(self) -> bool:
        """Whether its permanent redirect was seen `MOVED_TIMES` times over at least `MOVED_FOR`."""
        if self.moved_since is None or self.last_fetched is None:
            return False
        return self.moved_times >= MOVED_TIMES and self.last_fetched - self.moved_since >= MOVED_FOR

    def validators(self, now: datetime) -> tuple[str | None, str | None]:
        """Returns the ETag and Last-Modified to send; None if they were found wrong, or were used for `PROOF`
        already."""
        if self.validator_mismatches or (self.last_full is not None and now - self.last_full >= PROOF):
            return None, None
        return self.etag, self.last_modified


def owner(stored: str, incoming: str) -> str:
    """Returns the site that a page belongs to: the stored one, except that a declared site takes over from
    `generic`."""
    return incoming if stored == GENERIC_SITE else stored


def no_further_visit(
    first_seen: datetime,
    published: datetime | None,
    last_change: datetime | None,
    now: datetime,
    visits: int,
    edits: int,
) -> None:
    """Returns None (the default NextDue): a page that was fetched once is not visited again."""


def counters_of(page: ProcessedPage, outcome: Outcome) -> Iterator[str]:
    """Yields the counters to increase: its outcome, and its failure or the extractor and verdict of its article. A page
    in review is only counted as such, as in `status`. The bot wall of a page with status 200 is counted here, as only
    the page shows that it is one; walls with other statuses are counted where they answer."""
    yield OUTCOME + outcome.kind
    if page.needs_review:
        return
    if page.failure is not None:
        yield page.failure.code
        if page.failure.code == walls.VERDICT and (answer := walls.wall_in(page.failure.reason)) is not None:
            yield answer.code
    if page.article is not None:
        yield EXTRACTOR + page.article.extractor
        yield VERDICT + page.article.verdict
        if page.article.is_fallback:
            yield FALLBACK
