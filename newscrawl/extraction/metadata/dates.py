"""Chooses when the article was published and modified: the most trusted of the credible statements, among them the days
in the page's address, and the days that readers see. Those are in lines and <time> elements around the headline, in
elements with a class for dates, and in lines anywhere in the text of a page that states its publication nowhere else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import islice
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from newscrawl.extraction.metadata.date_labels import (
    BARE,
    EVENT,
    OTHER,
    PUBLISHED,
    UPDATED,
    change_part,
    is_dated,
    is_sentence,
    publication_part,
)
from newscrawl.extraction.metadata.nearby import Nearby, ShortLine, is_caption
from newscrawl.extraction.metadata.structured import Microdata, Structured
from newscrawl.extraction.metadata.text import clean
from newscrawl.model import AFTER_DOWNLOAD, PublishedDate, RefusedDate
from newscrawl.model.written_dates.parse_date import EARLIEST, MAX_RAW, Written, read_date
from newscrawl.page import Page
from newscrawl.page.head import Marked
from newscrawl.page.run import TextRun

BESIDE_HEADLINE: Final = 40
"""Elements after the headline in which a day is the article's. Further down there are other articles with theirs."""

_BYLINES: Final = 4
"""Lines after the headline with standfirst, byline and day. After them come text, captions and other articles."""

PUBLISHED_CLASS: Final = re.compile(
    r"(?:entry|post|article|story|publish(?:ed)?|publication|news|blog|release)[-_]{0,2}(?:date|time)|(?:date|time)[-_]{0,2}publi|pubdate",
    re.IGNORECASE,
)
DATE_CLASS: Final = re.compile(r"date|publish|byline", re.IGNORECASE)
_OTHERS_CLASS: Final = re.compile(r"updat|modif|teaser|related", re.IGNORECASE)
"""Classes of dates that are no publication, or of another article."""
_CHANGE: Final = re.compile(r"updat|modif")
_PUBLISHED_TIME: Final = re.compile(r"publi|entry-date")

MAX_LABEL: Final = 30
"""The most characters of a label on its own line or in its own element."""
_INLINE_LEVELS: Final = 6
"""The most elements between a <time> and the block that it is part of."""


class VisibleDate(NamedTuple):
    """A day on the page, its source, and the element in which it is."""

    raw: str
    source: str
    element: int


def beside_headline(nearby: Nearby) -> Iterator[VisibleDate]:
    """Yields the days around the headline in the page's order, those after it first: short lines that are not about a
    change, and <time> elements, which are exact where the line only says "an hour ago"."""
    waiting = [m for m in nearby.ordered(_times(nearby)) if m.element > (nearby.headline or 0)][::-1]
    for line in nearby.lines:
        while waiting and _stands_before(waiting[-1], line.run, nearby):
            time = waiting.pop()
            is_in_line = bool(time.text) and time.text in line.text
            part = publication_part(labelled(line) if is_in_line else time.text)
            if part is not None and (not is_in_line or time.text in part):
                yield VisibleDate(time.attributes.get("datetime") or time.text, "time", time.element)
        if not is_dated(line.text) or is_sentence(line.text, line.run.words):
            continue
        if part := publication_part(labelled(line)):
            yield VisibleDate(part, "headline", line.run.element)


def labelled(line: ShortLine) -> str:
    """Returns the line with the text before it, if that is a label such as "Updated" or "Joined"."""
    before = line.before
    if len(before) > MAX_LABEL or is_dated(before):
        return line.text
    is_label = UPDATED.search(before) or OTHER.search(before) or EVENT.fullmatch(before)
    return f"{before} {line.text}" if is_label else line.text


def bare_days(nearby: Nearby) -> Iterator[VisibleDate]:
    """Yields days on a line of their own right after the headline, except links to other articles."""
    for line in nearby.lines[:_BYLINES]:
        run, part = line.run, publication_part(labelled(line)) if is_dated(line.text) else None
        if part and BARE.fullmatch(part) and not run.linked_words and run.element > (nearby.headline or 0):
            yield VisibleDate(part, "headline", run.element)


def changes_beside_headline(nearby: Nearby) -> Iterator[VisibleDate]:
    """Yields lines around the headline that say when the article was changed."""
    for line in nearby.lines:
        if is_dated(line.text) and (part := change_part(labelled(line))):
            yield VisibleDate(part, "headline:updated", line.run.element)


