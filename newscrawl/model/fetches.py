"""A page on its way to an article: how its address was found, the page as the server sent it, and its outcome.

Addresses are candidates of the visits of sources. A fetched page has its place in the archive. Its outcome is an
article, or a failure with its reason code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal

from newscrawl.model.articles import Article

SourceType = Literal["feed", "sitemap", "section", "start"]
"""The kind of a source. `start` is an address that somebody gave, or the front page."""

TOO_COSTLY: Final = "source/too_costly"
SOURCE_TIMEOUT: Final = "source/timeout"
SOURCE_MEMORY: Final = "source/memory"
SOURCE_DIED: Final = "source/worker_died"
HARMFUL: Final = frozenset({TOO_COSTLY, SOURCE_TIMEOUT, SOURCE_MEMORY, SOURCE_DIED})
"""Failures of a source whose reading exceeded a limit of CPU time, time or memory, or killed its worker. Such a source
is not read until its back-off is over, whatever lists it meanwhile."""


@dataclass(frozen=True, slots=True)
class Discovery:
    """How a URL was found: the kind of source, its URL, and what it states about the found URL.

    `published` is the date that the source gives. In a plain sitemap it is the date of the last change, as is
    `modified`.
    """

    kind: SourceType
    source: str
    title: str | None = None
    published: datetime | None = None
    modified: datetime | None = None
    language: str | None = None
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A URL that a source lists as an article. It becomes a row in `pages` and later a request.

    `confidence`, from 0 to 1, is the probability that a link on a page leads to an article, judged by its words and
    place. It is None for a source that lists articles only.
    """

    url: str
    discovery: Discovery
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class SourceVisit:
    """The result of one visit of a source, for the decision when to visit it again.

    `fresh` has the publication date, or None, of every entry that no source had listed before. `previous` is the time
    of the visit before this one, None if there was none. A failed visit has a `failure` (a slash-name); `failures`
    counts the consecutive failures including this one, and `failing_since` is the time of the first.
    """

    url: str
    at: datetime
    previous: datetime | None = None
    status: int | None = None
    fresh: tuple[datetime | None, ...] = ()
    not_before: datetime | None = None
    """The earliest time at which the source itself allows the next reading."""
    failure: str | None = None
    failures: int = 0
    failing_since: datetime | None = None
    retired_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SourcePlan:
    """When a source is due again, and the state to store until then.

    `arrival_state` is the scheduler's model of the source, a JSON object that only the scheduler reads. `arrival_rate`
    is the expected number of new entries an hour. `retired` says that the source is requested rarely, only to see
    whether it is back.
    """

    next_due: datetime | None
    arrival_state: Mapping[str, object] | None = None
    arrival_rate: float | None = None
    retired: bool = False


OBJECT_STORE: Final = "s3://"
"""The address of an object store begins with this. The holder of a file of the archive is such an address, or the name
of a machine."""


def is_object_store(holder: str | None) -> bool:
    """Returns whether a holder of archive files, or an address, is an object store."""
    return holder is not None and holder.startswith(OBJECT_STORE)


@dataclass(frozen=True, slots=True)
class Exchange:
    """The request of a page. Only the archive stores it, beside the answer."""

    request: Mapping[str, str] = field(default_factory=dict, repr=False)
    ip_address: str | None = None
    redirects: tuple[str, ...] = ()
    """The URLs that were redirected, in order, without the final one."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in the archive: a file's number in the database, the offset of the first byte, the number of bytes."""

    file: int
    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class Capture:
    """One fetch in the archive. `body` is the place of the bytes: that of an earlier capture if the same bytes were
    stored before, None if they are not in the archive. `digest` is the hash of the body, None without a body (304)."""

    kind: Literal["response", "revisit"]
    spot: Spot
    body: Spot | None = None
    digest: str | None = None
    id: int | None = None
    """The id of its row; None before it is stored."""


