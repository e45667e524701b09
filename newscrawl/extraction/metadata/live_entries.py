"""Reads the entries of a live report: parts of one article with times of their own.

An entry is an object of `liveBlogUpdate` in JSON-LD (schema.org, LiveBlogPosting). Pages without these show entries as
elements beside each other, each with a <time>, or as headings with a <time> and what follows them. Others show only
times of day ("14:32 Uhr"), each a line of its own or the beginning of a paragraph. Then an entry goes from its time to
the next one. Its day is not stated: it is that of the article's date, and the next one after midnight.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from typing import Any, Final

from newscrawl.extraction.metadata.structured import Structured
from newscrawl.extraction.metadata.text import MAX_TITLE, clean, texts
from newscrawl.model import LiveEntry, PublishedDate
from newscrawl.model.times import TIME_STARTS, TimeOfDay, leading_time
from newscrawl.model.written_dates.parse_date import MAX_RAW, read_date
from newscrawl.page import Page
from newscrawl.page.elements import NO_PARENT
from newscrawl.page.run import HEADING
from newscrawl.page.tags import TAG_NAMES

MAX_OBJECTS: Final = 100
"""JSON-LD objects that are searched for entries."""
MIN_SHOWN: Final = 3
"""The least elements with a time beside each other that are entries. Two are the dates of the article."""
MAX_LEVELS: Final = 8
"""The most elements between a time and the element of its entry."""
FUTURE: Final = timedelta(hours=24)
"""An entry may be dated tomorrow, because the zone is unknown or a clock is fast."""
LATEST: Final = datetime(9999, 1, 1, tzinfo=UTC)

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

_TIME: Final = TAG_NAMES.index("time")
_MOMENTS: Final = frozenset({"minute", "second"})


def live_entries_of(
    page: Page,
    structured: Structured,
    kept: Sequence[int],
    *,
    fetched_at: datetime,
    day_first: bool,
    published: PublishedDate | None = None,
) -> tuple[LiveEntry, ...]:
    """Returns the entries of a live report whose text are the runs `kept`, in the page's order; () without entries.

    Those that JSON-LD states go before those that the page shows with a <time>, and these before those that it shows
    with a time of day only. `published` is the article's date, from which these have their day. Linear time.
    """
    latest = fetched_at + FUTURE
    read = _Moments(latest, day_first=day_first)
    stated = tuple(_stated(page, structured, read))
    return stated or tuple(_shown(page, kept, read)) or clock_entries(page, kept, published, latest)


def states_updates(objects: Sequence[Mapping[str, Any]]) -> bool:
    """Returns whether one of these JSON-LD objects has the entries of a live report."""
    return next(_with_updates(objects), None) is not None


def shown_entries(page: Page, kept: Sequence[int]) -> tuple[LiveEntry, ...]:
    """Returns the entries that the page shows among the runs `kept`, whatever their times are."""
    return tuple(_shown(page, kept, _Moments(LATEST, day_first=True))) or clock_entries(page, kept, None, LATEST)


class _Moments:
    """Reads times as a page states them, up to `latest`."""

    def __init__(self, latest: datetime, *, day_first: bool) -> None:
        self._latest = latest
        self._day_first = day_first

    def of(self, raw: object) -> tuple[datetime, int | None] | None:
        """Returns a credible moment with its offset from UTC in minutes; None for a day without a time."""
        text = clean(raw, MAX_RAW)
        written = read_date(text, day_first=self._day_first) if text else None
        if written is None or written.precision not in _MOMENTS or written.when > self._latest:
            return None
        return written.when, written.offset


def _stated(page: Page, structured: Structured, read: _Moments) -> Iterator[LiveEntry]:
    for update in _updates(page, structured)[:MAX_ENTRIES]:
        if not isinstance(update, Mapping):
            continue
        raws = (update.get(name) for name in ("datePublished", "dateCreated", "dateModified"))
        at, offset = next((moment for raw in raws if (moment := read.of(raw))), (None, None))
        title = clean(update.get("headline")) or clean(update.get("name"))
        text = next((t for t in texts(update.get("articleBody")) if t), "")[:MAX_ENTRY]
        identifier = next((i for name in ("@id", "url") if (i := clean(update.get(name)))), None)
        if at is not None or title or text:
            yield LiveEntry(at, offset, title, clean(text, MAX_ENTRY) or "", identifier)


def _updates(page: Page, structured: Structured) -> list[Any]:
    """Returns the entries of the article's object, or of the first other object that has any, references followed."""
    value = next(_with_updates((structured.article, *page.hints.json_ld)), ())
    return [structured.resolve(update) for update in (value if isinstance(value, list) else [value])]