def marked_changes(nearby: Nearby) -> Iterator[VisibleDate]:
    """Yields the same from elements with a class for dates."""
    for m in _marked(nearby, DATE_CLASS):
        if part := change_part(m.text):
            yield VisibleDate(part, "class:updated", m.element)


def marked_days(nearby: Nearby, names: re.Pattern[str], within: int | None = None) -> Iterator[VisibleDate]:
    """Yields the text of elements with a class for dates; with `within`, only so many elements after the headline."""
    start = nearby.headline
    if within is not None and start is None:
        return
    for m in _marked(nearby, names):
        if (within is None or (start or 0) <= m.element <= (start or 0) + within) and (day := _day_of(m)):
            yield VisibleDate(day, "class", m.element)


def _marked(nearby: Nearby, names: re.Pattern[str]) -> list[Marked]:
    """Returns elements with such a class, those after the headline first."""
    marked = nearby.page.hints.marked
    return nearby.ordered(
        m
        for m in marked
        if m.tag != "time" and (of := m.attributes.get("class")) and names.search(of) and not _OTHERS_CLASS.search(of)
    )


def published_times(nearby: Nearby) -> Iterator[VisibleDate]:
    """Yields <time> elements that are marked as the publication."""
    for m in nearby.ordered(_times(nearby)):
        if _is_published(m):
            yield VisibleDate(m.attributes.get("datetime") or m.text, "time:published", m.element)


def all_times(nearby: Nearby) -> Iterator[VisibleDate]:
    """Yields <time> elements, those after the headline first."""
    for m in nearby.ordered(_times(nearby)):
        if publication_part(m.text) is not None:
            yield VisibleDate(m.attributes.get("datetime") or m.text, "time", m.element)


def _times(nearby: Nearby) -> Iterator[Marked]:
    """Yields <time> elements except those of a change. A class that names both is of an unchanged article."""
    for m in nearby.page.hints.marked:
        if m.tag == "time" and (_is_published(m) or not _CHANGE.search(_names(m))):
            yield m


def _is_published(time: Marked) -> bool:
    return "pubdate" in time.attributes or _PUBLISHED_TIME.search(_names(time)) is not None


def _names(marked: Marked) -> str:
    return f"{marked.attributes.get('class', '')} {marked.attributes.get('itemprop', '')}".lower()


def _stands_before(time: Marked, run: TextRun, nearby: Nearby) -> bool:
    """Returns whether the page shows the element before the run or inside it."""
    if time.element < run.element:
        return True
    if not time.text or time.text not in run.text:
        return False
    parent, element = nearby.page.elements.parent, time.element
    for _ in range(_INLINE_LEVELS):
        if element <= run.element:
            break
        element = parent[element]
    return element == run.element


def _day_of(marked: Marked) -> str | None:
    """Returns the date of the element: its attribute for machines, its tooltip (as in hAtom), else its text if that is
    about the publication."""
    get = marked.attributes.get
    stated = get("content") or get("datetime")
    if stated:
        return stated
    tooltip = get("title", "")
    return tooltip if is_dated(tooltip) else publication_part(marked.text)


LINE_WORDS: Final = 15
"""The most words of a date line. A longer run is a sentence, which may be about any day unless it has a label."""

MAX_LINES: Final = 40
"""The most lines with a date. A page with more is a list or a forum."""

MAX_LABELLED: Final = 3

_SOMETHING_ELSE: Final = re.compile(
    r"last |nächste|termin|événement|calendar|calendario|veranstaltung|\bevents?\b", re.IGNORECASE
)
"""Lines about the future. Lines of a change or a copyright are recognised by `date_labels`."""
_DATELINE: Final = re.compile(
    r"\W*(?:[^\W\d_]{2,20}(?:[ -][^\W\d_]{2,20}){0,2}\s?[,(]\s?)?"
    r"(?:\d{1,4}[./-]\s?\d{1,2}[./-]\s?\d{1,4}|\d{1,2}\.? [^\W\d_]{3,12}\.? \d{4}|[^\W\d_]{3,12}\.? \d{1,2}, \d{4})\)?"
    r"(?:\s\([^\W\d_]{2,20}\))?\s*[-–—:|]"
)
"""The beginning of a text: "Lyon, 12 mai 2024 (AFP) – "."""

