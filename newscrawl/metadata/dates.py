"""When the article was published and modified: the most trusted statement that can be believed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from urllib.parse import urlsplit

from newscrawl.metadata.datelines import dates_in_text
from newscrawl.metadata.dateparse import MAX_RAW, Written, read_date
from newscrawl.metadata.microdata import Microdata
from newscrawl.metadata.nearby import Nearby
from newscrawl.metadata.structured import Structured
from newscrawl.metadata.text import clean
from newscrawl.model import PublishedDate, RefusedDate
from newscrawl.page import Page
from newscrawl.page.head import Marked

EARLIEST: Final = datetime(1995, 1, 1, tzinfo=UTC)
"""The first news sites went on line in 1994 and 1995; an earlier date is an unset field or an archive's."""

FUTURE: Final = timedelta(hours=24)
"""A page may state tomorrow's date: its zone is unknown, or its clock is fast."""

CLOCK: Final = timedelta(minutes=2)
"""A weak source this close to the download shows the server's clock, not the article's date."""

_DAYS_AROUND: Final = timedelta(hours=14)
"""Zones reach 14 hours from UTC: a day without zone is today's if today is such a day anywhere."""

MAX_REFUSED: Final = 10

_PUBLISHED_META: Final = (
    "article:published_time", "og:article:published_time", "og:published_time", "datepublished", "article:published",
    "parsely-pub-date", "sailthru.date", "dc.date.issued", "dcterms.issued", "dcterms.created", "dc.date.created",
    "citation_publication_date", "citation_online_date", "cxenseparse:recs:publishtime", "article.published", "pubdate",
    "publishdate", "publish-date", "publish_date", "publication_date", "published", "ptime", "article_date_original",
    "published-date", "dcterms.date", "dc.date", "date", "datecreated", "displaydate", "pub_date",
    "rnews:datepublished", "bt:pubdate",
)  # fmt: skip
_STRONG_META: Final = frozenset(_PUBLISHED_META[:5])
_MODIFIED_META: Final = (
    "article:modified_time", "og:article:modified_time", "og:modified_time", "og:updated_time", "datemodified",
    "article:modified", "dc.date.modified", "dcterms.modified", "last-modified", "lastmod", "updated",
)  # fmt: skip
_UPDATED: Final = re.compile(
    r"\W*(?:last\s+)?(?:updated|modified|actualizad|aktualisiert|mis à jour|atualizad|aggiornat|bijgewerkt)",
    re.IGNORECASE,
)
_DATED: Final = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)|(?<![\d.])\d{2}\.\d{2}\.\d{2}(?![\d.])")
"""A year, or a day in figures with two for the year; looked for before a line is read, since it is cheap."""
_URL_DATE: Final = re.compile(
    r"(?<!\d)((?:19|20)\d{2})[/_.-]?(\d{2})[/_.-]?(\d{2})(?!\d)|/((?:19|20)\d{2})/(\w{3,9})/(\d{1,2})/"
    r"|(?<!\d)(\d{2})[._-](\d{2})[._-]((?:19|20)\d{2})(?!\d)"
)
_URL_STAMP: Final = re.compile(r"(?<!\d)((?:19|20)\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])\d{3,11}(?!\d)")
_TITLE_DATE: Final = re.compile(r"[|–—-]\s*(\d{1,2}\.\d{1,2}\.(?:19|20)\d{2})\s*$")
_PUBLISHED_CLASS: Final = re.compile(
    r"(?:entry|post|article|story|publish(?:ed)?|publication|news|blog|release)[-_]{0,2}(?:date|time)|(?:date|time)[-_]{0,2}publi|pubdate",
    re.IGNORECASE,
)
_DATE_CLASS: Final = re.compile(r"date|publish|byline", re.IGNORECASE)
_OTHERS_CLASS: Final = re.compile(r"updat|modif|teaser|related", re.IGNORECASE)
"""Classes of dates that are no publication, or another article's."""
BESIDE_HEADLINE: Final = 40
"""Elements behind the headline among which a day is the article's; further on stand other articles with theirs."""
_MOMENTS: Final = frozenset({"minute", "second"})
_NEAR_ADDRESS: Final = timedelta(hours=38)
"""A day and the hours of its zones: 24 + 14."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A date as a page states it; a weak source is one that templates also use for other dates and for clocks."""

    raw: Any
    source: str
    weak: bool = False


