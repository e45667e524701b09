"""The holders of archive files: which files a machine or an object store holds, who may change one now, and how a file
goes for good.

A lock on its folder keeps other processes of a machine away (`files.only_one`). All machines of a database share an
object store, and nobody has a lock on its files: there, work needs a lease.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Concatenate, Final, ParamSpec, TypeVar

from newscrawl.archive.files import find
from newscrawl.archive.places import FolderPlace, Place
from newscrawl.errors import SiteLeased, StorageError
from newscrawl.model import is_object_store
from newscrawl.storage.captures import archive_files, locations
from newscrawl.storage.captures.locations import ArchiveFile
from newscrawl.storage.frontier import leases
from newscrawl.storage.frontier.leases import Lease
from newscrawl.storage.reader import Connection, Transactions
from newscrawl.workers.processes.process_names import is_dead, this_process

P = ParamSpec("P")
T = TypeVar("T")

DURATION: Final = timedelta(minutes=45)
"""Longer than one file takes on its way out of the store and back. The lease of a killed process of this machine is
taken at once, that of another machine's after this time."""


def is_of(file: ArchiveFile, machine: str) -> bool:
    """Returns whether the machine may have the file: it holds the file, or it is unknown which machine does."""
    return file.machine is None or file.machine == machine


def claimed(folder: Path, store: Transactions, machine: str) -> list[ArchiveFile]:
    """Returns all files that the database knows, after the machine has taken over those that are in its folder and that
    no machine holds."""
    files = store.run(locations.files).result()
    others = [file.name for file in files if file.machine != machine and not is_object_store(file.machine)]
    found = [name for name in others if find(folder, name) is not None]
    if found and store.run(archive_files.claim, found, machine).result():
        files = store.run(locations.files).result()
    return files


def delete(place: Place, file: ArchiveFile, store: Transactions, *, is_mounted: bool = False) -> None:
    """Deletes a file that no row refers to, and then its own row.

    `is_mounted` says that the folder is certainly the one of the machine that holds the file. Otherwise the row of a
    file that is not here stays (archive_files.forget_file).
    """
    was_here = not isinstance(place, FolderPlace) or find(place.folder, file.name) is not None
    place.delete(file.name)
    store.run(archive_files.forget_file, file.id, was_here=was_here or is_mounted).result()


def delete_marked(store: Transactions, objects: Place) -> None:
    """Deletes the files of an object store that are marked as deleted. Raises ArchiveError, StorageError."""
    for file in store.run(locations.files).result():
        if file.machine == objects.address and file.deleted is not None:
            delete(objects, file, store)


def budget_lease(place: str) -> str:
    """Returns the name of the lease for deleting the oldest files of a store."""
    return f"{leases.SERVICE}archive/{hashlib.sha256(place.encode()).hexdigest()[:16]}"


def file_lease(file_id: int) -> str:
    """Returns the name of the lease for replacing or deleting one file of a store."""
    return f"{leases.SERVICE}archive-file/{file_id}"


@contextmanager
def leased(store: Transactions, name: str) -> Iterator[Lease | None]:
    """Takes a lease and releases it at the end. Yields None while another process has it. Transactions that need the
    lease are to be fenced by it (newscrawl.storage.frontier.leases). Raises StorageError."""
    try:
        lease = store.run(leases.take, name, this_process(), None, DURATION, is_dead).result()
    except SiteLeased:
        yield None
        return
    try:
        yield lease
    finally:
        with contextlib.suppress(StorageError):  # it expires
            store.run(leases.release, lease).result()


@dataclass(frozen=True, slots=True)
class Change:
    """The right to replace or delete an archive file, and the transactions that do so. For a file of an object store it
    is a lease: once another process has taken that over, the futures fail with LeaseLost and nothing is written."""

    store: Transactions
    lease: Lease | None = None

    @property
    def number(self) -> int:
        """The number of the lease, which grows with each process that takes it; 1 for a file in a folder."""
        return self.lease.token if self.lease is not None else 1

    def run(
        self, transaction: Callable[Concatenate[Connection, P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """Runs `transaction(connection, ...)` in its own transaction; see Transactions.run."""
        if self.lease is None:
            return self.store.run(transaction, *args, **kwargs)
        return self.store.run(leases.fenced, self.lease, transaction, *args, **kwargs)


@contextmanager
def changing(store: Transactions, place: Place, file: ArchiveFile) -> Iterator[Change | None]:
    """Gives the right to replace or delete a file. Yields None while another process has it. The caller has locked the
    folder of a file in one (`files.only_one`). Raises StorageError."""
    if isinstance(place, FolderPlace):
        yield Change(store)
        return
    with leased(store, file_lease(file.id)) as lease:
        yield Change(store, lease) if lease is not None else None
