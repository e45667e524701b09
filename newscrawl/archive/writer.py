"""Writes the archive: takes pages and returns their captures when the bytes are on the disk. One thread does it.

Pages that arrive while the disk is busy are written together, with one sync: a fast crawl makes few syncs, and a slow
one does not wait for more pages.
"""

from __future__ import annotations

import logging
import queue
import shutil
import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from newscrawl.archive.capture_records import NOT_MODIFIED, capture, digest_of
from newscrawl.archive.files import OpenFile, ensure_folder, new_name
from newscrawl.archive.places import FolderPlace, Place
from newscrawl.archive.read import groups
from newscrawl.archive.recover import add_missing_rows, recover
from newscrawl.archive.retention import OLDEST_OPEN, ArchiveBudget, keep_within
from newscrawl.errors import ArchiveError, NewscrawlError, StorageError
from newscrawl.model import Capture, RawPage, Spot
from newscrawl.model.identity import url_key
from newscrawl.model.wording import counted
from newscrawl.storage.captures import locations
from newscrawl.storage.reader import Database
from newscrawl.workers.processes.failpoints import ARCHIVE_ROTATED, ARCHIVE_SYNCED, hit

if TYPE_CHECKING:
    from newscrawl.archive.objects import ObjectPlace
    from newscrawl.archive.upload import UploadThread

logger = logging.getLogger(__name__)

MAX_BATCH: Final = 64
"""The most pages written with one sync; somewhat more than a batch of the database."""
SPACE_CHECK_SECONDS: Final = 1.0
"""Seconds between two checks of the free space."""
FIRST_PAUSE: Final = 5.0
MAX_PAUSE: Final = 60.0
"""Seconds between two attempts to write while the disk refuses pages. They begin with FIRST_PAUSE and double up to
MAX_PAUSE."""
PATIENCE: Final = 15.0
"""Seconds for which a crawl waits for the disk, unless `ArchiveWriter.patience` says otherwise."""
IN_FLIGHT_SECONDS: Final = 120.0
"""Seconds after a file is full after which its pages are stored or never will be, because the crawl lost its lease or
its database. Extraction takes at most some tens of seconds. A page that is stored later updates its capture's row,
except if `forget` has rewritten the file meanwhile."""
LOOK_SECONDS: Final = 15.0
"""Seconds between two looks whether full files can be closed."""
RECENT: Final = 1_000
"""Number of written bodies that are remembered, because they may not be in the database yet."""

_Pending: TypeAlias = tuple[RawPage, Future[Capture]]
"""A page to write, and the future of its capture."""


def _free(folder: Path) -> int:
    return shutil.disk_usage(folder).free


@dataclass(frozen=True)
class ArchiveSettings:
    """The archive's folder and limits. A file of `file_bytes` is closed and another begun. Fetching stops if the disk
    has less than `least_free` bytes free. `machine` is the name of the machine that has the folder. `store_address` is
    the object store into which closed files are moved (newscrawl.archive.objects); None: they stay in the folder. The
    budget applies to where they stay. A full file has no page in flight once `in_flight` seconds have passed."""

    folder: Path
    file_bytes: int = 256 * 10**6
    budget: ArchiveBudget = field(default_factory=ArchiveBudget)
    least_free: int = 10**9
    software: str = "newscrawl"
    free: Callable[[Path], int] = _free
    machine: str = field(default_factory=socket.gethostname)
    store_address: str | None = None
    in_flight: float = IN_FLIGHT_SECONDS

    @property
    def objects(self) -> ObjectPlace | None:
        """The object store, if there is one. Raises UsageError without its client, and ArchiveError if its variables
        cannot be used."""
        if self.store_address is None:
            return None
        from newscrawl.archive.objects import object_place_at  # the extra `s3`

        return object_place_at(self.store_address)

    @property
    def place(self) -> Place:
        """The place where closed files stay. Raises as `objects` does."""
        return self.objects or FolderPlace(self.folder)


@dataclass(slots=True)
class Refusals:
    """Pages that the disk refuses, from the first one until one is written. The log has one line at the beginning and
    one at the end. `problem` is the error, "" without one; no attempt is made before `again_at` (time.monotonic)."""

    problem: str = ""
    again_at: float = 0.0
    ends: int = 0
    """How many times the disk took pages again."""
    _pause: float = 0.0
    began: float = 0.0

    def refused(self, error: ArchiveError) -> None:
        """Notes that a page was not written."""
        now = time.monotonic()
        if not self.problem:
            self.began, self._pause = now, FIRST_PAUSE
            logger.error("%s; fetching pauses, and the page is tried again after pauses of up to a minute", error)
        elif now < self.again_at:
            return  # it was tried together with another one
        else:
            self._pause = min(2 * self._pause, MAX_PAUSE)
        self.problem, self.again_at = str(error), now + self._pause

    def written(self) -> None:
        """Notes that a page was written."""
        if self.problem:
            self.problem, self.again_at = "", 0.0
            self.ends += 1
            logger.warning("the archive takes pages again, after %.0f s", time.monotonic() - self.began)


