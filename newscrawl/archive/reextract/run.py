"""Runs a reextraction: reads the archive, compares, and stores the results if requested; and says which captures of a
selection are in archive files that another machine, or another object store, holds.

The workers are those of an ingest: they read the archive themselves, and one that hangs or dies affects only its
current page.
"""

from __future__ import annotations

import contextlib
import logging
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeAlias

from newscrawl.archive.batch.spans import is_in_languages
from newscrawl.archive.files import find
from newscrawl.archive.ingest.crew import Crew, LocalCrew, run_spans
from newscrawl.archive.ingest.inputs import InputSpan
from newscrawl.archive.ingest.pages import UNWANTED
from newscrawl.archive.ingest.run import MAX_WAITING
from newscrawl.archive.ingest.worker import Batch, Settings, SpanJob
from newscrawl.archive.places import place_at
from newscrawl.archive.read import Archived
from newscrawl.archive.reextract.tally import CHANGED, Tally, compare
from newscrawl.archive.warc import RecordPosition
from newscrawl.archive.writer import ArchiveSettings
from newscrawl.model import Discovery, ProcessedPage, is_object_store
from newscrawl.model.wording import counted
from newscrawl.storage.articles.lookup import discoveries, previous_readings
from newscrawl.storage.captures import locations
from newscrawl.storage.captures.locations import BEGIN, ArchiveFile, Selection, StoredCapture
from newscrawl.storage.captures.withdrawals import is_withdrawn
from newscrawl.storage.reader import Connection
from newscrawl.storage.records import Outcome
from newscrawl.storage.store import Store

logger = logging.getLogger(__name__)

BATCH_SIZE: Final = 100
"""Captures of a worker's job: about a second of work."""
REMOTE_SIZE: Final = 300
"""Captures of a job of a cluster, each of which costs some milliseconds to send and to start."""


SpanCrew: TypeAlias = Crew[SpanJob, Batch]
ClusterOf: TypeAlias = Callable[[Archived | None], AbstractContextManager[SpanCrew]]
"""Makes the workers of a cluster, given a capture that each of them must be able to read."""


@dataclass
class ReextractionProgress:
    """The progress of a reextraction: pages done, of all selected pages."""

    total: int = 0
    done: int = 0
    pages: int = 0
    """The number of done pages that could be read."""
    changed: int = 0
    tally: Tally = field(default_factory=Tally)
    workers: str = ""
    """A message to the operator about the workers of a cluster."""

    @property
    def fresh(self) -> int:
        """The number of pages that this run has done. It is all of them, because a reextraction does not continue an
        earlier run."""
        return self.done