def _with_updates(objects: Sequence[Mapping[str, Any]]) -> Iterator[Any]:
    """Yields the entries of the objects and of those in their graphs that have any."""
    for thing in objects[:MAX_OBJECTS]:
        graph = thing.get("@graph")
        for one in (thing, *(graph[:MAX_OBJECTS] if isinstance(graph, list) else ())):
            if isinstance(one, Mapping) and one.get("liveBlogUpdate"):
                yield one["liveBlogUpdate"]


def _shown(page: Page, kept: Sequence[int], read: _Moments) -> Iterator[LiveEntry]:
    """Yields the entries that the page shows."""
    moments = _shown_moments(page, read)
    times = list(moments)
    tops = _beside_each_other(page, times)
    if len(tops) < MIN_SHOWN:
        return
    places = [page.runs[i].element for i in kept]
    for top, end in list(zip(tops, _ends(page, tops, places), strict=True))[:MAX_ENTRIES]:
        inside = kept[bisect_left(places, top) : bisect_left(places, end)]
        at, offset, shown = moments[times[bisect_left(times, top)]]
        lines = [
            (page.runs[i].text.removeprefix(shown).lstrip(" -–—:|+"), page.runs[i].flags & HEADING) for i in inside
        ]
        title, text = _title_and_text(lines, least=1)
        if text or title:
            yield LiveEntry(at, offset, title, text[:MAX_ENTRY], _identifier(page, top))


def _shown_moments(page: Page, read: _Moments) -> dict[int, tuple[datetime, int | None, str]]:
    """Returns the <time> elements that state a moment, with it and with the text of those that the page marks."""
    shown = {marked.element: marked for marked in page.hints.marked if marked.tag == "time"}
    found: dict[int, tuple[datetime, int | None, str]] = {}
    for element, tag in enumerate(page.elements.tag):
        if tag == _TIME:
            moment = read.of(page.elements.attributes[element].get("datetime"))
            if moment is not None:
                found[element] = (*moment, shown[element].text if element in shown else "")
    return found


def _beside_each_other(page: Page, times: Sequence[int]) -> list[int]:
    """Returns the elements that hold the times and are children of one element with the same tag: the largest such
    group, and of equal ones the outermost."""
    parent, tag = page.elements.parent, page.elements.tag
    groups: defaultdict[tuple[int, int], dict[int, None]] = defaultdict(dict)
    for time in times:
        below = time
        for _ in range(MAX_LEVELS):
            above = parent[below]
            if above == NO_PARENT:
                break
            groups[above, tag[below]][below] = None
            below = above
    if not groups:
        return []
    largest = max(map(len, groups.values()))
    return sorted(groups[min(key for key, group in groups.items() if len(group) == largest)])


def _ends(page: Page, tops: Sequence[int], places: Sequence[int]) -> list[int]:
    """Returns the element at which each entry ends: the end of its own element, or the next entry where `tops` are
    headings, so that most of the text (the elements `places`) is beside them."""
    own = [page.elements.end_of(top) for top in tops]
    last = page.elements.end_of(page.elements.parent[tops[0]])
    inside = sum(bisect_left(places, end) - bisect_left(places, top) for top, end in zip(tops, own, strict=True))
    whole = bisect_left(places, last) - bisect_left(places, tops[0])
    return own if 2 * inside > whole else [*tops[1:], last]


def _title_and_text(lines: Iterable[tuple[str, int]], *, least: int) -> tuple[str | None, str]:
    """Returns the first line of an entry of at least so many lines if it is a heading, and its other lines. `lines` are
    the texts without the time of the entry, with their flag for headings."""
    lines = [line for line in lines if line[0]]
    title = clean(lines[0][0], MAX_TITLE) if len(lines) >= least and lines[0][1] else None
    return title, "\n\n".join(text for text, _ in (lines[1:] if title else lines))


def _identifier(page: Page, top: int) -> str | None:
    return clean(page.elements.attributes[top].get("id"))


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
        inside = kept[bisect_left(kept, first) : bisect_left(kept, end)]
        runs = [
            (clock.time.rest if i == clock.run else page.runs[i].text, page.runs[i].flags & HEADING) for i in inside
        ]
        title, text = _title_and_text(runs, least=2)
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
