"""Which captures of a selection are in archive files that another machine holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from newscrawl.archive.files import find
from newscrawl.storage import Connection
from newscrawl.storage.captures import locations
from newscrawl.storage.captures.locations import Selection
from newscrawl.wording import counted


@dataclass(frozen=True, slots=True)
class CapturesElsewhere:
    """The number of captures that a machine has, and the ids of its files with them."""

    machine: str
    captures: int
    files: Sequence[int]

    def __str__(self) -> str:
        files = counted(len(self.files), "file")
        return f"{counted(self.captures, 'capture')} of {files} {_lie(self.captures)} on machine {self.machine}"


def files_elsewhere(
    connection: Connection, folder: Path, selection: Selection, machine: str
) -> list[CapturesElsewhere]:
    """Returns the captures of the selection that other machines than `machine` have, by machine. A file that is in the
    folder is here, whatever machine holds it."""
    numbers = locations.numbers_by_file(connection, selection)
    found: dict[str, dict[int, int]] = {}
    for file in locations.files(connection):
        is_theirs = file.machine is not None and file.machine != machine
        if is_theirs and file.id in numbers and find(folder, file.name) is None:
            found.setdefault(str(file.machine), {})[file.id] = numbers[file.id]
    return [CapturesElsewhere(name, sum(files.values()), tuple(files)) for name, files in sorted(found.items())]


def _lie(number: int) -> str:
    return "lies" if number == 1 else "lie"