class Reextraction:
    """Extracts all captures of a selection again. `run` yields the progress until all are done.

    `archive` is that of this machine. `elsewhere` says which captures of the selection other machines have. They are
    left out. With `languages`, articles in other languages are left out. `cluster` makes workers on other machines,
    which read the object store, or the folder if there is none. Raises ArchiveError if the object store cannot be read.
    """

    def __init__(
        self,
        store: Store,
        archive: ArchiveSettings,
        selection: Selection,
        settings: Settings,
        *,
        apply: bool = False,
        languages: frozenset[str] = frozenset(),
        cluster: ClusterOf | None = None,
    ) -> None:
        self._store = store
        self._folder = folder = archive.folder
        self._languages = languages
        self._cluster = cluster
        ours, store_address = archive.machine, archive.store_address
        has_folder = cluster is None or store_address is None
        with store.reading() as connection:
            holders = {ours, store_address} if has_folder else {store_address}
            self.elsewhere = files_elsewhere(connection, folder if has_folder else None, selection, holders, ours)
        away = (number for machine in self.elsewhere for number in machine.files)
        self._selection = selection = replace(selection, not_in=frozenset(away))
        self._settings = settings
        self._apply = apply
        self._waiting: deque[Future[list[Outcome]]] = deque()
        with store.reading() as connection:
            wanted = locations.count(connection, selection)
            self._check_store(connection, selection, store_address)
        self.progress = ReextractionProgress(wanted if settings.limit is None else min(wanted, settings.limit))

    def run(self) -> Generator[ReextractionProgress]:
        """Runs until nothing is left. Raises StorageError, WorkerDied if workers cannot be kept running, and UsageError
        and BatchStopped of a cluster."""
        jobs = map(SpanJob, self._spans())
        with self._workers() as crew:
            for _ in run_spans(lambda: next(jobs, None), crew, lambda _, batch: self._take(batch)):
                self._collect(MAX_WAITING)
                self.progress.workers = crew.state()
                yield self.progress
        self._collect(0)
        yield self.progress

    def _workers(self) -> AbstractContextManager[SpanCrew]:
        if self._cluster is not None:
            return self._cluster(next(iter(self._captures(BEGIN, 1)[1]), None))
        return LocalCrew(replace(self._settings, now=datetime.now(UTC)))

    def _spans(self) -> Iterator[InputSpan]:
        after, left = BEGIN, self.progress.total
        size = BATCH_SIZE if self._cluster is None else REMOTE_SIZE
        while left > 0:
            part, archived = self._captures(after, min(size, left))
            if not part:
                return
            last = part[-1].capture.spot
            after, left = (last.file, last.offset), left - len(part)
            if not archived:
                continue
            place = str(self._folder)
            yield InputSpan("archive", "archive", place, 0, RecordPosition(0), len(archived), True, archived=archived)

    def _captures(self, after: tuple[int, int], size: int) -> tuple[Sequence[StoredCapture], tuple[Archived, ...]]:
        """Returns the next captures of the selection, and those of them that are extracted with their places."""
        with self._store.reading() as connection:
            part = locations.part(connection, self._selection, after, size)
            files = {file.id: file for file in locations.files(connection)}
            found = discoveries(connection, [row.url_key for row in part])
        return part, tuple(self._archived(row, files, found) for row in part if self._is_wanted(row))

    def _is_wanted(self, row: StoredCapture) -> bool:
        """Returns whether a capture of the selection is extracted. Subclasses select further."""
        return True

    def _archived(
        self, row: StoredCapture, files: Mapping[int, ArchiveFile], found: Mapping[str, Discovery]
    ) -> Archived:
        file = files.get((row.capture.body or row.capture.spot).file)
        place = file.machine if file is not None and is_object_store(file.machine) else self._folder
        return Archived.of(row, place, file.name if file is not None else "", found.get(row.url_key))

    def _check_store(self, connection: Connection, selection: Selection, address: str | None) -> None:
        """Reads the first selected capture of the object store, so that a store that cannot be read is one error, and
        not one for each page."""
        if address is None:
            return
        files = {file.id: file for file in locations.files(connection) if file.machine == address}
        elsewhere = frozenset(locations.numbers_by_file(connection, selection)) - files.keys()
        for row in locations.part(connection, replace(selection, not_in=selection.not_in | elsewhere), BEGIN, 1):
            spot = row.capture.body or row.capture.spot
            with contextlib.suppress(FileNotFoundError):  # such a page is counted
                place_at(address).read(files[spot.file].name, spot.offset, spot.length)

    def _take(self, batch: Batch) -> None:
        for defect in batch.defects:
            logger.error("%s", defect)
        progress = self.progress
        progress.tally.skipped.update(batch.skipped)
        progress.done += len(batch.pages) + sum(batch.skipped.values())
        ids = [page.raw.capture.id for page in batch.pages if page.raw.capture and page.raw.capture.id is not None]
        with self._store.reading() as connection:
            old = previous_readings(connection, ids)
        changed: list[ProcessedPage] = []
        for page in batch.pages:
            number = page.raw.capture.id if page.raw.capture is not None else None
            if number is None or number not in old:
                continue  # forgotten meanwhile
            if not is_in_languages(page, self._languages):
                progress.tally.skipped[UNWANTED] += 1
                continue
            difference = compare(old[number], page)
            progress.pages += 1
            progress.tally.add(old[number], page, difference)
            if difference.kind in CHANGED:
                progress.changed += 1
                if page.article is not None or is_withdrawn(page, old[number]):
                    changed.append(page)
        if self._apply and changed:
            self._waiting.append(self._store.save_again(changed, datetime.now(UTC)))

    def _collect(self, at_most: int) -> None:
        """Waits until at most `at_most` batches are not yet committed, and counts committed ones."""
        while self._waiting and (len(self._waiting) > at_most or self._waiting[0].done()):
            for outcome in self._waiting.popleft().result():
                self.progress.tally.outcomes[outcome.kind] += 1


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