@dataclass(frozen=True, slots=True)
class Dates:
    """Published, modified, and the dates that were stated and not believed."""

    published: PublishedDate | None
    modified: PublishedDate | None
    refused: tuple[RefusedDate, ...]


def dates_of(
    structured: Structured, microdata: Microdata, nearby: Nearby, *, fetched_at: datetime, day_first: bool
) -> Dates:
    """The first believable statement of each kind, in order of trust; `fetched_at` bounds what can be believed."""
    refused: list[RefusedDate] = []
    published = _first(_published(structured, microdata, nearby, day_first), fetched_at, day_first, refused)
    modified = _first(_modified(nearby.page, structured, microdata), fetched_at, day_first, refused)
    if published and modified and modified.when.date() < published.when.date() - timedelta(days=1):
        refused.append(RefusedDate(modified.when.isoformat(), modified.source, "modified before it was published"))
        modified = None
    return Dates(published, modified, tuple(refused[:MAX_REFUSED]))


def _first(
    stated: Iterator[Stated], fetched_at: datetime, day_first: bool, refused: list[RefusedDate]
) -> PublishedDate | None:
    for statement in stated:
        raw = _raw(statement.raw)
        written = read_date(raw, day_first=day_first) if raw else None
        if raw is None or written is None:
            continue
        if reason := why_not(written, statement, fetched_at):
            refused.append(RefusedDate(raw, statement.source, reason))
        else:
            return PublishedDate(written.when, statement.source, written.precision, written.zone_stated)
    return None


def why_not(written: Written, statement: Stated, fetched_at: datetime) -> str | None:
    """Why the date cannot be believed; None when it can."""
    if written.when < EARLIEST:
        return f"before {EARLIEST:%Y-%m-%d}"
    if written.when > fetched_at + FUTURE:
        return "more than 24 hours after the download"
    if not statement.weak:
        return None
    if written.precision in ("year", "month"):
        return f"only a {written.precision}, from a source that may mean something else"
    if written.precision in ("minute", "second"):
        near = abs(written.when - fetched_at) <= CLOCK
        return "the time of the download, from a source that may be a clock" if near else None
    days = {(fetched_at + shift).date() for shift in (-_DAYS_AROUND, timedelta(0), _DAYS_AROUND)}
    today = written.precision == "day" and written.when.date() in days
    return "the day of the download, from a source that may be a clock" if today else None


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
    yield Stated(structured.get("datePublished"), "json-ld:datePublished")
    for key in _PUBLISHED_META:
        for raw in page.head.all(key)[:3]:
            yield Stated(raw, f"meta:{key}", weak=key not in _STRONG_META)
    for raw in microdata.values("datepublished"):
        yield Stated(raw, "microdata:datePublished")
    yield Stated(structured.get("dateCreated", "uploadDate"), "json-ld:dateCreated")
    times = nearby.ordered(m for m in page.hints.marked if m.tag == "time")
    yield from _published_times(times)
    yield Stated(structured.page.get("datePublished"), "json-ld:WebPage")
    yield from _shown_beside_address(nearby, times, day_first)
    yield from _title_dates(page)
    yield from _marked_dates(nearby, _PUBLISHED_CLASS, BESIDE_HEADLINE)
    yield from _near_headline(nearby)
    for raw in microdata.values("datecreated", "dateissued"):
        yield Stated(raw, "microdata:dateCreated", weak=True)
    for m in times[:3]:
        yield Stated(m.attributes.get("datetime") or m.text, "time", weak=True)
    yield from _marked_dates(nearby, _DATE_CLASS)
    for raw in dates_in_text(page, day_first=day_first):
        yield Stated(raw, "text", weak=True)
    yield from _stamps_in_address(page.url)


