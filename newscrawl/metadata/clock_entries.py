"""Reads the entries of a live report that show only a time of day ("14:32 Uhr"), without a <time>.

Such a time is a line of its own or the beginning of a paragraph. An entry goes from its time to the next one. Its day
is not stated: it is that of the article's date, and the next one after midnight.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from typing import Final

from newscrawl.metadata.text import MAX_TITLE, clean
from newscrawl.model import LiveEntry, PublishedDate
from newscrawl.page import Page
from newscrawl.page.elements import NO_PARENT
from newscrawl.page.run import HEADING
from newscrawl.times import TIME_STARTS, TimeOfDay, leading_time

MAX_ENTRIES: Final = 300
"""Entries that are read of one page, those that it shows first. A day's live report has at most some two hundred."""
MAX_ENTRY: Final = 20_000
"""Characters kept of the text of one entry."""
MIN_CLOCKS: Final = 4
"""The least times of day that are those of entries. Fewer are the programme of an event."""
MIN_WITH_TEXT: Final = 0.7
"""The least share of the times with a text below."""
LEADING_RUNS: Final = 3
"""Runs above the text among which is the first entry's time, which is no text."""
LINKED_WORDS: Final = 3
"""The most words of a time that is a link to its entry."""
HALF_A_DAY: Final = 12 * 60
"""Minutes. A time that is so much earlier than the one before is of the next day."""


@dataclass(frozen=True, slots=True)
class _Clock:
    """A run that begins with a time of day."""

    run: int
    time: TimeOfDay

    @property
    def minutes(self) -> int:
        return 60 * self.time.hour + self.time.minute


def clock_entries(
    page: Page, kept: Sequence[int], published: PublishedDate | None, latest: datetime
) -> tuple[LiveEntry, ...]:
    """Returns the entries among the runs `kept`, in the page's order; () without entries.

    Their times have the day of `published`; they are None without it, and after `latest`. Linear time.
    """
    clocks = _clocks(page, kept)
    if len(clocks) < MIN_CLOCKS:
        return ()
    starts = [clock.run for clock in clocks]
    spans = [*pairwise(starts), (starts[-1], _end_of_last(page, clocks))]
    moments = _moments(clocks, published, latest)
    entries: list[LiveEntry] = []
    for clock, (first, end), at in list(zip(clocks, spans, moments, strict=True))[:MAX_ENTRIES]:
        title, text = _title_and_text(page, kept[bisect_left(kept, first) : bisect_left(kept, end)], clock)
        if text or title:
            entries.append(LiveEntry(at, published.offset if published and at else None, title, text[:MAX_ENTRY]))
    return tuple(entries) if len(entries) >= max(MIN_CLOCKS, MIN_WITH_TEXT * len(clocks)) else ()


def _clocks(page: Page, kept: Sequence[int]) -> list[_Clock]:
    """Returns the times of day in elements of one kind, from right above the text to its end."""
    found: list[_Clock] = []
    for index in range(max(0, kept[0] - LEADING_RUNS), kept[-1] + 1) if kept else ():
        run = page.runs[index]
        if run.text[0] in TIME_STARTS and (not run.linked_words or run.words <= LINKED_WORDS):
            time = leading_time(run.text)
            if time is not None:
                found.append(_Clock(index, time))
    kinds = [_kind(page, clock) for clock in found]
    common = Counter(kinds).most_common(1)[0][0] if kinds else None
    return [clock for clock, kind in zip(found, kinds, strict=True) if kind == common]


def _kind(page: Page, clock: _Clock) -> tuple[int, str]:
    element = page.runs[clock.run].element
    return page.elements.tag[element], (page.elements.values(element, ("class",)) or ("",))[0] or ""


def _end_of_last(page: Page, clocks: Sequence[_Clock]) -> int:
    """Returns the run after the last entry: the end of the highest element that holds its time and no other one; where
    nothing else is in there, the end of the element around that."""
    elements, runs = page.elements, page.runs
    last = clocks[-1]
    before, top = runs[clocks[-2].run].element, runs[last.run].element
    around = {before, *elements.ancestors(before)}
    while top not in around and elements.parent[top] not in {*around, NO_PARENT}:
        top = elements.parent[top]
    end = page.first_run(elements.end_of(top))
    has_text = end > last.run + 1 or last.time.rest
    return end if has_text else page.first_run(elements.end_of(elements.parent[top]))


def _moments(clocks: Sequence[_Clock], published: PublishedDate | None, latest: datetime) -> list[datetime | None]:
    """Returns the times of the entries in UTC."""
    if published is None:
        return [None] * len(clocks)
    zone = timezone(timedelta(minutes=published.offset or 0))
    first = published.when.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    minutes = [clock.minutes for clock in clocks]
    falling = sum(later < earlier for earlier, later in pairwise(minutes))
    newest_first = 2 * falling > len(minutes) - 1
    days, day, before = [], 0, 0
    for now in reversed(minutes) if newest_first else minutes:
        day += before - now > HALF_A_DAY
        days.append(first + timedelta(days=day, minutes=now))
        before = now
    found = [moment.astimezone(UTC) for moment in (reversed(days) if newest_first else days)]
    return [moment if moment <= latest else None for moment in found]


def _title_and_text(page: Page, inside: Sequence[int], clock: _Clock) -> tuple[str | None, str]:
    """Returns the first line of an entry if it is a heading, and its other lines, without its time."""
    lines = [(clock.time.rest if i == clock.run else page.runs[i].text, page.runs[i].flags & HEADING) for i in inside]
    lines = [line for line in lines if line[0]]
    title = clean(lines[0][0], MAX_TITLE) if len(lines) > 1 and lines[0][1] else None
    return title, "\n\n".join(text for text, _ in (lines[1:] if title else lines))
