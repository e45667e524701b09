"""Which captures of a selection are in archive files that another machine, or another object store, holds."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from newscrawl.archive.files import find
from newscrawl.model import is_object_store
from newscrawl.model.wording import counted
from newscrawl.storage.captures import locations
from newscrawl.storage.captures.locations import Selection
from newscrawl.storage.reader import Connection


@dataclass(frozen=True, slots=True)
class CapturesElsewhere:
    """The number of captures that a machine or an object store has, and the ids of its files with them."""

    machine: str
    captures: int
    files: Sequence[int]
    is_here: bool = False
    """Whether it is this machine, whose folder the workers of a cluster do not see."""

    def __str__(self) -> str:
        files = counted(len(self.files), "file")
        where = "in the object store" if is_object_store(self.machine) else "on machine"
        return f"{counted(self.captures, 'capture')} of {files} {_lie(self.captures)} {where} {self.machine}"

    @property
    def advice(self) -> str:
        """The way in which an operator extracts them."""
        if self.is_here:
            return "run the command without --on"
        if is_object_store(self.machine):
            return f"run the command with NEWSCRAWL_ARCHIVE_URL={self.machine}"
        return "run the command there"


def files_elsewhere(
    connection: Connection,
    folder: Path | None,
    selection: Selection,
    holders: Collection[str | None],
    machine: str | None = None,
) -> list[CapturesElsewhere]:
    """Returns the captures of the selection that others than `holders` have, by machine or object store. A file that is
    in the folder is here, whatever machine holds it; a file that an object store holds is only there. Without a folder,
    files in that of this `machine` are elsewhere, too."""
    numbers = locations.numbers_by_file(connection, selection)
    found: dict[str, dict[int, int]] = {}
    for file in locations.files(connection):
        is_theirs = file.machine is not None and file.machine not in holders
        if is_theirs and file.id in numbers and (is_object_store(file.machine) or not _has(folder, file.name)):
            found.setdefault(str(file.machine), {})[file.id] = numbers[file.id]
    return [
        CapturesElsewhere(name, sum(files.values()), tuple(files), name == machine)
        for name, files in sorted(found.items())
    ]


def _has(folder: Path | None, name: str) -> bool:
    return folder is not None and find(folder, name) is not None


def _lie(number: int) -> str:
    return "lies" if number == 1 else "lie"
