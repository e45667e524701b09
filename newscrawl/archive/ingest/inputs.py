"""Finds the inputs of an ingest and divides them into spans, which workers take one by one."""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final, Literal

from newscrawl.archive.read import Archived
from newscrawl.archive.warc import (
    BrokenRecord,
    Record,
    RecordPosition,
    find_member,
    find_plain,
    is_gzip,
    record_size,
    records,
)
from newscrawl.errors import UsageError, os_reason

COMPRESSED_SPAN: Final = 4 << 20
"""Bytes of a span of a compressed file: about 200 news pages, two seconds of work."""
MIN_SPAN: Final = 1 << 20
"""The least number of bytes of such a span: half a second of work. Pages cost more to store in smaller batches, and for
each span the end of the record before it is unpacked, too."""
TAPER: Final = 16
"""Near the end of a file, a span is the rest of the file divided by this, so that all workers end at about the same
time."""
PLAIN_SPAN: Final = 32 << 20
"""Bytes of a span of an uncompressed file, for about as many pages."""
FOLDER_SPAN: Final = 200
"""Files of a span of a folder."""
_FINGERPRINT_BYTES: Final = 1 << 16
"""Bytes hashed at either end of a file, to distinguish it from other files of its size."""
_PAGES: Final = frozenset({".html", ".htm", ".xhtml", ".shtml"})
_ARCHIVES: Final = (".warc", ".warc.gz")
_KEY_BYTES: Final = 16
"""Bytes of the digest that identifies an input."""
_BLANKS: Final = 64
"""Bytes read behind a record to skip its blank lines."""
_SEARCHED: Final = 64 << 20
"""Bytes of a file with a broken beginning that are searched for a record before the file is refused."""

Kind = Literal["warc", "folder", "archive"]


@dataclass(frozen=True, slots=True)
class HtmlFile:
    """A page in an HTML file. Its URL is None if no gold.jsonl states it; its time is that of the file's last
    change."""

    path: str
    url: str | None
    fetched_at: datetime
    name: str
    """The path from the folder that the operator named, or that has the named file, with this folder's own name: files
    of different folders often have the same name, such as index.html."""


@dataclass(frozen=True, slots=True)
class InputSpan:
    """A part of an input: the records that begin at `start` or later and before `stop` (in bytes; in files of a folder;
    in pages of newscrawl's own archive).

    `known` says that a record begins at `start`. `origin` identifies the span in the input and does not change when
    part of it is done.
    """

    key: str
    kind: Kind
    path: str
    origin: int
    start: RecordPosition
    stop: int
    known: bool
    files: tuple[HtmlFile, ...] = ()
    archived: tuple[Archived, ...] = ()

    def path_of(self, place: RecordPosition) -> str:
        """Returns the path of the file with this place: in a span of a folder, of the file with this number."""
        return self.files[place.offset - self.origin].path if self.kind == "folder" else self.path


@dataclass(frozen=True, slots=True)
class Input:
    """A WARC file or a folder of HTML. `key` identifies its content: the same file under another name is the same
    input. `size` is in bytes, for a folder in files; `bytes` is the size for the progress."""

    kind: Kind
    path: str
    key: str
    size: int
    bytes: int
    files: tuple[HtmlFile, ...] = ()
    changed: int | None = None
    """The time of a WARC file's last change, in nanoseconds since 1970."""
    compressed: bool = True
    """Whether a WARC file is compressed. A plain file is divided at its records."""

    def spans(self) -> Iterator[InputSpan]:
        """Yields the spans in order. They depend only on the content, so a later run gets the same."""
        if self.kind == "folder":
            for start in range(0, self.size, FOLDER_SPAN):
                stop = min(self.size, start + FOLDER_SPAN)
                yield InputSpan(
                    self.key, "folder", self.path, start, RecordPosition(start), stop, True, self.files[start:stop]
                )
            return
        if self.compressed:
            parts = divided(self.size, COMPRESSED_SPAN)
        else:
            parts = divided_at_records(Path(self.path), self.size, PLAIN_SPAN)
        for start, stop in parts:
            known = start == 0 or not self.compressed
            yield InputSpan(self.key, "warc", self.path, start, RecordPosition(start), stop, known)