class ArchiveWriter:
    """The archive open for writing. `keep` may be called from any thread; no file is created before the first page.
    Raises UsageError and ArchiveError if there is an object store that cannot be used on this machine."""

    def __init__(self, settings: ArchiveSettings, store: Database) -> None:
        self.settings = settings
        self._store = store
        self._objects = settings.objects  # its errors end a command before the first request
        self._writer = WarcWriter(settings, store)
        self._queue: queue.SimpleQueue[_Pending | frozenset[str] | None] = queue.SimpleQueue()
        """Pages to write, names of files to close although they could take more pages, and None at the end."""
        self._thread: threading.Thread | None = None
        self._closed = False
        self._upload: UploadThread | None = None
        self._lock = threading.Lock()
        self._space_check: tuple[float, bool] = (float("-inf"), False)
        """The time of the last check of the free space, and whether the disk was low."""
        self._low_since = float("inf")
        self.refusals = Refusals()
        self.held = 0
        """Fetched pages that wait for the disk."""
        self.patience = PATIENCE
        """Seconds for which a page that the disk refused is tried again, and a crawl waits while the disk is low."""

    def keep(self, raw: RawPage) -> Future[Capture]:
        """Writes the page. The future resolves when its bytes are on the disk. It fails with ArchiveError, or with
        StorageError if the database fails."""
        future: Future[Capture] = Future()
        future.set_running_or_notify_cancel()
        with self._lock:
            if self._closed:
                raise ArchiveError("the archive is closed")
            if self._thread is None:
                self._upload = self._begin_upload()
                self._thread = threading.Thread(target=self._run, name="newscrawl-archive", daemon=True)
                self._thread.start()
            self._queue.put((raw, future))
        return future

    def finish_files(self, names: Iterable[str]) -> None:
        """Asks the thread to close those of these files that this archive writes, once their captures are stored. Later
        pages go to another file."""
        with self._lock:
            if self._thread is not None and not self._closed:
                self._queue.put(frozenset(names))

    def disk_is_low(self) -> bool:
        """Returns whether the disk has less free space than the settings require. It is cheap enough for every page."""
        at, low = self._space_check
        if time.monotonic() - at > SPACE_CHECK_SECONDS:
            folders = (self.settings.folder, *self.settings.folder.parents)
            folder = next((path for path in folders if path.exists()), None)
            was_low, low = low, folder is not None and self.settings.free(folder) < self.settings.least_free
            self._space_check = (time.monotonic(), low)
            if low and not was_low:
                self._low_since = time.monotonic()
                least, advice = self.settings.least_free / 10**9, _advice(self.settings.store_address)
                place = self.settings.folder
                logger.warning("fetching pauses: less than %g GB is free in %s; make room, or %s", least, place, advice)
            elif was_low and not low:
                self._low_since = float("inf")
                logger.warning("fetching continues: there is room in %s", self.settings.folder)
        return low

    def holds_requests(self) -> bool:
        """Returns whether nothing is to be fetched now: the disk is nearly full, or it refuses pages. Then a page that
        was fetched already is tried first; without one, requests go on after a pause."""
        if self.refusals.problem and (self.held or time.monotonic() < self.refusals.again_at):
            return True
        return self.disk_is_low()

    def has_given_up(self) -> bool:
        """Returns whether the disk has been low, or has refused pages, for longer than `patience`."""
        refused_since = self.refusals.began if self.refusals.problem else float("inf")
        return time.monotonic() - min(self._low_since, refused_since) > self.patience

    def close(self) -> None:
        """Writes all waiting pages, closes the file, moves closed files into the object store if there is one, and ends
        the threads; a second call does nothing."""
        with self._lock:
            self._closed = True
            self._queue.put(None)
        if self._thread is not None:
            self._thread.join()
        if self._upload is not None:
            self._upload.close()

    def _begin_upload(self) -> UploadThread | None:
        if self._objects is None:
            return None
        from newscrawl.archive.upload import UploadThread  # the extra `s3`

        ensure_folder(self.settings.folder)
        return UploadThread(self.settings, self._store, self._objects)

    def _run(self) -> None:
        ended = False
        while not ended:
            batch, ended = self._next_batch()
            if batch:
                self._keep(batch)
        self._writer.close()

    def _next_batch(self) -> tuple[list[_Pending], bool]:
        """Returns the pages that wait, and whether they are the last."""
        batch: list[_Pending] = []
        waiting = self._queue.get()
        while waiting is not None:
            if isinstance(waiting, frozenset):
                self._finish_files(waiting)
            else:
                batch.append(waiting)
            if len(batch) == MAX_BATCH:
                return batch, False
            try:
                waiting = self._queue.get_nowait()
            except queue.Empty:
                return batch, False
        return batch, True

    def _finish_files(self, names: Collection[str]) -> None:
        try:
            self._writer.finish_files(names)
        except NewscrawlError as error:  # it is asked for again
            logger.warning("the archive's files %s cannot be closed now: %s", ", ".join(sorted(names)), error)

    def _keep(self, batch: Sequence[_Pending]) -> None:
        """Writes the pages and resolves their futures. No capture is returned before it is on the disk."""
        try:
            kept = self._writer.write([raw for raw, _ in batch])
        except Exception as error:  # noqa: BLE001 - the thread must continue; every future gets the error
            if isinstance(error, ArchiveError):
                self.refusals.refused(error)
            for _, future in batch:
                future.set_exception(error)
            return
        self.refusals.written()
        for (_, future), captured in zip(batch, kept, strict=True):
            future.set_result(captured)


