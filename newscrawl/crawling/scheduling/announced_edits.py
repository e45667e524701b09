"""Decides which pages to visit earlier because a source announces that they were edited, and how many. Pure.

A source announces an edit by a newer date of an entry, by another title, or by no longer listing the entry while older
ones stay. Many sources announce edits that never happened, and a reading cannot show which. So what is plausible is
followed, and the number of visits that are brought forward is limited for each site and day (`most_a_day`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Final, Literal

Signal = Literal["date", "title", "withdrawn"]
"""The way in which a source announces an edit: an entry has a newer date, another title, or is no longer listed."""

GAP: Final = timedelta(minutes=15)
"""The least time between two fetches of a page, however often a source announces edits of it: a live article with a new
date every minute is fetched four times an hour."""
SKEW: Final = timedelta(minutes=2)
"""By how much the clock of a source may differ from the clock of this machine, or by how much a cache may be late with
an edited page."""
FUTURE: Final = timedelta(hours=24)
"""A date further ahead is not credible (discovery.choose has the same limit: no two zones differ by more)."""

BULK_MIN: Final = 8
BULK_SHARE: Final = 0.5
"""If at least `BULK_MIN` entries and more than this share of all are announced in one reading, the source was
rebuilt: news sites do not edit half of their front page between two readings. Such a reading announces nothing."""

OLDER_STAY: Final = 3
"""Older entries that must stay before a missing one counts as withdrawn: a feed of fixed length drops its oldest entry,
and may keep one or two pinned posts that are older still."""
MISSING_SHARE: Final = 0.1
"""If more than this share of a listing is missing (one entry always may be), the source shows another selection, and no
entry counts as withdrawn."""

SHARE: Final = 0.1
"""The part of a site's visits in 24 hours that may be visits which were brought forward. An article has about twelve
visits and half an edit (docs/measurements/freshness.md), so a usual site announces fewer true edits than that. If all
announcements are false, there is at most one visit more for nine that the pages' own schedules ask for."""
LEAST_A_DAY: Final = 8
"""The number of visits that may be brought forward in 24 hours however few the site's visits are."""

_DATE_WORDS: Final = {"sitemap": "gives a newer lastmod", "feed": "gives a newer date"}
_WORDS: Final = {"title": "gives another title", "withdrawn": "no longer lists it, while older entries stay"}
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class ListedEntry:
    """An entry of a source, whose page was last fetched at `fetched`.

    `title`, `published` and `modified` are of this reading; an entry that is no longer listed has none. `title_before`
    and `date_before` (`latest_date`) are what the source said at earlier readings, `was_listed` says that the previous
    complete reading had the entry. `shown_title` is the title of the stored version of the page.
    """

    key: str
    fetched: datetime
    title: str | None = None
    published: datetime | None = None
    modified: datetime | None = None
    title_before: str | None = None
    date_before: datetime | None = None
    was_listed: bool = False
    shown_title: str | None = None


@dataclass(frozen=True, slots=True)
class SourceReading:
    """One reading of a source, at `at`; the one before was at `previous`. All times are aware and in UTC.

    `entries` are the entries that differ from what was said before; `listed` is the number of all entries with a
    fetched page. `missing` were listed at the previous reading and are not now; `staying` are the dates of those that
    were listed then and still are, which is only needed with `missing`.
    """

    at: datetime
    previous: datetime | None
    listed: int
    entries: Sequence[ListedEntry] = ()
    missing: Sequence[ListedEntry] = ()
    staying: Sequence[datetime] = ()


@dataclass(frozen=True, slots=True)
class EarlierVisit:
    """The page of an entry whose edit is announced by `signal`. It is visited at `due`, if not before by its own
    schedule."""

    key: str
    signal: Signal
    due: datetime


