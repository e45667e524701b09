"""Decides which pages to visit earlier because a source announces that they were edited. Pure.

A source announces an edit by a newer date of an entry, by another title, or by no longer listing the entry while older
ones stay. Many sources announce edits that never happened: they give every entry the time of the build. So trust is
learned for each source and signal from the visits that it brought forward: the share of them that found a changed page.
An untested signal gets a few visits, a trusted one up to fifty at one time, a distrusted one a single probe now and
then.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from typing import Any, Final

from newscrawl.edit_signals import SIGNALS, EarlierVisit, EarlierVisits, ListedEntry, Signal, SourceReading, latest_date

ANNOUNCEMENT_LIFETIME: Final = timedelta(days=2)
"""An announcement that got no visit within this time is dropped; the page still gets its regular visits."""

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

LIMITED_AT_ONCE: Final = 3
"""Visits brought forward at one time for a signal that is untested or half trusted. This also limits the first requests
that are wasted on a source with false announcements."""
TRUSTED_AT_ONCE: Final = 50
"""Visits brought forward at one time for a trusted signal; further ones wait for the next reading."""
MIN_OUTCOMES: Final = 2.5
"""Weighted outcomes needed to count as tested: those of three visits (1 + 0.9 + 0.81)."""
TRUSTED: Final = 0.5
"""Share of the visits that must find an edit before the signal is followed without the lower limit."""
MIN_TRUST: Final = 0.25
"""Least share of the visits that must find an edit; below it the signal is only probed. One regular visit in about
seven finds one (revisit.PRIOR_EDITS), so below this share an announcement tells hardly more, and costs requests."""
FADE: Final = 0.9
"""Weight of all earlier outcomes after each new one: about the last ten count, so a source can lose and regain trust
within days."""
MAX_PROBE_FACTOR: Final = 8
"""A probe without an edit doubles the pause before the next one, up to so many times the first."""

_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class EditPolicy:
    """`gap` is the least time between two fetches of a page, however often a source announces edits of it: a live
    article with a new date every minute is fetched four times an hour. `probe` is the first pause between two probes
    of a distrusted source. `skew` is how far a source's clock may differ from ours, or how late a cache may serve an
    edited page."""

    gap: timedelta = timedelta(minutes=15)
    probe: timedelta = timedelta(days=1)
    skew: timedelta = timedelta(minutes=2)


DEFAULT: Final = EditPolicy()


@dataclass(frozen=True, slots=True)
class Trust:
    """The record of one signal of a source. `edited` and `unchanged` are faded counts of the visits that found an edit
    or none, `in_row` is the number of latest visits in a row that found none, `last` is when a visit was last brought
    forward."""

    edited: float = 0.0
    unchanged: float = 0.0
    in_row: int = 0
    last: datetime | None = None

    @property
    def share(self) -> float:
        """The share of visits that can be expected to find an edit (Laplace's rule: 1/2 when nothing is known)."""
        return (self.edited + 1) / (self.edited + self.unchanged + 2)

    def after(self, *, found_edit: bool) -> Trust:
        """Returns the record after one more visit."""
        return Trust(
            self.edited * FADE + found_edit,
            self.unchanged * FADE + (not found_edit),
            0 if found_edit else self.in_row + 1,
            self.last,
        )

    def allowed(self, now: datetime, policy: EditPolicy) -> int:
        """Returns how many visits brought forward for this signal may be pending at one time."""
        if self.share < MIN_TRUST:
            doublings = max(0, self.in_row - LIMITED_AT_ONCE)
            pause = policy.probe * min(MAX_PROBE_FACTOR, 1 << min(doublings, 10))
            return int(self.last is None or now - self.last >= pause)
        is_trusted = self.edited + self.unchanged >= MIN_OUTCOMES and self.share >= TRUSTED
        return TRUSTED_AT_ONCE if is_trusted else LIMITED_AT_ONCE


def earlier_visits(
    memory: Mapping[str, Any] | None, reading: SourceReading, policy: EditPolicy = DEFAULT
) -> EarlierVisits:
    """Returns the visits that this reading brings forward, none before `policy.gap` has passed since the page's last
    fetch."""
    trust = read_trust(memory)
    for signal, found_edit in reading.outcomes:
        trust[signal] = trust[signal].after(found_edit=found_edit)
    announced = _announced(reading, policy.skew)
    waiting = Counter(signal for signal, at in reading.pending if reading.at - at <= ANNOUNCEMENT_LIFETIME)
    capacity = {signal: record.allowed(reading.at, policy) - waiting[signal] for signal, record in trust.items()}
    signals: dict[str, Signal] = {}
    visits: list[EarlierVisit] = []
    for entry in (*reading.entries, *reading.missing):
        announcing = sorted(announced.get(entry.key, ()), key=lambda signal: -trust[signal].share)
        if announcing:
            signals[entry.key] = announcing[0]
        wanted = next((signal for signal in announcing or _waiting(entry, reading.at) if capacity[signal] > 0), None)
        next_due = max(reading.at, entry.fetched + policy.gap)
        if wanted is not None and (entry.next_due is None or next_due < entry.next_due):
            capacity[wanted] -= 1
            visits.append(EarlierVisit(entry.key, wanted, next_due))
    for signal in {visit.signal for visit in visits}:
        trust[signal] = replace(trust[signal], last=reading.at)
    return EarlierVisits(visits, signals, write_trust(trust))


def read_trust(memory: Mapping[str, Any] | None) -> dict[Signal, Trust]:
    """Returns the record of each signal, read from what `write_trust` made."""
    trust: dict[Signal, Trust] = {}
    for signal in SIGNALS:
        edited, unchanged, in_row, last = (memory or {}).get(signal) or (0.0, 0.0, 0, None)
        trust[signal] = Trust(edited, unchanged, in_row, datetime.fromtimestamp(last, UTC) if last else None)
    return trust


def write_trust(trust: Mapping[Signal, Trust]) -> dict[str, Any] | None:
    """Returns the records as JSON; None if nothing was learned yet."""
    known: dict[str, Any] = {
        signal: [
            round(record.edited, 4),
            round(record.unchanged, 4),
            record.in_row,
            record.last.timestamp() if record.last else None,
        ]
        for signal, record in trust.items()
        if record != Trust()
    }
    return known or None


def _announced(reading: SourceReading, skew: timedelta) -> dict[str, list[Signal]]:
    """Returns what this reading announces, by entry. A listing that was built again announces nothing."""
    signals: list[tuple[str, Signal]] = [
        (entry.key, "date") for entry in reading.entries if _has_newer_date(entry, reading, skew)
    ]
    signals += [(entry.key, "title") for entry in reading.entries if _has_other_title(entry, reading)]
    numbers = Counter(signal for _, signal in signals)
    bulk = {signal for signal, n in numbers.items() if n >= BULK_MIN and n > BULK_SHARE * reading.listed}
    signals += [(entry.key, "withdrawn") for entry in _withdrawn(reading)]
    announced: dict[str, list[Signal]] = {}
    for key, signal in signals:
        if signal not in bulk:
            announced.setdefault(key, []).append(signal)
    return announced


def _has_newer_date(entry: ListedEntry, reading: SourceReading, skew: timedelta) -> bool:
    """Returns whether the entry has a newer date than before that can be later than the page's last fetch."""
    noted = entry.noted.date if entry.noted is not None else None
    if noted is None:
        # Without an earlier date only a stated time of change tells an edit from the publication.
        when = entry.modified
        return when is not None and entry.fetched + skew < when <= reading.at + skew
    when = latest_date(entry.published, entry.modified, reading.at)
    if when is None or when <= noted:
        return False
    if when > reading.at + skew:
        return _changed_after_fetch(entry, reading)  # a local time without its zone: only the order can be used
    return _end_of(when) + skew > entry.fetched


def _has_other_title(entry: ListedEntry, reading: SourceReading) -> bool:
    before, now = _words(entry.noted.title if entry.noted is not None else None), _words(entry.title)
    if not before or not now or before == now or now == _words(entry.shown_title):
        return False
    return _changed_after_fetch(entry, reading)


def _changed_after_fetch(entry: ListedEntry, reading: SourceReading) -> bool:
    """Returns whether a change between the two readings probably happened after the page's last fetch: it did if that
    fetch was before both, and it counts if most of the time between the readings is after the fetch."""
    if reading.previous is None or entry.noted is None or not entry.noted.listed:
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
    withdrawn = [entry for entry in reading.missing if _date_noted(entry) > oldest[-1]]
    limit = max(1, int(MISSING_SHARE * (len(reading.staying) + len(reading.missing))))
    return [entry for entry in withdrawn if _changed_after_fetch(entry, reading)] if len(withdrawn) <= limit else []


def _date_noted(entry: ListedEntry) -> datetime:
    noted = entry.noted.date if entry.noted is not None else None
    return noted or datetime.min.replace(tzinfo=UTC)


def _waiting(entry: ListedEntry, now: datetime) -> Sequence[Signal]:
    """Returns the signal of an earlier reading that has led to no visit yet."""
    noted = entry.noted
    if noted is None or noted.signal is None or noted.announced is None:
        return ()
    return () if noted.announced <= entry.fetched or now - noted.announced > ANNOUNCEMENT_LIFETIME else (noted.signal,)


def _words(title: str | None) -> list[str]:
    """Returns a title's words in lower case, without punctuation."""
    return _WORD.findall((title or "").casefold())
