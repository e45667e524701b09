"""Rewrites a file of the archive without the captures to be removed, in a folder or in an object store.

A new file is complete on the disk before one transaction changes every row from the old file to it; then the old file
is deleted. A process killed in between leaves either the old file and a new one without rows, or the new file and an
old one that is marked as deleted. The next start deletes the superfluous file (recover).

In an object store, a lease on the file keeps the processes of other machines away. The number of the lease is part of
the new name, so a process that slept past the end of its lease neither finds nor replaces another one's file.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Final, Literal

from newscrawl.archive.capture_records import ASKED, SITE, beside, pack, warc_time
from newscrawl.archive.files import REWRITE, SUFFIX, OpenFile
from newscrawl.archive.holding import Change, changing, delete
from newscrawl.archive.places import Place
from newscrawl.archive.read import CaptureRecords, groups
from newscrawl.archive.warc import Record, RecordPosition, records
from newscrawl.errors import ArchiveError, InvalidUrl, LeaseLost
from newscrawl.model import RawPage
from newscrawl.model.identity import url_key
from newscrawl.storage.captures import archive_files, locations
from newscrawl.storage.captures.archive_files import Wanted, hash_of
from newscrawl.storage.captures.locations import ArchiveFile, StoredCapture
from newscrawl.storage.reader import Transactions
from newscrawl.workers.processes.failpoints import ARCHIVE_REPLACED, ARCHIVE_REWRITTEN, hit

logger = logging.getLogger(__name__)

_TOGETHER: Final = 8 << 20
"""Bytes that are collected before they are written."""


@dataclass(frozen=True, slots=True)
class Victims:
    """The pages, by the hashes of their URL keys, and the sites whose captures are removed."""

    hashes: frozenset[bytes]
    sites: frozenset[str]

    @classmethod
    def of(cls, wanted: Iterable[Wanted]) -> Victims:
        """Returns everything that some of the requests remove."""
        requests = list(wanted)
        hashes = frozenset[bytes]().union(*(request.hashes for request in requests))
        return cls(hashes, frozenset(request.site for request in requests if request.site is not None))

    def has(self, key: str, site: str) -> bool:
        """Returns whether the capture of this page, fetched for this site, is removed."""
        return site in self.sites or self.has_page(key)

    def has_page(self, key: str) -> bool:
        """Returns whether the page with this URL key is named."""
        return hash_of(key) in self.hashes


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The result for a file.

        clean       it has no captures to be removed, and gets none
        open        a crawl writes it; so far it has no captures to be removed
        busy        a crawl writes it, and it has captures to be removed
        missing     it cannot be opened here

    `file_id` is the id of the file that has its captures now, `captures` is the number of rows removed, and `is_new`
    says that the file was rewritten.
    """

    state: Literal["clean", "open", "busy", "missing"]
    file_id: int
    captures: int = 0
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class Removing:
    """The captures to remove, and their files. New files are written in `folder`, also those that then go into an
    object store."""

    store: Transactions
    place: Place
    folder: Path
    victims: Victims
    software: str
    now: datetime

    def from_file(self, file: ArchiveFile) -> Rewritten:
        """Removes the captures of the victims from one file. The caller has locked the folder if the file is in one
        (`files.only_one`). Raises ArchiveError, OSError, StorageError."""
        try:
            return self._from_file(file)
        except FileNotFoundError:  # the crawl that wrote the file has closed it, which gives it another name
            return self._from_file(file)

    def _from_file(self, file: ArchiveFile) -> Rewritten:
        if not self.place.has(file.name):
            return Rewritten("missing", file.id)
        written = self.place.is_written(file.name)
        rows = self.store.run(locations.captures_of_file, file.id).result()
        if not (any(self.victims.has(row.url_key, row.site) for row in rows) or self._holds(file.name)):
            return Rewritten("open" if written else "clean", file.id)
        if written:
            return Rewritten("busy", file.id)
        with changing(self.store, self.place, file) as change:
            if change is None or not self._is_there(file):  # another process replaces it, or has just done so
                return Rewritten("busy", file.id)
            for step in range(1, change.number):  # of processes that were killed before rows referred to their files
                self.place.delete(_next_name(file.name, step))
            rows = self.store.run(locations.captures_of_file, file.id).result()
            try:
                new = self._rewrite(file, rows, _next_name(file.name, change.number), change)
            except LeaseLost:
                return Rewritten("busy", file.id)
        removed = sum(self.victims.has(row.url_key, row.site) for row in rows)
        return Rewritten("clean", new, removed, is_new=True)

    def _holds(self, name: str) -> bool:
        """Returns whether the file has captures of the victims, which may have no row. Files without such rows are
        searched too: captures to be removed must not stay because a process died before it stored their rows."""
        with self.place.open(name) as file:
            found = groups(file)
            return any(_of_victims(group, self.victims) or _names_victims(group, self.victims) for group in found)

    def _is_there(self, file: ArchiveFile) -> bool:
        known = self.store.run(locations.files).result()
        return any(each.id == file.id and each.deleted is None for each in known)

    def _rewrite(self, file: ArchiveFile, rows: Collection[StoredCapture], name: str, change: Change) -> int:
        """Replaces the file by one of this name. Returns the id of the new one. Raises LeaseLost."""
        users = self.store.run(locations.with_body_in, file.id).result()
        writing = OpenFile.begin(self.folder, name, self.now, self.software, REWRITE)
        try:
            with self.place.open(file.name) as old:
                captures_at, bodies_at = _copy(old, writing, rows, users, self.victims)
            writing.sync()
            self.place.prepare_replacement(writing)
            hit(ARCHIVE_REWRITTEN)
            exchange = archive_files.exchange_file
            new = change.run(exchange, file.id, name, captures_at, bodies_at, self.now).result()
            hit(ARCHIVE_REPLACED)
            self.place.complete_replacement(writing)
        except BaseException as error:
            writing.abandon()  # `recover` deletes it, or completes the replacement
            if isinstance(error, LeaseLost):
                self.place.delete(name)
            raise
        delete(self.place, file, self.store)
        logger.info("the archive's file %s is rewritten as %s", file.name, name)
        return new


