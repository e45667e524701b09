"""Where the raw archive has each fetched page. A row is written in the transaction that stores the result of the page,
after the bytes are on the disk, so that it never points to missing bytes."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, exists, func, or_, select, update

from newscrawl.model import Capture, ProcessedPage, Spot
from newscrawl.model.identity import url_key
from newscrawl.storage.engine.sql import Values, chunks, incoming, insert, rows_among, upsert
from newscrawl.storage.records import LOOKS_BROKEN
from newscrawl.storage.tables.articles import archive_files, captures
from newscrawl.storage.tables.operations import review_queue

if TYPE_CHECKING:
    from newscrawl.storage.articles.deciding.known import PreviousReading


@dataclass(frozen=True, slots=True)
class ArchiveFile:
    """A file of the archive. `deleted` is the time since which no row points into it. `machine` holds the file: the
    name of a machine, or the address of an object store; None for a file of no known machine, until one finds it in its
    folder."""

    id: int
    name: str
    created: datetime
    deleted: datetime | None
    machine: str | None


@dataclass(frozen=True, slots=True)
class StoredCapture:
    """A capture as stored."""

    id: int
    url_key: str
    url: str
    requested_url: str | None
    site: str
    fetched_at: datetime
    capture: Capture
    article_id: int | None
    failure: str | None


@dataclass(frozen=True, slots=True)
class Selection:
    """Which captures are selected: those of a site, fetched from `since` on and before `until`. None selects all. With
    `sites`, captures of other sites than these are left out."""

    site: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    in_review: bool = False
    """Select only captures that wait for review (newscrawl.storage.monitoring.review_queue)."""
    not_in: frozenset[int] = frozenset()
    """Leave out captures whose bytes are in these files."""
    sites: frozenset[str] = frozenset()


def add_file(connection: Connection, name: str, now: datetime, machine: str | None = None) -> int:
    """Stores a file that a machine begins, before anything is written to it. Returns its id. The row is there already
    if this is repeated because the answer to a commit was lost."""
    new = insert(connection, archive_files).values(name=name, created=now, machine=machine)
    same = new.on_conflict_do_update(index_elements=["name"], set_={"machine": machine})
    return int(connection.execute(same.returning(archive_files.c.id)).scalar_one())


def files(connection: Connection) -> list[ArchiveFile]:
    """Returns all files, oldest first, including those marked as deleted that may still be on the disk."""
    rows = connection.execute(select(archive_files).order_by(archive_files.c.created, archive_files.c.id))
    return [ArchiveFile(**row._asdict()) for row in rows]


def record(
    connection: Connection,
    saved: Sequence[ProcessedPage],
    articles: Mapping[str, int | None],
    files_left: Collection[int],
) -> None:
    """Stores where the pages of a batch are in the archive, with the article of each (identity key -> id).

    `files_left` are the files that still exist: the archive has a size limit, so a file may be deleted by now.
    """
    rows: dict[tuple[int, int], Values] = {}
    for page in saved:
        capture = page.raw.capture
        if capture is not None and capture.spot.file in files_left:
            is_left = capture.body is not None and capture.body.file in files_left
            capture = capture if is_left else replace(capture, body=None)
            rows[capture.spot.file, capture.spot.offset] = _values(_result(page, capture, articles))
    changes = dict.fromkeys(("article_id", "failure"), incoming)
    upsert(connection, captures, ["file_id", "offset"], list(rows.values()), changes)


def set_result(connection: Connection, key: str, fetched_at: datetime, article_id: int | None) -> None:
    """Stores the article as the result of the capture with this URL key and time; None changes nothing."""
    if article_id is not None:
        here = and_(captures.c.url_key == key, captures.c.fetched_at == fetched_at)
        connection.execute(update(captures).where(here).values(article_id=article_id, failure=None))


def replace_result(
    connection: Connection, previous: PreviousReading, article_id: int | None, failure: str | None
) -> None:
    """Gives a new result, an article or a failure, to a capture, and to those of its page that have the same bytes and
    the same former article."""
    mine = captures.c.id == previous.capture_id
    if previous.article_id is not None:
        body = (captures.c.body_file_id, captures.c.body_offset)
        file, offset = connection.execute(select(*body).where(mine)).one()
        of_page = captures.c.url_key == previous.url_key, captures.c.article_id == previous.article_id
        mine = or_(mine, and_(*of_page, body[0] == file, body[1] == offset))
    connection.execute(update(captures).where(mine).values(article_id=article_id, failure=failure))


def adopt(connection: Connection, found: Sequence[StoredCapture]) -> None:
    """Adds captures that are complete in a file and missing in the database, because the process died in between."""
    unknown = insert(connection, captures).on_conflict_do_nothing(index_elements=["file_id", "offset"])
    for chunk in chunks(map(_values, found)):
        connection.execute(unknown, chunk)


def bodies(connection: Connection, digests: Iterable[str]) -> dict[str, StoredCapture]:
    """Returns a capture whose body is in the archive for each digest of a body."""
    rows = rows_among(connection, _ALL.where(_has_body()), captures.c.digest, digests)
    return {one.capture.digest or "": one for one in map(_kept, rows)}


def latest(connection: Connection, keys: Iterable[str]) -> dict[str, StoredCapture]:
    """Returns the newest capture with a body of each page, by URL key: the one that a 304 confirms."""
    in_time = _ALL.where(_has_body()).order_by(captures.c.fetched_at, captures.c.id)
    return {row.url_key: _kept(row) for row in rows_among(connection, in_time, captures.c.url_key, keys)}


def captures_of_file(connection: Connection, file_id: int) -> list[StoredCapture]:
    """Returns every capture whose records are in the file, in their order."""
    return _read(connection, _ALL.where(captures.c.file_id == file_id).order_by(captures.c.offset))


def with_body_in(connection: Connection, file_id: int) -> list[StoredCapture]:
    """Returns every capture whose body is in the file."""
    mine = _ALL.where(captures.c.body_file_id == file_id)
    return _read(connection, mine.order_by(captures.c.body_offset, captures.c.id))


def captures_of_pages(connection: Connection, keys: Iterable[str], site: str | None = None) -> list[StoredCapture]:
    """Returns every capture of the pages, and of the site."""
    found = _read(connection, _ALL.where(captures.c.site == site)) if site is not None else []
    found += map(_kept, rows_among(connection, _ALL, captures.c.url_key, keys))
    return list({one.id: one for one in found}.values())


def by_id(connection: Connection, number: int) -> StoredCapture | None:
    """Returns the capture with this id."""
    return next(iter(_read(connection, _ALL.where(captures.c.id == number))), None)


def file_by_id(connection: Connection, file_id: int) -> ArchiveFile | None:
    """Returns a file; None if it is no longer known."""
    row = connection.execute(select(archive_files).where(archive_files.c.id == file_id)).one_or_none()
    return ArchiveFile(**row._asdict()) if row is not None else None


def number_in(connection: Connection, file_id: int) -> int:
    """Returns how many captures have their records in the file."""
    return int(connection.execute(select(func.count()).where(captures.c.file_id == file_id)).scalar_one())


def mark_damaged(connection: Connection, spots: Iterable[Spot]) -> None:
    """Removes the place of the bytes from all captures whose bytes are at these places, because they cannot be read.
    So nothing refers to them, and the same bytes are written again when they are fetched again."""
    for spot in spots:
        here = and_(captures.c.body_file_id == spot.file, captures.c.body_offset == spot.offset)
        connection.execute(update(captures).where(here).values(body_file_id=None, body_offset=None, body_length=None))


def number_damaged(connection: Connection) -> int:
    """Returns the number of captures that `mark_damaged` found to be damaged."""
    damaged = and_(captures.c.kind == "response", captures.c.body_file_id.is_(None))
    return int(connection.execute(select(func.count()).where(damaged)).scalar_one())


def drawn(connection: Connection, number: int, files: Collection[int]) -> list[StoredCapture]:
    """Returns about `number` captures, drawn at random, whose bytes are in one of these files."""
    newest = connection.execute(select(func.max(captures.c.id))).scalar_one() or 0
    found: dict[int, StoredCapture] = {}
    every = range(1, newest + 1)
    for first in every if newest <= number else random.sample(every, number):
        behind = captures.c.id >= first
        for one in _read(connection, _ALL.where(behind, _has_body()).order_by(captures.c.id).limit(1)):
            if one.capture.body is not None and one.capture.body.file in files:
                found[one.id] = one
    return list(found.values())


def count(connection: Connection, selection: Selection) -> int:
    """Returns the number of selected captures that have a body."""
    return int(connection.execute(select(func.count()).where(_selected(selection))).scalar_one())


def time_of_newest(connection: Connection, site: str, number: int) -> datetime | None:
    """Returns when the oldest of the site's newest `number` captures with a body was fetched; None if it has fewer."""
    query = select(captures.c.fetched_at).where(_selected(Selection(site)))
    found = connection.execute(query.order_by(captures.c.fetched_at.desc()).offset(number - 1).limit(1)).first()
    return found[0] if found is not None else None