CHANGE_CHARACTERS: Final = 40
"""Characters at the beginning of a line in which its label says that it is about a change."""
MAX_CHANGE_WORDS: Final = 25
"""The most words of such a line."""


def changes_in_text(nearby: Nearby, *, day_first: bool) -> Iterator[VisibleDate]:
    """Yields the line of the page that says when it was changed, if all such lines name one day; comments do not count.
    Linear in the page.

    They stand at the end of the text or of the page: "Aktualisiert: 30.12.2016", "This page was last edited on ..."
    """
    changes: dict[date, VisibleDate] = {}
    for run in nearby.page.runs:
        if run.words > MAX_CHANGE_WORDS:
            continue
        start = run.text[:MAX_RAW]
        if not is_dated(start) or (part := change_part(start)) is None or nearby.is_comment(run.element):
            continue
        day = _day(part, day_first) if UPDATED.search(start[:CHANGE_CHARACTERS]) else None
        if day is not None:
            changes.setdefault(day, VisibleDate(part, "text:updated", run.element))
    if len(changes) == 1:
        yield from changes.values()


def dates_in_text(nearby: Nearby, *, day_first: bool) -> Iterator[VisibleDate]:
    """Yields lines that state the publication; without any, the lines with the day that the lines with a date agree on;
    else the lines that are only a day. Sentences are counted, but are no date lines. Comments do not count.

    Lines agree if all of them, or more than half of at least three, name the same day. Linear in the page.
    """
    labelled: list[VisibleDate] = []
    lines: list[VisibleDate] = []
    page = nearby.page
    for run in page.runs:
        start = run.text[:MAX_RAW]
        if not is_dated(start) or _SOMETHING_ELSE.search(start) or (part := publication_part(start)) is None:
            continue
        if nearby.is_comment(run.element):
            continue
        if PUBLISHED.search(part):
            labelled.append(VisibleDate(part, "text", run.element))
        elif _DATELINE.match(start) or _is_line(page, run):
            lines.append(VisibleDate(start, "text", run.element))
    yield from labelled[:MAX_LABELLED]
    if len(lines) > MAX_LINES:
        return
    days = [(day, line) for line in lines if (day := _day(line.raw, day_first)) is not None]
    agreed = _agreed(days) or _agreed([(day, line) for day, line in days if BARE.fullmatch(line.raw)])
    yield from (
        line for line in agreed if _DATELINE.match(line.raw) or not is_sentence(line.raw, len(line.raw.split()))
    )


def _is_line(page: Page, run: TextRun) -> bool:
    """Returns whether a run may be a date line: short, no caption, and not mostly links."""
    return run.words <= LINE_WORDS and 2 * run.linked_words <= run.words and not is_caption(page, run)


def _agreed(days: list[tuple[date, VisibleDate]]) -> tuple[VisibleDate, ...]:
    """Returns the lines with the day that all lines name, or more than half of at least three."""
    for day, count in Counter(day for day, _ in days).most_common(1):
        if count == len(days) or (len(days) > 2 and 2 * count > len(days)):
            return tuple([line for other, line in days if other == day])
    return ()


def _day(line: str, day_first: bool) -> date | None:
    written = read_date(line, day_first=day_first)
    return written.when.date() if written is not None and written.precision not in ("year", "month") else None


FUTURE: Final = timedelta(hours=24)
"""A page may state tomorrow's date, because its zone is unknown or its clock is fast."""


CLOCK: Final = timedelta(minutes=2)
"""A date of a weak source this close to the download may be the server's clock. It is not if it stands in the head of
the article (`Nearby.is_in_head`)."""

_DAYS_AROUND: Final = timedelta(hours=14)
"""Zones differ by up to 14 hours from UTC. A day without a zone is today's if it is today in any zone."""

MAX_REFUSED: Final = 10

