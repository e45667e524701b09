"""Removes from this machine's archive what `newscrawl forget` was asked to remove, here or on another machine.

The files are rewritten one by one, and each is confirmed after its old bytes are off the disk. If the process is
killed, the remaining requests stay open for the next process.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from newscrawl.archive.files import only_one
from newscrawl.archive.recover import claimed, recover
from newscrawl.archive.rewrite import Victims, remove_from
from newscrawl.failpoints import ARCHIVE_CONFIRMED, hit
from newscrawl.storage import Database, Transactions
from newscrawl.storage.captures import locations, removals
from newscrawl.storage.captures.removals import OpenRemoval

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RemovalsDone:
    """What was done: the numbers of confirmed and of rewritten files, and of removed captures. `busy` are files that a
    crawl still writes, `missing` files of this machine that are not in its folder. Their removals stay open.
    `is_locked` says that another process of this machine does the work now."""

    files: int = 0
    rewritten: int = 0
    captures: int = 0
    busy: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    is_locked: bool = False


def remove_asked(
    store: Database,
    folder: Path | None,
    machine: str,
    now: datetime,
    *,
    software: str = "newscrawl",
    goes_on: Callable[[], bool] = lambda: True,
) -> RemovalsDone:
    """Does the open removals of a machine in its folder. It stops early once `goes_on` returns False. Raises
    StorageError, OSError."""
    if folder is None or not folder.is_dir():
        return RemovalsDone()
    with store.reading() as connection:
        if not removals.is_anything_open(connection, machine):
            return RemovalsDone()
    with only_one(folder, wait=False) as is_ours:
        if not is_ours:
            return RemovalsDone(is_locked=True)
        recover(folder, store, machine)
        return _remove(store, folder, machine, now, software, goes_on)


def take_over_files(store: Transactions, folder: Path | None, machine: str) -> None:
    """Stores that a machine holds the files that are in its folder and that no machine holds. Raises StorageError."""
    if folder is not None and folder.is_dir():
        claimed(folder, store, machine)


def _remove(
    store: Transactions, folder: Path, machine: str, now: datetime, software: str, goes_on: Callable[[], bool]
) -> RemovalsDone:
    wanted: dict[int, list[OpenRemoval]] = {}
    for removal in store.run(removals.open_for, machine).result():
        wanted.setdefault(removal.file_id, []).append(removal)
    done, busy, missing = RemovalsDone(), list[str](), list[str]()
    for file in store.run(locations.files).result():
        of_file = wanted.get(file.id)
        if not of_file or file.machine != machine:
            continue
        if not goes_on():
            break
        if file.deleted is not None:  # it is not here, else `recover` would have deleted it
            missing.append(file.name)
            continue
        victims = Victims.of([removal.wanted for removal in of_file])
        found = remove_from(store, folder, file, victims, software, now)
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
    store.run(removals.confirm, [removal.id for removal in of_file]).result()
    hit(ARCHIVE_CONFIRMED)
    logger.info("the archive's file %s has nothing any longer of what was to be removed", name)
