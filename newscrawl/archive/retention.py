"""Keeps the archive within its budget by deleting whole files, the oldest first."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from newscrawl.archive.files import only_one
from newscrawl.archive.holding import budget_lease, changing, delete, delete_marked, is_of, leased
from newscrawl.archive.places import FolderPlace, Place
from newscrawl.model.wording import counted
from newscrawl.storage.captures import archive_files, locations
from newscrawl.storage.captures.locations import ArchiveFile
from newscrawl.storage.reader import Transactions
from newscrawl.workers.processes.failpoints import ARCHIVE_DELETED, hit

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


def too_many(
    place: Place, files: Iterable[ArchiveFile], budget: ArchiveBudget, now: datetime, machine: str
) -> list[ArchiveFile]:
    """Returns the files that must be deleted from a place; deletes nothing. `files` are in order of age. From a folder,
    only files that `machine` holds are deleted. Raises ArchiveError, OutputError."""
    if budget == ArchiveBudget() or (isinstance(place, FolderPlace) and not place.folder.is_dir()):
        return []
    listed = place.listed()
    held = [file for file in files if file.deleted is None and _is_held(file, place, machine) and file.name in listed]
    total = sum(listed[file.name].size for file in held)
    going = []
    for file in held:
        # A file that was moved or copied late, or written again by `forget`, is no younger than the pages in it.
        changed = min(listed[file.name].changed, file.created + OLDEST_OPEN)
        too_old = budget.age is not None and changed < now - budget.age
        too_large = budget.bytes is not None and total > budget.bytes
        if not (too_old or too_large):
            break
        total -= listed[file.name].size
        going.append(file)
    return going


def keep_within(place: Place, store: Transactions, budget: ArchiveBudget, now: datetime, machine: str) -> int:
    """Deletes the oldest files until a place is within the budget. In a folder, these are files that `machine` holds;
    in an object store, those of all machines, and files that are marked as deleted. One process at a time does so; any
    other returns 0 at once. Returns the number of deleted captures. Raises ArchiveError, OutputError, StorageError."""
    if not isinstance(place, FolderPlace):
        with leased(store, budget_lease(place.address)) as lease:
            if lease is None:
                return 0
            delete_marked(store, place)
            return _delete_oldest(place, store, budget, now, machine)
    if budget == ArchiveBudget() or not place.folder.is_dir():
        return 0
    with only_one(place.folder, wait=False) as is_ours:
        # A file must not be deleted while it is rewritten. The next new file is another occasion.
        return _delete_oldest(place, store, budget, now, machine) if is_ours else 0


def _is_held(file: ArchiveFile, place: Place, machine: str) -> bool:
    return is_of(file, machine) if isinstance(place, FolderPlace) else file.machine == place.address


def _delete_oldest(place: Place, store: Transactions, budget: ArchiveBudget, now: datetime, machine: str) -> int:
    files = store.run(locations.files).result()
    return sum(_delete(place, store, file, now) for file in too_many(place, files, budget, now, machine))


def _delete(place: Place, store: Transactions, file: ArchiveFile, now: datetime) -> int:
    """Deletes first the rows of a file, in one transaction, then the file. Returns the number of deleted captures."""
    with changing(store, place, file) as change:
        if change is None:  # it is being rewritten, and is found again under its new name
            return 0
        captures = change.run(archive_files.delete_file, file.id, now).result()
        hit(ARCHIVE_DELETED)
        delete(place, file, store)
    logger.info("the archive exceeds its budget: %s with %s is deleted", file.name, counted(captures, "capture"))
    return captures
