"""Keeps the archive within its budget by deleting whole files, the oldest first."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from newscrawl.archive.files import find, is_written, only_one
from newscrawl.archive.recover import delete, is_of
from newscrawl.failpoints import ARCHIVE_DELETED, hit
from newscrawl.storage import Transactions
from newscrawl.storage.captures import locations, replaced_files
from newscrawl.storage.captures.locations import ArchiveFile
from newscrawl.wording import counted

logger = logging.getLogger(__name__)

GIGABYTE: Final = 10**9
"""Bytes of a gigabyte, as disk makers and `df -H` count."""


@dataclass(frozen=True, slots=True)
class ArchiveBudget:
    """The limits of the archive: at most `bytes`, files of at most `age`. None is no limit."""

    bytes: int | None = None
    age: timedelta | None = None


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file on the disk: its size in bytes, and when it was last written to."""

    file: ArchiveFile
    size: int
    changed: datetime


def files_over_budget(stored: Sequence[StoredFile], budget: ArchiveBudget, now: datetime) -> list[StoredFile]:
    """Returns the files to delete, oldest first. Pure; `stored` must be in order of age."""
    total = sum(file.size for file in stored)
    going = []
    for file in stored:
        too_old = budget.age is not None and file.changed < now - budget.age
        too_large = budget.bytes is not None and total > budget.bytes
        if not (too_old or too_large):
            break
        total -= file.size
        going.append(file)
    return going


def files_on_disk(folder: Path, files: Iterable[ArchiveFile]) -> list[StoredFile]:
    """Returns the archive's files that are closed and on the disk, in order of age."""
    stored = []
    for file in files:
        path = find(folder, file.name)
        if file.deleted is None and path is not None and path.name == file.name and not is_written(path):
            state = path.stat()
            stored.append(StoredFile(file, state.st_size, datetime.fromtimestamp(state.st_mtime, UTC)))
    return stored


def keep_within(
    folder: Path, store: Transactions, budget: ArchiveBudget, now: datetime, machine: str | None = None
) -> int:
    """Deletes files of a machine (None: of this host's name) until its archive is within the budget: first the rows of
    a file, in one transaction, then the file. Returns the number of deleted captures."""
    if (budget.bytes is None and budget.age is None) or not folder.is_dir():
        return 0
    with only_one(folder, wait=False) as is_ours:
        # A file must not be deleted while it is rewritten. The next new file is another occasion.
        return _delete_oldest(folder, store, budget, now, machine or socket.gethostname()) if is_ours else 0


def _delete_oldest(folder: Path, store: Transactions, budget: ArchiveBudget, now: datetime, machine: str) -> int:
    deleted = 0
    own = [file for file in store.run(locations.files).result() if is_of(file, machine)]
    for entry in files_over_budget(files_on_disk(folder, own), budget, now):
        forgotten = store.run(replaced_files.delete_file, entry.file.id, now).result()
        hit(ARCHIVE_DELETED)
        delete(folder, entry.file, store)
        logger.info(
            "the archive's file %s with %s is deleted: the budget", entry.file.name, counted(forgotten, "capture")
        )
        deleted += forgotten
    return deleted
