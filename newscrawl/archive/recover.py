"""What a process that was killed has left: torn captures are cut off, whole ones made known, files given their names.

Bytes reach the disk before the transaction that points to them, so a kill leaves at most a capture that no row tells
of, or half of one; never a row that points to nothing.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final

from newscrawl.archive.capture_records import ASKED, SITE
from newscrawl.archive.files import OPEN, REWRITE, find, left_behind, sync_folder
from newscrawl.archive.read import Group, groups
from newscrawl.errors import InvalidUrl
from newscrawl.identity import url_key
from newscrawl.model import Capture, Spot
from newscrawl.storage import Transactions
from newscrawl.storage.captures import locations
from newscrawl.storage.captures.locations import ArchiveFile, Kept

logger = logging.getLogger(__name__)

UNKNOWN: Final = "archive/outcome_unknown"
"""What became of a page whose process was killed before it could say: it is fetched again."""


def recover(folder: Path, store: Transactions) -> int:
    """Puts the folder in order; files that a process is writing, and files that the database does not know, are left as
    they are. How many captures were made known."""
    if not folder.is_dir():
        return 0
    known = {file.name: file for file in store.run(locations.files).result()}
    adopted = 0
    for path, opened in left_behind(folder, OPEN):
        adopted += _close(path, opened, known.get(path.name.removesuffix(OPEN)), store)
    for path, _ in left_behind(folder, REWRITE):
        _settle_rewrite(path, known)
    for file in known.values():
        if file.deleted is not None:
            delete(folder, file, store)
    return adopted


def delete(folder: Path, file: ArchiveFile, store: Transactions) -> None:
    """Takes a file from the disk that nothing points to any longer, and then its row. The row of one that is not here
    may be all that is known of a file on another machine (captures.forget_file)."""
    path = find(folder, file.name)
    if path is not None:
        path.unlink(missing_ok=True)  # two processes may hold the archive within its budget at once
        sync_folder(folder)
    store.run(locations.forget_file, file.id, was_here=path is not None).result()


def _close(path: Path, opened: BinaryIO, file: ArchiveFile | None, store: Transactions) -> int:
    """Cuts a torn tail, makes the whole captures known, and gives the file its name."""
    whole = list(groups(opened))
    rows = store.run(locations.of_files, file.id).result() if file is not None else []
    if _cut(path, opened, whole, rows):
        path.replace(path.with_name(path.name.removesuffix(OPEN)))
        sync_folder(path.parent)
    else:  # nothing was ever kept in it
        path.unlink()
        sync_folder(path.parent)
        if file is not None:
            store.run(locations.forget_file, file.id).result()
    if file is None or file.deleted is not None:
        return 0
    there = {one.capture.spot.offset for one in rows}
    orphans = [one for one in (_kept(file.id, group) for group in whole) if one is not None]
    orphans = [one for one in orphans if one.capture.spot.offset not in there]
    if orphans:
        store.run(locations.adopt, _with_bodies(orphans, store)).result()
    return len(orphans)


def _with_bodies(orphans: Sequence[Kept], store: Transactions) -> list[Kept]:
    """The captures, those that repeat others with the place of the bytes."""
    digests = {one.capture.digest for one in orphans if one.capture.digest is not None}
    known = store.run(locations.bodies, digests).result()
    bodies = {digest: one.capture.body for digest, one in known.items()}
    bodies |= {one.capture.digest: one.capture.body for one in orphans if one.capture.digest and one.capture.body}
    found = []
    for one in orphans:
        body = one.capture.body or bodies.get(one.capture.digest or "")
        found.append(replace(one, capture=replace(one.capture, body=body)))
    return found


def _cut(path: Path, opened: BinaryIO, whole: Sequence[Group], rows: Sequence[Kept]) -> bool:
    """Cuts off what follows the last whole capture; whether anything is left."""
    size = opened.seek(0, os.SEEK_END)
    end = whole[-1].offset + whole[-1].length if whole else 0
    if any(one.capture.spot.offset >= end for one in rows):
        logger.error("%s is damaged at byte %d: left as it is, what can be read is read", path.name, end)
        return True
    if whole and end < size:
        logger.warning("%s: %d bytes of an unfinished capture are cut off", path.name, size - end)
        opened.truncate(end)
        os.fsync(opened.fileno())
    return bool(whole)


def _settle_rewrite(path: Path, known: dict[str, ArchiveFile]) -> None:
    """A file made in place of another counts once rows point to it; before that it never was."""
    name = path.name.removesuffix(REWRITE)
    if name in known:
        path.replace(path.with_name(name))
    else:
        path.unlink()
    sync_folder(path.parent)


def _kept(file_id: int, group: Group) -> Kept | None:
    """The row of a capture, from its own records; None for what is none of ours."""
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
    asked = group.told.get(ASKED, url)
    return Kept(0, key, url, asked if asked != url else None, group.told.get(SITE, ""), at, capture, None, UNKNOWN)
