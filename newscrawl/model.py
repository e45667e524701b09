"""The values that travel between the rooms of newscrawl.

All datetimes are aware and in UTC. All classes are frozen; a later step makes a new value from an earlier one.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, timezone
from operator import attrgetter
from typing import Any, Final, Literal, TypeVar

T = TypeVar("T")

Precision = Literal["year", "month", "day", "minute", "second"]
Verdict = Literal[
    "article", "live", "paywalled", "short", "listing", "video", "gallery", "consent", "bot_wall", "soft_404", "empty"
]
"""What a page is. The first four are articles: whole, growing, the part that is free, shorter than usual."""
SourceKind = Literal["feed", "sitemap", "section", "start"]

TOO_COSTLY: Final = "source/too_costly"
SOURCE_TIMEOUT: Final = "source/timeout"
SOURCE_MEMORY: Final = "source/memory"
SOURCE_DIED: Final = "source/worker_died"
HARMFUL: Final = frozenset({TOO_COSTLY, SOURCE_TIMEOUT, SOURCE_MEMORY, SOURCE_DIED})
"""Why a source was given up whose reading cost more CPU time, time or memory than a source may, or killed its worker.
Such a source rests until its back-off is over, whoever names it meanwhile."""


def travels(cls: type[T]) -> type[T]:
    """Has a dataclass's values pickled as the call that makes them: they go from process to process page by page, and
    what `dataclass` does for frozen classes with slots takes twice as long."""
    values = _getter(cls)

    def reduced(self: Any) -> tuple[type[Any], tuple[Any, ...]]:
        own = type(self)
        return own, values(self) if own is cls else _getter(own)(self)

    cls.__reduce__ = reduced  # type: ignore[method-assign]
    return cls


def _utc() -> timezone:
    return UTC


def _reduced_zone(zone: timezone) -> tuple[Callable[..., timezone], tuple[Any, ...]]:
    """As the call that gives it. What pickle does by itself for a zone takes as long as for all else of a page."""
    return (_utc, ()) if zone is UTC else (timezone, zone.__getinitargs__())  # type: ignore[attr-defined]


copyreg.pickle(timezone, _reduced_zone)


def _getter(cls: type[Any]) -> Callable[[Any], tuple[Any, ...]]:
    """What gives the values of all fields, at least two, in order."""
    return attrgetter(*(one.name for one in fields(cls)))


@travels
@dataclass(frozen=True, slots=True)
class Discovery:
    """How a URL was found: by which kind of source, at which address, and what that source said of it.

    `published` is the date the source shows, which in a plain sitemap is that of the last change (`modified` too).
    """

    kind: SourceKind
    source: str
    title: str | None = None
    published: datetime | None = None
    modified: datetime | None = None
    language: str | None = None
    keywords: tuple[str, ...] = ()


@travels
@dataclass(frozen=True, slots=True)
class Candidate:
    """A URL that a source offers as an article; a row in `pages` before it is a request.

    `confidence`, from 0 to 1, is how likely a link of a page is one, judged by words and place; None where the source
    lists articles by itself.
    """

    url: str
    discovery: Discovery
    confidence: float | None = None


@travels
@dataclass(frozen=True, slots=True)
class Exchange:
    """How a page was asked for: what the archive keeps beside the answer, and nobody else reads."""

    request: Mapping[str, str] = field(default_factory=dict, repr=False)
    ip_address: str | None = None
    redirects: tuple[str, ...] = ()
    """Addresses that led to the final one, in order."""


@travels
@dataclass(frozen=True, slots=True)
class Spot:
    """A place in the archive: a file by its number in the database, the first byte, and how many."""

    file: int
    offset: int
    length: int


@travels
@dataclass(frozen=True, slots=True)
class Capture:
    """One fetch in the archive. `body` is where the bytes are, which is elsewhere when they had been kept before and
    None when they are not in the archive; `digest` is that of the body, None without one (304)."""

    kind: Literal["response", "revisit"]
    spot: Spot
    body: Spot | None = None
    digest: str | None = None
    id: int | None = None
    """Its row; None before it is stored."""


@travels
@dataclass(frozen=True, slots=True)
class ContentEncoding:
    """How a body is still packed: by which content encoding, and how many bytes it may come to when it is opened."""

    encoding: str
    most: int


@travels
@dataclass(frozen=True, slots=True)
class RawPage:
    """A fetched page as a spider yields it: bytes and circumstances, nothing interpreted.

    `headers` has lower-case names; of a repeated header the values are joined by ", ".
    `body` is None once it has been archived and extracted, or when the answer was 304.
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
    """Where the archive has it; stored with what becomes of the page."""
    packing: ContentEncoding | None = None
    """None for a body that is open; newscrawl.content_encoding opens others."""
    undated: bool = False
    """Whether the time of the fetch is unknown. `fetched_at` is then the time at which the page was ingested."""


@travels
@dataclass(frozen=True, slots=True)
class PublishedDate:
    """A date a page states of itself: when, which part of the page says so, and how exact it is.

    A date stated without a zone is read as UTC and `zone_stated` is False.
    """

    when: datetime
    source: str
    precision: Precision
    zone_stated: bool = True


@travels
@dataclass(frozen=True, slots=True)
class RefusedDate:
    """A date that was stated and not believed."""

    raw: str
    source: str
    reason: str


@travels
@dataclass(frozen=True, slots=True)
class Attempt:
    """One extractor's turn in a chain: what it yielded, and why that was taken or not."""

    extractor: str
    words: int
    characters: int
    accepted: bool
    reason: str