def numbers_by_file(connection: Connection, selection: Selection) -> dict[int, int]:
    """Returns how many selected captures have their bytes in each file, by its id."""
    query = select(captures.c.body_file_id, func.count()).where(_selected(selection)).group_by(captures.c.body_file_id)
    return {row[0]: row[1] for row in connection.execute(query)}


BEGIN: Final = (0, -1)
"""Before the first capture."""


def part(connection: Connection, selection: Selection, after: tuple[int, int], size: int) -> list[StoredCapture]:
    """Returns at most `size` selected captures that have a body, in their order on the disk, after the file id and
    offset `after`."""
    place = (captures.c.file_id, captures.c.offset)
    behind = or_(place[0] > after[0], and_(place[0] == after[0], place[1] > after[1]))
    return _read(connection, _ALL.where(_selected(selection), behind).order_by(*place).limit(size))


def _selected(selection: Selection) -> ColumnElement[bool]:
    conditions: list[ColumnElement[bool]] = [captures.c.kind == "response", _has_body()]
    if selection.site is not None:
        conditions.append(captures.c.site == selection.site)
    if selection.sites:
        conditions.append(captures.c.site.in_(sorted(selection.sites)))
    if selection.since is not None:
        conditions.append(captures.c.fetched_at >= selection.since)
    if selection.until is not None:
        conditions.append(captures.c.fetched_at < selection.until)
    if selection.in_review:
        mine = and_(review_queue.c.final_key == captures.c.url_key, review_queue.c.at == captures.c.fetched_at)
        conditions.append(exists().where(mine))
    if selection.not_in:
        conditions.append(captures.c.body_file_id.not_in(selection.not_in))
    return and_(*conditions)


