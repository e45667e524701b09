"""Keeps the archive within its budget by deleting whole files, the oldest first."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, Protocol

from newscrawl.archive.files import find, is_written, only_one
from newscrawl.archive.recover import delete, delete_marked, is_of
from newscrawl.archive.stores.closed_files import ClosedFiles, FolderFiles
from newscrawl.archive.stores.leases import budget_lease, file_lease, leased
from newscrawl.failpoints import ARCHIVE_DELETED, hit
from newscrawl.storage.captures import archive_files, locations
from newscrawl.storage.captures.locations import ArchiveFile
from newscrawl.storage.frontier import leases
from newscrawl.storage.reader import Transactions
from newscrawl.wording import counted

logger = logging.getLogger(__name__)

OLDEST_OPEN: Final = timedelta(days=1)
"""Age at which a file is closed, however small: pages that are deleted by age must not share it with younger ones."""
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


class LimitedArchive(Protocol):
    """An archive whose size and age are limited: the folder of a machine, or an object store."""

    def too_many(self, files: Iterable[ArchiveFile], now: datetime) -> list[StoredFile]:
        """Returns those of `files` that must be deleted, oldest first, and changes nothing."""

    def keep_within(self, store: Transactions, now: datetime) -> int:
        """Deletes files until the archive is within its budget. Returns the number of deleted captures. Raises
        ArchiveError, StorageError."""


@dataclass(frozen=True, slots=True)
class LimitedFolder:
    """The folder of a machine."""

    folder: Path
    budget: ArchiveBudget
    machine: str

    def too_many(self, files: Iterable[ArchiveFile], now: datetime) -> list[StoredFile]:
        if not self.folder.is_dir():
            return []
        own = [file for file in files if is_of(file, self.machine)]
        return files_over_budget(files_on_disk(self.folder, own), self.budget, now)

    def keep_within(self, store: Transactions, now: datetime) -> int:
        return keep_within(self.folder, store, self.budget, now, self.machine)


@dataclass(frozen=True, slots=True)
class LimitedStore:
    """The object store that holds the files of all machines."""

    objects: ClosedFiles
    budget: ArchiveBudget

    def too_many(self, files: Iterable[ArchiveFile], now: datetime) -> list[StoredFile]:
        return files_over_budget(files_in_store(self.objects, files), self.budget, now)

    def keep_within(self, store: Transactions, now: datetime) -> int:
        return keep_store_within(store, self.objects, self.budget, now)


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
    files = FolderFiles(folder)
    own = [file for file in store.run(locations.files).result() if is_of(file, machine)]
    for entry in files_over_budget(files_on_disk(folder, own), budget, now):
        forgotten = store.run(archive_files.delete_file, entry.file.id, now).result()
        hit(ARCHIVE_DELETED)
        delete(files, entry.file, store)
        logger.info(
            "the archive's file %s with %s is deleted: the budget", entry.file.name, counted(forgotten, "capture")
        )
        deleted += forgotten
    return deleted


def keep_store_within(store: Transactions, objects: ClosedFiles, budget: ArchiveBudget, now: datetime) -> int:
    """Deletes the oldest files of an object store until all of its files are within the budget, and those that are
    marked as deleted. One process of all does so at a time: another one returns 0 at once. Returns the number of
    deleted captures. Raises ArchiveError, StorageError."""
    with leased(store, budget_lease(objects.place)) as lease:
        if lease is None:
            return 0
        delete_marked(store, objects)
        if budget.bytes is None and budget.age is None:
            return 0
        deleted = 0
        for entry in files_over_budget(files_in_store(objects, store.run(locations.files).result()), budget, now):
            deleted += _delete_object(store, objects, entry.file, now)
        return deleted


def files_in_store(objects: ClosedFiles, files: Iterable[ArchiveFile]) -> list[StoredFile]:
    """Returns the files that an object store holds and has, in order of age. An object that was stored late, or written
    again by `forget`, is no younger than the pages in it."""
    listed = objects.listed()
    own = [file for file in files if file.machine == objects.place and file.deleted is None and file.name in listed]
    return [
        StoredFile(file, listed[file.name].size, min(listed[file.name].changed, file.created + OLDEST_OPEN))
        for file in own
    ]


def _delete_object(store: Transactions, objects: ClosedFiles, file: ArchiveFile, now: datetime) -> int:
    with leased(store, file_lease(file.id)) as lease:
        if lease is None:  # it is being rewritten, and is found again under its new name
            return 0
        forgotten = store.run(leases.fenced, lease, archive_files.delete_file, file.id, now).result()
        hit(ARCHIVE_DELETED)
        delete(objects, file, store)
        logger.info("the archive's file %s with %s is deleted: the budget", file.name, counted(forgotten, "capture"))
        return int(forgotten)