@travels
@dataclass(frozen=True, slots=True)
class Extraction:
    """What a chain made of a page. `text` is never None; `runs` are the indices of the page's runs it kept."""

    text: str
    runs: tuple[int, ...]
    extractor: str
    trace: tuple[Attempt, ...]
    problems: tuple[str, ...] = ()


@travels
@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page says of itself. None or empty where it says nothing that can be believed."""

    title: str | None = None
    authors: tuple[str, ...] = ()
    published: PublishedDate | None = None
    modified: PublishedDate | None = None
    refused_dates: tuple[RefusedDate, ...] = ()
    language: str | None = None
    section: str | None = None
    tags: tuple[str, ...] = ()
    image: str | None = None
    canonical: str | None = None
    site_name: str | None = None
    description: str | None = None


@travels
@dataclass(frozen=True, slots=True)
class Signature:
    """What finds texts of nearly the same words (newscrawl.identity.signature): the algorithm's name, the number of
    the text's different shingles, and the smallest of their hashes, ascending."""

    algorithm: str
    shingles: int
    sketch: tuple[int, ...]


@travels
@dataclass(frozen=True, slots=True)
class Article:
    """A page turned into an article: its text, what it says of itself, and how the text was obtained."""

    url: str
    site: str
    metadata: Metadata
    text: str
    extractor: str
    verdict: Verdict
    trace: tuple[Attempt, ...] = ()
    problems: tuple[str, ...] = ()
    content_hash: str | None = None
    identity_key: str | None = None
    signature: Signature | None = None
    """None for a text too short to be anybody's copy."""

    @property
    def is_fallback(self) -> bool:
        """Whether another extractor than the first of the chain gave the text; being tried is not enough."""
        return bool(self.trace) and self.trace[0].extractor != self.extractor


@travels
@dataclass(frozen=True, slots=True)
class Failure:
    """Why a fetched page has no article: `kind` is a stable slash-name for counters, `reason` is for people."""

    kind: str
    reason: str


@travels
@dataclass(frozen=True, slots=True)
class UsageRights:
    """What a page says about its use, in its headers and its head. None where it says nothing.

    `noindex`, `noarchive` and `nosnippet` are X-Robots-Tag's and the robots meta tag's; `tdm_reservation` and
    `tdm_policy` are the TDM Reservation Protocol's (W3C community group).
    """

    noindex: bool = False
    noarchive: bool = False
    nosnippet: bool = False
    tdm_reservation: bool | None = None
    tdm_policy: str | None = None


@travels
@dataclass(frozen=True, slots=True)
class Doubt:
    """Why what a site's own chain made of a page is not believed: its latest pages look broken, and so does this one.

    `first` is what that chain made of it. `needs_review`: no other chain's text was believed either, so the
    page is held for review.
    """

    reasons: tuple[str, ...]
    first: Article | Failure
    needs_review: bool


@travels
@dataclass(frozen=True, slots=True)
class ProcessedPage:
    """A raw page after extraction, its body dropped: exactly one of `article` and `failure` is set."""

    raw: RawPage
    article: Article | None = None
    failure: Failure | None = None
    use: UsageRights | None = None
    """None when nobody looked: what is stored stays."""
    doubt: Doubt | None = None

    @property
    def needs_review(self) -> bool:
        """Whether it is kept from readers until an operator, another extraction or a later visit says otherwise."""
        return self.doubt is not None and self.doubt.needs_review


@travels
@dataclass(frozen=True, slots=True)
class SourceVisit:
    """What one visit of a source showed, for the decision when to visit it again.

    `fresh` holds a publication date, or None, for every entry that no source had named before. `previous` is the visit
    before this one, None when there was none. A failed visit has a `failure` (a slash-name), and `failures` counts it
    and those before it in a row, the first of which was at `failing_since`.
    """

    url: str
    at: datetime
    previous: datetime | None = None
    status: int | None = None
    fresh: tuple[datetime | None, ...] = ()
    not_before: datetime | None = None
    """The source itself asks not to be read earlier."""
    failure: str | None = None
    failures: int = 0
    failing_since: datetime | None = None
    retired_at: datetime | None = None


@travels
@dataclass(frozen=True, slots=True)
class SourcePlan:
    """When a source is due again, and what to remember until then.

    `arrival_state` is the scheduler's model of the source, a JSON object that only the scheduler reads; `arrival_rate`
    is how many new entries an hour are expected now; `retired` says that it is asked for only now and then, to see
    whether it is back.
    """

    next_due: datetime | None
    arrival_state: Mapping[str, object] | None = None
    arrival_rate: float | None = None
    retired: bool = False


KindGroup = Literal["failure", "gone", "refused", "no article", "in review"]
_GROUPS: Mapping[str, KindGroup] = {"http/404": "gone", "http/410": "gone", "robots/forbidden": "refused"}
_FAMILIES: Mapping[str, KindGroup] = {"verdict/": "no article", "review/": "in review"}


def group_of(kind: str) -> KindGroup:
    """What an operator counts a failure's kind (a slash-name) as, the same in `status`, the table of a crawl and the
    log. A failure is a page or source that should be readable: one that is gone (404, 410), that robots.txt forbids,
    that is no article, or that waits for review, is counted apart."""
    family = f"{kind.partition('/')[0]}/"
    return _GROUPS.get(kind) or _FAMILIES.get(family, "failure")
