"""Removes pages from the archive. The files of this machine and of its object store are rewritten without them. Other
machines are asked to rewrite theirs.

A machine that has other files processes requests by itself (newscrawl.archive.asked_removals).
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from newscrawl.archive.files import ensure_folder, find, only_one
from newscrawl.archive.recover import delete_marked, files_in, is_of, recover
from newscrawl.archive.rewrite import Removing, Rewritten, Victims
from newscrawl.archive.stores.closed_files import ClosedFiles
from newscrawl.identity import url_key
from newscrawl.storage.captures import archive_files, locations
from newscrawl.storage.captures.archive_files import Searched, WaitingMachine, Wanted, hash_of
from newscrawl.storage.captures.locations import ArchiveFile
from newscrawl.storage.reader import Transactions


@dataclass(frozen=True, slots=True)
class ForgottenCaptures:
    """The result of `forget`: the numbers of removed captures and of rewritten files.

    `busy` are files that a running crawl of this machine writes, or that another process rewrites in the object store:
    the captures are removed after that. `missing` are files of this machine, or of none, that cannot be opened here and
    may have captures to be removed. Files of the object store have its address before their names. `unconfirmed` are
    files that were to be deleted and are not here, so it is not known whether they were. `waiting` are the machines
    that were asked to remove captures from their files and have not confirmed it, this one included. `was_asked` says
    that machines were asked, now or earlier.
    """

    captures: int = 0
    files: int = 0
    busy: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    unconfirmed: tuple[str, ...] = ()
    waiting: tuple[WaitingMachine, ...] = ()
    was_asked: bool = False


@dataclass
class _Search:
    """The captures that were found in the files of this machine."""

    captures: int = 0
    rewritten: int = 0
    clean: set[int] = field(default_factory=set)
    busy: dict[int, str] = field(default_factory=dict)
    missing: dict[int, str] = field(default_factory=dict)
    unconfirmed: list[str] = field(default_factory=list)

    def add(self, file: ArchiveFile, done: Rewritten) -> None:
        """Counts a file that is not marked as deleted."""
        if done.state == "busy":
            self.busy[file.id] = file.name
        elif done.state == "missing":
            self.missing[file.id] = file.name
        elif done.state == "clean":
            self.clean.add(done.file_id)
            self.captures += done.captures
            self.rewritten += done.is_new


def forget(
    store: Transactions,
    folder: Path | None,
    urls: Iterable[str] = (),
    site: str | None = None,
    *,
    machine: str | None = None,
    software: str = "newscrawl",
    now: datetime | None = None,
    objects: ClosedFiles | None = None,
) -> ForgottenCaptures:
    """Removes all records of these URLs, and of the site, from the archive in `folder`, and the rows that refer to
    them; asks the machines that have other files to do the same. Bytes that another page has too stay, under that
    page's URL. `folder` is None if this machine has no archive, `machine` is its name (None: the host name), `objects`
    the object store into which closed files are moved.

    An interrupted call is completed by the next. Raises InvalidUrl, ArchiveError, StorageError, OSError.
    """
    machine = machine or socket.gethostname()
    keys = set(map(url_key, urls))
    known = store.run(locations.captures_of_pages, keys, site).result()
    keys |= {row.url_key for row in known if row.site == site}
    wanted = Wanted(frozenset(map(hash_of, keys)), site)
    rows_in = {spot.file for row in known for spot in (row.capture.spot, row.capture.body) if spot is not None}
    now = now or datetime.now(UTC)
    found = _search(store, folder, machine, wanted, software, now, objects)
    if objects is not None and folder is not None:
        _search_store(store, folder, objects, wanted, software, now, found)
    searched = Searched(frozenset(found.clean), frozenset(found.busy), frozenset(found.missing))
    waiting, was_asked = store.run(archive_files.ask, wanted, machine, searched, rows_in).result()
    return ForgottenCaptures(
        found.captures,
        found.rewritten,
        tuple(found.busy.values()),
        tuple(found.missing.values()),
        tuple(found.unconfirmed),
        tuple(waiting),
        was_asked,
    )


def _search(
    store: Transactions,
    folder: Path | None,
    machine: str,
    wanted: Wanted,
    software: str,
    now: datetime,
    objects: ClosedFiles | None,
) -> _Search:
    """Removes what is wanted from the files that this machine has."""
    found = _Search()
    if folder is None or not (folder.is_dir() and os.access(folder, os.R_OK | os.X_OK)):
        own = [file for file in store.run(locations.files).result() if is_of(file, machine)]
        found.missing = {file.id: file.name for file in own if file.deleted is None}
        return found
    with only_one(folder, wait=True):
        recover(folder, store, machine, objects)
        asked = store.run(archive_files.open_for, machine).result()  # a file need not be searched twice
        victims = Victims.of([wanted, *(removal.wanted for removal in asked)])
        removing = Removing(store, files_in(folder, objects), folder, victims, software, now)
        for file in store.run(locations.files).result():
            if not is_of(file, machine):
                continue
            if file.deleted is None:
                done = removing.from_file(file)
                found.add(file, done)
                if done.state == "clean":
                    store.run(archive_files.confirm, [one.id for one in asked if one.file_id == file.id]).result()
            elif find(folder, file.name) is None:
                found.unconfirmed.append(file.name)
    return found


def _search_store(
    store: Transactions,
    folder: Path,
    objects: ClosedFiles,
    wanted: Wanted,
    software: str,
    now: datetime,
    found: _Search,
) -> None:
    """Removes what is wanted from the files of the object store. New files are written in the folder first."""
    ensure_folder(folder)
    delete_marked(store, objects)
    asked = store.run(archive_files.open_for, objects.place).result()
    victims = Victims.of([wanted, *(removal.wanted for removal in asked)])
    removing = Removing(store, objects, folder, victims, software, now)
    for file in store.run(locations.files).result():
        if file.machine == objects.place and file.deleted is None:
            done = removing.from_file(file)
            found.add(replace(file, name=f"{objects.place}/{file.name}"), done)
            if done.state == "clean":
                store.run(archive_files.confirm, [one.id for one in asked if one.file_id == file.id]).result()
