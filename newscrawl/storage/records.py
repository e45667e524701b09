"""What storage's functions take and return. All frozen, all times aware and in UTC."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from newscrawl.model import Discovery, SourceKind

GENERIC_SITE: Final = "generic"
"""The spider for any site; a site with a declaration of its own takes its pages over, never the other way round."""

PageStateName = Literal["found", "fetched", "failed", "gone"]
OutcomeKind = Literal["inserted", "joined", "new_version", "unchanged", "failed", "quarantined"]

NextDue = Callable[[datetime, datetime | None, datetime | None, datetime], datetime | None]
"""(first seen, published, last change, now) -> when to visit the page again, None for never."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one saved page. `reason` is for people, empty where the kind says all."""

    kind: OutcomeKind
    page_id: int | None = None
    article_id: int | None = None
    reason: str = ""


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
    """A page as stored. `identity` names the article it shows; `id` is None before the page is stored."""

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


@dataclass(frozen=True, slots=True)
class DuePage:
    """A page to fetch now; `etag` and `last_modified` make the request conditional, and are None without an article."""

    url: str
    url_key: str
    etag: str | None
    last_modified: str | None
    discovery: Discovery | None


@dataclass(frozen=True, slots=True)
class SourceAnswer:
    """What a source answered. With 304 the validators may be None: the stored ones stay."""

    site: str
    url: str
    kind: SourceKind
    status: int
    fetched_at: datetime
    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A source as stored. `watermark` is the newest publication date it has named, never in the future."""

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


def owner(stored: str, incoming: str) -> str:
    """The site a page belongs to: whoever declared it first, except that a declared site takes over from `generic`."""
    return incoming if stored == GENERIC_SITE else stored


def never(first_seen: datetime, published: datetime | None, last_change: datetime | None, now: datetime) -> None:
    """The NextDue of a store that was given none: a page that was fetched once is not visited again."""
