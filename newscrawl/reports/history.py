"""The versions of one page for display: time, class of the change, and difference; what the page shows now, with the
source of each date; and its captures with their files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Row, select

from newscrawl.extraction.markdown import StructuredText
from newscrawl.model import Attempt, Dated, Metadata, Structure
from newscrawl.model.flat import of_row, reader_of
from newscrawl.reports.story import NONE, FirstPage, Overlaps, first_page, overlaps
from newscrawl.storage.articles.deciding.differences import readable
from newscrawl.storage.articles.lookup import page_at
from newscrawl.storage.engine.sql import rows_among
from newscrawl.storage.tables.articles import archive_files, articles, captures, headlines, pages, versions

CAPTURES: Final = 100
_LISTS: Final = (
    *("authors", "tags", "trace", "problems", "refused_dates", "images", "videos", "audio", "live_entries"),
    "new_entries",
)


@dataclass(frozen=True)
class StoredVersion(Dated, StructuredText):
    """A version of a page: a text with the metadata that the page states with it, and how it was extracted.

    `title`, `authors`, `published` (a time) and the other metadata are attributes of the version, too. `text` is "" if
    it was not read, and `structure` is None then. `new_entries` are those of a live report: `at` (ISO 8601, UTC) and
    `title`. `diff` is the difference from the version before (differences.readable). `confidence` says how right and
    whole the text probably is; None for one stored by an earlier newscrawl.
    """

    article_id: int
    seen_at: datetime
    last_seen: datetime
    change_class: str
    verdict: str
    metadata: Metadata
    extractor: str
    fallback: bool
    trace: Sequence[Attempt]
    problems: Sequence[str]
    confidence: float | None
    new_entries: Sequence[Mapping[str, Any]]
    text: str = ""
    structure: Structure | None = None
    diff: Sequence[str] = ()

    @classmethod
    def of(cls, row: Row[Any], text: str = "", structure: Structure | None = None) -> StoredVersion:
        """Returns the version of a row of `versions`."""
        values = row._asdict()
        return cls(
            metadata=of_row(values),
            trace=_TRACE(row.trace),
            problems=tuple(row.problems or ()),
            new_entries=tuple(row.new_entries or ()),
            text=text,
            structure=structure,
            **{name: values[name] for name in _AS_STORED},
        )


_TRACE: Final = reader_of(Attempt)
_AS_STORED: Final = (
    *("article_id", "seen_at", "last_seen", "change_class", "verdict", "extractor", "fallback", "confidence"),
)


@dataclass(frozen=True, slots=True)
class History:
    """A page and its versions, oldest first. `current` is the id of the article it shows now; None if it shows none."""

    url: str
    site: str
    state: str
    current: int | None
    versions: Sequence[StoredVersion]
    overlaps: Overlaps = NONE
    first_page: FirstPage | None = None
    """The first page of the story of the current article."""


def history(connection: Connection, url: str) -> History | None:
    """Returns the versions of the page that an address leads to; None for an unknown address. Raises InvalidUrl."""
    page = page_at(connection, url)
    if page is None or page.id is None:
        return None
    query = select(versions, articles.c.text, articles.c.structure).join(articles).where(versions.c.page_id == page.id)
    kept = select(headlines).where(headlines.c.page_id == page.id).order_by(headlines.c.seen_at, headlines.c.id)
    labels: dict[int, list[Row[Any]]] = {}
    for label in connection.execute(kept):
        labels.setdefault(label.article_id, []).append(label)
    past = [
        version for row in connection.execute(query) for version in _with_titles(row, labels.get(row.article_id, []))
    ]
    ordered = sorted(past, key=lambda version: (version.seen_at, version.article_id))
    whole = History(page.url, page.site, page.state, page.article_id, tuple(_compared(ordered)))
    if page.article_id is None:
        return whole
    first = first_page(connection, page.article_id)
    return replace(whole, overlaps=overlaps(connection, page.article_id), first_page=first)


def _with_titles(row: Row[Any], labels: Sequence[Row[Any]]) -> Iterator[StoredVersion]:
    """Yields the version, and another for each further title it had."""
    version = StoredVersion.of(row, row.text, Structure.of_row(row.structure))
    if not labels:
        yield version
        return
    first, *further = labels
    yield replace(_titled(version, first), last_seen=first.last_seen)
    for label in further:
        times = {"seen_at": label.seen_at, "last_seen": label.last_seen}
        yield replace(_titled(version, label), **times, change_class="headline", new_entries=())


def _titled(version: StoredVersion, label: Row[Any]) -> StoredVersion:
    stated = replace(version.metadata, title=label.title, authors=tuple(label.authors or ()))
    return replace(version, metadata=stated)


def _compared(ordered: Sequence[StoredVersion]) -> Iterator[StoredVersion]:
    before: StoredVersion | None = None
    for version in ordered:
        if before is None:
            yield version
        else:
            titles = [f"~ title: {before.title} -> {version.title}"] if before.title != version.title else []
            yield replace(version, diff=(*titles, *readable(before.text, version.text)))
        before = version


@dataclass(frozen=True, slots=True)
class StatedDate:
    """A date that a page states: the time, the part of the page that states it (`source`), how exact it is, and the
    offset from UTC in minutes east, if the page states one."""

    at: datetime
    source: str | None
    precision: str | None
    zone_stated: bool | None
    offset: int | None


@dataclass(frozen=True, slots=True)
class ShownVersion:
    """The metadata of a page with the text that it shows now."""

    article_id: int
    title: str | None
    authors: Sequence[str]
    published: StatedDate | None
    modified: StatedDate | None
    language: str | None
    section: str | None
    tags: Sequence[str]
    image: str | None
    canonical: str | None
    site_name: str | None
    description: str | None
    extractor: str
    fallback: bool
    verdict: str
    change_class: str
    seen_at: datetime
    last_seen: datetime
    trace: Sequence[Mapping[str, Any]]
    problems: Sequence[str]
    refused_dates: Sequence[Mapping[str, Any]]
    images: Sequence[Mapping[str, Any]]
    videos: Sequence[str]
    audio: Sequence[str]
    live_entries: Sequence[Mapping[str, Any]]
    new_entries: Sequence[Mapping[str, Any]]
    confidence: float | None


@dataclass(frozen=True, slots=True)
class CaptureLine:
    """A fetch in the raw archive. `file` and `machine` say where its record is; `has_body` is False if its bytes are no
    longer kept, or were never sent (304)."""

    id: int
    url: str
    fetched_at: datetime
    kind: str
    file: str
    machine: str | None
    article_id: int | None
    failure: str | None
    has_body: bool


def shown_version(connection: Connection, page_id: int) -> ShownVersion | None:
    """Returns what a page shows now; None if it shows no article."""
    shows = (versions.c.page_id == pages.c.id) & (versions.c.article_id == pages.c.article_id)
    query = select(versions).join(pages, shows).where(pages.c.id == page_id)
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    values: dict[str, Any] = {name: getattr(row, name) for name in ShownVersion.__dataclass_fields__}
    lists = {name: tuple(getattr(row, name) or ()) for name in _LISTS}
    dates = {name: _date(row, name) for name in ("published", "modified")}
    return ShownVersion(**values | lists | dates)


def capture_lines(connection: Connection, keys: Iterable[str]) -> Sequence[CaptureLine]:
    """Returns the captures of the pages with these URL keys, the newest first; at most `CAPTURES`."""
    query = select(captures, archive_files.c.name, archive_files.c.machine).join(
        archive_files, archive_files.c.id == captures.c.file_id
    )
    query = query.order_by(captures.c.fetched_at.desc()).limit(CAPTURES)
    found = [
        CaptureLine(
            row.id,
            row.url,
            row.fetched_at,
            row.kind,
            row.name,
            row.machine,
            row.article_id,
            row.failure,
            row.body_file_id is not None,
        )
        for row in rows_among(connection, query, captures.c.url_key, keys)
    ]
    return sorted(found, key=lambda line: line.fetched_at, reverse=True)[:CAPTURES]


def best_capture(lines: Sequence[CaptureLine]) -> CaptureLine | None:
    """Returns the newest capture whose bytes can be shown, else the newest; None without one. `lines`: the newest
    first."""
    return next((line for line in lines if line.has_body), lines[0] if lines else None)


def _date(row: Any, name: str) -> StatedDate | None:
    at = getattr(row, name)
    if at is None:
        return None
    stated = (getattr(row, f"{name}_{part}") for part in ("source", "precision", "zone_stated", "offset"))
    return StatedDate(at, *stated)
