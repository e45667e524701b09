"""The thread that writes the archive: pages in, their captures out once the bytes are on the disk.

Pages that arrive while the disk is busy are written together with the next ones, with one sync for all: a fast crawl
pays for few syncs, a slow one waits for nobody.
"""

from __future__ import annotations

import logging
import queue
import shutil
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from newscrawl.archive.files import Writing, ensure_folder, new_name
from newscrawl.archive.group import NOT_MODIFIED, Original, capture, digest_of
from newscrawl.archive.recover import recover
from newscrawl.archive.retention import Budget, keep_within
from newscrawl.errors import ArchiveError, NewscrawlError, StorageError
from newscrawl.failpoints import ARCHIVE_ROTATED, ARCHIVE_SYNCED, hit
from newscrawl.identity import url_key
from newscrawl.model import Capture, RawPage, Spot
from newscrawl.storage import Store, captures

logger = logging.getLogger(__name__)

MOST_TOGETHER: Final = 64
"""Pages written with one sync; as many as a batch of the database holds, and some."""
OLDEST_OPEN: Final = timedelta(days=1)
"""A file is closed after so long, however small: what goes by age must not share it with what is younger."""
RECENT: Final = 1_000
"""Bodies remembered that were written and may not be in the database yet."""
LOOK_SECONDS: Final = 1.0
"""How often free space is asked for."""


def _free(folder: Path) -> int:
    return shutil.disk_usage(folder).free


@dataclass(frozen=True)
class ArchiveSettings:
    """Where the archive is and how large it may be. `file_bytes` is when another file is begun, `least_free` how many
    bytes of the disk must stay free for fetching to go on."""

    folder: Path
    file_bytes: int = 256 * 10**6
    budget: Budget = field(default_factory=Budget)
    least_free: int = 10**9
    software: str = "newscrawl"
    free: Callable[[Path], int] = _free


@dataclass(frozen=True, slots=True)
class _Asked:
    raw: RawPage
    future: Future[Capture]


@dataclass(frozen=True, slots=True)
class _Body:
    """Where a body is, and whose capture has it."""

    spot: Spot
    original: Original


class Keeper:
    """The archive open for writing. `keep` may be called from any thread; nothing is made before the first page."""

    def __init__(self, settings: ArchiveSettings, store: Store) -> None:
        self.settings = settings
        self._store = store
        self._asked: queue.SimpleQueue[_Asked | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._lock = threading.Lock()
        self._looked: tuple[float, bool] = (float("-inf"), False)

    def keep(self, raw: RawPage) -> Future[Capture]:
        """Writes the page. The future resolves when its bytes are on the disk, and fails with ArchiveError."""
        future: Future[Capture] = Future()
        future.set_running_or_notify_cancel()
        with self._lock:
            if self._closed:
                raise ArchiveError("the archive is closed")
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="newscrawl-archive", daemon=True)
                self._thread.start()
            self._asked.put(_Asked(raw, future))
        return future

    def disk_is_low(self) -> bool:
        """Whether less is free than has to be; cheap to ask for every page."""
        at, low = self._looked
        if time.monotonic() - at > LOOK_SECONDS:
            folder = next((one for one in (self.settings.folder, *self.settings.folder.parents) if one.exists()), None)
            low = folder is not None and self.settings.free(folder) < self.settings.least_free
            self._looked = (time.monotonic(), low)
        return low

    def close(self) -> None:
        """Writes what was given, closes the file and ends the thread; the second call does nothing."""
        with self._lock:
            self._closed = True
            self._asked.put(None)
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        writer = _Writer(self.settings, self._store)
        ended = False
        while not ended:
            batch, ended = self._together()
            if batch:
                writer.write(batch)
        writer.close()

    def _together(self) -> tuple[list[_Asked], bool]:
        """The next pages, as many as wait; and whether they are the last."""
        batch: list[_Asked] = []
        one = self._asked.get()
        while one is not None:
            batch.append(one)
            if len(batch) == MOST_TOGETHER:
                return batch, False
            try:
                one = self._asked.get_nowait()
            except queue.Empty:
                return batch, False
        return batch, True


