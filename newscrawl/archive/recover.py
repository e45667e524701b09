"""Repairs the files of a killed process: cuts incomplete captures off, adds rows for complete ones, renames the files.

Bytes reach the disk before the transaction with their rows, so a kill leaves captures without rows, and of the last one
perhaps only a part; never a row without a capture.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final

from newscrawl.archive.capture_records import ASKED, SITE
from newscrawl.archive.files import OPEN, REWRITE, STORED, find, left_behind, sync_folder
from newscrawl.archive.holding import claimed, delete, is_of
from newscrawl.archive.places import FolderPlace, Place
from newscrawl.archive.read import Archived, CaptureRecords, groups, load
from newscrawl.errors import ArchiveError, BadAnswer, InvalidUrl
from newscrawl.model import Capture, Spot, is_object_store
from newscrawl.model.identity import url_key
from newscrawl.model.wording import counted
from newscrawl.storage.captures import archive_files, locations
from newscrawl.storage.captures.locations import ArchiveFile, StoredCapture
from newscrawl.storage.reader import Transactions

logger = logging.getLogger(__name__)

_ANY_BODY: Final = 1 << 30
"""Bytes of a body: more than any that is archived."""
UNKNOWN: Final = "archive/outcome_unknown"
"""The outcome of a page whose process was killed before it stored an outcome: the page is fetched again."""


def recover(folder: Path, store: Transactions, machine: str | None = None, objects: Place | None = None) -> int:
    """Repairs the files of a machine (None: of this host's name) in its folder, and takes over those that no machine
    holds. Returns the number of captures that got a row. Files that a process writes, files of other machines, and
    files that the database does not know are left as they are. `objects` is the object store into which the machine
    moves its closed files."""
    if not folder.is_dir():
        return 0
    place = FolderPlace(folder, objects)
    machine = machine or socket.gethostname()
    known = {file.name: file for file in claimed(folder, store, machine)}
    adopted = 0
    for path, opened in left_behind(folder, OPEN):
        file = known.get(path.name.removesuffix(OPEN))
        if file is None or is_of(file, machine):
            adopted += _close(path, opened, file, store)
    for path, _ in left_behind(folder, REWRITE):
        _finish_rewrite(path, known)
    for path, _ in left_behind(folder, STORED):
        _finish_move(path, known)
    own = [file for file in known.values() if is_of(file, machine)]
    is_mounted = any(find(folder, file.name) is not None for file in own if file.machine is not None)
    for file in own:
        if file.deleted is not None:
            _delete_or_leave(place, file, store, is_mounted=is_mounted and file.machine is not None)
    return adopted


def _delete_or_leave(place: Place, file: ArchiveFile, store: Transactions, *, is_mounted: bool) -> None:
    """Deletes a file, or leaves it to the next call while the object store does not answer: a crawl must be able to
    archive pages meanwhile."""
    try:
        delete(place, file, store, is_mounted=is_mounted)
    except ArchiveError as error:
        logger.warning("the archive's file %s is still to be deleted: %s", file.name, error)


def _close(path: Path, opened: BinaryIO, file: ArchiveFile | None, store: Transactions) -> int:
    """Cuts an incomplete capture off, adds rows for complete ones, and renames the file. Returns the number of new
    rows."""
    whole = list(groups(opened))
    rows = store.run(locations.captures_of_file, file.id).result() if file is not None else []
    if _cut(path, opened, whole, rows):
        name = path.name.removesuffix(OPEN)
        path.replace(path.with_name(name))
        sync_folder(path.parent)
        _mark_damaged(path.parent, name, whole, rows, store)
    else:  # it never had a capture
        path.unlink()
        sync_folder(path.parent)
        if file is not None:
            store.run(archive_files.forget_file, file.id).result()
    return add_missing_rows(whole, file.id, store) if file is not None and file.deleted is None else 0


def add_missing_rows(whole: Sequence[CaptureRecords], file_id: int, store: Transactions) -> int:
    """Adds rows for those complete captures of a file that have none. Returns the number of new rows."""
    known = {row.capture.spot.offset for row in store.run(locations.captures_of_file, file_id).result()}
    orphans = [row for row in (_kept(file_id, group) for group in whole) if row is not None]
    orphans = [row for row in orphans if row.capture.spot.offset not in known]
    if orphans:
        store.run(locations.adopt, _with_bodies(orphans, store)).result()
    return len(orphans)


def _with_bodies(orphans: Sequence[StoredCapture], store: Transactions) -> list[StoredCapture]:
    """The captures, with the place of the bytes for those that refer to others."""
    digests = {row.capture.digest for row in orphans if row.capture.digest is not None}
    known = store.run(locations.bodies, digests).result()
    bodies = {digest: row.capture.body for digest, row in known.items()}
    bodies |= {row.capture.digest: row.capture.body for row in orphans if row.capture.digest and row.capture.body}
    completed = []
    for row in orphans:
        body = row.capture.body or bodies.get(row.capture.digest or "")
        completed.append(replace(row, capture=replace(row.capture, body=body)))
    return completed


def _cut(path: Path, opened: BinaryIO, whole: Sequence[CaptureRecords], rows: Sequence[StoredCapture]) -> bool:
    """Cuts everything after the last complete capture off. Returns whether the file still has captures."""
    size = opened.seek(0, os.SEEK_END)
    end = whole[-1].offset + whole[-1].length if whole else 0
    if any(row.capture.spot.offset >= end for row in rows):
        logger.error(
            "%s is damaged at byte %d: the file is left as it is, and its readable captures are used", path.name, end
        )
        return True
    if whole and end < size:
        logger.warning("%s: %d bytes of an unfinished capture are cut off", path.name, size - end)
        opened.truncate(end)
        os.fsync(opened.fileno())
    return bool(whole)


def is_readable(place: str, file: str, row: StoredCapture) -> bool:
    """Returns whether the bytes of a capture can be read from its file. A page that could not be decompressed when it
    was fetched counts as readable."""
    try:
        load(Archived.of(row, place, file), _ANY_BODY)
    except BadAnswer:
        return True
    except (ArchiveError, OSError):
        return False
    return True


def _mark_damaged(
    folder: Path, name: str, whole: Sequence[CaptureRecords], rows: Sequence[StoredCapture], store: Transactions
) -> None:
    """Marks the captures after the first damaged byte that cannot be read."""
    end = whole[-1].offset + whole[-1].length if whole else 0
    behind = [row for row in rows if row.capture.spot.offset >= end and row.capture.kind == "response"]
    damaged = [row.capture.spot for row in behind if not is_readable(str(folder), name, row)]
    if damaged:
        store.run(locations.mark_damaged, damaged).result()
        logger.error("%s: %s cannot be read any longer", name, counted(len(damaged), "capture"))


def _finish_rewrite(path: Path, known: dict[str, ArchiveFile]) -> None:
    """Completes the replacement of a file if rows refer to the new file, else deletes the new file."""
    name = path.name.removesuffix(REWRITE)
    if name in known:
        path.replace(path.with_name(name))
    else:
        path.unlink()
    sync_folder(path.parent)


def _finish_move(path: Path, known: dict[str, ArchiveFile]) -> None:
    """Deletes the local copy of a file that is in an object store. If its row does not say so yet, the file is moved
    again. A file without a row was deleted since."""
    file = known.get(path.name.removesuffix(STORED))
    if file is not None and file.deleted is None and not is_object_store(file.machine):
        path.replace(path.with_name(file.name))
    else:
        path.unlink()
    sync_folder(path.parent)


def _kept(file_id: int, group: CaptureRecords) -> StoredCapture | None:
    """The row of a capture, made from its records; None if newscrawl did not write them."""
    headers = group.answer
    url = headers.get("warc-target-uri", "")
    try:
        key = url_key(url)
        at = datetime.fromisoformat(headers.get("warc-date", "")).astimezone(UTC)
    except (InvalidUrl, ValueError):
        return None
    spot = Spot(file_id, group.offset, group.length)
    digest = headers.get("warc-payload-digest")
    if headers["warc-type"] == "response":
        capture = Capture("response", spot, spot, digest)
    else:
        capture = Capture("revisit", spot, None, digest)
    requested = group.metadata.get(ASKED, url)
    return StoredCapture(
        0, key, url, requested if requested != url else None, group.metadata.get(SITE, ""), at, capture, None, UNKNOWN
    )