_PUBLISHED_META: Final = (
    "article:published_time", "og:article:published_time", "og:published_time", "datepublished", "article:published",
    "parsely-pub-date", "sailthru.date", "dc.date.issued", "dcterms.issued", "dcterms.created", "dc.date.created",
    "citation_publication_date", "citation_online_date", "cxenseparse:recs:publishtime", "article.published", "pubdate",
    "publishdate", "publish-date", "publish_date", "publication_date", "published", "ptime", "article_date_original",
    "published-date", "date", "datecreated", "displaydate", "pub_date", "rnews:datepublished", "bt:pubdate",
)  # fmt: skip
_STRONG_META: Final = frozenset(_PUBLISHED_META[:5])
_VAGUE_META: Final = ("dcterms.date", "dc.date")
"""Dublin Core: "a point of time in the lifecycle of the resource", often when the page was started."""
_PUBLISHED_KEY: Final = re.compile(
    r"publi(?:sh(?:ed)?|cation)[-_.: ]?(?:date|time|on|at)|pub[-_.]?date|(?:date|time)[-_.: ]?(?:of[-_.])?publi|"
    r"posted[-_.]?(?:on|date|time)",
    re.IGNORECASE,
)
"""Meta elements of a site's own invention that name the publication."""
_OTHER_KEY: Final = re.compile(r"modif|updat|expir|unpub|last|end", re.IGNORECASE)
_MODIFIED_META: Final = (
    "article:modified_time", "og:article:modified_time", "og:modified_time", "og:updated_time", "datemodified",
    "article:modified", "dc.date.modified", "dcterms.modified", "last-modified", "lastmod", "updated",
)  # fmt: skip
_TITLE_DATE: Final = re.compile(r"[|–—-]\s*(\d{1,2}\.\d{1,2}\.(?:19|20)\d{2})\s*$")
_MOMENTS: Final = frozenset({"minute", "second"})
_NEAR_ADDRESS: Final = timedelta(hours=38)
"""A day and the difference of zones: 24 + 14 hours."""
_FOR_MACHINES: Final = ("json-ld:", "meta:")
_DAY_CHARACTERS: Final = 10
"""Characters of a day in ISO 8601."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A date as a page states it. A weak source is one that templates also use for other dates and for clocks."""

    raw: Any
    source: str
    weak: bool = False
    element: int | None = None
    """The element that shows it; None if the page states it elsewhere."""


@dataclass(frozen=True, slots=True)
class Dates:
    """The published and modified dates, and the stated dates that were rejected."""

    published: PublishedDate | None
    modified: PublishedDate | None
    refused: tuple[RefusedDate, ...]


def dates_of(
    structured: Structured, microdata: Microdata, nearby: Nearby, *, fetched_at: datetime, day_first: bool
) -> Dates:
    """Returns the first credible statement of each kind, in order of trust. Dates after `fetched_at` are not
    credible."""
    refused: list[RefusedDate] = []
    published = _first(_published(structured, microdata, nearby, day_first), nearby, fetched_at, day_first, refused)
    modified = _first(_modified(nearby, structured, microdata), nearby, fetched_at, day_first, refused)
    published = published and (_shown_earlier(published, modified, nearby, day_first, fetched_at) or published)
    if published and modified and modified.when.date() < published.when.date() - timedelta(days=1):
        refused.append(RefusedDate(modified.when.isoformat(), modified.source, "modified before it was published"))
        modified = None
    return Dates(published, modified, tuple(refused[:MAX_REFUSED]))


def _first(
    stated: Iterator[Stated], nearby: Nearby, fetched_at: datetime, day_first: bool, refused: list[RefusedDate]
) -> PublishedDate | None:
    for statement in stated:
        raw = _raw(statement.raw)
        written = read_date(raw, day_first=day_first) if raw else None
        if raw is None or written is None:
            continue
        if reason := why_not(written, statement, fetched_at, nearby):
            refused.append(RefusedDate(raw, statement.source, reason))
        else:
            return _date(written, statement)
    return None


def _shown_earlier(
    published: PublishedDate, modified: PublishedDate | None, nearby: Nearby, day_first: bool, fetched_at: datetime
) -> PublishedDate | None:
    """Returns the day right after the headline if it is earlier than the publication in the metadata, and that is not
    before the last change and not in the address. Content systems state so when a page is published again."""
    if not published.source.startswith(_FOR_MACHINES):
        return None
    if modified and modified.when - published.when > _NEAR_ADDRESS:
        return None
    for shown in _weak(bare_days(nearby)):
        written = read_date(shown.raw, day_first=day_first)
        if written is None or why_not(written, shown, fetched_at) is not None:
            continue
        if published.when - written.when <= _NEAR_ADDRESS or holds_month(nearby.page.url, published.when):
            return None
        return _date(written, shown)
    return None


