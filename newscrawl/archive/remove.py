"""Removes pages from the archive. The files of this machine and of its object store are rewritten without them. Other
machines are asked to rewrite theirs, and do so by `remove_asked`.

The files are rewritten one by one, and each is confirmed after its old bytes are off the disk. If the process is
killed, the remaining requests stay open for the next process.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from newscrawl.archive.files import ensure_folder, find, only_one
from newscrawl.archive.holding import claimed, delete_marked
from newscrawl.archive.places import FolderPlace, Place
from newscrawl.archive.recover import recover
from newscrawl.archive.rewrite import Removing, Victims
from newscrawl.model import is_object_store
from newscrawl.model.identity import url_key
from newscrawl.storage.captures import archive_files, locations
from newscrawl.storage.captures.archive_files import WaitingMachine, Wanted, hash_of
from newscrawl.storage.captures.locations import ArchiveFile
from newscrawl.storage.reader import Database, Transactions
from newscrawl.workers.processes.failpoints import ARCHIVE_CONFIRMED, hit

if TYPE_CHECKING:
    from newscrawl.archive.writer import ArchiveSettings

logger = logging.getLogger(__name__)

LeftWhy = Literal["busy", "missing", "unconfirmed", "locked"]


@dataclass(frozen=True, slots=True)
class Left:
    """A file that is left to be done, and why.

        busy            a crawl writes the file, or another process rewrites it in the object store
        missing         it cannot be opened here
        unconfirmed     it was to be deleted and is not here, so nobody knows whether it was deleted
        locked          `file` is the folder: another process of this machine removes something in it now

    The name of a file in an object store begins with the address of the store.
    """

    file: str
    why: LeftWhy

    def at(self, folder: Path | None) -> str:
        """Returns the path of a file of the archive in `folder`, or its address."""
        return self.file if folder is None or is_object_store(self.file) else str(folder / self.file)


@dataclass(frozen=True, slots=True)
class Removed:
    """The result of a removal: the numbers of removed captures, of rewritten files, and of files whose requests were
    confirmed, and what is left. `waiting` are the machines that were asked to remove the same captures from their files
    and have not confirmed it, this one included. `was_asked` says that machines were asked, now or earlier."""

    captures: int = 0
    rewritten: int = 0
    confirmed: int = 0
    left: tuple[Left, ...] = ()
    waiting: tuple[WaitingMachine, ...] = ()
    was_asked: bool = False

    def files_left(self, *reasons: LeftWhy) -> tuple[str, ...]:
        """Returns the files that are left for one of these reasons."""
        return tuple(left.file for left in self.left if left.why in reasons)


@dataclass
class _Work:
    """Removes captures from the files of one holder after another, and notes what is done and what is left. All files
    are searched for what is `wanted`; without that, only those with requests."""

    store: Transactions
    software: str
    now: datetime
    wanted: Wanted | None = None
    goes_on: Callable[[], bool] = lambda: True
    captures: int = 0
    rewritten: int = 0
    confirmed: int = 0
    left: list[Left] = field(default_factory=list)
    found: dict[str, set[int]] = field(default_factory=lambda: {"clean": set(), "busy": set(), "missing": set()})
    """The ids of the files that were searched, by their state."""

    def in_folder(self, archive: ArchiveSettings) -> None:
        """Works on the files of this machine in its folder, which the caller has locked."""
        recover(archive.folder, self.store, archive.machine, archive.objects)
        self._in(FolderPlace(archive.folder, archive.objects), archive.machine, archive.folder)

    def in_store(self, archive: ArchiveSettings) -> None:
        """Works on the files of the object store, if there is one. New files are written in the folder first."""
        objects = archive.objects
        if objects is not None:
            ensure_folder(archive.folder)
            delete_marked(self.store, objects)
            self._in(objects, objects.address, archive.folder)

    def without_folder(self, machine: str) -> None:
        """Notes that the files of a machine cannot be opened."""
        for file in self._files(machine):
            if file.deleted is None:
                self._leave(file, "missing")

    def removed(self, waiting: Collection[WaitingMachine] = (), *, was_asked: bool = False) -> Removed:
        """Returns what was done and what is left, by reason."""
        left = sorted(self.left, key=lambda one: get_args(LeftWhy).index(one.why))
        return Removed(self.captures, self.rewritten, self.confirmed, tuple(left), tuple(waiting), was_asked)

    def _files(self, holder: str) -> list[ArchiveFile]:
        """The files of a holder. Those of no known machine are searched on each, as long as none has found them."""
        of_none = self.wanted is not None and not is_object_store(holder)
        files = self.store.run(locations.files).result()
        return [file for file in files if file.machine == holder or (of_none and file.machine is None)]

    def _in(self, place: Place, holder: str, folder: Path) -> None:
        asked = self.store.run(archive_files.open_for, holder).result()
        for file in self._files(holder):
            of_file = asked.get(file.id, {})
            if self.wanted is None and not of_file:
                continue
            if not self.goes_on():
                return
            if file.deleted is None:
                self._search(place, folder, file, of_file)
            elif isinstance(place, FolderPlace) and find(place.folder, file.name) is None:
                self._leave(file, "unconfirmed")
            elif of_file:  # it could not be deleted now
                self._leave(file, "missing")

    def _search(self, place: Place, folder: Path, file: ArchiveFile, of_file: Mapping[int, Wanted]) -> None:
        """Removes what is wanted, and what was asked for, from one file."""
        victims = Victims.of([*filter(None, [self.wanted]), *of_file.values()])
        done = Removing(self.store, place, folder, victims, self.software, self.now).from_file(file)
        if done.state == "clean":
            self.captures += done.captures
            self.rewritten += done.is_new
            self.found["clean"].add(done.file_id)
            if of_file:
                self.store.run(archive_files.confirm, of_file.keys()).result()
                hit(ARCHIVE_CONFIRMED)
                self.confirmed += 1
                logger.info("the archive's file %s no longer has anything that was to be removed", file.name)
        elif done.state != "open":
            self._leave(file, done.state)
        elif self.wanted is None:  # a crawl may still add captures, so nothing can be confirmed
            self._leave(file, "busy")

    def _leave(self, file: ArchiveFile, why: LeftWhy) -> None:
        if why in self.found:
            self.found[why].add(file.id)
        name = f"{file.machine}/{file.name}" if is_object_store(file.machine) else file.name
        self.left.append(Left(name, why))


def forget(
    store: Transactions,
    archive: ArchiveSettings | None,
    urls: Iterable[str] = (),
    site: str | None = None,
    *,
    machine: str | None = None,
    now: datetime | None = None,
) -> Removed:
    """Removes all records of these URLs, and of the site, from the archive of this machine and from its object store,
    and the rows that refer to them; asks the machines that have other files to do the same. Bytes that another page has
    too stay, under that page's URL. `archive` is None if this machine has no archive; `machine` is then its name (None:
    the host name).

    An interrupted call is completed by the next. Raises InvalidUrl, UsageError, ArchiveError, StorageError, OSError.
    """
    machine = archive.machine if archive is not None else machine or socket.gethostname()
    keys = set(map(url_key, urls))
    known = store.run(locations.captures_of_pages, keys, site).result()
    keys |= {row.url_key for row in known if row.site == site}
    wanted = Wanted(frozenset(map(hash_of, keys)), site)
    rows_in = {spot.file for row in known for spot in (row.capture.spot, row.capture.body) if spot is not None}
    work = _Work(store, archive.software if archive is not None else "", now or datetime.now(UTC), wanted)
    if archive is not None and archive.folder.is_dir() and os.access(archive.folder, os.R_OK | os.X_OK):
        with only_one(archive.folder, wait=True):
            work.in_folder(archive)
    else:
        work.without_folder(machine)
    if archive is not None:
        work.in_store(archive)
    asked = store.run(archive_files.ask, wanted, machine, rows_in, **work.found)
    waiting, was_asked = asked.result()
    return work.removed(waiting, was_asked=was_asked)


def remove_asked(
    store: Database, archive: ArchiveSettings, now: datetime, goes_on: Callable[[], bool] = lambda: True
) -> Removed:
    """Does the open removals of this machine in its folder, and those of its object store: what `forget` was asked to
    remove, here or on another machine. It stops early once `goes_on` returns False. Raises UsageError, ArchiveError,
    StorageError, OSError."""
    work = _Work(store, archive.software, now, goes_on=goes_on)
    if archive.folder.is_dir() and _is_anything_open(store, archive.machine):
        with only_one(archive.folder, wait=False) as is_ours:
            if not is_ours:
                return Removed(left=(Left(str(archive.folder), "locked"),))
            work.in_folder(archive)
    if archive.store_address is not None and _is_anything_open(store, archive.store_address):
        work.in_store(archive)
    return work.removed()


def take_over_files(store: Transactions, archive: ArchiveSettings) -> None:
    """Stores that this machine holds the files that are in its folder and that no machine holds. Raises
    StorageError."""
    if archive.folder.is_dir():
        claimed(archive.folder, store, archive.machine)


def _is_anything_open(store: Database, holder: str) -> bool:
    with store.reading() as connection:
        return bool(archive_files.open_for(connection, holder))
