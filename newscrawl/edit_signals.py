"""Values about edits that a source announces, which storage passes to the scheduler and gets back from it.

All datetimes are aware and in UTC. All classes are frozen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, Literal

Signal = Literal["date", "title", "withdrawn"]
"""The way in which a source announces an edit: an entry has a newer date, another title, or is no longer listed."""

SIGNALS: Final[tuple[Signal, ...]] = ("date", "title", "withdrawn")

FUTURE: Final = timedelta(hours=24)
"""A date further ahead is not credible (discovery.choose has the same limit: no two zones differ by more)."""

_DATE_WORDS: Final = {"sitemap": "gives a newer lastmod", "feed": "gives a newer date"}
_WORDS: Final = {"title": "gives another title", "withdrawn": "no longer lists it, while older entries stay"}


def describe(kind: str, signal: str) -> str:
    """Returns the announcement in words, for people: "the sitemap gives a newer lastmod"."""
    words = _DATE_WORDS.get(kind, "gives a newer date") if signal == "date" else _WORDS.get(signal, signal)
    return f"the {kind} {words}"


def latest_date(published: datetime | None, modified: datetime | None, now: datetime) -> datetime | None:
    """Returns the later of the dates that a source gives an entry, without one that lies too far ahead of `now`."""
    dates = [date for date in (published, modified) if date is not None and date <= now + FUTURE]
    return max(dates, default=None)


@dataclass(frozen=True, slots=True)
class NotedEntry:
    """The statements of a source about an entry at its earlier readings. `date` is the latest date it gave
    (`latest_date`).

    `listed` says that the previous complete reading had the entry. `announced` is the time of the reading that
    announced its latest edit, by `signal`.
    """

    title: str | None = None
    date: datetime | None = None
    listed: bool = False
    announced: datetime | None = None
    signal: Signal | None = None


@dataclass(frozen=True, slots=True)
class ListedEntry:
    """An entry whose page was fetched at `fetched` and is due at `next_due` (None: no further visit).

    `published` and `modified` are the dates of this reading; `noted` is None when the source names it for the first
    time. `shown_title` is the title of the stored version of the page. An entry that is no longer listed has only
    `noted`.
    """

    key: str
    fetched: datetime
    next_due: datetime | None = None
    title: str | None = None
    published: datetime | None = None
    modified: datetime | None = None
    noted: NotedEntry | None = None
    shown_title: str | None = None


@dataclass(frozen=True, slots=True)
class SourceReading:
    """One reading of a source, at `at`; the one before was at `previous`.

    `entries` are the entries that differ from what was noted, or were announced and not fetched since; `listed` is the
    number of all entries with a fetched page. `missing` were listed at the previous reading and are not now; `staying`
    are the dates of those that were listed then and still are, which is only needed with `missing`.
    `outcomes` are the visits that this source brought forward and that have ended: the signal, and whether the page had
    changed; `pending` are those that have not ended: the signal, and when it was given.
    """

    kind: str
    at: datetime
    previous: datetime | None
    listed: int
    entries: Sequence[ListedEntry] = ()
    missing: Sequence[ListedEntry] = ()
    staying: Sequence[datetime] = ()
    outcomes: Sequence[tuple[Signal, bool]] = ()
    pending: Sequence[tuple[Signal, datetime]] = ()


@dataclass(frozen=True, slots=True)
class EarlierVisit:
    """A page whose next visit is moved forward to `next_due`."""

    key: str
    signal: Signal
    next_due: datetime


@dataclass(frozen=True, slots=True)
class EarlierVisits:
    """The decision after a reading. `announced` are the entries with a new signal, whether their visits are moved
    forward or not. `trust` is the source's state to store: JSON that only the scheduler reads."""

    visits: Sequence[EarlierVisit] = ()
    announced: Mapping[str, Signal] = field(default_factory=dict)
    trust: Mapping[str, Any] | None = None