def _date(written: Written, stated: Stated) -> PublishedDate:
    return PublishedDate(written.when, stated.source, written.precision, written.zone_stated, written.offset)


def why_not(written: Written, statement: Stated, fetched_at: datetime, nearby: Nearby | None = None) -> str | None:
    """Returns why the date is not credible; None if it is. `nearby` says where the page shows it."""
    if written.when < EARLIEST:
        return f"before {EARLIEST:%Y-%m-%d}"
    if written.when > fetched_at + FUTURE:
        return AFTER_DOWNLOAD
    if not statement.weak:
        return None
    if written.precision in ("year", "month"):
        return f"only a {written.precision}, from a source that may mean something else"
    if written.precision in _MOMENTS:
        is_fresh, what = abs(written.when - fetched_at) <= CLOCK, "time"
    else:
        days = {(fetched_at + shift).date() for shift in (-_DAYS_AROUND, timedelta(0), _DAYS_AROUND)}
        is_fresh, what = written.when.date() in days, "day"
    if not is_fresh or (nearby is not None and statement.element is not None and nearby.is_in_head(statement.element)):
        return None
    return f"the {what} of the download, from a source that may be a clock"


def _raw(value: Any) -> str | None:
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, dict):
        value = value.get("@value")
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    return clean(value, MAX_RAW)


def _published(structured: Structured, microdata: Microdata, nearby: Nearby, day_first: bool) -> Iterator[Stated]:
    page = nearby.page
    published = Stated(structured.get("datePublished"), "json-ld:datePublished")
    outvoted = _is_outvoted(published, structured, microdata, nearby, day_first)
    if not outvoted:
        yield published
    yield from _meta(page, _PUBLISHED_META)
    if outvoted:
        yield published
    for raw in microdata.values("datepublished"):
        yield Stated(raw, "microdata:datePublished")
    yield Stated(structured.get("dateCreated", "uploadDate"), "json-ld:dateCreated")
    yield from _weak(published_times(nearby))
    yield Stated(structured.page.get("datePublished"), "json-ld:WebPage")
    yield from _meta(page, _own_keys(page))
    yield from _shown_beside_address(nearby, day_first)
    yield from _title_dates(page)
    yield from _weak(marked_days(nearby, PUBLISHED_CLASS, BESIDE_HEADLINE))
    yield from _weak(beside_headline(nearby))
    for raw in microdata.values("datecreated", "dateissued"):
        yield Stated(raw, "microdata:dateCreated", weak=True)
    yield from _weak(islice(all_times(nearby), 3))
    yield from _meta(page, _VAGUE_META)
    yield from _weak(changes_beside_headline(nearby))
    yield from _weak(marked_days(nearby, DATE_CLASS))
    yield from _weak(marked_changes(nearby))
    yield from _weak(dates_in_text(nearby, day_first=day_first))
    yield from _weak(changes_in_text(nearby, day_first=day_first))
    yield from (Stated(raw, "url:number", weak=True) for raw in stamps_in(page.url))


def _own_keys(page: Page) -> tuple[str, ...]:
    known = {*_PUBLISHED_META, *_VAGUE_META}
    named = (key for key in page.head.contents if key not in known and _PUBLISHED_KEY.search(key))
    return tuple(key for key in named if not _OTHER_KEY.search(key))


def _meta(page: Page, keys: tuple[str, ...]) -> Iterator[Stated]:
    vague = {page.head.first(key) for key in _VAGUE_META} if keys is _PUBLISHED_META else set()
    for key in keys:
        for raw in page.head.all(key)[:3]:
            if key == "date" and raw in vague:
                continue  # a copy of it
            yield Stated(raw, f"meta:{key}", weak=key not in _STRONG_META)


def _weak(shown: Iterator[VisibleDate]) -> Iterator[Stated]:
    for raw, source, element in shown:
        yield Stated(raw, source, weak=True, element=element)


def _is_outvoted(
    published: Stated, structured: Structured, microdata: Microdata, nearby: Nearby, day_first: bool
) -> bool:
    """Returns whether a meta element and the text at the headline agree on another day than JSON-LD.

    They do not outvote it if their day is that of a change: then JSON-LD has the first publication, the others the
    last.
    """
    page = nearby.page
    meta, stated = page.head.first(*_PUBLISHED_META), _raw(published.raw)
    if meta is None or stated is None or meta[:_DAY_CHARACTERS] == stated[:_DAY_CHARACTERS]:
        return False
    other, own = read_date(meta, day_first=day_first), read_date(stated, day_first=day_first)
    if other is None or own is None or abs(other.when - own.when) <= _NEAR_ADDRESS:
        return False
    if any(_is_near(change, other, day_first) for change in _modified(nearby, structured, microdata)):
        return False
    shown = next((s for s in _weak(beside_headline(nearby)) if read_date(s.raw, day_first=day_first)), None)
    return shown is not None and _is_near(shown, other, day_first)


