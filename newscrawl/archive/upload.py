"""Moves closed files from the folder in which they grow (the spool) into an object store: beside a crawl by a thread,
which also keeps the store within its budget, and on demand.

The file is stored under its name, which nothing else has, before its row says that the store holds it; the local copy
is deleted after that. So a killed process leaves a file in both places at worst: no byte is lost, and no row points to
a file that is not there. The next call finishes the move.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from newscrawl.archive.files import STORED, SUFFIX, only_one, sync_folder
from newscrawl.archive.holding import claimed
from newscrawl.archive.objects import ObjectPlace
from newscrawl.archive.recover import recover
from newscrawl.archive.retention import keep_within
from newscrawl.errors import ArchiveError, NewscrawlError
from newscrawl.model import is_object_store
from newscrawl.storage.captures import archive_files
from newscrawl.storage.captures.locations import ArchiveFile
from newscrawl.storage.monitoring.checks import check_object_store
from newscrawl.storage.reader import Transactions
from newscrawl.workers.processes.failpoints import ARCHIVE_MOVED, ARCHIVE_PUT, hit

if TYPE_CHECKING:
    from newscrawl.archive.writer import ArchiveSettings

logger = logging.getLogger(__name__)

EVERY: Final = 5.0
"""Seconds between two looks for closed files."""
MAX_WAIT: Final = 300.0
"""Seconds after which a store that failed is tried again; the first time after `EVERY`, then after twice as long."""
ALARM_AFTER: Final = timedelta(minutes=10)
"""How long a store may fail before the alarm `object_store` is opened: most outages of object stores are shorter."""
CLOSE_TIMEOUT: Final = 20.0
"""Seconds for the last files when a process ends; service managers give it 30 to 45."""


class UploadThread:
    """Moves files while it runs. A failure is logged, once until the next success, and tried again. The files wait in
    the folder meanwhile. If the store fails for longer than `alarm_after`, an alarm is opened, and closed after the
    next success of any process of this machine."""

    def __init__(
        self,
        archive: ArchiveSettings,
        store: Transactions,
        objects: ObjectPlace,
        every: float = EVERY,
        alarm_after: timedelta = ALARM_AFTER,
    ) -> None:
        self._archive = archive
        self._store = store
        self._objects = objects
        self._every = every
        self._alarm_after = alarm_after
        self._failures = 0
        self._since: datetime | None = None
        self._may_be_open = True
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="newscrawl-archive-upload", daemon=True)
        self._thread.start()

    def close(self, timeout: float = CLOSE_TIMEOUT) -> None:
        """Moves the files that are closed by now, and ends the thread. After `timeout` seconds it is no longer waited
        for: the process must end in time. What is not moved is left to the next start."""
        self._stopped.set()
        self._thread.join(timeout)
        if self._thread.is_alive():
            where = (self._archive.folder, self._objects.address)
            logger.warning("files of the archive in %s are not yet in %s: left to the next start", *where)

    def _run(self) -> None:
        self._try(self._objects.check)
        while not self._stopped.wait(min(MAX_WAIT, self._every * 2**self._failures)):
            self._try(self._work)
        self._try(self._work)

    def _work(self) -> None:
        if self._failures:  # without a closed file, nothing else would ask the store
            self._objects.check()
        archive, store, objects = self._archive, self._store, self._objects
        if any(archive.folder.glob(f"*{SUFFIX}")) and move_closed(archive, store, objects):
            keep_within(objects, store, archive.budget, datetime.now(UTC), archive.machine)

    def _try(self, work: Callable[[], None]) -> None:
        try:
            work()
        except (NewscrawlError, OSError) as error:
            self._failures += 1
            what = str(error) if isinstance(error, ArchiveError) else f"the archive's files cannot be moved: {error}"
            if self._failures == 1:
                logger.error("%s; closed files wait in %s", what, self._archive.folder)  # noqa: TRY400  for the operator
            self._note(what)
        else:
            if self._failures:
                logger.warning("the object store %s can be used again", self._objects.address)
            self._failures = 0
            self._note(None)

    def _note(self, problem: str | None) -> None:
        """Opens the alarm if the problem lasts, and closes it with the first success, also one of an earlier process
        that was killed."""
        now = datetime.now(UTC)
        if problem is None:
            self._since = None
            if not self._may_be_open:
                return
        else:
            self._since = self._since or now
            if now - self._since < self._alarm_after:
                return
        try:
            self._store.run(check_object_store, now, problem, self._since or now, self._archive.machine).result()
        except NewscrawlError as error:
            logger.error("the alarm about the object store is not stored: %s", error)  # noqa: TRY400  no defect
        else:
            self._may_be_open = problem is not None


def move_closed(archive: ArchiveSettings, store: Transactions, objects: ObjectPlace) -> int:
    """Moves the closed files of this machine from its folder into the object store, the oldest first. Returns how many.
    It stops early while another process of the machine moves or rewrites files. Raises ArchiveError, OSError,
    StorageError; the file is then still here."""
    moved = 0
    while True:
        with only_one(archive.folder, wait=False) as is_ours:
            entry = next(_waiting(archive.folder, store, archive.machine), None) if is_ours else None
            if entry is None:
                return moved
            _move(entry[0], entry[1], store, objects)
            moved += 1


def move_all(archive: ArchiveSettings, store: Transactions, objects: ObjectPlace) -> int:
    """Repairs the files of killed processes in this machine's folder, and moves all files that no process writes into
    the object store. Returns how many. Raises as `move_closed` does."""
    with only_one(archive.folder, wait=True):
        recover(archive.folder, store, archive.machine, objects)
    return move_closed(archive, store, objects)


def _waiting(folder: Path, store: Transactions, machine: str) -> Iterator[tuple[Path, ArchiveFile]]:
    """Yields the closed files that the machine holds. Copies of files that a store holds are deleted."""
    paths = sorted(folder.glob(f"*{SUFFIX}"))
    known = {file.name: file for file in claimed(folder, store, machine)} if paths else {}
    for path in paths:
        file = known.get(path.name)
        if file is not None and is_object_store(file.machine):
            path.unlink()
            sync_folder(folder)
        elif file is not None and file.machine == machine and file.deleted is None:
            yield path, file


def _move(path: Path, file: ArchiveFile, store: Transactions, objects: ObjectPlace) -> None:
    objects.put(path, file.name)
    hit(ARCHIVE_PUT)
    # This state outlives the row: without it, the copy of a file that another machine then removes would stay here.
    copy = path.replace(path.with_name(file.name + STORED))
    sync_folder(path.parent)
    store.run(archive_files.give_to, [file.id], objects.address).result()
    hit(ARCHIVE_MOVED)
    copy.unlink()
    sync_folder(path.parent)
    logger.info("the archive's file %s is moved to %s", file.name, objects.address)