def divided(size: int, most: int = COMPRESSED_SPAN, taper: int = TAPER) -> Iterator[tuple[int, int]]:
    """Yields begin and end of the spans of a compressed file of `size` bytes. A span has at most `most` bytes, and at
    most one part in `taper` of the rest of the file."""
    start = 0
    while start < size:
        stop = min(size, start + min(most, max(MIN_SPAN, (size - start) // taper)))
        yield start, stop
        start = stop


def divided_at_records(path: Path, size: int, least: int = PLAIN_SPAN) -> Iterator[tuple[int, int]]:
    """Yields begin and end of the spans of a plain file, of `least` bytes or more. Its records are found by going from
    header to header, because a page may contain a forged record."""
    begin = at = 0
    with path.open("rb") as file:
        while at < size:
            at = min(size, _next_record(file, at, size))
            if at - begin >= least or at >= size:
                yield begin, at
                begin = at


def _next_record(file: BinaryIO, at: int, size: int) -> int:
    """Returns the offset of the record after the one at `at`; if that one is broken, the offset of the next that can be
    found."""
    file.seek(at)
    reader = io.BufferedReader(io.FileIO(file.fileno(), closefd=False))
    try:
        end = at + record_size(reader)
    except BrokenRecord:
        return find_plain(file, at + 1, size)
    file.seek(end)
    blank = file.read(_BLANKS)
    return end + len(blank) - len(blank.lstrip(b"\r\n"))


def find_inputs(paths: Sequence[Path], variant: str = "") -> list[Input]:
    """Returns the inputs at the paths: WARC files, HTML files, folders of both. The same content is taken once.

    `variant` distinguishes ingests of one input with different filters. Raises UsageError for a path that is none of
    these or cannot be read.
    """
    inputs: dict[str, Input] = {}
    for path in paths:
        for entry in _inputs_at(path, variant):
            inputs.setdefault(entry.key, entry)
    if not inputs:
        raise UsageError("nothing to ingest: name WARC files, HTML files or folders of them")
    return list(inputs.values())


def _inputs_at(path: Path, variant: str) -> Iterator[Input]:
    try:
        if path.is_dir():
            in_folder = list(_of_folder(path, variant))
            if not in_folder:
                raise UsageError(f"nothing to ingest in {path}: no .html, .warc or .warc.gz file")
            yield from in_folder
        elif path.suffix.lower() in _PAGES:
            yield _folder_input(path, [path], {}, variant)
        else:
            yield _warc_input(path, variant)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {os_reason(error)}") from error


def _of_folder(folder: Path, variant: str) -> Iterator[Input]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    pages = [path for path in files if path.suffix.lower() in _PAGES]
    if pages:
        yield _folder_input(folder, pages, _addresses(folder), variant)
    for path in files:
        if path.name.lower().endswith(_ARCHIVES):
            yield _warc_input(path, variant, named=False)


def _folder_input(place: Path, pages: Sequence[Path], addresses: dict[str, str], variant: str) -> Input:
    digest = hashlib.blake2b(f"folder {variant}".encode(), digest_size=_KEY_BYTES)
    folder = place if place.is_dir() else place.parent
    own_name = folder.resolve().name
    files = []
    total = 0
    for path in pages:
        state = path.stat()
        total += state.st_size
        inside = path.relative_to(folder).as_posix()
        name = f"{own_name}/{inside}"
        identity = inside if folder == place else name
        digest.update(f"{identity}\0{state.st_size}\0{state.st_mtime_ns}\0".encode("utf-8", "surrogateescape"))
        when = datetime.fromtimestamp(state.st_mtime, UTC)
        files.append(HtmlFile(str(path), addresses.get(path.stem), when, name))
    return Input("folder", str(place), digest.hexdigest(), len(files), total, tuple(files))


def _addresses(folder: Path) -> dict[str, str]:
    """Returns URLs by file name, from a corpus's gold.jsonl (docs/how-to/benchmark.md); empty if there is no such
    file."""
    gold = folder / "gold.jsonl"
    if not gold.is_file():
        return {}
    addresses = {}
    with gold.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                row = json.loads(line)
                addresses[str(row["id"])] = str(row["url"] or "")
            except (ValueError, KeyError, TypeError) as error:
                raise UsageError(f"{gold}, line {number}: not an object with id and url ({error})") from error
    return {name: url for name, url in addresses.items() if url}


def _warc_input(path: Path, variant: str, *, named: bool = True) -> Input:
    """Returns a WARC file as an input. If the operator named the file (`named`) and it is not one, raises UsageError;
    in a folder, it then counts as one broken record."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        head = file.read(_FINGERPRINT_BYTES)
        file.seek(max(0, size - _FINGERPRINT_BYTES))
        tail = file.read(_FINGERPRINT_BYTES)
        compressed, changed = is_gzip(file), os.fstat(file.fileno()).st_mtime_ns
        if named:
            _require_warc(file, path)
    digest = hashlib.blake2b(f"warc {variant} {size}".encode(), digest_size=_KEY_BYTES)
    digest.update(head)
    digest.update(tail)
    return Input("warc", str(path), digest.hexdigest(), size, size, changed=changed, compressed=compressed)


def _require_warc(file: BinaryIO, path: Path) -> None:
    """Raises UsageError for a file that is not a WARC file; reading it would only give broken records."""
    compressed = is_gzip(file)
    first = next(records(file, RecordPosition(0), 1, max_block=0, known=True), None)
    if isinstance(first, Record):
        return
    begin = find_member(file, 0, _SEARCHED) if compressed else find_plain(file, 0, _SEARCHED)
    if begin >= _SEARCHED:
        raise UsageError(f"cannot ingest {path}: it is not a WARC file, an .html file or a folder of them")
