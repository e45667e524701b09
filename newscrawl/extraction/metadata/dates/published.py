"""Chooses when the article was published and modified: the most trusted of the credible statements, among them the days
in the page's address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, Final
from urllib.parse import urlsplit

from newscrawl.extraction.metadata.dates.visible import (
    BESIDE_HEADLINE,
    DATE_CLASS,
    PUBLISHED_CLASS,
    VisibleDate,
    all_times,
    bare_days,
    beside_headline,
    changes_beside_headline,
    changes_in_text,
    dates_in_text,
    marked_changes,
    marked_days,
    published_times,
)
from newscrawl.extraction.metadata.nearby import Nearby
from newscrawl.extraction.metadata.structured import Microdata, Structured
from newscrawl.extraction.metadata.text import clean
from newscrawl.model import AFTER_DOWNLOAD, PublishedDate, RefusedDate
from newscrawl.model.written_dates.parse_date import EARLIEST, MAX_RAW, Written, read_date
from newscrawl.page import Page

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
