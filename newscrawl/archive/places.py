"""The places of complete files: a folder of this machine, or an object store (newscrawl.archive.objects). The raw
archive keeps its closed files there, and a batch its parts.

A file of the archive belongs to a holder (`archive_files.machine`): the name of a machine, or the address of an object
store.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO, Final, Protocol

from newscrawl.archive.files import SUFFIX, OpenFile, find, is_written, sync_folder
from newscrawl.errors import ArchiveError, OutputError, os_reason
from newscrawl.model import is_object_store
from newscrawl.workers.processes.failpoints import BATCH_WRITTEN, hit

UNFINISHED: Final = ".tmp"
"""The ending of a file that is being written. A killed process leaves it behind."""


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A complete file: its size in bytes, and when it was last changed."""

    name: str
    size: int
    changed: datetime


class Place(Protocol):
    """A place of complete files. All methods raise ArchiveError, OutputError or OSError if the place cannot be used,
    and FileNotFoundError for a file that it does not have."""

    @property
    def address(self) -> str:
        """The path of the folder, or the address of the object store, for messages and for workers."""

    def listed(self, ending: str = SUFFIX) -> dict[str, ListedFile]:
        """Returns the files whose names end so, by name. Files in folders or under prefixes within it are left out."""

    def has(self, name: str) -> bool:
        """Returns whether the file is there and can be read."""

    def open(self, name: str) -> BinaryIO:
        """Opens a file for reading in any order."""

    def read(self, name: str, offset: int = 0, length: int | None = None) -> bytes:
        """Returns exactly these bytes of a file; without a length, all from the offset to its end."""

    def create(self, name: str, content: bytes) -> bool:
        """Writes a complete file under a name that is not taken. Returns False, and changes nothing, if it is."""

    def replace(self, name: str, content: bytes) -> None:
        """Writes a complete file in place of any other of its name."""

    def delete(self, name: str) -> None:
        """Deletes a file. Deleting one that is not there does nothing."""

    def is_written(self, name: str) -> bool:
        """Returns whether a process writes the file now, so that it is not closed."""

    def prepare_replacement(self, written: OpenFile) -> None:
        """First step of a replacement, before any row refers to it: brings the new file to its place."""

    def complete_replacement(self, written: OpenFile) -> None:
        """Second step of a replacement, after the rows refer to the new file."""


@dataclass(frozen=True, slots=True)
class FolderPlace:
    """A folder of this machine. A file gets its name when it is complete and on the disk. The archive's folder also has
    files that are not closed yet, in other states (newscrawl.archive.files); they are found by the same names.

    `moved_to` is the object store into which this machine moves its closed files. What is deleted here is deleted there
    as well: it may be there already, if the process that moved it was killed.
    """

    folder: Path
    moved_to: Place | None = None

    @property
    def address(self) -> str:
        return str(self.folder)

    def listed(self, ending: str = SUFFIX) -> dict[str, ListedFile]:
        found = {}
        with _explained(self.folder):
            for path in self.folder.iterdir():
                with suppress(FileNotFoundError):  # it was deleted meanwhile
                    state = path.stat()
                    if path.name.endswith(ending) and not path.name.endswith(UNFINISHED) and path.is_file():
                        changed = datetime.fromtimestamp(state.st_mtime, UTC)
                        found[path.name] = ListedFile(path.name, state.st_size, changed)
        return found

    def has(self, name: str) -> bool:
        path = find(self.folder, name)
        return path is not None and os.access(path, os.R_OK)

    def open(self, name: str) -> BinaryIO:
        path = find(self.folder, name)
        if path is None:
            raise FileNotFoundError(f"there is no file {name} in {self.folder} any longer")
        return path.open("rb")

    def read(self, name: str, offset: int = 0, length: int | None = None) -> bytes:
        try:
            with self.open(name) as file:
                file.seek(offset)
                data = file.read(-1 if length is None else length)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise ArchiveError(f"cannot read {self.folder / name}: {os_reason(error)}") from error
        if length is not None and len(data) < length:
            raise ArchiveError(f"{self.folder / name} ends before byte {offset + length}")
        return data

    def create(self, name: str, content: bytes) -> bool:
        with _explained(self.folder), self._written(name, content) as written:
            hit(BATCH_WRITTEN)
            try:
                os.link(written, self.folder / name)
            except FileExistsError:
                return False
        return True

    def replace(self, name: str, content: bytes) -> None:
        with _explained(self.folder), self._written(name, content) as written:
            written.replace(self.folder / name)

    def delete(self, name: str) -> None:
        if self.moved_to is not None:
            self.moved_to.delete(name)
        path = find(self.folder, name)
        if path is not None:
            path.unlink(missing_ok=True)  # two processes may enforce the archive's budget at once
            sync_folder(self.folder)

    def is_written(self, name: str) -> bool:
        path = find(self.folder, name)
        return path is not None and is_written(path)

    def prepare_replacement(self, written: OpenFile) -> None:
        sync_folder(self.folder)

    def complete_replacement(self, written: OpenFile) -> None:
        written.close()

    @contextmanager
    def _written(self, name: str, content: bytes) -> Iterator[Path]:
        """A file with the content under a name of its own, which is removed at the end."""
        path = self.folder / f".{name}.{token_hex(4)}{UNFINISHED}"
        try:
            with path.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            yield path
        finally:
            path.unlink(missing_ok=True)
        sync_folder(self.folder)


def place_at(address: str) -> Place:
    """Returns the place at an address: a folder, or s3://BUCKET/PREFIX. Nothing is looked at yet. Raises UsageError
    without the client of object stores, and ArchiveError if its variables cannot be used."""
    if is_object_store(address):
        from newscrawl.archive.objects import object_place_at  # the extra `s3`

        return object_place_at(address)
    return FolderPlace(Path(address))


@contextmanager
def _explained(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(folder, os_reason(error)) from error
