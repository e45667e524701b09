"""The values that newscrawl's packages pass to each other.

All datetimes are aware and in UTC. All classes are frozen: each step makes a new value from an earlier one.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, timezone
from operator import attrgetter
from typing import Any, Final, Literal, TypeVar, overload

T = TypeVar("T")

Precision = Literal["year", "month", "day", "minute", "second"]
Verdict = Literal[
    "article", "live", "paywalled", "short", "listing", "product", "forum", "documentation", "service", "video",
    "gallery", "consent", "bot_wall", "soft_404", "empty",
]  # fmt: skip
"""The kind of a page. The first four are articles: complete, growing, the free part of one, shorter than usual."""
OTHER_KINDS: Final[tuple[Verdict, ...]] = (
    "listing", "product", "forum", "documentation", "service", "video", "gallery",
)  # fmt: skip
"""The kinds of pages that have a content of their own and are no articles."""
SourceKind = Literal["feed", "sitemap", "section", "start"]

TOO_COSTLY: Final = "source/too_costly"
SOURCE_TIMEOUT: Final = "source/timeout"
SOURCE_MEMORY: Final = "source/memory"
SOURCE_DIED: Final = "source/worker_died"
HARMFUL: Final = frozenset({TOO_COSTLY, SOURCE_TIMEOUT, SOURCE_MEMORY, SOURCE_DIED})
"""Failures of a source whose reading exceeded a limit of CPU time, time or memory, or killed its worker. Such a source
is not read until its back-off is over, whatever lists it meanwhile."""


def travels(cls: type[T]) -> type[T]:
    """Class decorator: pickles a dataclass's values as a call of its constructor. These values pass between processes
    for each page, and the default pickling of frozen dataclasses with slots takes twice as long."""
    values = _getter(cls)

    def reduced(self: Any) -> tuple[type[Any], tuple[Any, ...]]:
        own = type(self)
        return own, values(self) if own is cls else _getter(own)(self)

    cls.__reduce__ = reduced  # type: ignore[method-assign]
    return cls


def _utc() -> timezone:
    return UTC


def _reduced_zone(zone: timezone) -> tuple[Callable[..., timezone], tuple[Any, ...]]:
    """Reduces a zone to a call for pickle. The default for a zone takes as long as everything else of a page."""
    return (_utc, ()) if zone is UTC else (timezone, zone.__getinitargs__())  # type: ignore[attr-defined]


copyreg.pickle(timezone, _reduced_zone)


def _getter(cls: type[Any]) -> Callable[[Any], tuple[Any, ...]]:
    """A function that returns the values of all fields in order. The class must have at least two."""
    return attrgetter(*(field.name for field in fields(cls)))


@travels
@dataclass(frozen=True, slots=True)
class Discovery:
    """How a URL was found: the kind of source, its URL, and what it states about the found URL.

    `published` is the date that the source gives. In a plain sitemap it is the date of the last change, as is
    `modified`.
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
    """A URL that a source lists as an article. It becomes a row in `pages` and later a request.

    `confidence`, from 0 to 1, is the probability that a link on a page leads to an article, judged by its words and
    place. It is None for a source that lists articles only.
    """

    url: str
    discovery: Discovery
    confidence: float | None = None


@travels
@dataclass(frozen=True, slots=True)
class Exchange:
    """How a page was requested. Only the archive stores it, beside the answer."""

    request: Mapping[str, str] = field(default_factory=dict, repr=False)
    ip_address: str | None = None
    redirects: tuple[str, ...] = ()
    """The URLs that were redirected, in order, without the final one."""


OBJECT_STORE: Final = "s3://"
"""Begins the address of an object store that holds files of the archive, where a machine's name stands otherwise."""


@travels
@dataclass(frozen=True, slots=True)
class Spot:
    """A place in the archive: a file's number in the database, the offset of the first byte, the number of bytes."""

    file: int
    offset: int
    length: int


@travels
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


@travels
@dataclass(frozen=True, slots=True)
class ContentEncoding:
    """How a body is still compressed: its content encodings, and the largest size in bytes after decompression."""

    encoding: str
    most: int


@travels
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
    packing: ContentEncoding | None = None
    """None for a body that is not compressed; newscrawl.content_encoding decompresses others."""
    undated: bool = False
    """Whether the time of the fetch is unknown; `fetched_at` is then the time at which the page was ingested."""


@travels
@dataclass(frozen=True, slots=True)
class PublishedDate:
    """A date that a page states about itself: the time, the part of the page that states it, and its precision.

    A date without a zone is read as UTC, and `zone_stated` is False. `offset` is the offset from UTC that the page
    states, in minutes east; None if it states none, as a number of seconds since 1970.
    """

    when: datetime
    source: str
    precision: Precision
    zone_stated: bool = True
    offset: int | None = None


@travels
@dataclass(frozen=True, slots=True)
class RefusedDate:
    """A date that a page states and that is not credible."""

    raw: str
    source: str
    reason: str


@travels
@dataclass(frozen=True, slots=True)
class Attempt:
    """The result of one extractor of a chain, and why it was accepted or not."""

    extractor: str
    words: int
    characters: int
    accepted: bool
    reason: str


@travels
@dataclass(frozen=True, slots=True)
class HintMatch:
    """A hint of a site (`drop div.advert`) and the number of elements of a page that it matched."""

    label: str
    number: int


