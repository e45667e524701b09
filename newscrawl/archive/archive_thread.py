"""The thread that writes the archive: takes pages and returns their captures when the bytes are on the disk.

Pages that arrive while the disk is busy are written together, with one sync: a fast crawl makes few syncs, and a slow
one does not wait for more pages.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from newscrawl.archive.files import ensure_folder
from newscrawl.archive.writer import ArchiveSettings, WarcWriter
from newscrawl.errors import ArchiveError, NewscrawlError
from newscrawl.model import Capture, RawPage
from newscrawl.storage.store import Store

__all__ = ["ArchiveSettings", "ArchiveWriter"]

if TYPE_CHECKING:
    from newscrawl.archive.stores.upload_thread import UploadThread

logger = logging.getLogger(__name__)

MAX_BATCH: Final = 64
"""The most pages written with one sync; somewhat more than a batch of the database."""
SPACE_CHECK_SECONDS: Final = 1.0
"""Seconds between two checks of the free space."""
FIRST_PAUSE: Final = 5.0
MAX_PAUSE: Final = 60.0
"""Seconds between two attempts to write while the disk refuses pages; they double."""
PATIENCE: Final = 15.0
"""Seconds for which a crawl waits for the disk, unless `ArchiveWriter.patience` says otherwise."""


@dataclass(slots=True)
class Refusals:
    """Pages that the disk refuses, from the first one until one is written. The log has a line at the begin and one at
    the end. `problem` is the error, "" without one; no attempt is made before `again_at` (time.monotonic)."""

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


@dataclass(frozen=True, slots=True)
class _PendingPage:
    """A page to write, and the future of its capture."""

    raw: RawPage
    future: Future[Capture]


@dataclass(frozen=True, slots=True)
class _FinishFiles:
    """Asks for files with these names to be closed, although they could take more pages."""

    names: tuple[str, ...]


class ArchiveWriter:
    """The archive open for writing. `keep` may be called from any thread; no file is created before the first page."""

    def __init__(self, settings: ArchiveSettings, store: Store) -> None:
        self.settings = settings
        self._store = store
        self._writer = WarcWriter(settings, store)
        self._queue: queue.SimpleQueue[_PendingPage | _FinishFiles | None] = queue.SimpleQueue()
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
            self._queue.put(_PendingPage(raw, future))
        return future

    def finish_files(self, names: Iterable[str]) -> None:
        """Closes those of these files that this archive writes, soon and in its own thread: once their captures are
        stored. Later pages go to another file."""
        with self._lock:
            if self._thread is not None and not self._closed:
                self._queue.put(_FinishFiles(tuple(names)))

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
        settings, objects = self.settings, self.settings.objects
        if objects is None:
            return None
        from newscrawl.archive.stores.upload_thread import UploadThread  # the extra `s3`

        ensure_folder(settings.folder)
        return UploadThread(settings.folder, self._store, objects, settings.budget, settings.machine)

    def _run(self) -> None:
        ended = False
        while not ended:
            batch, ended = self._next_batch()
            if batch:
                self._keep(batch)
        self._writer.close()

    def _finish_files(self, wanted: _FinishFiles) -> None:
        try:
            self._writer.finish_files(wanted.names)
        except NewscrawlError as error:  # it is asked for again
            logger.warning("the archive's files %s cannot be closed now: %s", ", ".join(wanted.names), error)

    def _keep(self, batch: Sequence[_PendingPage]) -> None:
        """Writes the pages and resolves their futures. No capture is returned before it is on the disk."""
        try:
            kept = self._writer.write([pending.raw for pending in batch])
        except Exception as error:  # noqa: BLE001 - the thread must continue; every future gets the error
            if isinstance(error, ArchiveError):
                self.refusals.refused(error)
            for pending in batch:
                pending.future.set_exception(error)
            return
        self.refusals.written()
        for pending, captured in zip(batch, kept, strict=True):
            pending.future.set_result(captured)

    def _next_batch(self) -> tuple[list[_PendingPage], bool]:
        """Returns the pages that wait, and whether they are the last."""
        batch: list[_PendingPage] = []
        waiting = self._queue.get()
        if isinstance(waiting, _FinishFiles):
            self._finish_files(waiting)
            return batch, False
        while waiting is not None:
            if isinstance(waiting, _FinishFiles):
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


def _advice(store_address: str | None) -> str:
    """Returns what makes room besides other files."""
    if store_address is None:
        return "lower NEWSCRAWL_ARCHIVE_MIN_FREE_GB or NEWSCRAWL_ARCHIVE_MAX_GB"
    return f"see that {store_address} takes the closed files (`newscrawl doctor`)"
