"""Writes the archive's files: takes pages and returns their places when the bytes are on the disk."""

from __future__ import annotations

import logging
import shutil
import socket
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from newscrawl.archive.capture_records import NOT_MODIFIED, Original, capture, digest_of
from newscrawl.archive.files import OpenFile, ensure_folder, new_name
from newscrawl.archive.read import groups
from newscrawl.archive.recover import add_missing_rows, recover
from newscrawl.archive.retention import OLDEST_OPEN, ArchiveBudget, keep_within
from newscrawl.errors import ArchiveError, NewscrawlError, StorageError
from newscrawl.failpoints import ARCHIVE_ROTATED, ARCHIVE_SYNCED, hit
from newscrawl.identity import url_key
from newscrawl.model import Capture, RawPage, Spot
from newscrawl.storage.captures import locations
from newscrawl.storage.reader import Database
from newscrawl.wording import counted

if TYPE_CHECKING:
    from newscrawl.archive.stores.object_files import ObjectFiles

logger = logging.getLogger(__name__)

IN_FLIGHT_SECONDS: Final = 120.0
"""Seconds after the end of a file after which its pages are stored, or never will be: the crawl lost its lease or the
database meanwhile. Extraction takes at most some tens of seconds. A page that is stored later updates its capture's
row, except if `forget` has rewritten the file meanwhile."""
LOOK_SECONDS: Final = 15.0
"""Seconds between two looks whether full files can be closed."""
RECENT: Final = 1_000
"""Number of written bodies that are remembered, because they may not be in the database yet."""


def _free(folder: Path) -> int:
    return shutil.disk_usage(folder).free


@dataclass(frozen=True)
class ArchiveSettings:
    """The archive's folder and limits. A file of `file_bytes` is closed and another begun. Fetching stops if the disk
    has less than `least_free` bytes free. `machine` is the name of the machine that has the folder. `store_address` is
    the object store into which closed files are moved (newscrawl.archive.stores); None: they stay in the folder. The
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
    def objects(self) -> ObjectFiles | None:
        """The object store, if there is one. Raises UsageError without its client."""
        if self.store_address is None:
            return None
        from newscrawl.archive.stores.object_files import object_files_at  # the extra `s3`

        return object_files_at(self.store_address)


@dataclass(frozen=True, slots=True)
class _Body:
    """The place of a body, and the capture that has it."""

    spot: Spot
    original: Original


@dataclass(slots=True)
class _FullFile:
    """A file that takes no more pages: its id, the number of its captures, and when it was full (monotonic seconds).
    `is_named` says that the log has why it cannot be closed."""

    file: OpenFile
    number: int
    written: int
    since: float
    is_named: bool = False


class WarcWriter:
    """Writes pages to the current file, and remembers recently written bodies. To be used by one thread."""

    def __init__(self, settings: ArchiveSettings, store: Database) -> None:
        self._settings = settings
        self._store = store
        self._file: OpenFile | None = None
        self._number = 0
        self._serial = 0
        self._begun = datetime.now(UTC)
        self._recent: OrderedDict[str, _Body] = OrderedDict()
        self._ready = False
        self._written = 0
        self._full: list[_FullFile] = []
        self._look_at = 0.0

    def write(self, pages: Sequence[RawPage]) -> list[Capture]:
        """Writes the pages; returns when their bytes are on the disk. Raises ArchiveError, or StorageError if the
        database fails; then none of the pages is kept."""
        try:
            kept = self._write(pages)
        except StorageError:  # not an error of the archive's disk
            raise
        except Exception as error:
            raise ArchiveError(f"cannot write to the archive {self._settings.folder}: {error}") from error
        self._rotate_if_due()
        self._close_full()
        return kept

    def _finish_file(self) -> None:
        """Makes the next page begin a new file."""
        if self._file is not None:
            self._full.append(_FullFile(self._file, self._number, self._written, time.monotonic()))
            self._file = None

    def finish_files(self, names: Collection[str]) -> None:
        """Makes the next page begin a new file if the current one has one of these names, and closes those of them
        that have no page in flight."""
        if self._file is not None and self._file.name in names:
            self._finish_file()
        if any(full.file.name in names for full in self._full):
            self._close_stored()

    def _close_full(self) -> None:
        """Closes the full files that have no page in flight; looks every `LOOK_SECONDS`."""
        if self._full and time.monotonic() >= self._look_at:
            self._close_stored()

    def close(self) -> None:
        """Closes the files. A file with captures that are not stored yet is left to the next start, which adds their
        rows."""
        self._finish_file()
        self._close_stored()
        for full in self._full:
            full.file.abandon()
        self._full.clear()

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

    def _has_all_rows(self, full: _FullFile) -> bool:
        """Returns whether rows refer to all captures of a file, after those that will get none by the crawl got
        theirs."""
        with self._store.reading() as connection:
            if locations.number_in(connection, full.number) >= full.written:
                return True
        if time.monotonic() - full.since < self._settings.in_flight:
            return False
        with full.file.path.open("rb") as opened:
            added = add_missing_rows(list(groups(opened)), full.number, self._store)
        logger.warning(
            "%s: %s never stored, the archive has them", full.file.name, counted(added, "page was", "pages were")
        )
        return True

    def _write(self, raws: Sequence[RawPage]) -> list[Capture]:
        file = self._open_file()
        pages = [(raw, digest_of(raw.body) if raw.body is not None else None) for raw in raws]
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
            logger.info("the database cannot be read for bodies that the archive has: pages are stored in full")
        return known

    def _open_file(self) -> OpenFile:
        if self._file is None:
            now = datetime.now(UTC)
            folder = self._settings.folder
            ensure_folder(folder)
            if not self._ready:
                self._put_in_order(now)
            self._serial += 1
            name = new_name(now, self._serial)
            self._number = self._store.notes.run(locations.add_file, name, now, self._settings.machine).result()
            self._file = OpenFile.begin(folder, name, now, self._settings.software)
            self._begun = now
            self._written = 0
            self._recent.clear()
        return self._file

    def _put_in_order(self, now: datetime) -> None:
        recover(self._settings.folder, self._store, self._settings.machine, self._settings.objects)
        self._keep_within_budget(now)
        self._ready = True

    def _keep_within_budget(self, now: datetime) -> None:
        settings = self._settings
        if settings.store_address is not None:  # the folder has only files that will be moved
            return
        keep_within(settings.folder, self._store, settings.budget, now, settings.machine)

    def _rotate_if_due(self) -> None:
        file, now = self._file, datetime.now(UTC)
        if file is None or (file.size < self._settings.file_bytes and now - self._begun < OLDEST_OPEN):
            return
        try:
            self._finish_file()
            hit(ARCHIVE_ROTATED)
            self._close_stored()
            self._keep_within_budget(now)
        except (OSError, NewscrawlError) as error:
            logger.error("the archive cannot be kept within its budget: %s", error)  # noqa: TRY400  for the
            # operator to fix; tried again with the next file


def _body(row: locations.StoredCapture) -> _Body:
    if row.capture.body is None:
        raise LookupError(f"capture {row.id} has no body")
    return _Body(row.capture.body, Original(row.url, row.fetched_at))


def _page_key(raw: RawPage) -> str:
    return f"page {url_key(raw.final_url)}"