def _advice(store_address: str | None) -> str:
    """Returns what makes room besides other files."""
    if store_address is None:
        return "lower NEWSCRAWL_ARCHIVE_MIN_FREE_GB or NEWSCRAWL_ARCHIVE_MAX_GB"
    return f"see that {store_address} takes the closed files (`newscrawl doctor`)"


@dataclass(frozen=True, slots=True)
class _Body:
    """The place of a body, and the capture that has it, by URL and time."""

    spot: Spot
    original: tuple[str, datetime]


@dataclass(slots=True)
class _Growing:
    """A file that is not closed: its number in the database, when it was begun, and the number of its captures.
    `full_since` is the time from which it takes no more pages (monotonic seconds); None while it takes pages.
    `is_named` says that the log already has the reason why it cannot be closed."""

    file: OpenFile
    number: int
    begun: datetime
    captures: int = 0
    full_since: float | None = None
    is_named: bool = False


class WarcWriter:
    """Writes pages to the current file, and remembers recently written bodies. To be used by one thread."""

    def __init__(self, settings: ArchiveSettings, store: Database) -> None:
        self._settings = settings
        self._store = store
        self._current: _Growing | None = None
        self._full: list[_Growing] = []
        self._serial = 0
        self._recent: OrderedDict[str, _Body] = OrderedDict()
        self._look_at = 0.0

    def write(self, pages: Sequence[RawPage]) -> list[Capture]:
        """Writes the pages; returns when their bytes are on the disk. Raises ArchiveError, or StorageError if the
        database fails; then none of the pages is kept."""
        try:
            kept = self._write(pages, self._open())
        except StorageError:  # not an error of the archive's disk
            raise
        except Exception as error:
            raise ArchiveError(f"cannot write to the archive {self._settings.folder}: {error}") from error
        self._rotate_if_due()
        if self._full and time.monotonic() >= self._look_at:
            self._close_stored()
        return kept

    def finish_files(self, names: Collection[str]) -> None:
        """Makes the next page begin a new file if the current one has one of these names, and closes those of them
        that have no page in flight."""
        if self._current is not None and self._current.file.name in names:
            self._finish_file()
        if any(full.file.name in names for full in self._full):
            self._close_stored()

    def close(self) -> None:
        """Closes the files. A file with captures that are not stored yet is left to the next start, which adds their
        rows."""
        self._finish_file()
        self._close_stored()
        for full in self._full:
            full.file.abandon()
        self._full.clear()

    def _finish_file(self) -> None:
        """Makes the next page begin a new file."""
        if self._current is not None:
            self._current.full_since = time.monotonic()
            self._full.append(self._current)
            self._current = None

    def _close_stored(self) -> None:
        """Renames full files to their final names once rows refer to all their captures."""
        left = []
        for full in self._full:
            try:
                if self._has_all_rows(full):
                    full.file.close()
                    continue
            except (OSError, StorageError) as error:
                if not full.is_named:
                    logger.warning("the archive's file %s stays open: %s", full.file.name, error)
                full.is_named = True
            left.append(full)
        self._full = left
        self._look_at = time.monotonic() + LOOK_SECONDS

    def _has_all_rows(self, full: _Growing) -> bool:
        """Returns whether rows refer to all captures of a full file. Once no page of it can be in flight any more, this
        adds the rows that the crawl did not store."""
        with self._store.reading() as connection:
            if locations.number_in(connection, full.number) >= full.captures:
                return True
        if time.monotonic() - (full.full_since or 0.0) < self._settings.in_flight:
            return False
        with full.file.path.open("rb") as opened:
            added = add_missing_rows(list(groups(opened)), full.number, self._store)
        logger.warning(
            "%s: %s never stored, the archive has them", full.file.name, counted(added, "page was", "pages were")
        )
        return True

    def _write(self, raws: Sequence[RawPage], into: _Growing) -> list[Capture]:
        pages = [(raw, digest_of(raw.body) if raw.body is not None else None) for raw in raws]
        known = self._known(pages)
        planned: list[tuple[bytes, str | None, _Body | None]] = []
        at = into.file.size
        for raw, digest in pages:
            body = known.get(digest or _page_key(raw))
            piece = capture(raw, digest, body.original if body is not None else None)
            if body is None and digest is not None:
                body = known[digest] = _Body(Spot(into.number, at, len(piece)), (raw.final_url, raw.fetched_at))
            planned.append((piece, digest, body))
            at += len(piece)
        begins = into.file.append([piece for piece, _, _ in planned])
        into.file.sync()
        into.captures += len(planned)
        hit(ARCHIVE_SYNCED)
        return [
            self._captured(Spot(into.number, begin, len(plan[0])), *plan[1:])
            for begin, plan in zip(begins, planned, strict=True)
        ]

    def _captured(self, spot: Spot, digest: str | None, body: _Body | None) -> Capture:
        if digest is not None and body is not None and body.spot == spot:
            self._recent[digest] = body
            while len(self._recent) > RECENT:
                self._recent.popitem(last=False)
            return Capture("response", spot, spot, digest)
        return Capture("revisit", spot, body.spot if body is not None else None, digest)

    def _known(self, pages: Sequence[tuple[RawPage, str | None]]) -> dict[str, _Body]:
        """Bodies that need not be written again, by digest, and by page for a 304."""
        digests = [digest for _, digest in pages if digest is not None]
        unchanged = [url_key(raw.final_url) for raw, digest in pages if digest is None and raw.status == NOT_MODIFIED]
        known = {digest: self._recent[digest] for digest in digests if digest in self._recent}
        try:
            with self._store.reading() as connection:
                for digest, row in locations.bodies(connection, set(digests) - set(known)).items():
                    known[digest] = _body(row)
                for key, row in locations.latest(connection, unchanged).items():
                    known[f"page {key}"] = _body(row)
        except StorageError:
            logger.info("the database cannot be read: pages are stored in full, also if the archive has their bodies")
        return known

    def _open(self) -> _Growing:
        """Returns the file to write to. Before the first one, what an earlier process left is put in order."""
        if self._current is None:
            settings, now = self._settings, datetime.now(UTC)
            ensure_folder(settings.folder)
            if not self._serial:
                recover(settings.folder, self._store, settings.machine, settings.objects)
                self._keep_within_budget(now)
            self._serial += 1
            name = new_name(now, self._serial)
            number = self._store.notes.run(locations.add_file, name, now, settings.machine).result()
            self._current = _Growing(OpenFile.begin(settings.folder, name, now, settings.software), number, now)
            self._recent.clear()
        return self._current

    def _keep_within_budget(self, now: datetime) -> None:
        settings = self._settings
        if settings.store_address is None:  # else the folder has only files that will be moved
            keep_within(FolderPlace(settings.folder), self._store, settings.budget, now, settings.machine)

    def _rotate_if_due(self) -> None:
        current, now = self._current, datetime.now(UTC)
        if current is None or (current.file.size < self._settings.file_bytes and now - current.begun < OLDEST_OPEN):
            return
        try:
            self._finish_file()
            hit(ARCHIVE_ROTATED)
            self._close_stored()
            self._keep_within_budget(now)
        except (OSError, NewscrawlError) as error:
            # The operator has to fix it, so there is no traceback. It is tried again with the next file.
            logger.error("the archive cannot be kept within its budget: %s", error)  # noqa: TRY400


def _body(row: locations.StoredCapture) -> _Body:
    if row.capture.body is None:
        raise LookupError(f"capture {row.id} has no body")
    return _Body(row.capture.body, (row.url, row.fetched_at))


def _page_key(raw: RawPage) -> str:
    return f"page {url_key(raw.final_url)}"