@travels
@dataclass(frozen=True, slots=True)
class Selection(Sequence[int]):
    """The runs that an extractor chose, ascending, and what it learned of the page on the way. It is a sequence of
    these runs; the confidence in a text is estimated from the rest (newscrawl.extraction.confidence)."""

    runs: tuple[int, ...]
    article: tuple[int, ...]
    """The runs that Boilerpipe's article recipe keeps."""
    group: tuple[int, ...] | None = None
    """The runs that the first step of `classic` keeps; None if they were not computed apart from `runs`."""
    probability: float | None = None
    """The mean probability of the runs, weighted by characters; None without a learned model."""
    expected_share: float | None = None
    """The share of the page's expected text (characters times probability) that the runs hold."""

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[int, ...]: ...
    def __getitem__(self, index: int | slice) -> int | tuple[int, ...]:
        return self.runs[index]

    def __len__(self) -> int:
        return len(self.runs)


@travels
@dataclass(frozen=True, slots=True)
class Extraction:
    """The result of a chain for one page. `text` is never None; `runs` are the indices of the page's runs that it
    kept."""

    text: str
    runs: tuple[int, ...]
    extractor: str
    trace: tuple[Attempt, ...]
    problems: tuple[str, ...] = ()
    selection: Selection | None = None
    """The extractor's choice before the chain finished it; None if the extractor says nothing more of it, and after
    hints of the site."""
    topic: float | None = None
    """The share of the words of headline and description in the text; None if it was not computed or is not known."""
    left_out: tuple[int, ...] = ()
    """Keys of the lines that were left out as boilerplate of the site (newscrawl.site_boilerplate)."""


@travels
@dataclass(frozen=True, slots=True)
class Image:
    """A picture of an article: its address, and what the page states about it. Width and height are in pixels, those of
    the address where the page states them, else those at which the page shows it."""

    url: str
    caption: str | None = None
    credit: str | None = None
    width: int | None = None
    height: int | None = None


@travels
@dataclass(frozen=True, slots=True)
class LiveEntry:
    """An entry of a live report: a part of one article with a time of its own.

    `at` is when it was published (UTC), `offset` the offset from UTC that the page states, in minutes east. `id` is the
    address or the name that the page gives the entry, which stays when the entry is edited.
    """

    at: datetime | None = None
    offset: int | None = None
    title: str | None = None
    text: str = ""
    id: str | None = None


@travels
@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page states about itself. A field is None or empty if the page states nothing credible for it.

    `images`, `videos` and `audio` are those of the article (newscrawl.metadata.media), the lead image first.
    `live_entries` are those of a live report (newscrawl.metadata.live_entries), in the page's order.
    """

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
    images: tuple[Image, ...] = ()
    videos: tuple[str, ...] = ()
    audio: tuple[str, ...] = ()
    live_entries: tuple[LiveEntry, ...] = ()


@travels
@dataclass(frozen=True, slots=True)
class Signature:
    """The signature of a text, by which texts of nearly the same words are found (newscrawl.identity.signature): the
    algorithm's name, the number of distinct shingles, and the smallest of their hashes, ascending."""

    algorithm: str
    shingles: int
    sketch: tuple[int, ...]


@travels
@dataclass(frozen=True, slots=True)
class Article:
    """An article extracted from a page: its text, its metadata, and how the text was extracted."""

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
    """None for a text too short to be compared with others."""
    hints: tuple[HintMatch, ...] = ()
    """The hints of the site that apply to the page. They are not stored."""
    confidence: float | None = None
    """The expected F1 of the text, from 0 to 1 (newscrawl.extraction.confidence); None for a text that was stored
    without one."""
    boilerplate_epoch: int = 0
    """The epoch of the site's boilerplate (newscrawl.site_boilerplate) that the text was extracted with."""
    left_out: tuple[int, ...] = ()
    """Keys of the lines that were left out as boilerplate of the site."""

    @property
    def is_fallback(self) -> bool:
        """Whether the accepted text is from another extractor than the first of the chain."""
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
    """What a page states about its use, in its headers and its head. A field is None if the page does not state it.

    `noindex`, `noarchive` and `nosnippet` are from X-Robots-Tag and the robots meta tag; `tdm_reservation` and
    `tdm_policy` are from the TDM Reservation Protocol (W3C community group).
    """

    noindex: bool = False
    noarchive: bool = False
    nosnippet: bool = False
    tdm_reservation: bool | None = None
    tdm_policy: str | None = None


@travels
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


@travels
@dataclass(frozen=True, slots=True)
class ProcessedPage:
    """A raw page after extraction, its body dropped: exactly one of `article` and `failure` is set."""

    raw: RawPage
    article: Article | None = None
    failure: Failure | None = None
    use: UsageRights | None = None
    """None if the page was not checked for it; the stored value then stays."""
    doubt: Doubt | None = None

    @property
    def needs_review(self) -> bool:
        """Whether the page waits for review: no reader gets it until an operator, another extraction or a later visit
        releases it."""
        return self.doubt is not None and self.doubt.needs_review


@travels
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


@travels
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


KindGroup = Literal["failure", "gone", "refused", "no article", "in review", "not sent"]
_GROUPS: Mapping[str, KindGroup] = {"http/404": "gone", "http/410": "gone", "robots/forbidden": "refused"}
_FAMILIES: Mapping[str, KindGroup] = {"verdict/": "no article", "review/": "in review", "politeness/": "not sent"}


def group_of(kind: str) -> KindGroup:
    """Returns the group in which a failure's kind (a slash-name) is counted, the same in `status`, the table of a crawl
    and the log. A page or source that should be readable counts as failed. Others are counted separately: gone (404,
    410), forbidden by robots.txt, not an article, waiting for review, not sent (a host rests, a limit is reached)."""
    family = f"{kind.partition('/')[0]}/"
    return _GROUPS.get(kind) or _FAMILIES.get(family, "failure")
