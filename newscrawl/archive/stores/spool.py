"""Moves closed files from the folder in which they grew into an object store.

The file is stored under its name, which nothing else has, before its row says that the store holds it; the local copy
is deleted after that. So a killed process leaves a file in both places at worst: no byte is lost, and no row points to
a file that is not there. The next call finishes the move.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from pathlib import Path

from newscrawl.archive.files import STORED, SUFFIX, only_one, sync_folder
from newscrawl.archive.recover import claimed, recover
from newscrawl.archive.stores.object_address import is_object_store
from newscrawl.archive.stores.object_files import ObjectFiles
from newscrawl.failpoints import ARCHIVE_MOVED, ARCHIVE_PUT, hit
from newscrawl.storage.captures import archive_files
from newscrawl.storage.captures.locations import ArchiveFile
from newscrawl.storage.reader import Transactions

logger = logging.getLogger(__name__)


def move_closed(
    folder: Path, store: Transactions, objects: ObjectFiles, machine: str, goes_on: Callable[[], bool] = lambda: True
) -> int:
    """Moves the closed files of a machine from its folder into the object store, the oldest first. Returns how many.
    It stops early once `goes_on` returns False, or while another process of the machine moves or rewrites files.
    Raises ArchiveError, OSError, StorageError; the file is then still here."""
    moved = 0
    while goes_on():
        with only_one(folder, wait=False) as is_ours:
            entry = next(_waiting(folder, store, machine), None) if is_ours else None
            if entry is None:
                return moved
            _move(entry[0], entry[1], store, objects)
            moved += 1
    return moved


def move_all(folder: Path, store: Transactions, objects: ObjectFiles, machine: str) -> int:
    """Repairs the files of killed processes in a machine's folder, and moves all files that no process writes into the
    object store. Returns how many. Raises as `move_closed` does."""
    with only_one(folder, wait=True):
        recover(folder, store, machine, objects)
    return move_closed(folder, store, objects, machine)


def has_closed(folder: Path) -> bool:
    """Returns whether the folder has a closed file. It is cheap: it asks no database."""
    return next(folder.glob(f"*{SUFFIX}"), None) is not None


def _waiting(folder: Path, store: Transactions, machine: str) -> Iterator[tuple[Path, ArchiveFile]]:
    """Yields the closed files that the machine holds. Copies of files that a store holds are deleted."""
    paths = sorted(folder.glob(f"*{SUFFIX}"))
    known = {file.name: file for file in claimed(folder, store, machine)} if paths else {}
    for path in paths:
        file = known.get(path.name)
        if file is not None and is_object_store(file.machine):
            path.unlink()
            sync_folder(folder)
        elif file is not None and file.machine == machine and file.deleted is None:
            yield path, file


def _move(path: Path, file: ArchiveFile, store: Transactions, objects: ObjectFiles) -> None:
    objects.put(path, file.name)
    hit(ARCHIVE_PUT)
    # This state outlives the row: without it, the copy of a file that another machine then removes would stay here.
    copy = path.replace(path.with_name(file.name + STORED))
    sync_folder(path.parent)
    store.run(archive_files.give_to, [file.id], objects.place).result()
    hit(ARCHIVE_MOVED)
    copy.unlink()
    sync_folder(path.parent)
    logger.info("the archive's file %s is moved to %s", file.name, objects.place)