def _is_near(stated: Stated, other: Written, day_first: bool) -> bool:
    """Returns whether both may be the same day in some zone."""
    raw = _raw(stated.raw)
    written = read_date(raw, day_first=day_first) if raw else None
    return written is not None and abs(written.when - other.when) <= _NEAR_ADDRESS


def _modified(nearby: Nearby, structured: Structured, microdata: Microdata) -> Iterator[Stated]:
    page = nearby.page
    yield Stated(structured.get("dateModified"), "json-ld:dateModified")
    for key in _MODIFIED_META:
        for raw in page.head.all(key)[:3]:
            yield Stated(raw, f"meta:{key}", weak=True)
    for raw in microdata.values("datemodified"):
        yield Stated(raw, "microdata:dateModified", weak=True)
    yield Stated(structured.page.get("dateModified"), "json-ld:WebPage", weak=True)
    yield from _weak(changes_beside_headline(nearby))
    yield from _weak(marked_changes(nearby))


def _title_dates(page: Page) -> Iterator[Stated]:
    """Yields the day at the end of a title: "Headline | Site | 28.04.2023"."""
    if dated := _TITLE_DATE.search(page.head.title or ""):
        yield Stated(dated.group(1), "title", weak=True)


def _shown_beside_address(nearby: Nearby, day_first: bool) -> Iterator[Stated]:
    """Yields the days of the address, and before them the time shown at the headline if it is within a day of the
    first: an address keeps the day on which an article was started."""
    days = list(days_in(nearby.page.url))
    if days and (day := read_date(days[0])):
        for shown in _moments(nearby):
            raw = _raw(shown.raw)
            moment = read_date(raw, day_first=day_first) if raw else None
            if moment and moment.precision in _MOMENTS:
                if abs(moment.when - day.when) <= _NEAR_ADDRESS:
                    yield shown
                break
    for raw in days:
        yield Stated(raw, "url")


def _moments(nearby: Nearby) -> Iterator[Stated]:
    yield from _weak(islice(all_times(nearby), 1))
    yield from _weak(beside_headline(nearby))


_DAY: Final = re.compile(
    r"(?<!\d)((?:19|20)\d{2})[/_.-]?(\d{2})[/_.-]?(\d{2})(?!\d)|/((?:19|20)\d{2})/(\w{3,9})/(\d{1,2})/"
    r"|(?<!\d)(\d{2})[._-](\d{2})[._-]((?:19|20)\d{2})(?!\d)"
)
_STAMP: Final = re.compile(r"(?<!\d)((?:19|20)\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])\d{3,11}(?!\d)")
_ARCHIVED: Final = re.compile(r"^/web/\d{4,14}[a-z_]{0,4}/")
"""The prefix of an archived address in a web archive: when it was copied."""

MAX_PATH: Final = 500


def days_in(url: str | None) -> Iterator[str]:
    """Yields whole days: /2024/05/17/, 2024-05-17, 20240517, /2024/may/17/, 17.05.2024."""
    for match in _DAY.finditer(_path(url)):
        numbers = [part for part in match.groups() if part]
        yield " ".join(reversed(numbers)) if match.group(4) else "-".join(numbers)


def stamps_in(url: str | None) -> Iterator[str]:
    """Yields the days of numbers that begin with a day and continue with a time or a count, as on news sites of East
    Asia. They are the last resort."""
    for match in _STAMP.finditer(_path(url)):
        yield "-".join(match.groups())


def holds_month(url: str | None, when: datetime) -> bool:
    """Returns whether the address contains year and month of that time."""
    return re.search(rf"{when.year}[/_.-]?0?{when.month}(?!\d)", _path(url)) is not None


def _path(url: str | None) -> str:
    try:
        return _ARCHIVED.sub("/", urlsplit(url or "").path[:MAX_PATH])
    except ValueError:
        return ""