def _of_victims(group: CaptureRecords, victims: Victims) -> bool:
    addresses = (group.answer.get("warc-target-uri", ""), group.metadata.get(ASKED, ""))
    keys = {_key(address) for address in addresses}
    return any(victims.has(key, group.metadata.get(SITE, "")) for key in keys)


def _names_victims(group: CaptureRecords, victims: Victims) -> bool:
    """Returns whether another page's capture refers to a victim's capture with the same bytes."""
    return victims.has_page(_key(group.answer.get(_REFERS[0], "")))


def _key(address: str) -> str:
    try:
        return url_key(address)
    except InvalidUrl:
        return ""


def _copy(
    old: BinaryIO,
    writing: OpenFile,
    rows: Collection[StoredCapture],
    users: Collection[StoredCapture],
    victims: Victims,
) -> tuple[dict[int, tuple[int, int]], dict[int, tuple[int, int] | None]]:
    """Copies the captures that stay, without decompressing them. Returns the places of the old file's captures in the
    new file, by id, and those of its bodies, by their old offset."""
    captures: dict[int, tuple[int, int]] = {}
    bodies: dict[int, tuple[int, int] | None] = {}
    ids = {row.capture.spot.offset: row.id for row in rows}
    wanted: dict[int, StoredCapture] = {}
    for user in users:
        if user.capture.body is not None and not victims.has(user.url_key, user.site):
            wanted.setdefault(user.capture.body.offset, user)
    pieces: list[bytes] = []
    at = writing.size
    for group in groups(old):
        is_removed = _of_victims(group, victims)
        heir = wanted.get(group.offset) if is_removed else None
        if is_removed and heir is None:
            bodies[group.offset] = None
            continue
        if heir is not None:
            piece = _inherited(old, group, heir)
        elif _names_victims(group, victims):
            piece = _without_reference(old, group)
        else:
            piece = _bytes(old, group.offset, group.length)
        if heir is None and group.offset in ids:
            captures[ids[group.offset]] = (at, len(piece))
        bodies[group.offset] = (at, len(piece))
        pieces.append(piece)
        at += len(piece)
        if sum(map(len, pieces)) >= _TOGETHER:
            writing.append(pieces)
            pieces = []
    if pieces:
        writing.append(pieces)
    return captures, bodies


def _bytes(old: BinaryIO, offset: int, length: int) -> bytes:
    place = old.tell()
    old.seek(offset)
    data = old.read(length)
    old.seek(place)
    return data


def _answer(old: BinaryIO, group: CaptureRecords) -> tuple[Record, bytes]:
    """Returns the capture's first record with its block."""
    place = old.tell()
    first = next(records(old, RecordPosition(group.offset), group.offset + 1, max_block=1 << 40, known=True))
    old.seek(place)
    if not isinstance(first, Record) or first.block is None:
        raise ArchiveError(f"the record at byte {group.offset} cannot be read any longer")
    return first, first.block


def _inherited(old: BinaryIO, group: CaptureRecords, heir: StoredCapture) -> bytes:
    """The answer with the URL and time of another page that has the same bytes."""
    first, block = _answer(old, group)
    headers = {name: value for name, value in first.headers.items() if name not in _OF_THE_OTHER}
    headers |= {"warc-target-uri": heir.url, "warc-date": warc_time(heir.fetched_at)}
    raw = RawPage(heir.requested_url or heir.url, heir.url, 200, {}, None, heir.fetched_at, heir.site)
    return _packed(headers, block) + beside(raw, headers["warc-record-id"])


def _without_reference(old: BinaryIO, group: CaptureRecords) -> bytes:
    first, block = _answer(old, group)
    headers = {name: value for name, value in first.headers.items() if name not in _REFERS}
    rest = first.following.offset
    return _packed(headers, block) + _bytes(old, rest, group.offset + group.length - rest)


def _packed(headers: Mapping[str, str], block: bytes) -> bytes:
    lines = "".join(f"{_spelled(name)}: {value}\r\n" for name, value in headers.items())
    return pack(f"WARC/1.1\r\n{lines}\r\n".encode() + block + b"\r\n\r\n")


def _spelled(name: str) -> str:
    """A header's name as the standard spells it, because some readers accept no other spelling."""
    parts = [part.upper() if part in {"warc", "uri", "id", "ip"} else part.capitalize() for part in name.split("-")]
    return "-".join(parts)


_REFERS: Final = ("warc-refers-to-target-uri", "warc-refers-to-date")
_OF_THE_OTHER: Final = frozenset({"warc-target-uri", "warc-date", "warc-ip-address"})


def _next_name(name: str, step: int = 1) -> str:
    """The name of a file that replaces `name`: the same name with a number, which is larger by `step`."""
    stem, dash, number = name.removesuffix(SUFFIX).rpartition("-r")
    if dash and number.isdigit():
        return f"{stem}-r{int(number) + step}{SUFFIX}"
    return f"{name.removesuffix(SUFFIX)}-r{step}{SUFFIX}"
