"""The parts of one page with its article that other reports lack: stated dates, and captures with files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, select

from newscrawl.storage.engine.sql import rows_among
from newscrawl.storage.tables.articles import archive_files, captures, pages, versions

CAPTURES: Final = 100
_LISTS: Final = (
    *("authors", "tags", "trace", "problems", "refused_dates", "images", "videos", "audio", "live_entries"),
    "new_entries",
)


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