def _modified(page: Page, structured: Structured, microdata: Microdata) -> Iterator[Stated]:
    yield Stated(structured.get("dateModified"), "json-ld:dateModified")
    for key in _MODIFIED_META:
        for raw in page.head.all(key)[:3]:
            yield Stated(raw, f"meta:{key}", weak=True)
    for raw in microdata.values("datemodified"):
        yield Stated(raw, "microdata:dateModified", weak=True)
    yield Stated(structured.page.get("dateModified"), "json-ld:WebPage", weak=True)


def _published_times(times: list[Marked]) -> Iterator[Stated]:
    """<time> elements that are said to be the publication."""
    for m in times:
        names = f"{m.attributes.get('class', '')} {m.attributes.get('itemprop', '')}".lower()
        if "pubdate" in m.attributes or "publi" in names or "entry-date" in names:
            yield Stated(m.attributes.get("datetime") or m.text, "time:published", weak=True)


def _near_headline(nearby: Nearby) -> Iterator[Stated]:
    """Short lines around the headline that hold a whole date and are not about an update."""
    for text in nearby.texts:
        if _UPDATED.match(text) is None and _DATED.search(text):
            yield Stated(text, "headline", weak=True)


def _marked_dates(nearby: Nearby, names: re.Pattern[str], within: int | None = None) -> Iterator[Stated]:
    """Text of elements whose class says that it is a day; with `within`, so many elements behind the headline only."""
    start = nearby.headline
    if within is not None and start is None:
        return
    marked = (
        m
        for m in nearby.page.hints.marked
        if m.tag != "time" and (of := m.attributes.get("class")) and names.search(of) and not _OTHERS_CLASS.search(of)
    )
    for m in nearby.ordered(marked):
        if within is None or (start or 0) <= m.element <= (start or 0) + within:
            yield Stated(m.attributes.get("content") or m.attributes.get("datetime") or m.text, "class", weak=True)


def _title_dates(page: Page) -> Iterator[Stated]:
    """A title that ends in a day: "Headline | Site | 28.04.2023"."""
    if found := _TITLE_DATE.search(page.head.title or ""):
        yield Stated(found.group(1), "title", weak=True)


def _shown_beside_address(nearby: Nearby, times: list[Marked], day_first: bool) -> Iterator[Stated]:
    """The days of the address; before them the moment shown at the headline if it lies within a day of the first: an
    address keeps the day on which an article was begun."""
    days = list(_url_dates(nearby.page.url))
    if days and (day := read_date(str(days[0].raw))):
        for shown in _moments(nearby, times):
            raw = _raw(shown.raw)
            moment = read_date(raw, day_first=day_first) if raw else None
            if moment and moment.precision in _MOMENTS:
                if abs(moment.when - day.when) <= _NEAR_ADDRESS:
                    yield shown
                break
    yield from days


def _moments(nearby: Nearby, times: list[Marked]) -> Iterator[Stated]:
    for m in times[:1]:
        if "updat" not in m.attributes.get("class", "").lower() and _UPDATED.match(m.text) is None:
            yield Stated(m.attributes.get("datetime") or m.text, "time", weak=True)
    yield from _near_headline(nearby)


def _stamps_in_address(url: str | None) -> Iterator[Stated]:
    """A number in the address that begins with a day and goes on with a time or a count, as news sites of East Asia
    write it: the last resort."""
    for found in _URL_STAMP.finditer(_path(url)):
        yield Stated("-".join(found.groups()), "url:number", weak=True)


def _path(url: str | None) -> str:
    try:
        return urlsplit(url or "").path[:500]
    except ValueError:
        return ""


def _url_dates(url: str | None) -> Iterator[Stated]:
    for found in _URL_DATE.finditer(_path(url)):
        numbers = [part for part in found.groups() if part]
        yield Stated(" ".join(reversed(numbers)) if found.group(4) else "-".join(numbers), "url")
