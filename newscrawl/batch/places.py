"""The places of parts: a folder, or an object store. A part is created under a free name or not at all."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Final, Protocol

from newscrawl.archive.files import sync_folder
from newscrawl.archive.stores.object_address import is_object_store, object_address
from newscrawl.errors import ConfigurationError, OutputError, UsageError, os_reason
from newscrawl.failpoints import BATCH_WRITTEN, hit

if TYPE_CHECKING:
    from newscrawl.archive.stores.object_files import ObjectFiles

UNFINISHED: Final = ".tmp"
ABANDONED_SECONDS: Final = 3_600.0
"""Age of an unfinished file whose process was killed: writing one takes less than a second."""


class Place(Protocol):
    """The place of parts. `address` names it in messages and to workers. All methods raise OutputError or
    ArchiveError if the place cannot be used."""

    @property
    def address(self) -> str:
        """The absolute path of the folder, or the address of the object store."""

    def sizes(self) -> dict[str, int]:
        """Returns the sizes of all files in bytes, by name."""

    def read(self, name: str) -> bytes | None:
        """Returns the content of a file; None if there is none of this name."""

    def create(self, name: str, content: bytes) -> bool:
        """Writes a complete file under a name that is not taken. Returns False, and changes nothing, if it is."""

    def replace(self, name: str, content: bytes) -> None:
        """Writes a complete file in place of any other of its name."""


@dataclass(frozen=True, slots=True)
class FolderPlace:
    """A folder. A file gets its name when it is complete and on the disk."""

    folder: Path

    @property
    def address(self) -> str:
        return str(self.folder)

    def sizes(self) -> dict[str, int]:
        with self._explained():
            found = {path.name: path.stat() for path in self.folder.iterdir() if path.is_file()}
            for name, state in found.items():
                if name.endswith(UNFINISHED) and time.time() - state.st_mtime > ABANDONED_SECONDS:
                    (self.folder / name).unlink(missing_ok=True)
        return {name: state.st_size for name, state in found.items() if not name.endswith(UNFINISHED)}

    def read(self, name: str) -> bytes | None:
        try:
            with self._explained(FileNotFoundError):
                return (self.folder / name).read_bytes()
        except FileNotFoundError:
            return None

    def create(self, name: str, content: bytes) -> bool:
        with self._explained(), self._written(name, content) as written:
            hit(BATCH_WRITTEN)
            try:
                os.link(written, self.folder / name)
            except FileExistsError:
                return False
        return True

    def replace(self, name: str, content: bytes) -> None:
        with self._explained(), self._written(name, content) as written:
            written.replace(self.folder / name)

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

    @contextmanager
    def _explained(self, *passed: type[OSError]) -> Iterator[None]:
        try:
            yield
        except passed:
            raise
        except OSError as error:
            raise OutputError(self.folder, os_reason(error)) from error


@dataclass(frozen=True, slots=True)
class ObjectPlace:
    """A prefix of an object store."""

    files: ObjectFiles

    @property
    def address(self) -> str:
        return self.files.place

    def sizes(self) -> dict[str, int]:
        return self.files.sizes()

    def read(self, name: str) -> bytes | None:
        try:
            with self.files.open(name) as file:
                return file.read()
        except FileNotFoundError:
            return None

    def create(self, name: str, content: bytes) -> bool:
        return self.files.create(name, content)

    def replace(self, name: str, content: bytes) -> None:
        self.files.replace(name, content)


def place_at(address: str, *, make: bool = False) -> Place:
    """Returns the place at an address: a folder, or s3://BUCKET/PREFIX. With `make`, a folder that is missing is made.
    Raises UsageError for an address that is none."""
    if not is_object_store(address):
        if "://" in address:
            raise UsageError(f"{address} is no place for parts: give a folder or s3://BUCKET/PREFIX")
        folder = Path(address).absolute()
        if make:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise OutputError(folder, os_reason(error)) from error
        return FolderPlace(folder)
    from newscrawl.archive.stores.object_files import object_files_at  # the extra `s3`

    try:
        return ObjectPlace(object_files_at(object_address(address)))
    except ConfigurationError as error:
        raise UsageError(f"no place for parts: {str(error).partition(': ')[2]}") from None