_ALL: Final = select(captures)
_OWN: Final = ("url_key", "url", "requested_url", "site", "fetched_at", "article_id", "failure")
"""The columns of `captures` that are fields of StoredCapture."""


def _has_body() -> ColumnElement[bool]:
    return captures.c.body_file_id.is_not(None)


def _result(page: ProcessedPage, capture: Capture, articles: Mapping[str, int | None]) -> StoredCapture:
    """Returns a capture with the result of its page. Its id is not known yet."""
    raw, article = page.raw, page.article
    identity = article.identity_key if article is not None else None
    article_id = articles.get(identity) if identity is not None and not page.needs_review else None
    failure = LOOKS_BROKEN if page.needs_review else page.failure.code if page.failure is not None else None
    address = url_key(raw.final_url), raw.final_url, raw.url if raw.url != raw.final_url else None
    return StoredCapture(0, *address, raw.site, raw.fetched_at, capture, article_id, failure)


def _values(kept: StoredCapture) -> Values:
    capture, body = kept.capture, kept.capture.body
    return {
        **{name: getattr(kept, name) for name in _OWN},
        "kind": capture.kind,
        "digest": capture.digest,
        "file_id": capture.spot.file,
        "offset": capture.spot.offset,
        "length": capture.spot.length,
        "body_file_id": body.file if body else None,
        "body_offset": body.offset if body else None,
        "body_length": body.length if body else None,
    }


def _read(connection: Connection, query: Select[Any]) -> list[StoredCapture]:
    return [_kept(row) for row in connection.execute(query)]


def _kept(row: Row[Any]) -> StoredCapture:
    body = Spot(row.body_file_id, row.body_offset, row.body_length) if row.body_file_id is not None else None
    spot = Spot(row.file_id, row.offset, row.length)
    capture = Capture(row.kind, spot, body, row.digest, row.id)
    return StoredCapture(
        row.id, row.url_key, row.url, row.requested_url, row.site, row.fetched_at, capture, row.article_id, row.failure
    )