@dataclass(frozen=True, slots=True)
class RawPage:
    """A fetched page as a spider yields it: the bytes and how they were fetched, nothing interpreted.

    `headers` has lower-case names; the values of a repeated header are joined by ", ". `body` is None after it has been
    archived and extracted, or if the answer was 304.
    """

    url: str
    final_url: str
    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | None = field(repr=False)
    fetched_at: datetime
    site: str
    discovery: Discovery | None = None
    exchange: Exchange | None = field(default=None, repr=False)
    capture: Capture | None = None
    """Its record in the archive, which is stored with the outcome of the page."""
    undated: bool = False
    """Whether the time of the fetch is unknown; `fetched_at` is then the time at which the page was ingested."""

    def __str__(self) -> str:
        """Scrapy writes this into its log, for example if the page cannot be stored."""
        return f"{self.url} ({self.site})"


FailureGroup = Literal["failure", "gone", "refused", "no article", "in review", "not sent"]
_GROUPS: Mapping[str, FailureGroup] = {
    **dict.fromkeys(("http/404", "http/410"), "gone"),
    **dict.fromkeys(("robots/forbidden", "robots/too_costly"), "refused"),
}
UNANSWERED: Final = frozenset(
    {"http/429", "robots/unreachable", "politeness/slow_down_requested"}
    | {f"http/{status}" for status in range(500, 600)}
    | {f"download/{kind}" for kind in ("timeout", "dns", "connection", "tls", "incomplete", "bad_answer")}
)
"""Codes of requests that failed because of their host."""
_FAMILIES: Mapping[str, FailureGroup] = {"verdict/": "no article", "review/": "in review", "politeness/": "not sent"}


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a fetched page has no article. `code` is the stable reason code (docs/reference/codes.md), which is also the
    name of a counter; `reason` is for people."""

    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class UsageRights:
    """The statements of a page about its use, in its headers and its head. A field is None if the page does not state
    it.

    `noindex`, `noarchive` and `nosnippet` are from X-Robots-Tag and the robots meta tag; `tdm_reservation` and
    `tdm_policy` are from the TDM Reservation Protocol (W3C community group).
    """

    noindex: bool = False
    noarchive: bool = False
    nosnippet: bool = False
    tdm_reservation: bool | None = None
    tdm_policy: str | None = None


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why the result of a site's own chain for a page is not credible: the site's latest pages look broken, as does
    this one.

    `first` is the result of that chain. `needs_review` says that no other chain gave a credible text either, so the
    page waits for review.
    """

    reasons: tuple[str, ...]
    first: Article | Failure
    needs_review: bool


@dataclass(frozen=True, slots=True)
class ProcessedPage:
    """A raw page after extraction, its body dropped: exactly one of `article` and `failure` is set."""

    raw: RawPage
    article: Article | None = None
    failure: Failure | None = None
    use: UsageRights | None = None
    """None if the page was not checked for it; the stored value then stays."""
    doubt: Doubt | None = None

    def __str__(self) -> str:
        return str(self.raw)

    @property
    def needs_review(self) -> bool:
        """Whether the page waits for review: no reader gets it until an operator, another extraction or a later visit
        releases it."""
        return self.doubt is not None and self.doubt.needs_review


def group_of(code: str) -> FailureGroup:
    """Returns the group in which a reason code is counted, the same in `status`, the table of a crawl
    and the log. A page or source that should be readable counts as failed. Others are counted separately: gone (404,
    410), forbidden by robots.txt, not an article, waiting for review, not sent (a host rests, a limit is reached)."""
    family = f"{code.partition('/')[0]}/"
    return _GROUPS.get(code) or _FAMILIES.get(family, "failure")


def is_unanswered(code: str | None) -> bool:
    """Returns whether a request failed because its host is away or overloaded (no connection, no answer in time, 429,
    5xx), so that other requests to the site would probably fail as well."""
    return code in UNANSWERED