class _Writer:
    """What the thread owns: the file being written, and the bodies that were written lately."""

    def __init__(self, settings: ArchiveSettings, store: Store) -> None:
        self._settings = settings
        self._store = store
        self._file: Writing | None = None
        self._number = 0
        self._serial = 0
        self._begun = datetime.now(UTC)
        self._recent: OrderedDict[str, _Body] = OrderedDict()
        self._ready = False
        self._written = 0
        self._full: list[tuple[Writing, int, int]] = []

    def write(self, batch: Sequence[_Asked]) -> None:
        """Writes the pages and answers who waits for them; nobody hears of a capture that is not on the disk."""
        try:
            kept = self._write(batch)
        except Exception as error:  # noqa: BLE001 - the thread must live on; every waiter gets the error
            failure = ArchiveError(f"cannot write to the archive {self._settings.folder}: {error}")
            failure.__cause__ = error
            for asked in batch:
                asked.future.set_exception(failure)
            return
        for asked, one in zip(batch, kept, strict=True):
            asked.future.set_result(one)
        self._rotate_if_due()

    def close(self) -> None:
        """Closes the files. One whose captures are not all stored is left to the next start, which makes them known."""
        if self._file is not None:
            self._full.append((self._file, self._number, self._written))
            self._file = None
        self._settle()
        for file, _, _ in self._full:
            file.abandon()
        self._full.clear()

    def _settle(self) -> None:
        """Gives full files their names as soon as rows point to all that is in them."""
        waiting = []
        for file, number, written in self._full:
            try:
                if self._store.run(captures.number_in, number).result() >= written:
                    file.close()
                    continue
            except (OSError, StorageError) as error:
                logger.warning("the archive's file %s is left to the next start: %s", file.name, error)
            waiting.append((file, number, written))
        self._full = waiting

    def _write(self, batch: Sequence[_Asked]) -> list[Capture]:
        file = self._open_file()
        pages = [(asked.raw, digest_of(asked.raw.body) if asked.raw.body is not None else None) for asked in batch]
        known = self._known(pages)
        planned: list[tuple[bytes, str | None, _Body | None]] = []
        fresh: dict[str, int] = {}
        at = file.size
        for number, (raw, digest) in enumerate(pages):
            body = known.get(digest or _page_key(raw))
            if body is None and digest in fresh:
                body = planned[fresh[digest]][2]
            piece = capture(raw, digest, body.original if body is not None else None)
            if body is None and digest is not None:
                fresh[digest] = number
                spot = Spot(self._number, at, len(piece))
                planned.append((piece, digest, _Body(spot, Original(raw.final_url, raw.fetched_at))))
            else:
                planned.append((piece, digest, body))
            at += len(piece)
        begins = file.append([piece for piece, _, _ in planned])
        file.sync()
        self._written += len(planned)
        hit(ARCHIVE_SYNCED)
        return [self._captured(begin, *plan) for begin, plan in zip(begins, planned, strict=True)]

    def _captured(self, begin: int, piece: bytes, digest: str | None, body: _Body | None) -> Capture:
        spot = Spot(self._number, begin, len(piece))
        if digest is not None and body is not None and body.spot == spot:
            self._recent[digest] = body
            while len(self._recent) > RECENT:
                self._recent.popitem(last=False)
            return Capture("response", spot, spot, digest)
        return Capture("revisit", spot, body.spot if body is not None else None, digest)

    def _known(self, pages: Sequence[tuple[RawPage, str | None]]) -> dict[str, _Body]:
        """The bodies that need not be written again: by digest, and by page for a 304."""
        digests = [digest for _, digest in pages if digest is not None]
        unchanged = [url_key(raw.final_url) for raw, digest in pages if digest is None and raw.status == NOT_MODIFIED]
        known = {digest: self._recent[digest] for digest in digests if digest in self._recent}
        try:
            with self._store.reading() as connection:
                for digest, one in captures.bodies(connection, set(digests) - set(known)).items():
                    known[digest] = _body(one)
                for key, one in captures.latest(connection, unchanged).items():
                    known[f"page {key}"] = _body(one)
        except StorageError:
            logger.warning("the database cannot be asked what the archive holds: pages are kept in full")
        return known

    def _open_file(self) -> Writing:
        if self._file is None:
            now = datetime.now(UTC)
            folder = self._settings.folder
            ensure_folder(folder)
            if not self._ready:
                self._put_in_order(now)
            self._serial += 1
            name = new_name(now, self._serial)
            self._number = self._store.run(captures.add_file, name, now).result()
            self._file = Writing.begin(folder, name, now, self._settings.software)
            self._begun = now
            self._written = 0
            self._recent.clear()
        return self._file

    def _put_in_order(self, now: datetime) -> None:
        recover(self._settings.folder, self._store)
        keep_within(self._settings.folder, self._store, self._settings.budget, now)
        self._ready = True

    def _rotate_if_due(self) -> None:
        file, now = self._file, datetime.now(UTC)
        if file is None or (file.size < self._settings.file_bytes and now - self._begun < OLDEST_OPEN):
            return
        try:
            self._full.append((file, self._number, self._written))
            self._file = None
            hit(ARCHIVE_ROTATED)
            self._settle()
            keep_within(self._settings.folder, self._store, self._settings.budget, now)
        except (OSError, NewscrawlError) as error:
            logger.error("the archive cannot be kept within its budget: %s", error)  # noqa: TRY400  the operator's
            # to mend; the next file is another occasion


def _body(one: captures.Kept) -> _Body:
    if one.capture.body is None:
        raise LookupError(f"capture {one.id} has no body")
    return _Body(one.capture.body, Original(one.url, one.fetched_at))


def _page_key(raw: RawPage) -> str:
    return f"page {url_key(raw.final_url)}"
