"""How addresses of articles are found: candidates, and the visits of the sources that list them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

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
