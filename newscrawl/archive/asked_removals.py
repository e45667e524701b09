"""Removes from this machine's archive, and from its object store, what `newscrawl forget` was asked to remove, here or
on another machine.

The files are rewritten one by one, and each is confirmed after its old bytes are off the disk. If the process is
killed, the remaining requests stay open for the next process.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from newscrawl.archive.files import ensure_folder, only_one
from newscrawl.archive.recover import claimed, delete_marked, files_in, recover
from newscrawl.archive.rewrite import Removing, Victims
from newscrawl.archive.stores.closed_files import ClosedFiles
from newscrawl.failpoints import ARCHIVE_CONFIRMED, hit
from newscrawl.storage.captures import archive_files, locations
from newscrawl.storage.captures.archive_files import OpenRemoval
from newscrawl.storage.reader import Database, Transactions

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RemovalsDone:
    """The result of the removals: the numbers of confirmed and of rewritten files, and of removed captures. `busy` are
    files that a crawl still writes or another process replaces, `missing` files of this machine that are not in its
    folder, `not_in_store` files that are not in its object store; all these stay to be done. `is_locked` says that
    another process of this machine does the work now."""

    files: int = 0
    rewritten: int = 0
    captures: int = 0
    busy: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    not_in_store: tuple[str, ...] = ()
    is_locked: bool = False

    def __add__(self, other: RemovalsDone) -> RemovalsDone:
        return RemovalsDone(
            self.files + other.files,
            self.rewritten + other.rewritten,
            self.captures + other.captures,
            self.busy + other.busy,
            self.missing + other.missing,
            self.not_in_store + other.not_in_store,
            self.is_locked or other.is_locked,
        )


def remove_asked(
    store: Database,
    folder: Path | None,
    machine: str,
    now: datetime,
    *,
    software: str = "newscrawl",
    goes_on: Callable[[], bool] = lambda: True,
    objects: ClosedFiles | None = None,
) -> RemovalsDone:
    """Does the open removals of a machine in its folder, and those of its object store. It stops early once `goes_on`
    returns False. Raises ArchiveError, StorageError, OSError."""
    if folder is None:
        return RemovalsDone()

    def remove(holder: str, files: ClosedFiles) -> RemovalsDone:
        return _remove(store, folder, holder, files, now, software, goes_on)

    done = RemovalsDone()
    if folder.is_dir() and _is_anything_open(store, machine):
        with only_one(folder, wait=False) as is_ours:
            if not is_ours:
                return RemovalsDone(is_locked=True)
            recover(folder, store, machine, objects)
            done = remove(machine, files_in(folder, objects))
    if objects is not None and _is_anything_open(store, objects.place):
        ensure_folder(folder)
        delete_marked(store, objects)
        of_store = remove(objects.place, objects)
        done += replace(of_store, missing=(), not_in_store=of_store.missing)
    return done


def _is_anything_open(store: Database, holder: str) -> bool:
    with store.reading() as connection:
        return bool(archive_files.open_for(connection, holder))


def take_over_files(store: Transactions, folder: Path | None, machine: str) -> None:
    """Stores that a machine holds the files that are in its folder and that no machine holds. Raises StorageError."""
    if folder is not None and folder.is_dir():
        claimed(folder, store, machine)


def _remove(
    store: Transactions,
    folder: Path,
    holder: str,
    files: ClosedFiles,
    now: datetime,
    software: str,
    goes_on: Callable[[], bool],
) -> RemovalsDone:
    """Does what the holder of files was asked to remove from them."""
    wanted: dict[int, list[OpenRemoval]] = {}
    for removal in store.run(archive_files.open_for, holder).result():
        wanted.setdefault(removal.file_id, []).append(removal)
    done, busy, missing = RemovalsDone(), list[str](), list[str]()
    for file in store.run(locations.files).result():
        of_file = wanted.get(file.id)
        if not of_file or file.machine != holder:
            continue
        if not goes_on():
            break
        if file.deleted is not None:  # it is not here, else `recover` would have deleted it
            missing.append(file.name)
            continue
        victims = Victims.of([removal.wanted for removal in of_file])
        found = Removing(store, files, folder, victims, software, now).from_file(file)
        if found.state in {"busy", "open"}:
            busy.append(file.name)
        elif found.state == "missing":
            missing.append(file.name)
        else:
            _confirm(store, of_file, file.name)
            done = replace(
                done,
                files=done.files + 1,
                rewritten=done.rewritten + found.is_new,
                captures=done.captures + found.captures,
            )
    return replace(done, busy=tuple(busy), missing=tuple(missing))


def _confirm(store: Transactions, of_file: Collection[OpenRemoval], name: str) -> None:
    store.run(archive_files.confirm, [removal.id for removal in of_file]).result()
    hit(ARCHIVE_CONFIRMED)
    logger.info("the archive's file %s has nothing any longer of what was to be removed", name)
