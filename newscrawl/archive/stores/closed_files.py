"""The place of closed archive files: the interface, and its implementation for a folder of this machine."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Protocol

from newscrawl.archive.files import SUFFIX, OpenFile, find, is_written, sync_folder
from newscrawl.archive.stores.object_address import is_object_store
from newscrawl.errors import ArchiveError


@dataclass(frozen=True, slots=True)
class ClosedFile:
    """A closed file: its size in bytes, and when it was last changed."""

    name: str
    size: int
    changed: datetime


class ClosedFiles(Protocol):
    """The place of closed archive files. `place` names it in messages: a folder, or the address of an object store. All
    methods raise ArchiveError or OSError if the place cannot be used, and FileNotFoundError for a file that it does not
    have."""

    @property
    def place(self) -> str:
        """The folder, or the address of the object store."""

    def listed(self) -> dict[str, ClosedFile]:
        """Returns the closed files, by name."""

    def read(self, name: str, offset: int, length: int) -> bytes:
        """Returns exactly these bytes of a file."""

    def open(self, name: str) -> BinaryIO:
        """Opens a file for reading in any order."""

    def has(self, name: str) -> bool:
        """Returns whether the file is there and can be read."""

    def is_written(self, name: str) -> bool:
        """Returns whether a process writes the file now, so that it is not closed."""

    def prepare_replacement(self, written: OpenFile) -> None:
        """Brings the complete replacement of a file to its place, as far as that comes before its rows."""

    def complete_replacement(self, written: OpenFile) -> None:
        """Does the rest, once rows refer to the replacement."""

    def delete(self, name: str) -> None:
        """Deletes a file. Deleting one that is not there does nothing."""


@dataclass(frozen=True, slots=True)
class FolderFiles:
    """Closed files in a folder of this machine. The folder also has files that are not closed yet, in other states
    (newscrawl.archive.files); they are found by the same names.

    `delete_elsewhere` is called with the name of each file that is deleted: a file that waits for its way into an
    object store may be there already, if the process that moved it was killed.
    """

    folder: Path
    delete_elsewhere: Callable[[str], None] | None = None

    @property
    def place(self) -> str:
        return str(self.folder)

    def listed(self) -> dict[str, ClosedFile]:
        found = {}
        for path in self.folder.glob(f"*{SUFFIX}"):
            if not is_written(path):
                state = path.stat()
                found[path.name] = ClosedFile(path.name, state.st_size, datetime.fromtimestamp(state.st_mtime, UTC))
        return found

    def read(self, name: str, offset: int, length: int) -> bytes:
        with self.open(name) as file:
            file.seek(offset)
            data = file.read(length)
        if len(data) < length:
            raise ArchiveError(f"{self.folder / name} ends before byte {offset + length}")
        return data

    def open(self, name: str) -> BinaryIO:
        path = find(self.folder, name)
        if path is None:
            raise FileNotFoundError(f"the archive has no file {name} any longer")
        return path.open("rb")

    def has(self, name: str) -> bool:
        path = find(self.folder, name)
        return path is not None and os.access(path, os.R_OK)

    def is_written(self, name: str) -> bool:
        path = find(self.folder, name)
        return path is not None and is_written(path)

    def prepare_replacement(self, written: OpenFile) -> None:
        sync_folder(self.folder)

    def complete_replacement(self, written: OpenFile) -> None:
        written.close()

    def delete(self, name: str) -> None:
        if self.delete_elsewhere is not None:
            self.delete_elsewhere(name)
        path = find(self.folder, name)
        if path is not None:
            path.unlink(missing_ok=True)  # two processes may enforce the archive's budget at once
            sync_folder(self.folder)


def closed_files_at(place: str) -> ClosedFiles:
    """Returns the closed files at a place: a folder, or the address of an object store."""
    if is_object_store(place):
        from newscrawl.archive.stores.object_files import object_files_at  # the extra `s3`

        return object_files_at(place)
    return FolderFiles(Path(place))