def earlier_visits(reading: SourceReading, gap: timedelta = GAP, skew: timedelta = SKEW) -> list[EarlierVisit]:
    """Returns the visits that this reading asks for, one an entry, and none before `gap` has passed since the last
    fetch of its page."""
    dated = [entry for entry in reading.entries if _has_newer_date(entry, reading, skew)]
    titled = [entry for entry in reading.entries if _has_other_title(entry, reading)]
    found: tuple[tuple[Signal, Sequence[ListedEntry]], ...] = (
        ("date", _unless_rebuilt(dated, reading)),
        ("title", _unless_rebuilt(titled, reading)),
        ("withdrawn", _withdrawn(reading)),
    )
    visits: dict[str, EarlierVisit] = {}
    for signal, entries in found:
        for entry in entries:
            visits.setdefault(entry.key, EarlierVisit(entry.key, signal, max(reading.at, entry.fetched + gap)))
    return list(visits.values())


def most_a_day(fetched: int) -> int:
    """Returns how many visits of a site may be brought forward in 24 hours in which `fetched` of its pages were
    fetched."""
    return max(LEAST_A_DAY, int(SHARE * fetched))


def latest_date(published: datetime | None, modified: datetime | None, now: datetime) -> datetime | None:
    """Returns the later of the dates that a source gives an entry, without one that lies too far ahead of `now`."""
    dates = [date for date in (published, modified) if date is not None and date <= now + FUTURE]
    return max(dates, default=None)


def describe(kind: str, signal: str) -> str:
    """Returns the announcement in words, for people: "the sitemap gives a newer lastmod"."""
    words = _DATE_WORDS.get(kind, "gives a newer date") if signal == "date" else _WORDS.get(signal, signal)
    return f"the {kind} {words}"


def _unless_rebuilt(entries: Sequence[ListedEntry], reading: SourceReading) -> Sequence[ListedEntry]:
    """Returns the entries; none if there are so many that the listing was built again."""
    return [] if len(entries) >= BULK_MIN and len(entries) > BULK_SHARE * reading.listed else entries


def _has_newer_date(entry: ListedEntry, reading: SourceReading, skew: timedelta) -> bool:
    """Returns whether the entry has a newer date than before that can be later than the page's last fetch."""
    if entry.date_before is None:
        # Without an earlier date only a stated time of change tells an edit from the publication.
        when = entry.modified
        return when is not None and entry.fetched + skew < when <= reading.at + skew
    when = latest_date(entry.published, entry.modified, reading.at)
    if when is None or when <= entry.date_before:
        return False
    if when > reading.at + skew:
        return _changed_after_fetch(entry, reading)  # a local time without its zone: only the order can be used
    return _end_of(when) + skew > entry.fetched


def _has_other_title(entry: ListedEntry, reading: SourceReading) -> bool:
    before, now = _words(entry.title_before), _words(entry.title)
    if not before or not now or before == now or now == _words(entry.shown_title):
        return False
    return _changed_after_fetch(entry, reading)


def _changed_after_fetch(entry: ListedEntry, reading: SourceReading) -> bool:
    """Returns whether a change between the two readings probably happened after the page's last fetch: it did if that
    fetch was before both, and it counts if most of the time between the readings is after the fetch."""
    if reading.previous is None or not entry.was_listed:
        return False
    return reading.at - entry.fetched > entry.fetched - reading.previous


def _end_of(when: datetime) -> datetime:
    """Returns the latest time that a stated date can mean: midnight counts as a date without a time."""
    return when + timedelta(days=1) if when.timetz() == time(tzinfo=UTC) else when


def _withdrawn(reading: SourceReading) -> Sequence[ListedEntry]:
    """Returns the missing entries that are newer than `OLDER_STAY` entries that stayed; none if too many are missing.

    An entry's age goes by its latest date, so an edited entry that moved to the top of a feed does not count as older.
    """
    oldest = sorted(reading.staying)[:OLDER_STAY]
    if len(oldest) < OLDER_STAY:
        return []
    withdrawn = [entry for entry in reading.missing if entry.date_before and entry.date_before > oldest[-1]]
    limit = max(1, int(MISSING_SHARE * (len(reading.staying) + len(reading.missing))))
    return [entry for entry in withdrawn if _changed_after_fetch(entry, reading)] if len(withdrawn) <= limit else []


def _words(title: str | None) -> list[str]:
    """Returns a title's words in lower case, without punctuation."""
    return _WORD.findall((title or "").casefold())
