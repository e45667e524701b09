"""Reads the entries of a live report: parts of one article with times of their own.

An entry is an object of `liveBlogUpdate` in JSON-LD (schema.org, LiveBlogPosting). Pages without these show entries as
elements beside each other, each with a <time>, or as headings with a <time> and what follows them. Others show only
times of day ("14:32 Uhr"), whose day is that of the article's date (`clock_entries`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from newscrawl.metadata.clock_entries import MAX_ENTRIES, MAX_ENTRY, clock_entries
from newscrawl.metadata.structured import Structured
from newscrawl.metadata.text import MAX_TITLE, clean, texts
from newscrawl.model import LiveEntry, PublishedDate
from newscrawl.page import Page
from newscrawl.page.elements import NO_PARENT
from newscrawl.page.run import HEADING
from newscrawl.page.tags import TAG_NAMES
from newscrawl.written_dates.parse_date import MAX_RAW, read_date

MAX_OBJECTS: Final = 100
"""JSON-LD objects that are searched for entries."""
MIN_SHOWN: Final = 3
"""The least elements with a time beside each other that are entries. Two are the dates of the article."""
MAX_LEVELS: Final = 8
"""The most elements between a time and the element of its entry."""
FUTURE: Final = timedelta(hours=24)
"""An entry may be dated tomorrow, because the zone is unknown or a clock is fast."""
LATEST: Final = datetime(9999, 1, 1, tzinfo=UTC)

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
        title, text = _title_and_text(page, inside, shown)
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


def _title_and_text(page: Page, inside: Sequence[int], shown: str) -> tuple[str | None, str]:
    """Returns the first line of an entry if it is a heading, and its other lines, without the time as it is shown."""
    lines = [(page.runs[i].text.removeprefix(shown).lstrip(" -–—:|+"), page.runs[i].flags & HEADING) for i in inside]
    lines = [line for line in lines if line[0]]
    title = clean(lines[0][0], MAX_TITLE) if lines and lines[0][1] else None
    return title, "\n\n".join(text for text, _ in (lines[1:] if title else lines))


def _identifier(page: Page, top: int) -> str | None:
    return clean(page.elements.attributes[top].get("id"))
